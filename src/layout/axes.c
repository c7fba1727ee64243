/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/axes.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/text.h"
#include "layout/scan.h"

/* Room for the axes in a message; longer lists are cut. */
enum { LIST_BYTES = 160 };

size_t clshard__axes_find(const clshard__axes *axes, const char *name)
{
    for (size_t i = 0; i < axes->count; i++)
        if (strcmp(axes->name[i], name) == 0)
            return i;
    return SIZE_MAX;
}

size_t clshard__axes_format(const clshard__axes *axes, char *buffer, size_t buffer_bytes)
{
    clshard__writer writer = clshard__writer_of(buffer, buffer_bytes);
    for (size_t i = 0; i < axes->count; i++) {
        clshard__write(&writer, "%s%s=", i == 0 ? "" : ",", axes->name[i]);
        if (axes->size[i] == CLSHARD__AXES_INFER)
            clshard__write(&writer, "-1");
        else
            clshard__write(&writer, "%zu", axes->size[i]);
    }
    return writer.needed;
}

static size_t find_inferred(const clshard__axes *axes)
{
    for (size_t i = 0; i < axes->count; i++)
        if (axes->size[i] == CLSHARD__AXES_INFER)
            return i;
    return SIZE_MAX;
}

clshard_status clshard__axes_add(clshard__axes *axes, const char *name, size_t size,
                                 clshard_error *err)
{
    const clshard_status status = clshard__name_check(name, "axis name", err);
    char list[LIST_BYTES];

    if (status != CLSHARD_OK)
        return status;
    (void)clshard__axes_format(axes, list, sizeof list);
    if (clshard__axes_find(axes, name) != SIZE_MAX)
        return clshard__fail(err, CLSHARD_ERR_DUPLICATE_AXIS,
                             "axis '%s' stands twice (axes so far: %s)", name, list);
    if (axes->count == CLSHARD_RANK_MAX)
        return clshard__fail(err, CLSHARD_ERR_RANK,
                             "axis '%s' is one too many; a mesh has at most %d axes", name,
                             CLSHARD_RANK_MAX);
    if (size == 0)
        return clshard__fail(err, CLSHARD_ERR_MESH_SIZE,
                             "axis '%s' has size 0; a size is 1 or more, or -1 to infer it", name);
    if (size == CLSHARD__AXES_INFER && find_inferred(axes) != SIZE_MAX)
        return clshard__fail(err, CLSHARD_ERR_MESH_SIZE,
                             "axis '%s' has size -1, and so has '%s'; one size can be inferred",
                             name, axes->name[find_inferred(axes)]);
    memcpy(axes->name[axes->count], name, strlen(name) + 1);
    axes->size[axes->count] = size;
    axes->count++;
    return CLSHARD_OK;
}

static clshard_status scan_axis_size(clshard__scan *scan, size_t *out_size, clshard_error *err)
{
    const char *start = scan->at;
    clshard_status status;

    if (start[0] == '-' && start[1] == '1') {
        scan->at += 2;
        *out_size = CLSHARD__AXES_INFER;
        return CLSHARD_OK;
    }
    status = clshard__scan_size(scan, "size (a number, or -1 to infer it)", out_size, err);
    if (status != CLSHARD_OK)
        return status;
    /* The largest number stands for an inferred size, which must be asked for as -1. */
    if (*out_size == CLSHARD__AXES_INFER)
        return clshard__scan_fail(scan, start, CLSHARD_ERR_OVERFLOW, "the size is too large", err);
    return CLSHARD_OK;
}

static clshard_status scan_axis(clshard__scan *scan, clshard__axes *axes, bool *out_more,
                                clshard_error *err)
{
    const char *start = scan->at;
    char name[CLSHARD_NAME_MAX];
    clshard_error inner = {0};
    size_t size;
    clshard_status status = clshard__scan_name(scan, "axis name", name, err);

    if (status != CLSHARD_OK)
        return status;
    if (!clshard__scan_pass(scan, '='))
        return clshard__scan_fail(scan, scan->at, CLSHARD_ERR_TEXT, "expected '=' and the size",
                                  err);
    status = scan_axis_size(scan, &size, err);
    if (status == CLSHARD_OK)
        status = clshard__scan_more(scan, ',', out_more, err);
    if (status != CLSHARD_OK)
        return status;
    status = clshard__axes_add(axes, name, size, &inner);
    return status == CLSHARD_OK ? CLSHARD_OK
                                : clshard__scan_fail(scan, start, status, inner.message, err);
}

clshard_status clshard__axes_parse(const char *text, clshard__axes *out, clshard_error *err)
{
    clshard__axes axes = {0};
    clshard__scan scan = clshard__scan_of("mesh", text);
    bool more = text[0] != '\0';

    while (more) {
        const clshard_status status = scan_axis(&scan, &axes, &more, err);
        if (status != CLSHARD_OK)
            return status;
    }
    *out = axes;
    return CLSHARD_OK;
}

/* Product of the sizes that are given. */
static clshard_status known_positions(const clshard__axes *axes, size_t *out_positions,
                                      clshard_error *err)
{
    char list[LIST_BYTES];
    size_t positions = 1;

    for (size_t i = 0; i < axes->count; i++) {
        if (axes->size[i] == CLSHARD__AXES_INFER ||
            clshard__mul(positions, axes->size[i], &positions))
            continue;
        (void)clshard__axes_format(axes, list, sizeof list);
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                             "mesh '%s': the number of positions does not fit in %zu bits", list,
                             sizeof(size_t) * 8);
    }
    *out_positions = positions;
    return CLSHARD_OK;
}

static clshard_status infer(const clshard__axes *axes, size_t known, size_t device_count,
                            size_t *out_size, clshard_error *err)
{
    char list[LIST_BYTES];

    assert(known > 0); /* no axis of size 0 is ever added */
    (void)clshard__axes_format(axes, list, sizeof list);
    if (device_count == SIZE_MAX)
        return clshard__fail(err, CLSHARD_ERR_ABSTRACT,
                             "mesh '%s': without devices no size can be inferred; give all sizes",
                             list);
    if (device_count == 0)
        return clshard__fail(err, CLSHARD_ERR_NO_DEVICES,
                             "mesh '%s': there is no device to infer the size from", list);
    if (device_count % known != 0)
        return clshard__fail(err, CLSHARD_ERR_MESH_SIZE,
                             "mesh '%s': %zu devices cannot be divided by %zu, the product of the "
                             "sizes that are given",
                             list, device_count, known);
    *out_size = device_count / known;
    return CLSHARD_OK;
}

clshard_status clshard__axes_finish(clshard__axes *axes, size_t device_count, clshard_error *err)
{
    const size_t inferred = find_inferred(axes);
    size_t positions = 0;
    size_t stride = 1;
    clshard_status status;

    if (axes->count == 0)
        return clshard__fail(err, CLSHARD_ERR_MESH_SIZE,
                             "mesh: no axes; at least one is needed, such as data=2");
    status = known_positions(axes, &positions, err);
    if (status == CLSHARD_OK && inferred != SIZE_MAX)
        status = infer(axes, positions, device_count, &axes->size[inferred], err);
    if (status != CLSHARD_OK)
        return status;
    for (size_t i = axes->count; i-- > 0; stride *= axes->size[i])
        axes->stride[i] = stride;
    axes->positions = stride;
    return CLSHARD_OK;
}

clshard_status clshard__axes_position(const clshard__axes *axes, const size_t *coordinates,
                                      size_t *out_position, clshard_error *err)
{
    size_t position = 0;

    for (size_t i = 0; i < axes->count; i++) {
        if (coordinates[i] >= axes->size[i])
            return clshard__fail(err, CLSHARD_ERR_INDEX,
                                 "coordinate %zu of axis '%s' is past its end; its size is %zu",
                                 coordinates[i], axes->name[i], axes->size[i]);
        position += coordinates[i] * axes->stride[i];
    }
    *out_position = position;
    return CLSHARD_OK;
}

bool clshard__axes_equal(const clshard__axes *a, const clshard__axes *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->name[i], b->name[i]) != 0 || a->size[i] != b->size[i])
            return false;
    return true;
}
