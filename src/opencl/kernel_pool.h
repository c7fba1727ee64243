/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_KERNEL_POOL_H
#define CLSHARD_OPENCL_KERNEL_POOL_H

/* The built kernels of an engine, and those of their objects that nobody uses. Not locked: the
 * engine's lock is held around each call. */

#include "opencl/binary_cache.h"
#include "opencl/engine.h"

typedef struct clshard__kernel_pool clshard__kernel_pool;

/* Takes an idle kernel object, or makes one, building the program first where that was not done.
 * *pools is the engine's list, NULL at first. */
clshard_status clshard__kernel_pool_take(clshard__kernel_pool **pools, clshard__binary_cache *cache,
                                         const clshard__worker *worker, const char *name,
                                         const char *build_options, clshard__kernel **out_kernel,
                                         clshard_error *err);
void clshard__kernel_pool_give(clshard__kernel *kernel);

/* Ends all of them; every kernel must have been given back. */
void clshard__kernel_pools_end(clshard__kernel_pool *pools);

#endif
