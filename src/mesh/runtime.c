/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/runtime.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/error.h"
#include "base/options.h"
#include "base/refcount.h"
#include "mesh/runtime_internal.h"

struct clshard_runtime {
    clshard__refcount claims;
    clshard__log *log; /* apart, so that a const runtime can write lines */
    clshard__engine *engine;
};

/* Says that the selector came from the environment, where the caller never saw it. */
static clshard_status blame_environment(clshard_error *err, clshard_status status)
{
    clshard_error inner;

    if (err == NULL)
        return status;
    inner = *err;
    return clshard__fail_native(err, status, inner.native, "%s: %s",
                                clshard__env_name(CLSHARD__ENV_DEVICES), inner.message);
}

static clshard_status open_inventory(const char *selector, bool keep_duplicates, clshard__log *log,
                                     clshard__inventory **out_inventory, clshard_error *err)
{
    const char *asked = selector != NULL ? selector : clshard__env_get(CLSHARD__ENV_DEVICES);
    const clshard_status status =
        clshard__inventory_open(asked, keep_duplicates, log, out_inventory, err);

    if (status != CLSHARD_OK && selector == NULL && asked != NULL)
        return blame_environment(err, status);
    return status;
}

static clshard_status open_engine(const char *selector, const clshard_runtime_options *options,
                                  clshard__log *log, clshard__engine **out_engine,
                                  clshard_error *err)
{
    clshard__inventory *inventory = NULL;
    clshard__binary_cache *cache = NULL;
    clshard_status status = clshard__binary_cache_create(options->cache_folder, log, &cache, err);

    if (status == CLSHARD_OK)
        status = open_inventory(selector, options->keep_duplicates, log, &inventory, err);
    if (status == CLSHARD_OK)
        status = clshard__engine_create(
            inventory,
            &(clshard__engine_settings){
                .contexts = options->contexts, .pool_bytes = options->pool_bytes, .cache = cache},
            log, out_engine, err);
    if (status != CLSHARD_OK) {
        clshard__inventory_release(inventory);
        clshard__binary_cache_release(cache);
    }
    return status;
}

static clshard_status read_options(const clshard_runtime_options *from, clshard_runtime_options *to,
                                   clshard_error *err)
{
    const clshard_status status =
        clshard__options_read(to, sizeof *to, from, "clshard_runtime_options", err);

    if (status != CLSHARD_OK)
        return status;
    if ((int)to->contexts < CLSHARD_CONTEXT_AUTO || to->contexts > CLSHARD_CONTEXT_PER_DEVICE)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "clshard_runtime_open: contexts is %d, which is no "
                             "clshard_context_policy (0 to %d)",
                             (int)to->contexts, (int)CLSHARD_CONTEXT_PER_DEVICE);
    return CLSHARD_OK;
}

/* Fills a zeroed runtime; what it has made on failure is for destroy(). */
static clshard_status fill(clshard_runtime *runtime, const char *selector,
                           const clshard_runtime_options *options, clshard_error *err)
{
    clshard__log *log = clshard__alloc(1, sizeof *log);
    clshard_status status;

    if (log == NULL)
        return clshard__no_memory(err, "a runtime");
    status = clshard__log_init(log, options->log, options->log_context, err);
    if (status != CLSHARD_OK) {
        clshard__free(log);
        return status;
    }
    runtime->log = log;
    clshard__refcount_init(&runtime->claims);
    return open_engine(selector, options, log, &runtime->engine, err);
}

static void destroy(clshard_runtime *runtime)
{
    if (runtime->engine != NULL)
        clshard__engine_release(runtime->engine);
    if (runtime->log != NULL)
        clshard__log_end(runtime->log);
    clshard__free(runtime->log);
    clshard__free(runtime);
}

clshard_status clshard_runtime_open(const char *selector, const clshard_runtime_options *options,
                                    clshard_runtime **out_runtime, clshard_error *err)
{
    clshard_runtime_options known;
    clshard_runtime *runtime;
    clshard_status status;

    if (out_runtime == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "clshard_runtime_open: out_runtime is NULL");
    status = read_options(options, &known, err);
    if (status != CLSHARD_OK)
        return status;
    runtime = clshard__alloc(1, sizeof *runtime);
    if (runtime == NULL)
        return clshard__no_memory(err, "a runtime");
    status = fill(runtime, selector, &known, err);
    if (status != CLSHARD_OK) {
        destroy(runtime);
        return status;
    }
    *out_runtime = runtime;
    return CLSHARD_OK;
}

clshard_runtime *clshard__runtime_retain(const clshard_runtime *runtime)
{
    clshard_runtime *claimed = (clshard_runtime *)runtime;

    clshard__refcount_retain(&claimed->claims);
    return claimed;
}

void clshard_runtime_release(clshard_runtime *runtime)
{
    if (runtime != NULL && clshard__refcount_release(&runtime->claims))
        destroy(runtime);
}

clshard_status clshard_runtime_trim(clshard_runtime *runtime, clshard_error *err)
{
    clshard_status status;

    if (runtime == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_runtime_trim: runtime is NULL");
    status = clshard__engine_check(runtime->engine, err);
    if (status == CLSHARD_OK)
        clshard__engine_trim(runtime->engine);
    return status;
}

clshard__engine *clshard__runtime_engine(const clshard_runtime *runtime)
{
    return runtime->engine;
}

const clshard__device *clshard__runtime_device(const clshard_runtime *runtime, size_t index)
{
    const clshard__inventory *inventory = clshard__engine_inventory(runtime->engine);

    return index < inventory->device_count ? &inventory->devices[index] : NULL;
}

size_t clshard_runtime_platform_count(const clshard_runtime *runtime)
{
    return runtime == NULL ? 0 : clshard__engine_inventory(runtime->engine)->platform_count;
}

const clshard_platform_info *clshard_runtime_platform(const clshard_runtime *runtime, size_t index)
{
    return index < clshard_runtime_platform_count(runtime)
               ? &clshard__engine_inventory(runtime->engine)->platforms[index]
               : NULL;
}

size_t clshard_runtime_device_count(const clshard_runtime *runtime)
{
    return runtime == NULL ? 0 : clshard__engine_inventory(runtime->engine)->used_count;
}

size_t clshard_runtime_excluded_count(const clshard_runtime *runtime)
{
    const clshard__inventory *inventory;

    if (runtime == NULL)
        return 0;
    inventory = clshard__engine_inventory(runtime->engine);
    return inventory->device_count - inventory->used_count;
}

const clshard_device_info *clshard_runtime_device(const clshard_runtime *runtime, size_t index)
{
    const clshard__device *device =
        runtime == NULL ? NULL : clshard__runtime_device(runtime, index);

    return device == NULL ? NULL : &device->info;
}
