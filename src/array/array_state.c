/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "array/array_internal.h"
#include "base/alloc.h"
#include "base/error.h"
#include "layout/strides.h"
#include "opencl/code.h"
#include "opencl/wait.h"

static clshard_status check_engine(const clshard_array *array, clshard_error *err)
{
    return clshard__engine_check(clshard__array_engine(array), err);
}

/* Takes the i-th operation out of the history, and passes on a failure that nobody was told of. */
static clshard_status forget(clshard__array_history *history, size_t i, clshard_error *err)
{
    clshard__operation *operation = history->operation[i];
    clshard_status status = CLSHARD_OK;

    if (clshard__operation_wait(operation, false, NULL) != CLSHARD_OK)
        history->failed = true;
    if (clshard__operation_untold(operation))
        status = clshard__operation_wait(operation, true, err);
    history->count--;
    memmove(&history->operation[i], &history->operation[i + 1],
            (history->count - i) * sizeof(clshard__operation *));
    clshard__operation_release(operation);
    return status;
}

clshard_status clshard__array_begin(const clshard_array *array, const char *operation,
                                    clshard_error *err)
{
    clshard__array_history *history = array->history;
    clshard_status status = check_engine(array, err);

    if (status != CLSHARD_OK)
        return status;
    if (history->mapped_count > 0)
        for (size_t i = 0; i < array->shard_count; i++)
            if (array->shard[i].mapped != NULL)
                return clshard__fail(err, CLSHARD_ERR_BUSY,
                                     "%s: shard %zu of the array is mapped; unmap it first",
                                     operation, i);
    for (size_t i = 0; i < history->count;) {
        if (!clshard__operation_done(history->operation[i])) {
            i++;
            continue;
        }
        status = forget(history, i, err);
        if (status != CLSHARD_OK)
            return status;
    }
    return CLSHARD_OK;
}

clshard_status clshard__array_reserve(const clshard_array *array, clshard_error *err)
{
    clshard__array_history *history = array->history;
    void *memory = history->operation;

    if (!clshard__grow(&memory, &history->capacity, history->count + 1,
                       sizeof(clshard__operation *)))
        return clshard__no_memory(err, "an array's history");
    history->operation = memory;
    return CLSHARD_OK;
}

void clshard__array_remember(const clshard_array *array, clshard__operation *operation)
{
    clshard__array_history *history = array->history;
    history->operation[history->count++] = clshard__operation_retain(operation);
}

clshard_status clshard_array_wait(clshard_array *array, clshard_error *err)
{
    clshard_error ignored;
    clshard_status first = CLSHARD_OK;

    if (array == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_array_wait: array is NULL");
    first = check_engine(array, err);
    while (first != CLSHARD_ERR_FORKED && array->history->count > 0) {
        (void)clshard__operation_wait(array->history->operation[0], false, NULL);
        if (first == CLSHARD_OK)
            first = forget(array->history, 0, err);
        else
            (void)forget(array->history, 0, &ignored);
    }
    return first;
}

/* What map and unmap check alike. */
static clshard_status find_shard(clshard_array *array, size_t index, const char *operation,
                                 clshard__array_shard **out_shard, clshard_error *err)
{
    if (array == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "%s: array is NULL", operation);
    if (index >= array->shard_count)
        return clshard__fail(err, CLSHARD_ERR_INDEX, "%s: shard %zu; the array has %zu", operation,
                             index, array->shard_count);
    *out_shard = &array->shard[index];
    return check_engine(array, err);
}

/* Waits for a command's event and gives it up. */
static cl_int wait_and_release(const clshard__array_shard *shard, cl_event event)
{
    const cl_int code = clshard__wait(shard->worker.queue, event);
    (void)clReleaseEvent(event);
    return code;
}

static cl_int unmap_memory(const clshard__array_shard *shard, void *data, cl_event *out_event)
{
    return clEnqueueUnmapMemObject(shard->worker.queue, shard->memory, data, 0, NULL, out_event);
}

/* The mapping is over also where only the wait fails: nobody would end it. */
static cl_int map_memory(const clshard__array_shard *shard, void **out_data)
{
    cl_event event = NULL;
    cl_int code = CL_SUCCESS;
    void *data =
        clEnqueueMapBuffer(shard->worker.queue, shard->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                           0, shard->bytes, 0, NULL, &event, &code);

    if (code == CL_SUCCESS && data == NULL)
        code = CL_MAP_FAILURE;
    if (code != CL_SUCCESS)
        return code;
    /* Blocking is not enough on every driver: the event is what counts. */
    code = wait_and_release(shard, event);
    if (code == CL_SUCCESS)
        *out_data = data;
    else if (unmap_memory(shard, data, &event) == CL_SUCCESS)
        (void)wait_and_release(shard, event);
    return code;
}

static clshard_status map_shard(const clshard__array_shard *shard, size_t index, void **out_data,
                                clshard_error *err)
{
    cl_int code;
    clshard_status status;

    clshard__worker_enter(&shard->worker);
    code = map_memory(shard, out_data);
    clshard__worker_leave(&shard->worker);
    if (code == CL_SUCCESS)
        return CLSHARD_OK;
    status = clshard__fail_code(err, code, "clEnqueueMapBuffer", shard->worker.device->info.name);
    clshard__error_at(err, index);
    return status;
}

clshard_status clshard_array_map(clshard_array *array, size_t index, clshard_tensor *out_tensor,
                                 clshard_error *err)
{
    clshard__array_shard *shard = NULL;
    clshard_status status = find_shard(array, index, "clshard_array_map", &shard, err);
    clshard_part part;
    void *data = NULL;

    if (status != CLSHARD_OK)
        return status;
    if (out_tensor == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_array_map: out_tensor is NULL");
    if (shard->mapped != NULL)
        return clshard__fail(err, CLSHARD_ERR_BUSY,
                             "clshard_array_map: shard %zu is mapped already", index);
    status = clshard_array_wait(array, err);
    if (status == CLSHARD_OK && shard->bytes > 0)
        status = map_shard(shard, index, &data, err);
    if (status != CLSHARD_OK)
        return status;
    shard->mapped = data;
    array->history->mapped_count += data != NULL;
    part = clshard_layout_part(array->layout, index);
    *out_tensor = (clshard_tensor){.data = data,
                                   .dtype = array->dtype,
                                   .shape = clshard__box_shape(part.box),
                                   .bytes = shard->bytes};
    return CLSHARD_OK;
}

clshard_status clshard_array_unmap(clshard_array *array, size_t index, clshard_error *err)
{
    clshard__array_shard *shard = NULL;
    cl_event unmapped = NULL;
    clshard_status status = find_shard(array, index, "clshard_array_unmap", &shard, err);
    cl_int code;

    if (status != CLSHARD_OK || shard->bytes == 0)
        return status;
    if (shard->mapped == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "clshard_array_unmap: shard %zu is not mapped", index);
    clshard__worker_enter(&shard->worker);
    code = unmap_memory(shard, shard->mapped, &unmapped);
    /* Whatever the driver says, the mapping is over: trying again would not help. */
    shard->mapped = NULL;
    array->history->mapped_count--;
    if (code == CL_SUCCESS)
        code = wait_and_release(shard, unmapped);
    clshard__worker_leave(&shard->worker);
    if (code == CL_SUCCESS)
        return CLSHARD_OK;
    status =
        clshard__fail_code(err, code, "clEnqueueUnmapMemObject", shard->worker.device->info.name);
    clshard__error_at(err, index);
    return status;
}
