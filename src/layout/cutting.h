/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_CUTTING_H
#define CLSHARD_LAYOUT_CUTTING_H

/* One dimension of a tiling: what the splits of its axes come to, and how two compare. */

#include "layout/tiling.h"

/* The number of a mesh axis by its name; UNKNOWN_AXIS lists those there are. */
clshard_status clshard__cutting_axis(const clshard__axes *axes, const char *name, size_t *out_axis,
                                     clshard_error *err);

/* Checks each split by itself and against the axes that the tiling's spec uses. ARGUMENT,
 * UNKNOWN_AXIS, DUPLICATE_AXIS for two of one axis, SPLIT. */
clshard_status clshard__splits_check(const clshard__tiling *tiling, const clshard_split *splits,
                                     size_t split_count, clshard_error *err);

/* Gives a dimension, whose axes and parts are set, its policy, granule and tables. The splits have
 * been checked. SPLIT, OVERFLOW, MEMORY; on failure there is nothing to end. */
clshard_status clshard__cutting_combine(clshard__tiling *tiling, size_t dimension,
                                        clshard_policy uneven, const clshard_split *splits,
                                        size_t split_count, clshard_error *err);

/* Frees the tables. */
void clshard__cutting_end(clshard__cutting *cutting);

/* Same axes, policy, granule and tables. */
bool clshard__cutting_equal(const clshard__cutting *a, const clshard__cutting *b);

/* Whether both cut every extent into the same parts; the axes are not compared. */
bool clshard__cutting_alike(const clshard__cutting *a, const clshard__cutting *b);

#endif
