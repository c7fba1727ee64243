/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer/issue.h"

#include "base/error.h"
#include "base/options.h"
#include "transfer/route.h"

static const unsigned char zero_element[8];

static clshard_status check_shape(const clshard__call *call, clshard_error *err)
{
    const clshard_shape shape = clshard_layout_shape(call->array->layout);
    char wanted[200];
    char given[200];

    if (call->host->dtype != call->array->dtype)
        return clshard__fail(err, CLSHARD_ERR_DTYPE,
                             "%s: the host tensor's dtype is %s, the array's is %s", call->what,
                             clshard_dtype_name(call->host->dtype),
                             clshard_dtype_name(call->array->dtype));
    if (clshard__same_shape(call->host->shape, shape))
        return CLSHARD_OK;
    (void)clshard_shape_format(shape, wanted, sizeof wanted);
    (void)clshard_shape_format(call->host->shape, given, sizeof given);
    return clshard__fail(err, CLSHARD_ERR_SHAPE,
                         "%s: the host tensor's shape is %s, the array's is %s", call->what, given,
                         wanted);
}

static clshard_status check(clshard__call *call, const clshard_transfer_options *options,
                            clshard_error *err)
{
    const clshard__use use =
        call->direction == CLSHARD__GATHER ? CLSHARD__USE_DESTINATION : CLSHARD__USE_SOURCE;
    clshard_status status;

    if (call->array == NULL || call->host == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "%s: the %s is NULL", call->what,
                             call->array == NULL ? "array" : "host tensor");
    status = clshard__options_read(&call->options, sizeof call->options, options,
                                   "clshard_transfer_options", err);
    if (status == CLSHARD_OK)
        status = clshard__route_forced(call->options.route, call->what, &call->forced, err);
    if (status == CLSHARD_OK)
        status = clshard__tensor_view(call->host, use, call->what, &call->view, err);
    if (status == CLSHARD_OK)
        status = check_shape(call, err);
    return status;
}

/* Whether the part stores more than the host tensor fills. */
static bool is_padded(const clshard_part *part)
{
    return !clshard__same_shape(clshard__box_shape(part->box), clshard__box_shape(part->valid));
}

static clshard__move describe(const clshard__call *call, size_t position)
{
    const clshard_array *array = call->array;
    const clshard_part part = clshard_layout_part(array->layout, position);
    const bool scatter = call->direction == CLSHARD__SCATTER;
    const clshard_shape valid = clshard__box_shape(part.valid);
    ptrdiff_t shard_strides[CLSHARD_RANK_MAX] = {0};
    clshard__move move = {.shard = &array->shard[position],
                          .engine = clshard__array_engine(array),
                          .item_bytes = clshard_dtype_bytes(array->dtype),
                          .host = call->host->data};

    clshard__dense_strides(clshard__box_shape(part.box), move.item_bytes, shard_strides);
    move.copy = scatter
                    ? clshard__copy_of(valid, call->view.stride, shard_strides, move.item_bytes)
                    : clshard__copy_of(valid, shard_strides, call->view.stride, move.item_bytes);
    if (move.copy.run > 0)
        for (size_t d = 0; d < valid.rank; d++)
            move.host += (ptrdiff_t)part.valid.offset[d] * call->view.stride[d];
    if (scatter && is_padded(&part))
        move.fill = call->options.fill != NULL ? call->options.fill : zero_element;
    move.compare = !scatter && part.replica > 0;
    return move;
}

static clshard_status issue_move(const clshard__call *call, size_t position, clshard_error *err)
{
    static clshard__move_function *const functions[][2] = {
        [CLSHARD_ROUTE_KERNEL] = {clshard__kernel_scatter, clshard__kernel_gather},
        [CLSHARD_ROUTE_LINEAR] = {clshard__linear_scatter, clshard__linear_gather}};
    clshard__move move = describe(call, position);
    clshard__step *step;
    clshard_status status;
    cl_int code;

    if (move.compare && !call->options.compare_replicas)
        return CLSHARD_OK;
    step = clshard__operation_add(call->operation, position);
    if (move.shard->bytes == 0 || (move.copy.run == 0 && move.fill == NULL))
        return CLSHARD_OK;
    step->worker = move.shard->worker;
    step->route = clshard__route_choose(call->forced, step->worker.device, &move.copy);
    step->bytes = clshard__copy_bytes(&move.copy);
    move.step = step;
    clshard__worker_enter(&step->worker);
    status = functions[step->route][call->direction](&move, err);
    /* Also after a failure: what was enqueued must run to its end, which is waited for. */
    code = clFlush(step->worker.queue);
    clshard__worker_leave(&step->worker);
    if (status == CLSHARD_OK && code != CL_SUCCESS)
        status = clshard__move_fail(&move, code, "clFlush", err);
    if (status != CLSHARD_OK)
        clshard__error_at(err, position);
    return status;
}

static clshard_status issue_all(const clshard__call *call, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    for (size_t i = 0; status == CLSHARD_OK && i < call->array->shard_count; i++)
        status = issue_move(call, i, err);
    return status;
}

/* Waits when the caller does not, or when there is nothing to wait for any more. */
static clshard_status finish(clshard__operation *operation, clshard_status issued,
                             clshard_event **out_event, clshard_error *err)
{
    clshard_status status = issued;

    if (status == CLSHARD_OK && out_event != NULL) {
        status = clshard__event_create(operation, out_event, err);
        if (status == CLSHARD_OK)
            return status;
    }
    if (status == CLSHARD_OK)
        status = clshard__operation_wait(operation, true, err);
    else
        (void)clshard__operation_wait(operation, true, NULL);
    clshard__operation_release(operation);
    return status;
}

clshard_status clshard__issue(clshard__direction direction, const clshard_array *array,
                              const clshard_tensor *host, const clshard_transfer_options *options,
                              clshard_event **out_event, clshard_error *err)
{
    clshard__call call = {.direction = direction,
                          .what = direction == CLSHARD__SCATTER ? "scatter" : "gather",
                          .array = array,
                          .host = host};
    clshard_status status = check(&call, options, err);

    if (status == CLSHARD_OK)
        status = clshard__array_begin(array, call.what, err);
    if (status == CLSHARD_OK)
        status = clshard__array_reserve(array, err);
    if (status == CLSHARD_OK)
        status = clshard__operation_create(call.what, array->shard_count,
                                           clshard__engine_memory(clshard__array_engine(array)),
                                           &call.operation, err);
    if (status != CLSHARD_OK)
        return status;
    status = issue_all(&call, err);
    clshard__array_remember(array, call.operation);
    return finish(call.operation, status, out_event, err);
}
