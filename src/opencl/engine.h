/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_ENGINE_H
#define CLSHARD_OPENCL_ENGINE_H

/* What drives the devices of an inventory: contexts, queues and kernels, made when first needed.
 * Locked inside. */

#include "base/log.h"
#include "opencl/binary_cache.h"
#include "opencl/inventory.h"

typedef struct clshard__engine clshard__engine;

/* What the opener of a runtime may choose. */
typedef struct clshard__engine_settings {
    clshard_context_policy contexts;
    size_t pool_bytes; /* as clshard_runtime_options */
    clshard__binary_cache *cache;
} clshard__engine_settings;

/* Takes the inventory and the cache on OK; borrows the log. Makes no context. */
clshard_status clshard__engine_create(clshard__inventory *inventory,
                                      const clshard__engine_settings *settings, clshard__log *log,
                                      clshard__engine **out_engine, clshard_error *err);
void clshard__engine_release(clshard__engine *engine);

const clshard__inventory *clshard__engine_inventory(const clshard__engine *engine);

/* Buffers and staging memory (opencl/memory.h). */
struct clshard__memory *clshard__engine_memory(const clshard__engine *engine);

/* Ends all that the pools keep. */
void clshard__engine_trim(clshard__engine *engine);

/* FORKED in a child of the process that made the engine. */
clshard_status clshard__engine_check(const clshard__engine *engine, clshard_error *err);

/* A started device; borrowed from the engine. */
typedef struct clshard__worker {
    const clshard__device *device;
    cl_context context;
    cl_command_queue queue; /* in order */
    bool device_times;      /* the queue's profiling can be trusted */
    clshard__lock *serial;  /* NULL but for drivers whose calls must come one at a time */
} clshard__worker;

/* Around all driver calls on a worker's queue, buffers and events, waits included. A driver that
 * runs commands inside its calls also runs those of other threads there. Without this, eight
 * threads with arrays of their own (tests/device/test_threads.c) make Oclgrind 21.10 abort in
 * notifyKernelBegin, and PoCL 3.1's basic devices deadlock, each in pocl_broadcast holding an event
 * that another wants. */
void clshard__worker_enter(const clshard__worker *worker);

/* False, at once, when another thread is inside. */
bool clshard__worker_try_enter(const clshard__worker *worker);
void clshard__worker_leave(const clshard__worker *worker);

/* Gives a device (an index among those in use) its context and queue when it has none yet. */
clshard_status clshard__engine_start(clshard__engine *engine, size_t device,
                                     clshard__worker *out_worker, clshard_error *err);

/* A number that devices in use have in common exactly when they share a context, or would share the
 * one that is made for them; below the number of devices in use. Makes none. */
size_t clshard__engine_context_number(clshard__engine *engine, size_t device);

/* A kernel of cl/, for one launch at a time: nobody else sets its arguments until it is given back.
 */
typedef struct clshard__kernel {
    cl_kernel handle;
    struct clshard__kernel_pool *pool;
    struct clshard__kernel *next;
} clshard__kernel;

/* Builds source (a file of cl/, without .cl) with the options for a started worker where that was
 * not done yet. name and build_options must be literals: they are kept. BUILD carries the end of
 * the build log. */
clshard_status clshard__engine_kernel_take(clshard__engine *engine, const clshard__worker *worker,
                                           const char *name, const char *build_options,
                                           clshard__kernel **out_kernel, clshard_error *err);
void clshard__engine_kernel_give(clshard__engine *engine, clshard__kernel *kernel);

#endif
