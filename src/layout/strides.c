/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/strides.h"

#include <string.h>

#include "base/checked.h"
#include "base/error.h"

bool clshard__count_elements(clshard_shape shape, size_t *out_count)
{
    const size_t rank = shape.rank < CLSHARD_RANK_MAX ? shape.rank : CLSHARD_RANK_MAX;
    size_t count = 1;
    bool fits = true;

    for (size_t d = 0; d < rank; d++) {
        if (shape.extent[d] == 0) {
            *out_count = 0;
            return true;
        }
        fits = fits && clshard__mul(count, shape.extent[d], &count);
    }
    if (fits)
        *out_count = count;
    return fits;
}

size_t clshard__element_count(clshard_shape shape)
{
    size_t count = 0;
    (void)clshard__count_elements(shape, &count);
    return count;
}

bool clshard__same_shape(clshard_shape a, clshard_shape b)
{
    return a.rank == b.rank && memcmp(a.extent, b.extent, a.rank * sizeof a.extent[0]) == 0;
}

clshard_shape clshard__box_shape(clshard_box box)
{
    clshard_shape shape = {.rank = box.rank};
    memcpy(shape.extent, box.extent, sizeof shape.extent);
    return shape;
}

bool clshard__byte_count(clshard_shape shape, size_t item_bytes, size_t *out_bytes)
{
    size_t bytes;
    if (!clshard__count_elements(shape, &bytes) || !clshard__mul(bytes, item_bytes, &bytes) ||
        bytes > PTRDIFF_MAX)
        return false;
    *out_bytes = bytes;
    return true;
}

void clshard__dense_strides(clshard_shape shape, size_t item_bytes, ptrdiff_t *out_strides)
{
    size_t stride = item_bytes;
    for (size_t d = shape.rank; d-- > 0;) {
        out_strides[d] = (ptrdiff_t)stride;
        stride *= shape.extent[d];
    }
}

static bool all_zero(const ptrdiff_t *strides, size_t rank)
{
    for (size_t d = 0; d < rank; d++)
        if (strides[d] != 0)
            return false;
    return true;
}

/* The bytes that the strides reach; false when they do not fit. */
static bool reach(const clshard_tensor *tensor, size_t item_bytes, clshard__view *view)
{
    view->low = 0;
    view->high = (ptrdiff_t)item_bytes;
    for (size_t d = 0; d < tensor->shape.rank; d++) {
        const size_t steps = tensor->shape.extent[d] - 1;
        ptrdiff_t *side = view->stride[d] < 0 ? &view->low : &view->high;
        ptrdiff_t span;
        if (steps > PTRDIFF_MAX ||
            __builtin_mul_overflow((ptrdiff_t)steps, view->stride[d], &span) ||
            __builtin_add_overflow(*side, span, side))
            return false;
    }
    return view->high >= 0 && view->low > PTRDIFF_MIN + view->high;
}

static size_t magnitude(ptrdiff_t stride)
{
    return stride < 0 ? (size_t)0 - (size_t)stride : (size_t)stride;
}

/* Whether each dimension steps over all that the faster ones span. Enough for elements to be apart,
 * and true of every transposed, sliced or reversed dense array. */
static bool elements_apart(const clshard_tensor *tensor, size_t item_bytes,
                           const ptrdiff_t *strides)
{
    bool used[CLSHARD_RANK_MAX] = {false};
    size_t span = item_bytes;

    for (size_t round = 0; round < tensor->shape.rank; round++) {
        size_t next = tensor->shape.rank;
        for (size_t d = 0; d < tensor->shape.rank; d++)
            if (!used[d] &&
                (next == tensor->shape.rank || magnitude(strides[d]) < magnitude(strides[next])))
                next = d;
        used[next] = true;
        if (tensor->shape.extent[next] == 1)
            continue;
        if (magnitude(strides[next]) < span)
            return false;
        /* Cannot overflow: reach() added the same products. */
        span += magnitude(strides[next]) * (tensor->shape.extent[next] - 1);
    }
    return true;
}

static clshard_status check_reach(const clshard_tensor *tensor, const char *operation,
                                  const clshard__view *view, clshard_error *err)
{
    if (tensor->data == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "%s: the host tensor has elements but its data is NULL", operation);
    if (tensor->bytes != 0 && (view->low < 0 || (size_t)view->high > tensor->bytes))
        return clshard__fail(
            err, CLSHARD_ERR_ARGUMENT,
            "%s: the host tensor's strides reach bytes %td to %td of the %zu given; "
            "correct the strides, or tensor.bytes (0: not checked)",
            operation, view->low, view->high, tensor->bytes);
    return CLSHARD_OK;
}

static clshard_status check_values(const clshard_tensor *tensor, const char *operation,
                                   clshard_error *err)
{
    if (clshard_dtype_bytes(tensor->dtype) == 0)
        return clshard__fail(err, CLSHARD_ERR_DTYPE, "%s: the host tensor's dtype %d is none",
                             operation, (int)tensor->dtype);
    if (tensor->shape.rank > CLSHARD_RANK_MAX)
        return clshard__fail(err, CLSHARD_ERR_RANK,
                             "%s: the host tensor's rank is %zu; at most %d is possible", operation,
                             tensor->shape.rank, CLSHARD_RANK_MAX);
    return CLSHARD_OK;
}

clshard_status clshard__tensor_view(const clshard_tensor *tensor, clshard__use use,
                                    const char *operation, clshard__view *out_view,
                                    clshard_error *err)
{
    const size_t item_bytes = clshard_dtype_bytes(tensor->dtype);
    clshard__view view = {{0}, 0, 0};
    clshard_status status = check_values(tensor, operation, err);
    size_t bytes;

    if (status != CLSHARD_OK)
        return status;
    if (!clshard__byte_count(tensor->shape, item_bytes, &bytes))
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                             "%s: the host tensor's size in bytes exceeds 63 bits", operation);
    if (bytes == 0) {
        *out_view = view;
        return CLSHARD_OK;
    }
    if (all_zero(tensor->strides, tensor->shape.rank))
        clshard__dense_strides(tensor->shape, item_bytes, view.stride);
    else
        memcpy(view.stride, tensor->strides, tensor->shape.rank * sizeof *view.stride);
    if (!reach(tensor, item_bytes, &view))
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                             "%s: the host tensor's strides reach beyond 63 bits", operation);
    status = check_reach(tensor, operation, &view, err);
    if (status != CLSHARD_OK)
        return status;
    if (use == CLSHARD__USE_DESTINATION && !elements_apart(tensor, item_bytes, view.stride))
        return clshard__fail(
            err, CLSHARD_ERR_ARGUMENT,
            "%s: elements of the host tensor overlap by its strides; a destination "
            "needs each dimension to step over all that the smaller steps span",
            operation);
    *out_view = view;
    return CLSHARD_OK;
}
