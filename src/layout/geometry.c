/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/geometry.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/text.h"
#include "layout/strides.h"

/* Where the coordinates of axes that cut nothing are counted. */
enum { REPLICA = CLSHARD_RANK_MAX };

/* One axis of the mesh: to which number its coordinate adds, and how much. */
typedef struct axis_use {
    size_t size;
    size_t target; /* a dimension whose part number it makes, or REPLICA */
    size_t weight;
} axis_use;

struct clshard__geometry {
    clshard_shape shape;
    size_t positions;
    size_t replicas;
    size_t axis_count;
    axis_use axis[CLSHARD_RANK_MAX];
    clshard__cut cut[CLSHARD_RANK_MAX];       /* one per dimension of the shape */
    clshard__digits digits[CLSHARD_RANK_MAX]; /* which of its parts a position holds */
};

static clshard_status check_rank(const clshard__tiling *tiling, const clshard_shape *shape,
                                 clshard_error *err)
{
    if (shape->rank > CLSHARD_RANK_MAX)
        return clshard__fail(err, CLSHARD_ERR_RANK, "layout: the shape has rank %zu; at most %d",
                             shape->rank, CLSHARD_RANK_MAX);
    if (tiling->spec.rank > shape->rank)
        return clshard__fail(err, CLSHARD_ERR_RANK,
                             "layout: the spec has %zu entries but the shape has rank %zu; a spec "
                             "may be shorter, an empty one fits every shape",
                             tiling->spec.rank, shape->rank);
    return CLSHARD_OK;
}

static clshard_status check_elements(clshard_shape shape, const char *what, clshard_error *err)
{
    char text[192];
    size_t count;

    if (clshard__count_elements(shape, &count))
        return CLSHARD_OK;
    (void)clshard_shape_format(shape, text, sizeof text);
    return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                         "layout: the number of elements of the %s %s exceeds 64 bits", what, text);
}

static clshard_status fail_indivisible(const clshard__tiling *tiling, const clshard_shape *shape,
                                       size_t dimension, clshard_error *err)
{
    const clshard__cutting *cutting = &tiling->dimension[dimension];
    char axes[256];
    char text[192];
    clshard__writer writer = clshard__writer_of(axes, sizeof axes);

    for (size_t i = 0; i < cutting->axis_count; i++)
        clshard__write(&writer, "%s%s=%zu", i > 0 ? ", " : "", tiling->axes.name[cutting->axis[i]],
                       tiling->axes.size[cutting->axis[i]]);
    (void)clshard_shape_format(*shape, text, sizeof text);
    return clshard__fail(err, CLSHARD_ERR_INDIVISIBLE,
                         "layout: dimension %zu of the shape %s has extent %zu, not divisible into "
                         "%zu parts (axes: %s); the policies balanced, ceil, pad, drop, weighted "
                         "and sizes accept it",
                         dimension, text, shape->extent[dimension], cutting->parts, axes);
}

/* Padding must end below 2^64 too. */
static clshard_status check_padding(const clshard__cut *cut, size_t dimension, clshard_error *err)
{
    size_t end;
    if (cut->policy == CLSHARD_PAD && !clshard__mul(cut->ceil, cut->parts, &end))
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                             "layout: dimension %zu of extent %zu, padded to %zu parts of %zu, "
                             "exceeds 64 bits",
                             dimension, cut->extent, cut->parts, cut->ceil);
    return CLSHARD_OK;
}

static clshard_status cut_dimension(const clshard__tiling *tiling, clshard__geometry *geometry,
                                    size_t dimension, clshard_error *err)
{
    const size_t extent = geometry->shape.extent[dimension];
    const clshard__cutting *cutting = &tiling->dimension[dimension];
    clshard__cut *cut = &geometry->cut[dimension];

    if (dimension >= tiling->spec.rank) {
        *cut = clshard__cut_closed(CLSHARD_EVEN, extent, 1);
        return CLSHARD_OK;
    }
    geometry->digits[dimension] =
        clshard__digits_of(&tiling->axes, cutting->axis, cutting->axis_count);
    if (cutting->policy == CLSHARD_WEIGHTED)
        return clshard__cut_weighted(extent, cutting->weights, cutting->parts, cutting->granule,
                                     cut, err);
    if (cutting->policy == CLSHARD_SIZES)
        return clshard__cut_sizes(extent, cutting->sizes, cutting->parts, cut, err);
    *cut = clshard__cut_closed(cutting->policy, extent, cutting->parts);
    if (cut->policy == CLSHARD_EVEN && cut->remainder != 0)
        return fail_indivisible(tiling, &geometry->shape, dimension, err);
    return check_padding(cut, dimension, err);
}

/* The weights of a dimension's axes in its part number, from the last axis up. An empty dimension
 * has but one part, which JAX takes for replicas; its axes stay with the replica number. */
static void use_axes_of(const clshard__tiling *tiling, clshard__geometry *geometry,
                        size_t dimension)
{
    const clshard__cutting *cutting = &tiling->dimension[dimension];
    size_t weight = 1;

    if (geometry->shape.extent[dimension] == 0)
        return;
    for (size_t i = cutting->axis_count; i-- > 0;) {
        axis_use *use = &geometry->axis[cutting->axis[i]];
        use->target = dimension;
        use->weight = weight;
        weight *= use->size;
    }
}

static void use_axes(const clshard__tiling *tiling, clshard__geometry *geometry)
{
    geometry->positions = tiling->axes.positions;
    geometry->axis_count = tiling->axes.count;
    geometry->replicas = 1;
    for (size_t a = 0; a < geometry->axis_count; a++)
        geometry->axis[a] = (axis_use){tiling->axes.size[a], REPLICA, 0};
    for (size_t d = 0; d < tiling->spec.rank; d++)
        use_axes_of(tiling, geometry, d);
    for (size_t a = geometry->axis_count; a-- > 0;) {
        axis_use *use = &geometry->axis[a];
        if (use->target != REPLICA)
            continue;
        use->weight = geometry->replicas;
        geometry->replicas *= use->size;
    }
}

static clshard_status fill(const clshard__tiling *tiling, clshard__geometry *geometry,
                           clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    use_axes(tiling, geometry);
    for (size_t d = 0; d < geometry->shape.rank && status == CLSHARD_OK; d++)
        status = cut_dimension(tiling, geometry, d, err);
    if (status == CLSHARD_OK)
        status = check_elements(clshard__geometry_shard_shape(geometry), "shard", err);
    return status;
}

clshard_status clshard__geometry_create(const clshard__tiling *tiling, clshard_shape shape,
                                        clshard__geometry **out_geometry, clshard_error *err)
{
    clshard__geometry *geometry;
    clshard_status status = check_rank(tiling, &shape, err);

    if (status == CLSHARD_OK)
        status = check_elements(shape, "shape", err);
    if (status != CLSHARD_OK)
        return status;
    geometry = clshard__alloc(1, sizeof *geometry);
    if (geometry == NULL)
        return clshard__no_memory(err, "a layout");
    geometry->shape.rank = shape.rank;
    memcpy(geometry->shape.extent, shape.extent, shape.rank * sizeof shape.extent[0]);
    status = fill(tiling, geometry, err);
    if (status != CLSHARD_OK) {
        clshard__geometry_release(geometry);
        return status;
    }
    *out_geometry = geometry;
    return CLSHARD_OK;
}

void clshard__geometry_release(clshard__geometry *geometry)
{
    if (geometry == NULL)
        return;
    for (size_t d = 0; d < geometry->shape.rank; d++)
        clshard__free((void *)geometry->cut[d].boundary);
    clshard__free(geometry);
}

clshard_shape clshard__geometry_shape(const clshard__geometry *geometry)
{
    return geometry->shape;
}

size_t clshard__geometry_positions(const clshard__geometry *geometry)
{
    return geometry->positions;
}

const clshard__cut *clshard__geometry_cut(const clshard__geometry *geometry, size_t dimension)
{
    return &geometry->cut[dimension];
}

const clshard__digits *clshard__geometry_digits(const clshard__geometry *geometry, size_t dimension)
{
    return &geometry->digits[dimension];
}

clshard_part clshard__geometry_part(const clshard__geometry *geometry, size_t position)
{
    size_t number[CLSHARD_RANK_MAX + 1] = {0}; /* a part per dimension, then the replica */
    clshard_part part;
    size_t left = position;

    memset(&part, 0, sizeof part);
    part.replica = SIZE_MAX;
    if (position >= geometry->positions)
        return part;
    for (size_t a = geometry->axis_count; a-- > 0;) {
        const axis_use *use = &geometry->axis[a];
        number[use->target] += left % use->size * use->weight;
        left /= use->size;
    }
    part.box.rank = geometry->shape.rank;
    part.valid.rank = geometry->shape.rank;
    part.replica = number[REPLICA];
    for (size_t d = 0; d < geometry->shape.rank; d++) {
        const clshard__slice slice = clshard__cut_slice(&geometry->cut[d], number[d]);
        part.box.offset[d] = slice.offset;
        part.box.extent[d] = slice.extent;
        part.valid.offset[d] = slice.valid_offset;
        part.valid.extent[d] = slice.valid_extent;
    }
    return part;
}

/* The largest part of a cut. In every closed form that is the first. */
static size_t largest_part(const clshard__cut *cut)
{
    size_t largest = clshard__cut_slice(cut, 0).extent;
    for (size_t i = 1; cut->boundary != NULL && i < cut->parts; i++) {
        const size_t extent = cut->boundary[i + 1] - cut->boundary[i];
        largest = extent > largest ? extent : largest;
    }
    return largest;
}

clshard_shape clshard__geometry_shard_shape(const clshard__geometry *geometry)
{
    clshard_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = geometry->shape.rank;
    for (size_t d = 0; d < shape.rank; d++)
        shape.extent[d] = largest_part(&geometry->cut[d]);
    return shape;
}

size_t clshard__geometry_replica_count(const clshard__geometry *geometry)
{
    return geometry->replicas;
}

bool clshard__geometry_fully_replicated(const clshard__geometry *geometry)
{
    for (size_t d = 0; d < geometry->shape.rank; d++)
        if (geometry->cut[d].parts > 1 && geometry->cut[d].extent > 0)
            return false;
    return true;
}

static bool same_slice(const clshard__cut *a, size_t part_a, const clshard__cut *b, size_t part_b)
{
    const clshard__slice in_a = clshard__cut_slice(a, part_a);
    const clshard__slice in_b = clshard__cut_slice(b, part_b);
    return in_a.offset == in_b.offset && in_a.extent == in_b.extent &&
           in_a.valid_offset == in_b.valid_offset && in_a.valid_extent == in_b.valid_extent;
}

/* Whether two cuts of one extent have the same parts. */
static bool same_cut(const clshard__cut *a, const clshard__cut *b)
{
    const bool closed = a->boundary == NULL && b->boundary == NULL;

    if (a->parts != b->parts)
        return false;
    if (closed && (a->policy == b->policy || a->remainder == 0))
        return true;
    for (size_t i = 0; i < a->parts; i++)
        if (!same_slice(a, i, b, i))
            return false;
    return true;
}

/* Whether no two parts are the same slice. Empty ones may be: several end at one place. */
static bool parts_differ(const clshard__cut *cut)
{
    if (cut->boundary == NULL)
        return clshard__cut_slice(cut, cut->parts - 1).extent > 0;
    for (size_t i = 0; i < cut->parts; i++)
        if (cut->boundary[i] == cut->boundary[i + 1])
            return false;
    return true;
}

static bool same_dimension(const clshard__geometry *a, const clshard__geometry *b, size_t dimension)
{
    const clshard__cut *cut_a = &a->cut[dimension];
    const clshard__cut *cut_b = &b->cut[dimension];
    const clshard__digits *digits_a = &a->digits[dimension];
    const clshard__digits *digits_b = &b->digits[dimension];

    if (cut_a->extent == 0)
        return true;
    if (clshard__digits_equal(digits_a, digits_b))
        return same_cut(cut_a, cut_b);
    if (parts_differ(cut_a) && parts_differ(cut_b))
        return false;
    for (size_t p = 0; p < a->positions; p++)
        if (!same_slice(cut_a, clshard__digits_read(digits_a, p), cut_b,
                        clshard__digits_read(digits_b, p)))
            return false;
    return true;
}

bool clshard__geometry_equivalent(const clshard__geometry *a, const clshard__geometry *b)
{
    if (a->positions != b->positions || a->shape.rank != b->shape.rank)
        return false;
    for (size_t d = 0; d < a->shape.rank; d++)
        if (a->shape.extent[d] != b->shape.extent[d] || !same_dimension(a, b, d))
            return false;
    return true;
}
