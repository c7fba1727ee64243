/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/kernel_pool.h"

#include <string.h>

#include "base/alloc.h"
#include "opencl/code.h"
#include "opencl/program.h"

/* One program on one device, and the kernel objects of it that are not in use. */
struct clshard__kernel_pool {
    const clshard__device *device;
    const char *name; /* of the source file, and of the kernel in it */
    const char *build_options;
    cl_program program;
    clshard__kernel *idle;
    clshard__kernel_pool *next;
};

static clshard__kernel_pool *find(clshard__kernel_pool *pools, const clshard__device *device,
                                  const char *name, const char *build_options)
{
    clshard__kernel_pool *pool = pools;
    while (pool != NULL && !(pool->device == device && strcmp(pool->name, name) == 0 &&
                             strcmp(pool->build_options, build_options) == 0))
        pool = pool->next;
    return pool;
}

static clshard_status add(clshard__kernel_pool **pools, clshard__binary_cache *cache,
                          const clshard__worker *worker, const char *name,
                          const char *build_options, clshard_error *err)
{
    const clshard__program_request request = {worker->context, worker->device, name, build_options,
                                              cache};
    clshard__kernel_pool *pool = clshard__alloc(1, sizeof *pool);
    clshard_status status;

    if (pool == NULL)
        return clshard__no_memory(err, "a kernel");
    status = clshard__program_build(&request, &pool->program, err);
    if (status != CLSHARD_OK) {
        clshard__free(pool);
        return status;
    }
    pool->device = worker->device;
    pool->name = name;
    pool->build_options = build_options;
    pool->next = *pools;
    *pools = pool;
    return CLSHARD_OK;
}

static clshard_status make_kernel(clshard__kernel_pool *pool, clshard__kernel **out_kernel,
                                  clshard_error *err)
{
    clshard__kernel *kernel = clshard__alloc(1, sizeof *kernel);
    cl_int code = CL_SUCCESS;

    if (kernel == NULL)
        return clshard__no_memory(err, "a kernel");
    kernel->handle = clCreateKernel(pool->program, pool->name, &code);
    if (code != CL_SUCCESS) {
        clshard__free(kernel);
        return clshard__fail_code(err, code, "clCreateKernel", pool->device->info.name);
    }
    kernel->pool = pool;
    *out_kernel = kernel;
    return CLSHARD_OK;
}

clshard_status clshard__kernel_pool_take(clshard__kernel_pool **pools, clshard__binary_cache *cache,
                                         const clshard__worker *worker, const char *name,
                                         const char *build_options, clshard__kernel **out_kernel,
                                         clshard_error *err)
{
    clshard__kernel_pool *pool = find(*pools, worker->device, name, build_options);

    if (pool == NULL) {
        const clshard_status status = add(pools, cache, worker, name, build_options, err);
        if (status != CLSHARD_OK)
            return status;
        pool = *pools;
    }
    if (pool->idle == NULL)
        return make_kernel(pool, out_kernel, err);
    *out_kernel = pool->idle;
    pool->idle = pool->idle->next;
    return CLSHARD_OK;
}

void clshard__kernel_pool_give(clshard__kernel *kernel)
{
    kernel->next = kernel->pool->idle;
    kernel->pool->idle = kernel;
}

void clshard__kernel_pools_end(clshard__kernel_pool *pools)
{
    while (pools != NULL) {
        clshard__kernel_pool *next = pools->next;
        while (pools->idle != NULL) {
            clshard__kernel *kernel = pools->idle;
            pools->idle = kernel->next;
            (void)clReleaseKernel(kernel->handle);
            clshard__free(kernel);
        }
        (void)clReleaseProgram(pools->program);
        clshard__free(pools);
        pools = next;
    }
}
