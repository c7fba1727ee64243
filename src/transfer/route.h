/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TRANSFER_ROUTE_H
#define CLSHARD_TRANSFER_ROUTE_H

/* Which way a position's data goes. */

#include <clshard/event.h>

#include "layout/copy.h"
#include "opencl/device.h"

/* What a call forces: its option, else CLSHARD_ROUTE, else AUTO. ARGUMENT for a value that is no
 * route. */
clshard_status clshard__route_forced(clshard_route option, const char *operation,
                                     clshard_route *out_route, clshard_error *err);

/* The route for one copy on a device; forced AUTO: by what the device is and what the copy looks
 * like. */
clshard_route clshard__route_choose(clshard_route forced, const clshard__device *device,
                                    const clshard__copy *copy);

#endif
