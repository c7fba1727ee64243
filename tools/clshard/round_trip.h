/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_ROUND_TRIP_H
#define TOOL_ROUND_TRIP_H

/* A file that went over the devices and back, and how that is shown. */

#include <clshard/array.h>
#include <clshard/event.h>

#include "placement.h"
#include "verify.h"

typedef struct round_trip {
    const char *file;
    const char *out; /* folder; NULL: none */
    size_t others;   /* files in it that look like those of positions past the last */
    clshard_route route;
    clshard_tensor original; /* from clshard_npy_read() */
    clshard_tensor gathered;
    placement placed;
    clshard_array *array;
    clshard_event *scattered;
    double scatter_seconds;
    double gather_seconds;
    verified result;
} round_trip;

clshard_status round_trip_print(const round_trip *trip, bool as_json, clshard_error *err);

#endif
