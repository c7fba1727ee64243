/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_QUIRKS_H
#define CLSHARD_OPENCL_QUIRKS_H

/* How drivers differ from what they promise: one table, a row with its evidence per case. */

#include "opencl/arena.h"
#include "opencl/device.h"

/* Sets quirks and info.disabled of a device whose name, platform and driver are known. OK or
 * MEMORY. */
clshard_status clshard__quirks_find(clshard__device *device, clshard__arena *arena,
                                    clshard_error *err);

#endif
