/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer/move.h"

#include "opencl/code.h"

void clshard__move_command(clshard__move *move, cl_event event)
{
    clshard__step *step = move->step;
    if (step->last != NULL && step->first == NULL)
        step->first = step->last;
    else if (step->last != NULL)
        (void)clReleaseEvent(step->last);
    step->last = event;
}

clshard_status clshard__move_fail(const clshard__move *move, cl_int code, const char *call,
                                  clshard_error *err)
{
    return clshard__fail_code(err, code, call, move->shard->worker.device->info.name);
}

clshard_status clshard__move_fill(clshard__move *move, clshard_error *err)
{
    const clshard__array_shard *shard = move->shard;
    cl_event event = NULL;
    const cl_int code = clEnqueueFillBuffer(shard->worker.queue, shard->memory, move->fill,
                                            move->item_bytes, 0, shard->bytes, 0, NULL, &event);
    if (code != CL_SUCCESS)
        return clshard__move_fail(move, code, "clEnqueueFillBuffer", err);
    clshard__move_command(move, event);
    return CLSHARD_OK;
}

clshard_status clshard__move_stage(clshard__move *move, size_t bytes, clshard_error *err)
{
    return clshard__memory_stage(clshard__engine_memory(move->engine), bytes, &move->step->staging,
                                 err);
}
