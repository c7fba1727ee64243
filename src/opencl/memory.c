/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/memory.h"

#include "base/alloc.h"
#include "opencl/code.h"

enum {
    DEVICE_SHARE = 8,         /* of a device's memory that its pool may keep, by default */
    STAGING_BYTES = 256 << 20 /* that the pool of staging memory may keep, by default */
};

struct clshard__memory {
    clshard__pool *device; /* one per device in use */
    size_t device_count;
    clshard__pool staging;
};

static void end_buffer(void *handle)
{
    (void)clReleaseMemObject(handle);
}

static size_t default_limit(const clshard__device *device)
{
    const uint64_t limit = device->info.memory_bytes / DEVICE_SHARE;
    return limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

clshard_status clshard__memory_create(const clshard__inventory *inventory, size_t pool_bytes,
                                      clshard__memory **out_memory, clshard_error *err)
{
    clshard__memory *memory = clshard__alloc(1, sizeof *memory);
    clshard_status status;

    if (memory == NULL)
        return clshard__no_memory(err, "the pools");
    memory->device = clshard__alloc(inventory->used_count, sizeof *memory->device);
    status =
        memory->device == NULL
            ? clshard__no_memory(err, "the pools")
            : clshard__pool_init(&memory->staging, pool_bytes != 0 ? pool_bytes : STAGING_BYTES,
                                 clshard__free, err);
    if (status != CLSHARD_OK) {
        clshard__free(memory->device);
        clshard__free(memory);
        return status;
    }
    for (; status == CLSHARD_OK && memory->device_count < inventory->used_count;
         memory->device_count += status == CLSHARD_OK)
        status = clshard__pool_init(
            &memory->device[memory->device_count],
            pool_bytes != 0 ? pool_bytes : default_limit(&inventory->devices[memory->device_count]),
            end_buffer, err);
    if (status != CLSHARD_OK) {
        clshard__memory_release(memory, false);
        return status;
    }
    *out_memory = memory;
    return CLSHARD_OK;
}

void clshard__memory_release(clshard__memory *memory, bool forked)
{
    if (memory == NULL)
        return;
    for (size_t i = 0; !forked && i < memory->device_count; i++)
        clshard__pool_end(&memory->device[i]);
    if (!forked)
        clshard__pool_end(&memory->staging);
    clshard__free(memory->device);
    clshard__free(memory);
}

static bool is_exhaustion(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
           code == CL_OUT_OF_HOST_MEMORY;
}

clshard_status clshard__memory_take(clshard__memory *memory, const clshard__worker *worker,
                                    size_t bytes, clshard__pool_block *out_block,
                                    clshard_error *err)
{
    const clshard_device_info *info = &worker->device->info;
    clshard__pool *pool = &memory->device[info->index];
    clshard__pool_block block = clshard__pool_take(pool, bytes);
    cl_int code = CL_SUCCESS;

    if (block.handle == NULL) {
        block.bytes = clshard__pool_size(bytes, (size_t)info->largest_buffer_bytes);
        block.handle = clCreateBuffer(worker->context, CL_MEM_READ_WRITE, block.bytes, NULL, &code);
    }
    if (is_exhaustion(code) && clshard__pool_bytes(pool) > 0) {
        clshard__pool_trim(pool);
        block.bytes = bytes;
        block.handle = clCreateBuffer(worker->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    }
    if (code != CL_SUCCESS)
        return clshard__fail_code(err, code, "clCreateBuffer", info->name);
    *out_block = block;
    return CLSHARD_OK;
}

void clshard__memory_give(clshard__memory *memory, const clshard__worker *worker,
                          clshard__pool_block block, bool keep)
{
    if (keep)
        clshard__pool_give(&memory->device[worker->device->info.index], block);
    else
        end_buffer(block.handle);
}

clshard_status clshard__memory_stage(clshard__memory *memory, size_t bytes,
                                     clshard__pool_block *out_block, clshard_error *err)
{
    clshard__pool_block block = clshard__pool_take(&memory->staging, bytes);

    if (block.handle == NULL) {
        block.bytes = clshard__pool_size(bytes, SIZE_MAX);
        block.handle = clshard__alloc_pages(block.bytes);
    }
    if (block.handle == NULL) {
        clshard__pool_trim(&memory->staging);
        block.bytes = bytes;
        block.handle = clshard__alloc_pages(bytes);
    }
    if (block.handle == NULL)
        return clshard__no_memory(err, "staging a transfer");
    *out_block = block;
    return CLSHARD_OK;
}

void clshard__memory_unstage(clshard__memory *memory, clshard__pool_block block)
{
    if (block.handle != NULL)
        clshard__pool_give(&memory->staging, block);
}

void clshard__memory_trim(clshard__memory *memory, size_t device)
{
    clshard__pool_trim(&memory->device[device]);
}

void clshard__memory_trim_staging(clshard__memory *memory)
{
    clshard__pool_trim(&memory->staging);
}

size_t clshard__memory_kept(clshard__memory *memory, size_t device)
{
    return clshard__pool_bytes(&memory->device[device]);
}
