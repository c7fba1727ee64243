/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_DIGITS_H
#define CLSHARD_LAYOUT_DIGITS_H

/* Which part of a dimension a position holds, as a number read from the position's digits. Two
 * dimensions over the same number of positions map them alike exactly when their digits are equal,
 * whatever the axes are called. */

#include "layout/axes.h"

/* The digit i is position / stride % size, the first most significant. Sizes are above 1, and no
 * two neighbours could be written as one. */
typedef struct clshard__digits {
    size_t count;
    size_t stride[CLSHARD_RANK_MAX];
    size_t size[CLSHARD_RANK_MAX];
} clshard__digits;

/* axis: numbers in axes, most significant first. */
clshard__digits clshard__digits_of(const clshard__axes *axes, const size_t *axis,
                                   size_t axis_count);

bool clshard__digits_equal(const clshard__digits *a, const clshard__digits *b);

/* The number that the digits of a position make. */
size_t clshard__digits_read(const clshard__digits *digits, size_t position);

/* The lowest position whose digits make that number, which must be below the product of the sizes.
 */
size_t clshard__digits_write(const clshard__digits *digits, size_t number);

#endif
