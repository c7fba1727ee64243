/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_PLAN_SVG_H
#define TOOL_PLAN_SVG_H

/* A picture of a layout to keep. */

#include <clshard/sharding.h>

typedef struct plan_svg {
    const clshard_layout *layout;
    clshard_dtype dtype; /* NONE: no bytes are shown */
    const char *policy;  /* how extents are cut, as the user said */
} plan_svg;

/* Writes the picture as the file, whole or not at all; "-" is standard output. `io`, `memory`. */
clshard_status plan_svg_write(const plan_svg *plan, const char *path, clshard_error *err);

#endif
