/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_SPLIT_H
#define CLSHARD_LAYOUT_SPLIT_H

/* One extent cut into parts. The closed forms need no memory; weighted and sizes keep a table of
 * boundaries, which the caller owns (clshard__free) once made. */

#include <clshard/split.h>

typedef struct clshard__cut {
    clshard_policy policy;
    size_t extent; /* n */
    size_t parts;  /* k, at least 1 */
    /* Of closed forms; a table has 0. */
    size_t floor; /* n / k */
    size_t ceil;  /* ceil(n / k) */
    size_t remainder;
    const size_t *boundary; /* weighted and sizes: parts + 1 entries; else NULL */
} clshard__cut;

/* What one part stores, and how much of it is inside the extent. The empty tail of ceil, and valid
 * of pad past the end, start at n. */
typedef struct clshard__slice {
    size_t offset, extent;
    size_t valid_offset, valid_extent;
} clshard__slice;

/* A closed form: any policy but WEIGHTED and SIZES. Does not check divisibility. */
clshard__cut clshard__cut_closed(clshard_policy policy, size_t extent, size_t parts);

/* By weights in whole granules: largest remainder, ties to the lower part, products in 128 bits.
 * SPLIT when all weights are 0; OVERFLOW when their sum exceeds 64 bits; MEMORY. */
clshard_status clshard__cut_weighted(size_t extent, const uint64_t *weights, size_t parts,
                                     size_t granule, clshard__cut *out_cut, clshard_error *err);

/* By given sizes. SPLIT when they do not sum to the extent; MEMORY. */
clshard_status clshard__cut_sizes(size_t extent, const size_t *sizes, size_t parts,
                                  clshard__cut *out_cut, clshard_error *err);

/* part must be below parts. */
clshard__slice clshard__cut_slice(const clshard__cut *cut, size_t part);

#endif
