/* SPDX-License-Identifier: Apache-2.0 */
/* The route `linear`: one write or read. Where the box has gaps on either side, the host packs or
 * unpacks it in staging memory. */

#include <string.h>

#include "transfer/move.h"

static clshard_status write_shard(clshard__move *move, const void *from, size_t bytes,
                                  clshard_error *err)
{
    const clshard__array_shard *shard = move->shard;
    cl_event event = NULL;
    const cl_int code = clEnqueueWriteBuffer(shard->worker.queue, shard->memory, CL_FALSE, 0, bytes,
                                             from, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return clshard__move_fail(move, code, "clEnqueueWriteBuffer", err);
    clshard__move_command(move, event);
    return CLSHARD_OK;
}

static clshard_status read_shard(clshard__move *move, void *to, size_t bytes, clshard_error *err)
{
    const clshard__array_shard *shard = move->shard;
    cl_event event = NULL;
    const cl_int code = clEnqueueReadBuffer(shard->worker.queue, shard->memory, CL_FALSE, 0, bytes,
                                            to, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return clshard__move_fail(move, code, "clEnqueueReadBuffer", err);
    clshard__move_command(move, event);
    return CLSHARD_OK;
}

/* Doubles what is filled already until all is. */
static void fill_memory(char *memory, size_t bytes, const void *element, size_t item_bytes)
{
    size_t filled = item_bytes;
    memcpy(memory, element, item_bytes);
    while (filled < bytes) {
        const size_t more = filled < bytes - filled ? filled : bytes - filled;
        memcpy(memory + filled, memory, more);
        filled += more;
    }
}

clshard_status clshard__linear_scatter(clshard__move *move, clshard_error *err)
{
    clshard_status status;

    if (move->copy.rank == 0) {
        status = move->fill == NULL ? CLSHARD_OK : clshard__move_fill(move, err);
        if (status == CLSHARD_OK && move->copy.run > 0)
            status = write_shard(move, move->host, move->copy.run, err);
        return status;
    }
    status = clshard__move_stage(move, move->shard->bytes, err);
    if (status != CLSHARD_OK)
        return status;
    if (move->fill != NULL)
        fill_memory(move->step->staging.handle, move->shard->bytes, move->fill, move->item_bytes);
    clshard__copy_run(&move->copy, move->step->staging.handle, move->host);
    return write_shard(move, move->step->staging.handle, move->shard->bytes, err);
}

clshard_status clshard__linear_gather(clshard__move *move, clshard_error *err)
{
    ptrdiff_t low;
    ptrdiff_t high;
    clshard_status status;

    if (move->copy.rank == 0 && !move->compare)
        return read_shard(move, move->host, move->copy.run, err);
    /* A shard's strides are never negative: low is 0. */
    clshard__copy_source_span(&move->copy, &low, &high);
    status = clshard__move_stage(move, (size_t)high, err);
    if (status != CLSHARD_OK)
        return status;
    status = read_shard(move, move->step->staging.handle, (size_t)high, err);
    if (status == CLSHARD_OK)
        move->step->after =
            (clshard__aftermath){.copy = move->copy, .to = move->host, .compare = move->compare};
    return status;
}
