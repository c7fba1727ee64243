/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_CHOOSE_H
#define CLSHARD_OPENCL_CHOOSE_H

/* Which devices are used when nobody selects, and the order of all. Looks at facts only: calls no
 * driver. A device whose info.excluded is set is not used, whoever set it. */

#include "opencl/arena.h"
#include "opencl/device.h"

/* Sets info.excluded, with the reason, of what the defaults do not use (docs/devices.md).
 * keep_duplicates: what several drivers show of one device, the host's CPU included, is used as
 * often. OK or MEMORY. */
clshard_status clshard__choose_defaults(clshard__device *devices, size_t count,
                                        bool keep_duplicates, clshard__arena *arena,
                                        clshard_error *err);

/* Sorts and numbers the devices: those in use first, each part by rank and then in the order
 * documented for clshard_runtime_device(). Returns how many are in use. */
size_t clshard__choose_order(clshard__device *devices, size_t count);

#endif
