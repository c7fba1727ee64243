/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_TILING_H
#define CLSHARD_LAYOUT_TILING_H

/* The pure half of a sharding: axes, a spec checked against them, and how each dimension is cut. */

#include <clshard/spec.h>
#include <clshard/split.h>

#include "layout/axes.h"

/* How one dimension is cut. Pointers belong to the tiling. */
typedef struct clshard__cutting {
    size_t axis_count;             /* 0: replicated */
    size_t axis[CLSHARD_RANK_MAX]; /* numbers in axes, most significant first */
    size_t parts;                  /* product of their sizes */
    clshard_policy policy;
    size_t granule;          /* at least 1 */
    const uint64_t *weights; /* WEIGHTED: one per part, products already made; else NULL */
    const size_t *sizes;     /* SIZES: one per part; else NULL */
} clshard__cutting;

typedef struct clshard__tiling {
    clshard__axes axes;
    clshard_spec spec;
    clshard__cutting dimension[CLSHARD_RANK_MAX]; /* the first spec.rank count */
} clshard__tiling;

/* Copies all it is given. Statuses: as clshard_sharding_create(). */
clshard_status clshard__tiling_create(const clshard__axes *axes, const clshard_spec *spec,
                                      clshard_policy uneven, const clshard_split *splits,
                                      size_t split_count, clshard__tiling **out_tiling,
                                      clshard_error *err);
void clshard__tiling_release(clshard__tiling *tiling);

/* Same axes, spec and cuttings. */
bool clshard__tiling_equal(const clshard__tiling *a, const clshard__tiling *b);

/* Whether both give every position the same part of every shape of that rank. The axes may differ.
 */
bool clshard__tiling_equivalent(const clshard__tiling *a, const clshard__tiling *b, size_t rank);

/* Whether no dimension has more than one part. */
bool clshard__tiling_fully_replicated(const clshard__tiling *tiling);

#endif
