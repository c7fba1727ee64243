/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/split.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/error.h"

__extension__ typedef unsigned __int128 uint128;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The start of a part of `step` elements, kept inside the extent. */
static size_t clamped_start(size_t part, size_t step, size_t extent)
{
    size_t start;
    return clshard__mul(part, step, &start) ? smaller(start, extent) : extent;
}

clshard__cut clshard__cut_closed(clshard_policy policy, size_t extent, size_t parts)
{
    assert(parts > 0);
    const clshard__cut cut = {
        .policy = policy,
        .extent = extent,
        .parts = parts,
        .floor = extent / parts,
        .ceil = clshard__ceil_div(extent, parts),
        .remainder = extent % parts,
    };
    return cut;
}

static clshard__cut table_cut(clshard_policy policy, size_t extent, size_t parts,
                              const size_t *boundary)
{
    const clshard__cut cut = {
        .policy = policy, .extent = extent, .parts = parts, .boundary = boundary};
    return cut;
}

/* false when the sum exceeds 64 bits. */
static bool sum_weights(const uint64_t *weights, size_t parts, uint64_t *out_sum)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < parts; i++)
        if (__builtin_add_overflow(sum, weights[i], &sum))
            return false;
    *out_sum = sum;
    return true;
}

static size_t count_from(const uint64_t *remainder, size_t parts, uint64_t least)
{
    size_t count = 0;
    for (size_t i = 0; i < parts; i++)
        count += remainder[i] >= least;
    return count;
}

/* The remainder that the last of `winners` parts has when the largest win, found bit by bit so that
 * nothing needs sorting. */
static uint64_t winning_remainder(const uint64_t *remainder, size_t parts, size_t winners)
{
    uint64_t least = 0;
    for (unsigned bit = 64; bit-- > 0;) {
        const uint64_t higher = least | (uint64_t)1 << bit;
        if (count_from(remainder, parts, higher) >= winners)
            least = higher;
    }
    return least;
}

/* Adds one granule to each of the `winners` parts with the largest remainders, of equal ones to the
 * lower. */
static void give_leftover(size_t *granules, const uint64_t *remainder, size_t parts, size_t winners)
{
    uint64_t least;
    size_t ties;

    if (winners == 0)
        return;
    least = winning_remainder(remainder, parts, winners);
    ties = winners - (least == UINT64_MAX ? 0 : count_from(remainder, parts, least + 1));
    for (size_t i = 0; i < parts; i++) {
        if (remainder[i] > least) {
            granules[i]++;
        } else if (remainder[i] == least && ties > 0) {
            granules[i]++;
            ties--;
        }
    }
}

/* Writes how many granules each part gets; remainder has room for one value per part. */
static void apportion(size_t total, const uint64_t *weights, uint64_t sum, size_t parts,
                      size_t *granules, uint64_t *remainder)
{
    size_t left = total;
    for (size_t i = 0; i < parts; i++) {
        const uint128 share = (uint128)total * weights[i];
        granules[i] = (size_t)(share / sum);
        remainder[i] = (uint64_t)(share % sum);
        left -= granules[i];
    }
    give_leftover(granules, remainder, parts, left);
}

/* Apportions the extent, and turns granules into boundaries in place; false without memory. */
static bool make_boundaries(size_t extent, const uint64_t *weights, uint64_t sum, size_t parts,
                            size_t granule, size_t *boundary)
{
    uint64_t *remainder = clshard__alloc(parts, sizeof *remainder);
    size_t granules = 0;

    if (remainder == NULL)
        return false;
    apportion(clshard__ceil_div(extent, granule), weights, sum, parts, boundary + 1, remainder);
    clshard__free(remainder);
    for (size_t i = 1; i <= parts; i++) {
        granules += boundary[i];
        boundary[i] = clamped_start(granules, granule, extent);
    }
    return true;
}

clshard_status clshard__cut_weighted(size_t extent, const uint64_t *weights, size_t parts,
                                     size_t granule, clshard__cut *out_cut, clshard_error *err)
{
    uint64_t sum = 0;
    size_t *boundary;

    if (!sum_weights(weights, parts, &sum))
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                             "split: the sum of %zu weights exceeds 64 bits", parts);
    if (sum == 0)
        return clshard__fail(err, CLSHARD_ERR_SPLIT,
                             "split: the weights of all %zu parts are 0; one must be above 0",
                             parts);
    boundary = clshard__alloc(parts + 1, sizeof *boundary);
    if (boundary == NULL || !make_boundaries(extent, weights, sum, parts, granule, boundary)) {
        clshard__free(boundary);
        return clshard__no_memory(err, "the boundaries of a split");
    }
    *out_cut = table_cut(CLSHARD_WEIGHTED, extent, parts, boundary);
    return CLSHARD_OK;
}

/* false when the sum exceeds 64 bits. */
static bool sum_sizes(const size_t *sizes, size_t parts, size_t *out_sum)
{
    size_t sum = 0;
    for (size_t i = 0; i < parts; i++)
        if (!clshard__add(sum, sizes[i], &sum))
            return false;
    *out_sum = sum;
    return true;
}

clshard_status clshard__cut_sizes(size_t extent, const size_t *sizes, size_t parts,
                                  clshard__cut *out_cut, clshard_error *err)
{
    size_t *boundary;
    size_t sum = 0;

    if (!sum_sizes(sizes, parts, &sum))
        return clshard__fail(err, CLSHARD_ERR_SPLIT,
                             "split: the sizes of %zu parts sum to more than 64 bits, not to the "
                             "extent %zu",
                             parts, extent);
    if (sum != extent)
        return clshard__fail(err, CLSHARD_ERR_SPLIT,
                             "split: the sizes of %zu parts sum to %zu, not to the extent %zu",
                             parts, sum, extent);
    boundary = clshard__alloc(parts + 1, sizeof *boundary);
    if (boundary == NULL)
        return clshard__no_memory(err, "the boundaries of a split");
    for (size_t i = 0; i < parts; i++)
        boundary[i + 1] = boundary[i] + sizes[i];
    *out_cut = table_cut(CLSHARD_SIZES, extent, parts, boundary);
    return CLSHARD_OK;
}

static clshard__slice exact_slice(size_t offset, size_t extent)
{
    const clshard__slice slice = {offset, extent, offset, extent};
    return slice;
}

/* Of ceil, and what is valid of pad. */
static clshard__slice ceil_slice(const clshard__cut *cut, size_t part)
{
    const size_t offset = clamped_start(part, cut->ceil, cut->extent);
    return exact_slice(offset, smaller(cut->ceil, cut->extent - offset));
}

clshard__slice clshard__cut_slice(const clshard__cut *cut, size_t part)
{
    clshard__slice slice;

    switch (cut->policy) {
    case CLSHARD_BALANCED:
        return exact_slice(part * cut->floor + smaller(part, cut->remainder),
                           cut->floor + (part < cut->remainder));
    case CLSHARD_CEIL:
        return ceil_slice(cut, part);
    case CLSHARD_PAD:
        slice = ceil_slice(cut, part);
        slice.offset = part * cut->ceil;
        slice.extent = cut->ceil;
        return slice;
    case CLSHARD_WEIGHTED:
    case CLSHARD_SIZES:
        return exact_slice(cut->boundary[part], cut->boundary[part + 1] - cut->boundary[part]);
    case CLSHARD_EVEN:
    case CLSHARD_DROP:
        break;
    }
    return exact_slice(part * cut->floor, cut->floor);
}
