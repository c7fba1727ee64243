/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <clshard/tensor.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/text.h"
#include "layout/scan.h"
#include "layout/strides.h"

/* A shape comes from a caller, who may have left anything in it. */
static size_t rank_of(const clshard_shape *shape)
{
    return shape->rank < CLSHARD_RANK_MAX ? shape->rank : CLSHARD_RANK_MAX;
}

clshard_tensor clshard_tensor_of(const void *data, clshard_dtype dtype, clshard_shape shape)
{
    clshard_tensor tensor = {(void *)data, dtype, shape, {0}, 0};
    size_t count;

    /* 0 would mean "not checked"; more than there can be is found out when the tensor is used. */
    if (!clshard__count_elements(shape, &count) ||
        !clshard__mul(count, clshard_dtype_bytes(dtype), &tensor.bytes))
        tensor.bytes = SIZE_MAX;
    return tensor;
}

static clshard_status scan_extents(clshard__scan *scan, clshard_shape *shape, clshard_error *err)
{
    bool more = true;
    while (more) {
        clshard_status status;
        if (shape->rank == CLSHARD_RANK_MAX)
            return clshard__fail_text(err, CLSHARD_ERR_RANK, scan->subject, scan->text,
                                      (size_t)(scan->at - scan->text),
                                      "a shape has at most %d extents", CLSHARD_RANK_MAX);
        status = clshard__scan_size(scan, "extent", &shape->extent[shape->rank], err);
        if (status == CLSHARD_OK)
            status = clshard__scan_more(scan, 'x', &more, err);
        if (status != CLSHARD_OK)
            return status;
        shape->rank++;
    }
    return CLSHARD_OK;
}

clshard_status clshard_shape_parse(const char *text, clshard_shape *out_shape, clshard_error *err)
{
    clshard_shape shape = {0};
    clshard__scan scan;
    clshard_status status;
    size_t count;

    if (text == NULL || out_shape == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "shape: text and out_shape must be given");
    if (strcmp(text, "scalar") != 0) {
        scan = clshard__scan_of("shape", text);
        status = scan_extents(&scan, &shape, err);
        if (status != CLSHARD_OK)
            return status;
    }
    if (!clshard__count_elements(shape, &count))
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                             "shape '%s': the number of elements does not fit in %zu bits",
                             clshard__quote(text).text, sizeof(size_t) * 8);
    *out_shape = shape;
    return CLSHARD_OK;
}

size_t clshard_shape_format(clshard_shape shape, char *buffer, size_t buffer_bytes)
{
    clshard__writer writer = clshard__writer_of(buffer, buffer_bytes);
    const size_t rank = rank_of(&shape);

    if (rank == 0)
        clshard__write(&writer, "scalar");
    for (size_t i = 0; i < rank; i++)
        clshard__write(&writer, "%s%zu", i == 0 ? "" : "x", shape.extent[i]);
    return writer.needed;
}
