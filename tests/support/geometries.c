/* SPDX-License-Identifier: Apache-2.0 */
#include "support/geometries.h"

#include <criterion/criterion.h>
#include <string.h>

#include "support/plan.h"

enum { PARTS_MOST = 64 };

clshard_shape random_shape(random_source *source)
{
    static const size_t largest[] = {30, 9, 5};
    clshard_shape shape = {.rank = uniform(source, 4)};
    for (size_t d = 0; d < shape.rank; d++)
        shape.extent[d] = uniform(source, 16) == 0 ? 0 : uniform_between(source, 1, largest[d]);
    return shape;
}

/* The memory behind the splits of one sharding. */
typedef struct random_splits {
    clshard_split split[CLSHARD_RANK_MAX];
    size_t count;
    uint32_t weights[CLSHARD_RANK_MAX][PARTS_MOST];
    size_t sizes[CLSHARD_RANK_MAX][PARTS_MOST];
} random_splits;

static size_t parts_of(const clshard__axes *axes, const clshard_spec *spec, size_t dimension)
{
    size_t parts = 1;
    for (size_t i = 0; i < CLSHARD_RANK_MAX; i++) {
        const size_t axis = clshard__axes_find(axes, spec->entry[dimension].axis[i]);
        parts *= axis == SIZE_MAX ? 1 : axes->size[axis];
    }
    return parts;
}

static void add_weights(random_source *source, random_splits *made, const clshard__axes *axes,
                        const char *name)
{
    clshard_split *split = &made->split[made->count];

    *split = (clshard_split){.axis = name,
                             .policy = CLSHARD_WEIGHTED,
                             .weights = made->weights[made->count],
                             .count = axes->size[clshard__axes_find(axes, name)],
                             .granule = uniform(source, 4)};
    for (size_t i = 0; i < split->count; i++)
        made->weights[made->count][i] = (uint32_t)uniform_between(source, i == 0, 3);
    made->count++;
}

/* Empty sizes come up often, in the middle too. */
static void add_sizes(random_source *source, random_splits *made, const char *name, size_t parts,
                      size_t extent)
{
    size_t *sizes = made->sizes[made->count];

    cr_assert(parts <= PARTS_MOST);
    memset(sizes, 0, PARTS_MOST * sizeof *sizes);
    for (size_t left = extent; left > 0;) {
        const size_t some = uniform_between(source, 1, left);
        sizes[uniform(source, parts)] += some;
        left -= some;
    }
    made->split[made->count++] =
        (clshard_split){.axis = name, .policy = CLSHARD_SIZES, .sizes = sizes, .count = parts};
}

static void random_splits_of(random_source *source, const clshard__axes *axes,
                             const clshard_spec *spec, clshard_shape shape, random_splits *made)
{
    made->count = 0;
    for (size_t d = 0; d < spec->rank; d++) {
        const char *name = spec->entry[d].axis[0];
        const size_t how = uniform(source, 4);
        if (name[0] == '\0')
            continue;
        if (how == 0)
            add_weights(source, made, axes, name);
        else if (how == 1)
            add_sizes(source, made, name, parts_of(axes, spec, d), shape.extent[d]);
    }
}

clshard__geometry *random_geometry(random_source *source, size_t positions, clshard_shape shape)
{
    const clshard__axes axes = random_axes(source, positions);
    const clshard_spec spec = random_spec(source, &axes, uniform(source, shape.rank + 1));
    const clshard_policy uneven = (clshard_policy)uniform(source, CLSHARD_DROP + 1);
    clshard__geometry *geometry = NULL;
    clshard_policy policy = uneven;
    random_splits splits;

    random_splits_of(source, &axes, &spec, shape, &splits);
    /* `even` refuses most shapes. */
    while (geometry == NULL) {
        clshard__tiling *tiling = NULL;
        clshard_error err;
        clshard_status status;
        cr_assert_eq(
            clshard__tiling_create(&axes, &spec, policy, splits.split, splits.count, &tiling, &err),
            CLSHARD_OK, "%s", err.message);
        status = clshard__geometry_create(tiling, shape, &geometry, &err);
        cr_assert(status == CLSHARD_OK || policy == CLSHARD_EVEN, "%s", err.message);
        policy = CLSHARD_BALANCED;
        clshard__tiling_release(tiling);
    }
    return geometry;
}

bool box_is_empty(const clshard_box *box)
{
    for (size_t d = 0; d < box->rank; d++)
        if (box->extent[d] == 0)
            return true;
    return false;
}

bool boxes_equal(const clshard_box *a, const clshard_box *b)
{
    for (size_t d = 0; d < a->rank; d++)
        if (a->offset[d] != b->offset[d] || a->extent[d] != b->extent[d])
            return false;
    return a->rank == b->rank;
}

bool box_has(const clshard_box *box, const size_t *index)
{
    for (size_t d = 0; d < box->rank; d++)
        if (index[d] < box->offset[d] || index[d] >= box->offset[d] + box->extent[d])
            return false;
    return true;
}

size_t shape_elements(clshard_shape shape)
{
    size_t elements = 1;
    for (size_t d = 0; d < shape.rank; d++)
        elements *= shape.extent[d];
    return elements;
}

void shape_index(clshard_shape shape, size_t number, size_t index[CLSHARD_RANK_MAX])
{
    for (size_t d = shape.rank; d-- > 0;) {
        index[d] = number % shape.extent[d];
        number /= shape.extent[d];
    }
}
