/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>

#include "fail.h"
#include "placement.h"

short_text mesh_text(const clshard_mesh *mesh)
{
    short_text result;
    clshard_mesh_format(mesh, result.text, sizeof result.text);
    return result;
}

short_text spec_text(const clshard_layout *layout)
{
    short_text result;
    clshard_spec_format(clshard_sharding_spec(clshard_layout_sharding(layout)), result.text,
                        sizeof result.text);
    return result;
}

short_text shape_text(clshard_shape shape)
{
    short_text result;
    clshard_shape_format(shape, result.text, sizeof result.text);
    return result;
}

short_text extent_text(const clshard_box *box)
{
    clshard_shape shape = {.rank = box->rank};
    for (size_t i = 0; i < box->rank; i++)
        shape.extent[i] = box->extent[i];
    return shape_text(shape);
}

/* Appends at *used; the buffer is large enough for eight of what is appended. */
static void append(short_text *to, size_t *used, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(to->text + *used, sizeof to->text - *used, format, arguments);
    va_end(arguments);
    *used += length > 0 ? (size_t)length : 0;
}

short_text ranges_text(const clshard_box *box)
{
    short_text result = {""};
    size_t used = 0;

    for (size_t i = 0; i < box->rank; i++)
        append(&result, &used, "%s%zu:%zu", i > 0 ? "," : "", box->offset[i],
               box->offset[i] + box->extent[i]);
    return result;
}

short_text coordinates_text(const clshard_mesh *mesh, size_t position)
{
    size_t coordinates[CLSHARD_RANK_MAX] = {0};
    short_text result = {""};
    size_t used = 0;

    if (clshard_mesh_coordinates(mesh, position, coordinates, NULL))
        return result;
    for (size_t i = 0; i < clshard_mesh_axis_count(mesh); i++)
        append(&result, &used, "%s%zu", i > 0 ? "," : "", coordinates[i]);
    return result;
}

uint64_t box_bytes(const clshard_box *box, clshard_dtype dtype)
{
    uint64_t bytes = clshard_dtype_bytes(dtype);
    for (size_t i = 0; i < box->rank; i++)
        if (box->extent[i] == 0)
            return 0;
    for (size_t i = 0; i < box->rank; i++)
        bytes *= box->extent[i];
    return bytes;
}

clshard_status array_bytes(clshard_shape shape, clshard_dtype dtype, uint64_t *out_bytes,
                           clshard_error *err)
{
    uint64_t bytes = clshard_dtype_bytes(dtype);
    bool empty = false;

    for (size_t i = 0; i < shape.rank; i++)
        empty = empty || shape.extent[i] == 0;
    for (size_t i = 0; i < shape.rank && !empty; i++) {
        if (bytes > UINT64_MAX / shape.extent[i])
            return fail(err, CLSHARD_ERR_OVERFLOW, "shape '%s' of %s has more than 2^64 bytes",
                        shape_text(shape).text, clshard_dtype_name(dtype));
        bytes *= shape.extent[i];
    }
    *out_bytes = empty ? 0 : bytes;
    return CLSHARD_OK;
}
