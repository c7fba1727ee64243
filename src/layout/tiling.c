/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/tiling.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "layout/cutting.h"
#include "layout/scan.h"

/* A spec is a value that anyone may fill: nothing in it may lead outside it. */
static clshard_status check_spec(const clshard_spec *spec, clshard_error *err)
{
    if (spec->rank > CLSHARD_RANK_MAX)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "sharding: the spec's rank is %zu; at most %d fit", spec->rank,
                             CLSHARD_RANK_MAX);
    for (size_t d = 0; d < spec->rank; d++)
        for (size_t i = 0; i < CLSHARD_RANK_MAX && spec->entry[d].axis[i][0] != '\0'; i++)
            if (memchr(spec->entry[d].axis[i], '\0', CLSHARD_NAME_MAX) == NULL)
                return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                                     "sharding: an axis of dimension %zu in the spec has no end",
                                     d);
    return CLSHARD_OK;
}

static clshard_status check_arguments(const clshard_spec *spec, clshard_policy uneven,
                                      const clshard_split *splits, size_t split_count,
                                      clshard_error *err)
{
    if (clshard_policy_name(uneven) == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "sharding: uneven: %d is no policy",
                             (int)uneven);
    if (uneven == CLSHARD_WEIGHTED || uneven == CLSHARD_SIZES)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "sharding: uneven: the policy '%s' needs a split of an axis",
                             clshard_policy_name(uneven));
    if (splits == NULL && split_count > 0)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "sharding: splits is NULL but split_count is %zu", split_count);
    return check_spec(spec, err);
}

static clshard_status fail_duplicate(const char *axis, size_t before, size_t dimension,
                                     clshard_error *err)
{
    const clshard__quoted name = clshard__quote(axis);

    if (before == dimension)
        return clshard__fail(err, CLSHARD_ERR_DUPLICATE_AXIS,
                             "sharding: axis '%s' is used twice in dimension %zu; an axis cuts a "
                             "dimension once",
                             name.text, dimension);
    return clshard__fail(
        err, CLSHARD_ERR_DUPLICATE_AXIS,
        "sharding: axis '%s' is used twice, by dimensions %zu and %zu; an axis cuts "
        "one dimension (from rules, the lookup 'priority' gives it to one of them)",
        name.text, before, dimension);
}

/* Where a name occurs before entry `dimension`, place `index` of the spec; SIZE_MAX: nowhere. */
static size_t dimension_before(const clshard_spec *spec, size_t dimension, size_t index)
{
    const char *name = spec->entry[dimension].axis[index];
    for (size_t d = 0; d <= dimension; d++) {
        const size_t end = d < dimension ? clshard__entry_axes(&spec->entry[d]) : index;
        for (size_t i = 0; i < end; i++)
            if (strcmp(spec->entry[d].axis[i], name) == 0)
                return d;
    }
    return SIZE_MAX;
}

static clshard_status check_duplicates(const clshard_spec *spec, clshard_error *err)
{
    for (size_t d = 0; d < spec->rank; d++) {
        const size_t count = clshard__entry_axes(&spec->entry[d]);
        for (size_t i = 0; i < count; i++) {
            const size_t before = dimension_before(spec, d, i);
            if (before != SIZE_MAX)
                return fail_duplicate(spec->entry[d].axis[i], before, d, err);
        }
    }
    return CLSHARD_OK;
}

static clshard_status find_axes(clshard__tiling *tiling, size_t dimension, clshard_error *err)
{
    const clshard_spec_entry *entry = &tiling->spec.entry[dimension];
    clshard__cutting *cutting = &tiling->dimension[dimension];
    clshard_status status = CLSHARD_OK;

    cutting->axis_count = clshard__entry_axes(entry);
    cutting->parts = 1;
    for (size_t i = 0; i < cutting->axis_count && status == CLSHARD_OK; i++) {
        status = clshard__cutting_axis(&tiling->axes, entry->axis[i], &cutting->axis[i], err);
        /* Never more than the positions, which were counted in 64 bits. */
        if (status == CLSHARD_OK)
            cutting->parts *= tiling->axes.size[cutting->axis[i]];
    }
    return status;
}

static clshard_status fill(clshard__tiling *tiling, clshard_policy uneven,
                           const clshard_split *splits, size_t split_count, clshard_error *err)
{
    clshard_status status = check_duplicates(&tiling->spec, err);
    for (size_t d = 0; d < tiling->spec.rank && status == CLSHARD_OK; d++)
        status = find_axes(tiling, d, err);
    if (status == CLSHARD_OK)
        status = clshard__splits_check(tiling, splits, split_count, err);
    for (size_t d = 0; d < tiling->spec.rank && status == CLSHARD_OK; d++)
        status = clshard__cutting_combine(tiling, d, uneven, splits, split_count, err);
    return status;
}

clshard_status clshard__tiling_create(const clshard__axes *axes, const clshard_spec *spec,
                                      clshard_policy uneven, const clshard_split *splits,
                                      size_t split_count, clshard__tiling **out_tiling,
                                      clshard_error *err)
{
    clshard_status status = check_arguments(spec, uneven, splits, split_count, err);
    clshard__tiling *tiling;

    if (status != CLSHARD_OK)
        return status;
    tiling = clshard__alloc(1, sizeof *tiling);
    if (tiling == NULL)
        return clshard__no_memory(err, "a sharding");
    tiling->axes = *axes;
    tiling->spec = *spec;
    status = fill(tiling, uneven, splits, split_count, err);
    if (status != CLSHARD_OK) {
        clshard__tiling_release(tiling);
        return status;
    }
    *out_tiling = tiling;
    return CLSHARD_OK;
}

void clshard__tiling_release(clshard__tiling *tiling)
{
    if (tiling == NULL)
        return;
    for (size_t d = 0; d < tiling->spec.rank; d++)
        clshard__cutting_end(&tiling->dimension[d]);
    clshard__free(tiling);
}

bool clshard__tiling_fully_replicated(const clshard__tiling *tiling)
{
    for (size_t d = 0; d < tiling->spec.rank; d++)
        if (tiling->dimension[d].parts > 1)
            return false;
    return true;
}
