/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/cutting.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/error.h"

clshard_status clshard__cutting_axis(const clshard__axes *axes, const char *name, size_t *out_axis,
                                     clshard_error *err)
{
    const size_t axis = clshard__axes_find(axes, name);
    char text[256];

    if (axis == SIZE_MAX) {
        (void)clshard__axes_format(axes, text, sizeof text);
        return clshard__fail(err, CLSHARD_ERR_UNKNOWN_AXIS,
                             "sharding: axis '%s' is not in the mesh (axes: %s)",
                             clshard__quote(name).text, text);
    }
    *out_axis = axis;
    return CLSHARD_OK;
}

static bool uses_axis(const clshard__tiling *tiling, size_t axis)
{
    for (size_t d = 0; d < tiling->spec.rank; d++)
        for (size_t i = 0; i < tiling->dimension[d].axis_count; i++)
            if (tiling->dimension[d].axis[i] == axis)
                return true;
    return false;
}

/* What a split brings that its policy has no use for; NULL: nothing. */
static const char *surplus_of(const clshard_split *split)
{
    if (split->policy != CLSHARD_WEIGHTED && split->weights != NULL)
        return "weights";
    if (split->policy != CLSHARD_WEIGHTED && split->granule > 1)
        return "granule above 1";
    if (split->policy != CLSHARD_SIZES && split->sizes != NULL)
        return "sizes";
    return NULL;
}

/* What its policy needs and a split lacks; NULL: nothing. */
static const char *missing_of(const clshard_split *split)
{
    if (split->policy == CLSHARD_WEIGHTED && split->weights == NULL)
        return "weights";
    if (split->policy == CLSHARD_SIZES && split->sizes == NULL)
        return "sizes";
    return NULL;
}

/* What holds for a split whatever its axis. */
static clshard_status check_form(const clshard_split *split, clshard_error *err)
{
    const char *policy = clshard_policy_name(split->policy);
    const char *missing = missing_of(split);
    const char *surplus = surplus_of(split);

    if (policy == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "sharding: axis '%s': %d is no policy",
                             split->axis, (int)split->policy);
    if (missing != NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "sharding: axis '%s': the policy '%s' needs %s, which is NULL",
                             split->axis, policy, missing);
    if (surplus != NULL)
        return clshard__fail(err, CLSHARD_ERR_SPLIT,
                             "sharding: axis '%s': the policy '%s' takes no %s", split->axis,
                             policy, surplus);
    return CLSHARD_OK;
}

static clshard_status check_weights(const clshard_split *split, size_t axis_size,
                                    clshard_error *err)
{
    if (split->count != axis_size)
        return clshard__fail(err, CLSHARD_ERR_SPLIT,
                             "sharding: axis '%s' has size %zu but %zu weights; it needs one per "
                             "coordinate",
                             split->axis, axis_size, split->count);
    for (size_t i = 0; i < split->count; i++)
        if (split->weights[i] > 0)
            return CLSHARD_OK;
    return clshard__fail(err, CLSHARD_ERR_SPLIT,
                         "sharding: all %zu weights of axis '%s' are 0; one must be above 0",
                         split->count, split->axis);
}

static clshard_status check_split(const clshard__tiling *tiling, const clshard_split *splits,
                                  size_t index, clshard_error *err)
{
    const clshard_split *split = &splits[index];
    clshard_status status;
    size_t axis = 0;

    if (split->axis == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "sharding: the axis of split %zu is NULL",
                             index);
    status = clshard__cutting_axis(&tiling->axes, split->axis, &axis, err);
    if (status != CLSHARD_OK)
        return status;
    for (size_t i = 0; i < index; i++)
        if (strcmp(splits[i].axis, split->axis) == 0)
            return clshard__fail(err, CLSHARD_ERR_DUPLICATE_AXIS,
                                 "sharding: splits %zu and %zu are both for axis '%s'", i, index,
                                 split->axis);
    if (!uses_axis(tiling, axis))
        return clshard__fail(err, CLSHARD_ERR_SPLIT,
                             "sharding: split %zu is for axis '%s', which the spec does not use",
                             index, split->axis);
    status = check_form(split, err);
    if (status == CLSHARD_OK && split->policy == CLSHARD_WEIGHTED)
        status = check_weights(split, tiling->axes.size[axis], err);
    return status;
}

clshard_status clshard__splits_check(const clshard__tiling *tiling, const clshard_split *splits,
                                     size_t split_count, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    for (size_t i = 0; i < split_count && status == CLSHARD_OK; i++)
        status = check_split(tiling, splits, i, err);
    return status;
}

/* The splits of one dimension's axes, in the order of the axes; NULL where an axis has none. */
typedef struct found_splits {
    const clshard_split *of_axis[CLSHARD_RANK_MAX];
    const clshard_split *first; /* NULL: none at all */
} found_splits;

static found_splits find_splits(const clshard__tiling *tiling, const clshard__cutting *cutting,
                                const clshard_split *splits, size_t split_count)
{
    found_splits found;
    memset(&found, 0, sizeof found);
    for (size_t i = 0; i < cutting->axis_count; i++)
        for (size_t s = 0; s < split_count; s++)
            if (strcmp(tiling->axes.name[cutting->axis[i]], splits[s].axis) == 0) {
                found.of_axis[i] = &splits[s];
                if (found.first == NULL)
                    found.first = &splits[s];
            }
    return found;
}

/* Whether the splits of one dimension's axes fit each other. */
static clshard_status check_together(const found_splits *found, const clshard__cutting *cutting,
                                     size_t dimension, clshard_error *err)
{
    const clshard_split *first = found->first;
    for (size_t i = 0; i < cutting->axis_count; i++) {
        const clshard_split *split = found->of_axis[i];
        if (split == NULL || split == first)
            continue;
        if (split->policy != first->policy)
            return clshard__fail(err, CLSHARD_ERR_SPLIT,
                                 "sharding: dimension %zu has two policies, '%s' by axis '%s' and "
                                 "'%s' by axis '%s'; it needs one",
                                 dimension, clshard_policy_name(first->policy), first->axis,
                                 clshard_policy_name(split->policy), split->axis);
        if (split->policy == CLSHARD_SIZES)
            return clshard__fail(err, CLSHARD_ERR_SPLIT,
                                 "sharding: dimension %zu has its sizes twice, by axis '%s' and "
                                 "axis '%s'; give those of all its parts once",
                                 dimension, first->axis, split->axis);
    }
    return CLSHARD_OK;
}

/* Turns the first `filled` products into filled * size ones, from the back so that none is
 * overwritten before it is used. */
static bool multiply_weights(uint64_t *product, size_t filled, const clshard_split *split,
                             size_t size)
{
    for (size_t i = filled; i-- > 0;) {
        const uint64_t before = product[i];
        for (size_t c = size; c-- > 0;)
            if (__builtin_mul_overflow(before, split == NULL ? 1 : split->weights[c],
                                       &product[i * size + c]))
                return false;
    }
    return true;
}

static clshard_status combine_weights(const clshard__tiling *tiling, clshard__cutting *cutting,
                                      const found_splits *found, clshard_error *err)
{
    uint64_t *product = clshard__alloc(cutting->parts, sizeof *product);
    size_t filled = 1;

    if (product == NULL)
        return clshard__no_memory(err, "the weights of a sharding");
    product[0] = 1;
    for (size_t i = 0; i < cutting->axis_count; i++) {
        const size_t size = tiling->axes.size[cutting->axis[i]];
        if (!multiply_weights(product, filled, found->of_axis[i], size)) {
            clshard__free(product);
            return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                                 "sharding: a product of the weights of axis '%s' and the axes "
                                 "before it exceeds 64 bits",
                                 tiling->axes.name[cutting->axis[i]]);
        }
        filled *= size;
        if (found->of_axis[i] != NULL && found->of_axis[i]->granule > cutting->granule)
            cutting->granule = found->of_axis[i]->granule;
    }
    cutting->weights = product;
    return CLSHARD_OK;
}

static clshard_status copy_sizes(clshard__cutting *cutting, const clshard_split *split,
                                 size_t dimension, clshard_error *err)
{
    size_t *sizes;

    if (split->count != cutting->parts)
        return clshard__fail(err, CLSHARD_ERR_SPLIT,
                             "sharding: dimension %zu has %zu parts but axis '%s' brings %zu sizes",
                             dimension, cutting->parts, split->axis, split->count);
    sizes = clshard__alloc(split->count, sizeof *sizes);
    if (sizes == NULL)
        return clshard__no_memory(err, "the sizes of a sharding");
    memcpy(sizes, split->sizes, split->count * sizeof *sizes);
    cutting->sizes = sizes;
    return CLSHARD_OK;
}

clshard_status clshard__cutting_combine(clshard__tiling *tiling, size_t dimension,
                                        clshard_policy uneven, const clshard_split *splits,
                                        size_t split_count, clshard_error *err)
{
    clshard__cutting *cutting = &tiling->dimension[dimension];
    const found_splits found = find_splits(tiling, cutting, splits, split_count);
    clshard_status status = check_together(&found, cutting, dimension, err);

    if (status != CLSHARD_OK)
        return status;
    cutting->granule = 1;
    cutting->policy = cutting->axis_count == 0 ? CLSHARD_EVEN : uneven;
    if (found.first == NULL)
        return CLSHARD_OK;
    cutting->policy = found.first->policy;
    if (cutting->policy == CLSHARD_WEIGHTED)
        return combine_weights(tiling, cutting, &found, err);
    if (cutting->policy == CLSHARD_SIZES)
        return copy_sizes(cutting, found.first, dimension, err);
    return CLSHARD_OK;
}

void clshard__cutting_end(clshard__cutting *cutting)
{
    clshard__free((void *)cutting->weights);
    clshard__free((void *)cutting->sizes);
}
