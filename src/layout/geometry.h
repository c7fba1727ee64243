/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_GEOMETRY_H
#define CLSHARD_LAYOUT_GEOMETRY_H

/* A tiling that met a shape: which part of the array each position holds. Immutable once made. */

#include <clshard/tensor.h>

#include "layout/digits.h"
#include "layout/split.h"
#include "layout/tiling.h"

typedef struct clshard__geometry clshard__geometry;

/* Copies what it needs of the tiling. Statuses: as clshard_layout_create(). */
clshard_status clshard__geometry_create(const clshard__tiling *tiling, clshard_shape shape,
                                        clshard__geometry **out_geometry, clshard_error *err);
void clshard__geometry_release(clshard__geometry *geometry);

clshard_shape clshard__geometry_shape(const clshard__geometry *geometry);
size_t clshard__geometry_positions(const clshard__geometry *geometry);

/* How a dimension of the shape is cut, and which of its parts a position holds; borrowed. */
const clshard__cut *clshard__geometry_cut(const clshard__geometry *geometry, size_t dimension);
const clshard__digits *clshard__geometry_digits(const clshard__geometry *geometry,
                                                size_t dimension);

/* O(rank), no memory. Past the last position: rank 0, replica SIZE_MAX. */
clshard_part clshard__geometry_part(const clshard__geometry *geometry, size_t position);

/* The largest box extent per dimension. */
clshard_shape clshard__geometry_shard_shape(const clshard__geometry *geometry);

/* Product of the sizes of the axes that cut nothing. */
size_t clshard__geometry_replica_count(const clshard__geometry *geometry);

/* Same shape, and the same box and valid range at every position. */
bool clshard__geometry_equivalent(const clshard__geometry *a, const clshard__geometry *b);

/* Whether every position holds everything. */
bool clshard__geometry_fully_replicated(const clshard__geometry *geometry);

#endif
