/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_FACTS_H
#define CLSHARD_OPENCL_FACTS_H

/* What one device says of itself. */

#include "opencl/arena.h"
#include "opencl/device.h"

/* Fills in a device whose platform, id, numbers and info.platform are set. One that is not
 * available, or whose driver fails to answer, is left out: info.excluded says why, and no string is
 * NULL. OK or MEMORY. */
clshard_status clshard__facts_read(clshard__device *device, clshard__arena *arena,
                                   clshard_error *err);

#endif
