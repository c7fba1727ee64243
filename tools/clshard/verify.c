/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include <string.h>

#include "fail.h"

/* A row: everything of a tensor that has the same indices but in the last dimension. */
typedef struct rows {
    const unsigned char *gathered;
    const unsigned char *original;
    size_t row_bytes;
    size_t held_bytes; /* of a row that is held */
} rows;

void verify_prepare(unsigned char *to, const unsigned char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)~from[i];
}

/* What positions hold all together is a box at the origin: parts follow each other from 0. */
static clshard_shape held_extents(const clshard_layout *layout)
{
    const clshard_mesh *mesh = clshard_sharding_mesh(clshard_layout_sharding(layout));
    const size_t count = clshard_mesh_position_count(mesh);
    clshard_shape held = {.rank = clshard_layout_shape(layout).rank};

    for (size_t i = 0; i < count; i++) {
        const clshard_box valid = clshard_layout_part(layout, i).valid;
        for (size_t d = 0; d < held.rank; d++) {
            const size_t stop = valid.offset[d] + valid.extent[d];
            if (valid.extent[d] > 0 && stop > held.extent[d])
                held.extent[d] = stop;
        }
    }
    return held;
}

static bool is_same_shape(const clshard_shape *a, const clshard_shape *b)
{
    for (size_t i = 0; i < a->rank; i++)
        if (a->extent[i] != b->extent[i])
            return false;
    return true;
}

/* Whether all indices of a row, but the last, lie in the held box. */
static bool row_is_held(const clshard_shape *shape, const clshard_shape *held, size_t row)
{
    if (is_same_shape(shape, held))
        return true;
    for (size_t d = shape->rank - 1; d-- > 0;) {
        if (row % shape->extent[d] >= held->extent[d])
            return false;
        row /= shape->extent[d];
    }
    return true;
}

static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && a[i] == b[i])
        i++;
    return i;
}

static size_t first_touched(const unsigned char *a, const unsigned char *original, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && (a[i] ^ original[i]) == 0xff)
        i++;
    return i;
}

static clshard_status compare_row(const rows *all, size_t row, size_t held, verified *out,
                                  clshard_error *err)
{
    const size_t start = row * all->row_bytes;
    const unsigned char *gathered = all->gathered + start;
    const unsigned char *original = all->original + start;
    const size_t rest = all->row_bytes - held;
    size_t at;

    if (held > 0 && memcmp(gathered, original, held) != 0)
        return fail(err, CLSHARD_ERR_INTERNAL, "scatter: byte %zu came back different",
                    start + first_difference(gathered, original, held));
    at = first_touched(gathered + held, original + held, rest);
    if (at < rest)
        return fail(err, CLSHARD_ERR_INTERNAL,
                    "scatter: byte %zu belongs to no position and was written", start + held + at);
    out->equal_bytes += held;
    out->untouched_bytes += rest;
    return CLSHARD_OK;
}

clshard_status verify_gathered(const clshard_layout *layout, const clshard_tensor *gathered,
                               const clshard_tensor *original, verified *out, clshard_error *err)
{
    const size_t item = clshard_dtype_bytes(original->dtype);
    const clshard_shape shape = original->shape;
    const clshard_shape held = held_extents(layout);
    const size_t last = shape.rank == 0 ? 0 : shape.rank - 1;
    rows all = {gathered->data, original->data, original->bytes, original->bytes};
    const verified none = {0, 0};
    size_t row_count = 1;

    *out = none;
    if (original->bytes == 0)
        return CLSHARD_OK;
    if (!is_same_shape(&shape, &held)) {
        all.row_bytes = item * shape.extent[last];
        all.held_bytes = item * held.extent[last];
        row_count = original->bytes / all.row_bytes;
    }
    for (size_t row = 0; row < row_count; row++) {
        const bool is_held = row_is_held(&shape, &held, row);
        if (compare_row(&all, row, is_held ? all.held_bytes : 0, out, err))
            return err->status;
    }
    return CLSHARD_OK;
}
