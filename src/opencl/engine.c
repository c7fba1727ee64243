/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/engine.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "opencl/code.h"
#include "opencl/kernel_pool.h"
#include "opencl/memory.h"

struct clshard__engine {
    clshard__inventory *inventory;
    clshard__engine_settings settings;
    clshard__log *log;
    clshard__memory *memory;
    pid_t process;         /* that made it; a child's drivers would hang */
    clshard__lock *serial; /* per device in use; see clshard__worker_enter() */
    clshard__lock lock;    /* guards all below */
    cl_context *context;   /* per device in use; NULL: none yet */
    cl_command_queue *queue;
    clshard__kernel_pool *kernels;
};

/* Locks for all devices, so that ending them needs no account of who has one. */
static clshard_status make_locks(clshard__engine *engine, size_t count, clshard_error *err)
{
    clshard_status status = clshard__lock_init(&engine->lock, err);
    size_t made = 0;

    if (status != CLSHARD_OK)
        return status;
    while (status == CLSHARD_OK && made < count) {
        status = clshard__lock_init(&engine->serial[made], err);
        made += status == CLSHARD_OK;
    }
    if (status == CLSHARD_OK)
        return status;
    while (made-- > 0)
        clshard__lock_end(&engine->serial[made]);
    clshard__lock_end(&engine->lock);
    return status;
}

/* Frees what is left when making an engine fails; the locks are not there. */
static void discard(clshard__engine *engine)
{
    clshard__memory_release(engine->memory, false);
    clshard__free(engine->context);
    clshard__free(engine->queue);
    clshard__free(engine->serial);
    clshard__free(engine);
}

static clshard_status make_parts(clshard__engine *engine, const clshard__inventory *inventory,
                                 clshard_error *err)
{
    clshard_status status;

    engine->context = clshard__alloc(inventory->used_count, sizeof(cl_context));
    engine->queue = clshard__alloc(inventory->used_count, sizeof(cl_command_queue));
    engine->serial = clshard__alloc(inventory->used_count, sizeof *engine->serial);
    if (engine->context == NULL || engine->queue == NULL || engine->serial == NULL)
        return clshard__no_memory(err, "the runtime");
    status = clshard__memory_create(inventory, engine->settings.pool_bytes, &engine->memory, err);
    return status == CLSHARD_OK ? make_locks(engine, inventory->used_count, err) : status;
}

clshard_status clshard__engine_create(clshard__inventory *inventory,
                                      const clshard__engine_settings *settings, clshard__log *log,
                                      clshard__engine **out_engine, clshard_error *err)
{
    clshard__engine *engine = clshard__alloc(1, sizeof *engine);
    clshard_status status;

    if (engine == NULL)
        return clshard__no_memory(err, "the runtime");
    engine->settings = *settings;
    status = make_parts(engine, inventory, err);
    if (status != CLSHARD_OK) {
        discard(engine);
        return status;
    }
    engine->inventory = inventory;
    engine->log = log;
    engine->process = clshard__fork_mark();
    *out_engine = engine;
    return CLSHARD_OK;
}

/* In a child of the process that made them, the driver's objects are left alone: its threads are
 * gone, and it would wait for them. */
static void release_objects(clshard__engine *engine)
{
    clshard__kernel_pools_end(engine->kernels);
    for (size_t i = 0; i < engine->inventory->used_count; i++) {
        if (engine->queue[i] != NULL)
            (void)clReleaseCommandQueue(engine->queue[i]);
        if (engine->context[i] != NULL)
            (void)clReleaseContext(engine->context[i]);
    }
}

void clshard__engine_release(clshard__engine *engine)
{
    bool foreign;

    if (engine == NULL)
        return;
    foreign = clshard__fork_check(engine->process, NULL) != CLSHARD_OK;
    clshard__memory_release(engine->memory, foreign);
    engine->memory = NULL;
    if (!foreign)
        release_objects(engine);
    for (size_t i = 0; i < engine->inventory->used_count; i++)
        clshard__lock_end(&engine->serial[i]);
    clshard__lock_end(&engine->lock);
    clshard__inventory_release(engine->inventory);
    clshard__binary_cache_release(engine->settings.cache);
    discard(engine);
}

clshard__memory *clshard__engine_memory(const clshard__engine *engine)
{
    return engine->memory;
}

void clshard__engine_trim(clshard__engine *engine)
{
    for (size_t i = 0; i < engine->inventory->used_count; i++) {
        clshard__lock_take(&engine->serial[i]);
        clshard__memory_trim(engine->memory, i);
        clshard__lock_leave(&engine->serial[i]);
    }
    clshard__memory_trim_staging(engine->memory);
}

const clshard__inventory *clshard__engine_inventory(const clshard__engine *engine)
{
    return engine->inventory;
}

clshard_status clshard__engine_check(const clshard__engine *engine, clshard_error *err)
{
    return clshard__fork_check(engine->process, err);
}

/* Whether a device may share its context with others of its platform. */
static bool shares_context(const clshard__engine *engine, const clshard__device *device)
{
    switch (engine->settings.contexts) {
    case CLSHARD_CONTEXT_PER_PLATFORM:
        return true;
    case CLSHARD_CONTEXT_PER_DEVICE:
        return false;
    case CLSHARD_CONTEXT_AUTO:
    default:
        return !device->own_memory;
    }
}

/* The claim of the context's maker is the device's own. A member for which the driver takes no
 * claim gets a context of its own when it is started. */
static void share_context(clshard__engine *engine, cl_context context, size_t device,
                          const size_t *members, size_t count)
{
    engine->context[device] = context;
    for (size_t i = 0; i < count; i++)
        if (members[i] != device && clRetainContext(context) == CL_SUCCESS)
            engine->context[members[i]] = context;
}

/* For a device and the members, of which it is one. */
static clshard_status make_context(clshard__engine *engine, size_t device, const size_t *members,
                                   size_t count, clshard_error *err)
{
    const clshard__device *devices = engine->inventory->devices;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)devices[device].platform, 0};
    cl_device_id *ids = clshard__alloc(count, sizeof *ids);
    cl_int code = CL_SUCCESS;
    cl_context context;

    if (ids == NULL)
        return clshard__no_memory(err, "a context");
    for (size_t i = 0; i < count; i++)
        ids[i] = devices[members[i]].id;
    context = clCreateContext(properties, (cl_uint)count, ids, NULL, NULL, &code);
    clshard__free(ids);
    if (code != CL_SUCCESS)
        return clshard__fail_code(err, code, "clCreateContext", devices[device].info.name);
    share_context(engine, context, device, members, count);
    return CLSHARD_OK;
}

/* One context for the device and all others in use that may share it; contexts cannot grow later.
 */
static clshard_status start_context(clshard__engine *engine, size_t device, clshard_error *err)
{
    const clshard__inventory *inventory = engine->inventory;
    const clshard__device *devices = inventory->devices;
    size_t *members;
    size_t count = 0;
    clshard_status status;

    if (!shares_context(engine, &devices[device]))
        return make_context(engine, device, &device, 1, err);
    members = clshard__alloc(inventory->used_count, sizeof *members);
    if (members == NULL)
        return clshard__no_memory(err, "a context");
    for (size_t i = 0; i < inventory->used_count; i++)
        if (devices[i].platform == devices[device].platform && engine->context[i] == NULL &&
            shares_context(engine, &devices[i]))
            members[count++] = i;
    status = make_context(engine, device, members, count, err);
    clshard__free(members);
    if (status == CLSHARD_OK || count == 1)
        return status;
    clshard__log_line(engine->log, "platform '%s' makes no context for %zu devices; one each",
                      devices[device].info.platform, count);
    return make_context(engine, device, &device, 1, err);
}

/* Whether two devices have one context, or would get it. */
static bool same_context(const clshard__engine *engine, size_t a, size_t b)
{
    const clshard__device *devices = engine->inventory->devices;

    if (engine->context[a] != NULL || engine->context[b] != NULL)
        return engine->context[a] == engine->context[b];
    return a == b || (devices[a].platform == devices[b].platform &&
                      shares_context(engine, &devices[a]) && shares_context(engine, &devices[b]));
}

size_t clshard__engine_context_number(clshard__engine *engine, size_t device)
{
    /* In a child after fork() a thread that is not there may have the lock; and nobody else is. */
    const bool forked = clshard__engine_check(engine, NULL) != CLSHARD_OK;
    size_t number = 0;

    if (!forked)
        clshard__lock_take(&engine->lock);
    while (number < device && !same_context(engine, number, device))
        number++;
    if (!forked)
        clshard__lock_leave(&engine->lock);
    return number;
}

static clshard_status start_queue(clshard__engine *engine, size_t device, clshard_error *err)
{
    const clshard__device *facts = &engine->inventory->devices[device];
    const bool timed = (facts->quirks & CLSHARD__QUIRK_PROFILING) == 0;
    cl_int code = CL_SUCCESS;

    engine->queue[device] = clCreateCommandQueue(engine->context[device], facts->id,
                                                 timed ? CL_QUEUE_PROFILING_ENABLE : 0, &code);
    if (code == CL_SUCCESS)
        return CLSHARD_OK;
    engine->queue[device] = NULL;
    return clshard__fail_code(err, code, "clCreateCommandQueue", facts->info.name);
}

static clshard_status start(clshard__engine *engine, size_t device, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    if (engine->context[device] == NULL)
        status = start_context(engine, device, err);
    if (status == CLSHARD_OK && engine->queue[device] == NULL)
        status = start_queue(engine, device, err);
    return status;
}

clshard_status clshard__engine_start(clshard__engine *engine, size_t device,
                                     clshard__worker *out_worker, clshard_error *err)
{
    clshard_status status = clshard__engine_check(engine, err);

    if (status != CLSHARD_OK)
        return status;
    if (device >= engine->inventory->used_count)
        return clshard__fail(err, CLSHARD_ERR_INTERNAL, "device %zu is not in use", device);
    clshard__lock_take(&engine->lock);
    status = start(engine, device, err);
    if (status == CLSHARD_OK) {
        const clshard__device *facts = &engine->inventory->devices[device];
        out_worker->device = facts;
        out_worker->context = engine->context[device];
        out_worker->queue = engine->queue[device];
        out_worker->device_times = (facts->quirks & CLSHARD__QUIRK_PROFILING) == 0;
        out_worker->serial =
            (facts->quirks & CLSHARD__QUIRK_BLOCKING) != 0 ? &engine->serial[device] : NULL;
    }
    clshard__lock_leave(&engine->lock);
    return status;
}

clshard_status clshard__engine_kernel_take(clshard__engine *engine, const clshard__worker *worker,
                                           const char *name, const char *build_options,
                                           clshard__kernel **out_kernel, clshard_error *err)
{
    clshard_status status;

    clshard__lock_take(&engine->lock);
    status = clshard__kernel_pool_take(&engine->kernels, engine->settings.cache, worker, name,
                                       build_options, out_kernel, err);
    clshard__lock_leave(&engine->lock);
    return status;
}

void clshard__engine_kernel_give(clshard__engine *engine, clshard__kernel *kernel)
{
    if (kernel == NULL)
        return;
    clshard__lock_take(&engine->lock);
    clshard__kernel_pool_give(kernel);
    clshard__lock_leave(&engine->lock);
}

void clshard__worker_enter(const clshard__worker *worker)
{
    if (worker->serial != NULL)
        clshard__lock_take(worker->serial);
}

bool clshard__worker_try_enter(const clshard__worker *worker)
{
    return worker->serial == NULL || clshard__lock_try(worker->serial);
}

void clshard__worker_leave(const clshard__worker *worker)
{
    if (worker->serial != NULL)
        clshard__lock_leave(worker->serial);
}
