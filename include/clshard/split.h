/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_SPLIT_H
#define CLSHARD_SPLIT_H

/**
 * @file
 * How one extent is cut into parts: a dimension of an array over mesh axes, or a data set over
 * processes. Integers only, so that every host computes the same cut.
 *
 * Thread class: immutable.
 */

#include <clshard/status.h>

/** How an extent n is cut into k parts. q = floor(n/k), c = ceil(n/k). */
typedef enum clshard_policy {
    CLSHARD_EVEN = 0, /**< n/k each; `indivisible` when k does not divide n (JAX) */
    CLSHARD_BALANCED =
        1, /**< the first n mod k parts have q + 1, the others q (Grain's even_split) */
    CLSHARD_CEIL =
        2,           /**< c each until n is used up; the tail may be short or empty (torch.chunk) */
    CLSHARD_PAD = 3, /**< c each, stored in full; what lies past n is padding */
    CLSHARD_DROP = 4, /**< q each; the last n mod k elements belong to no part */
    CLSHARD_WEIGHTED =
        5, /**< by weights: whole granules by largest remainder, ties to the lower part */
    CLSHARD_SIZES = 6 /**< sizes given part by part, which sum to n */
} clshard_policy;

/** The policy for the dimension that a mesh axis cuts. */
typedef struct clshard_split {
    const char *axis;        /**< a mesh axis */
    clshard_policy policy;   /**< one policy per dimension */
    const uint32_t *weights; /**< WEIGHTED: one per coordinate of the axis, not all zero; weights of
                                several axes multiply */
    const size_t *sizes;     /**< SIZES: one per part of the dimension, all of its axes together */
    size_t count;            /**< number of weights or sizes */
    size_t granule; /**< WEIGHTED: boundaries are multiples of it (the largest of a dimension's axes
                       counts); 0: 1. The extent counts as ceil(n / granule) granules, of which the
                       last may be short: 100 by 3,1 in granules of 8 is 80 and 20 */
} clshard_split;

/** Share `index` of `count`: a process and the number of processes. */
typedef struct clshard_share {
    size_t index; /**< below `count` */
    size_t count; /**< 1 or more */
} clshard_share;

/** Indices start, start + step, ..., `count` of them. */
typedef struct clshard_range {
    size_t start; /**< first index */
    size_t step;  /**< 1 for a contiguous range */
    size_t count; /**< number of indices */
} clshard_range;

CLSHARD_BEGIN_DECLS

/**
 * A share of `total` rows as one block: Grain's even_split (`drop` is its drop_remainder,
 * `balanced` keeps the remainder). `even`, `ceil` work as for a dimension; `pad` gives what is
 * valid.
 * @return OK; `index` for a share outside its count, or of 0; `indivisible` under `even`; `split`
 * for `weighted` and `sizes`; `argument`.
 */
CLSHARD_CHECKED clshard_status clshard_split_contiguous(size_t total, clshard_share share,
                                                        clshard_policy policy,
                                                        clshard_range *out_range,
                                                        clshard_error *err);

/**
 * A share of `total` rows strided: index, index + count, ... (`balanced` keeps the remainder,
 * `drop` gives each share floor(total/count)).
 * @return OK; `index`; `indivisible` under `even`; `split` for any other policy; `argument`.
 */
CLSHARD_CHECKED clshard_status clshard_split_strided(size_t total, clshard_share share,
                                                     clshard_policy policy,
                                                     clshard_range *out_range, clshard_error *err);

/** The text of a policy ("even", "balanced", ...); NULL past the last, so a tool can search by
 * name. */
CLSHARD_API const char *clshard_policy_name(clshard_policy policy);

CLSHARD_END_DECLS

#endif
