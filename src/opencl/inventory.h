/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_INVENTORY_H
#define CLSHARD_OPENCL_INVENTORY_H

/* Every platform and device of the machine, those in use first. Immutable once opened. */

#include "base/log.h"
#include "opencl/arena.h"
#include "opencl/device.h"

typedef struct clshard__inventory {
    clshard_platform_info *platforms; /* in the loader's order */
    size_t platform_count;
    clshard__device *devices; /* used_count in use, in the order documented for
                                 clshard_runtime_device(), then those left out */
    size_t device_count;
    size_t used_count;
    int32_t problem;      /* the code behind the first platform's problem; 0: there is none */
    clshard__arena arena; /* the strings of all the facts */
} clshard__inventory;

/* selector NULL: the defaults. The environment is the caller's business. Makes no context. A loader
 * without platforms gives an empty inventory. log may be NULL. Statuses: as clshard_runtime_open().
 */
clshard_status clshard__inventory_open(const char *selector, bool keep_duplicates,
                                       clshard__log *log, clshard__inventory **out_inventory,
                                       clshard_error *err);
void clshard__inventory_release(clshard__inventory *inventory);

#endif
