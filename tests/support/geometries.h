/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_GEOMETRIES_H
#define CLSHARD_TESTS_GEOMETRIES_H

/* Random geometries under every policy, and their boxes compared without arithmetic of their own.
 */

#include "layout/geometry.h"
#include "support/random.h"

/* Rank 0 to 3, few elements; now and then an extent of 0. */
clshard_shape random_shape(random_source *source);

/* Some mesh of that many positions, some spec, and some policies that accept the shape. The caller
 * releases it. */
clshard__geometry *random_geometry(random_source *source, size_t positions, clshard_shape shape);

bool box_is_empty(const clshard_box *box);
bool boxes_equal(const clshard_box *a, const clshard_box *b);
bool box_has(const clshard_box *box, const size_t *index);

/* Elements of a shape, and the index of number i, in C order. */
size_t shape_elements(clshard_shape shape);
void shape_index(clshard_shape shape, size_t number, size_t index[CLSHARD_RANK_MAX]);

#endif
