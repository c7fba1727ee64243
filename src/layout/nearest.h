/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_NEAREST_H
#define CLSHARD_LAYOUT_NEAREST_H

/* Of the positions that hold a slice, the one nearest to a position that wants it. A slice is named
 * by the lowest position that holds it. */

#include "layout/geometry.h"

/* How far a source is away; the values of clshard_reach, which this layer does not see. */
typedef enum clshard__reach {
    CLSHARD__REACH_SELF = 0,
    CLSHARD__REACH_DEVICE = 1,
    CLSHARD__REACH_CONTEXT = 2,
    CLSHARD__REACH_HOST = 3,
    CLSHARD__REACH_PROCESS = 4
} clshard__reach;
enum { CLSHARD__REACHES = 5 };

/* Where the positions of a mesh are: numbers that mean the same for both sides of a reshard.
 * Devices and contexts count only within one process. */
typedef struct clshard__places {
    const size_t *process; /* NULL: all in process 0 */
    const size_t *context; /* NULL: all in one context */
    const size_t *device;  /* NULL: each position is a device of its own, with its number */
} clshard__places;

/* One side of a reshard; borrowed. */
typedef struct clshard__side {
    const clshard__geometry *geometry;
    clshard__places places;
} clshard__side;

typedef struct clshard__nearest clshard__nearest;

/* Borrows both. No memory per position where places are NULL. MEMORY. */
clshard_status clshard__nearest_create(const clshard__side *to, const clshard__side *from,
                                       clshard__nearest **out_nearest, clshard_error *err);
void clshard__nearest_release(clshard__nearest *nearest);

/* The lowest position that holds the same slice as this one, which must be below the positions. */
size_t clshard__first_holder(const clshard__geometry *geometry, size_t position);

/* Whether the position is the same device of the same process on both sides. */
bool clshard__same_place(const clshard__places *a, const clshard__places *b, size_t position);

/* The slice that a position of the target already holds, being the same device on both sides;
 * SIZE_MAX: none. */
size_t clshard__nearest_own(const clshard__nearest *nearest, size_t position);

/* Whence a position of the target takes a slice that it does not hold; of equally near sources the
 * lowest. */
typedef struct clshard__source {
    size_t position;
    clshard__reach reach;
} clshard__source;
clshard__source clshard__nearest_find(const clshard__nearest *nearest, size_t position,
                                      size_t slice);

#endif
