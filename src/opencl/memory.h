/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_MEMORY_H
#define CLSHARD_OPENCL_MEMORY_H

/* Device buffers and staging memory of an engine, pooled. Locked inside.
 *
 * A block enters a pool only when all that used it is done, and was done without a failure: who
 * gives one has waited. So a block that is handed out is never busy. */

#include "base/pool.h"
#include "opencl/engine.h"

typedef struct clshard__memory clshard__memory;

/* pool_bytes: most bytes that are kept per device, and as staging; 0: the default. */
clshard_status clshard__memory_create(const clshard__inventory *inventory, size_t pool_bytes,
                                      clshard__memory **out_memory, clshard_error *err);

/* forked: in a child after fork() the pools are left as they are: a thread of the parent may have
 * been changing them, with the lock, and the drivers' objects are not the child's. */
void clshard__memory_release(clshard__memory *memory, bool forked);

/* A buffer of the worker's device, of at least so many bytes. When the device has no memory left,
 * the pools are emptied and it is tried once more. DEVICE_MEMORY, OPENCL. The caller has entered
 * the worker, here and below. */
clshard_status clshard__memory_take(clshard__memory *memory, const clshard__worker *worker,
                                    size_t bytes, clshard__pool_block *out_block,
                                    clshard_error *err);

/* Gives an idle buffer back; keep false: it is ended, for what happened to it is not known. */
void clshard__memory_give(clshard__memory *memory, const clshard__worker *worker,
                          clshard__pool_block block, bool keep);

/* Page-aligned memory of the host; MEMORY. */
clshard_status clshard__memory_stage(clshard__memory *memory, size_t bytes,
                                     clshard__pool_block *out_block, clshard_error *err);
void clshard__memory_unstage(clshard__memory *memory, clshard__pool_block block);

/* Ends what a device's pool keeps; the caller has entered its worker. */
void clshard__memory_trim(clshard__memory *memory, size_t device);
void clshard__memory_trim_staging(clshard__memory *memory);

/* Bytes kept for a device. */
size_t clshard__memory_kept(clshard__memory *memory, size_t device);

#endif
