/* SPDX-License-Identifier: Apache-2.0 */
#include "array/array_internal.h"

#include "base/alloc.h"
#include "base/error.h"
#include "layout/strides.h"
#include "opencl/memory.h"

clshard__engine *clshard__array_engine(const clshard_array *array)
{
    return clshard__runtime_engine(clshard__mesh_runtime(clshard__layout_mesh(array->layout)));
}

/* The dimension whose further cutting helps most: the one with the largest extent in the box. */
static size_t longest_dimension(clshard_box box)
{
    size_t longest = 0;
    for (size_t d = 1; d < box.rank; d++)
        if (box.extent[d] > box.extent[longest])
            longest = d;
    return longest;
}

static clshard_status too_large(const clshard_layout *layout, size_t position, size_t bytes,
                                const clshard_device_info *device, clshard_error *err)
{
    const clshard_part part = clshard_layout_part(layout, position);
    const size_t d = longest_dimension(part.box);
    const clshard_spec *spec = clshard_sharding_spec(clshard_layout_sharding(layout));
    const char *axis = d < spec->rank ? spec->entry[d].axis[0] : "";
    char mesh[256];

    (void)clshard_mesh_format(clshard__layout_mesh(layout), mesh, sizeof mesh);
    (void)clshard__fail(err, CLSHARD_ERR_LIMIT,
                        "array: position %zu of mesh %s would hold %zu bytes, but device %s '%s' "
                        "takes at most %llu "
                        "in one buffer; cut dimension %zu (%zu per part, %s%s) into more parts",
                        position, mesh, bytes, device->id, clshard__quote(device->name).text,
                        (unsigned long long)device->largest_buffer_bytes, d,
                        part.box.rank == 0 ? (size_t)1 : part.box.extent[d],
                        axis[0] == '\0' ? "replicated" : "axis ", axis);
    clshard__error_at(err, position);
    return CLSHARD_ERR_LIMIT;
}

/* Fills in the sizes, and refuses what no device can take before anything is allocated. */
static clshard_status plan(clshard_array *array, clshard_error *err)
{
    const clshard_mesh *mesh = clshard__layout_mesh(array->layout);
    const size_t item_bytes = clshard_dtype_bytes(array->dtype);

    for (size_t i = 0; i < array->shard_count; i++) {
        const clshard_part part = clshard_layout_part(array->layout, i);
        const clshard_device_info *device = clshard_mesh_device(mesh, i);

        if (!clshard__byte_count(clshard__box_shape(part.box), item_bytes, &array->shard[i].bytes))
            return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                                 "array: the bytes of position %zu exceed 63 bits", i);
        if (array->shard[i].bytes > device->largest_buffer_bytes)
            return too_large(array->layout, i, array->shard[i].bytes, device, err);
    }
    return CLSHARD_OK;
}

static clshard_status make_shard(const clshard_array *array, size_t index, clshard_error *err)
{
    clshard__engine *engine = clshard__array_engine(array);
    const clshard_mesh *mesh = clshard__layout_mesh(array->layout);
    clshard__array_shard *shard = &array->shard[index];
    clshard__pool_block block = {NULL, 0};
    clshard_status status;

    if (shard->bytes == 0)
        return CLSHARD_OK;
    status =
        clshard__engine_start(engine, clshard__mesh_device_index(mesh, index), &shard->worker, err);
    if (status != CLSHARD_OK)
        return status;
    clshard__worker_enter(&shard->worker);
    status = clshard__memory_take(clshard__engine_memory(engine), &shard->worker, shard->bytes,
                                  &block, err);
    clshard__worker_leave(&shard->worker);
    if (status != CLSHARD_OK)
        clshard__error_at(err, index);
    shard->memory = block.handle;
    shard->memory_bytes = block.bytes;
    return status;
}

static clshard_status check_arguments(const clshard_layout *layout, clshard_dtype dtype,
                                      clshard_array **out_array, clshard_error *err)
{
    if (layout == NULL || out_array == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "array: %s is NULL",
                             layout == NULL ? "layout" : "out_array");
    if (clshard_dtype_bytes(dtype) == 0)
        return clshard__fail(err, CLSHARD_ERR_DTYPE, "array: %d is no dtype", (int)dtype);
    if (clshard__mesh_runtime(clshard__layout_mesh(layout)) == NULL)
        return clshard__fail(err, CLSHARD_ERR_ABSTRACT,
                             "array: the layout's mesh is abstract; make the mesh from a runtime");
    return CLSHARD_OK;
}

clshard_status clshard_array_create(const clshard_layout *layout, clshard_dtype dtype,
                                    clshard_array **out_array, clshard_error *err)
{
    clshard_array *array;
    clshard_status status = check_arguments(layout, dtype, out_array, err);

    if (status != CLSHARD_OK)
        return status;
    array = clshard__alloc(1, sizeof *array);
    if (array == NULL)
        return clshard__no_memory(err, "an array");
    array->layout = clshard__layout_retain(layout);
    array->dtype = dtype;
    array->shard_count = clshard_mesh_position_count(clshard__layout_mesh(layout));
    array->shard = clshard__alloc(array->shard_count, sizeof *array->shard);
    array->history = clshard__alloc(1, sizeof *array->history);
    status = array->shard == NULL || array->history == NULL ? clshard__no_memory(err, "an array")
                                                            : plan(array, err);
    for (size_t i = 0; status == CLSHARD_OK && i < array->shard_count; i++)
        status = make_shard(array, i, err);
    if (status != CLSHARD_OK) {
        clshard_array_release(array);
        return status;
    }
    *out_array = array;
    return CLSHARD_OK;
}

clshard_status clshard_array_create_sharded(const clshard_sharding *sharding, clshard_dtype dtype,
                                            clshard_shape shape, clshard_array **out_array,
                                            clshard_error *err)
{
    clshard_layout *layout = NULL;
    clshard_status status = clshard_layout_create(sharding, shape, &layout, err);

    if (status == CLSHARD_OK)
        status = clshard_array_create(layout, dtype, out_array, err);
    clshard_layout_release(layout);
    return status;
}

/* keep: nothing went wrong with the shard, so its buffer may serve another array. */
static void release_shard(clshard__memory *memory, clshard__array_shard *shard, bool keep)
{
    const clshard__pool_block block = {shard->memory, shard->memory_bytes};
    cl_event unmapped = NULL;

    if (shard->memory == NULL)
        return;
    clshard__worker_enter(&shard->worker);
    if (shard->mapped != NULL &&
        clEnqueueUnmapMemObject(shard->worker.queue, shard->memory, shard->mapped, 0, NULL,
                                &unmapped) == CL_SUCCESS) {
        (void)clWaitForEvents(1, &unmapped);
        (void)clReleaseEvent(unmapped);
    }
    clshard__memory_give(memory, &shard->worker, block, keep && shard->mapped == NULL);
    clshard__worker_leave(&shard->worker);
}

static void end_history(clshard__array_history *history)
{
    for (size_t i = 0; i < history->count; i++) {
        if (clshard__operation_wait(history->operation[i], false, NULL) != CLSHARD_OK)
            history->failed = true;
        clshard__operation_release(history->operation[i]);
    }
    clshard__free(history->operation);
}

void clshard_array_release(clshard_array *array)
{
    clshard__engine *engine;

    if (array == NULL)
        return;
    engine = clshard__array_engine(array);
    if (array->history != NULL)
        end_history(array->history);
    /* In a child after fork() the drivers' objects are left alone, as the engine does. */
    if (array->shard != NULL && array->history != NULL &&
        clshard__engine_check(engine, NULL) == CLSHARD_OK)
        for (size_t i = 0; i < array->shard_count; i++)
            release_shard(clshard__engine_memory(engine), &array->shard[i],
                          !array->history->failed);
    clshard__free(array->shard);
    clshard__free(array->history);
    clshard_layout_release(array->layout);
    clshard__free(array);
}

const clshard_layout *clshard_array_layout(const clshard_array *array)
{
    return array == NULL ? NULL : array->layout;
}

clshard_dtype clshard_array_dtype(const clshard_array *array)
{
    return array == NULL ? CLSHARD_DTYPE_NONE : array->dtype;
}

size_t clshard_array_shard_count(const clshard_array *array)
{
    return array == NULL ? 0 : array->shard_count;
}

clshard_shard clshard_array_shard(const clshard_array *array, size_t index)
{
    clshard_shard shard = {.position = index, .device = SIZE_MAX};

    if (array == NULL || index >= array->shard_count)
        return shard;
    shard.device = clshard__mesh_device_index(clshard__layout_mesh(array->layout), index);
    shard.part = clshard_layout_part(array->layout, index);
    shard.bytes = array->shard[index].bytes;
    return shard;
}
