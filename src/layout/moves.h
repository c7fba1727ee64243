/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_MOVES_H
#define CLSHARD_LAYOUT_MOVES_H

/* The moves of a reshard: what each position of one geometry takes from which position of another.
 * Immutable once made. */

#include "layout/nearest.h"

typedef struct clshard__moves clshard__moves;

/* One rectangle of elements. Those that a position keeps are a move too, of reach SELF. */
typedef struct clshard__move {
    size_t from, to;
    clshard__reach reach;
} clshard__move;

/* Which collective the moves amount to; the values of clshard_collective. */
typedef enum clshard__collective {
    CLSHARD__COLLECTIVE_NONE = 0,
    CLSHARD__COLLECTIVE_SLICE = 1,
    CLSHARD__COLLECTIVE_ALL_GATHER = 2,
    CLSHARD__COLLECTIVE_ALL_TO_ALL = 3,
    CLSHARD__COLLECTIVE_PERMUTE = 4
} clshard__collective;

/* Borrows the geometries for as long as the moves live; the places only during the call. Time and
 * memory grow with the positions of the target and with the moves. SHAPE for geometries of
 * different shapes; OVERFLOW when the elements of all positions exceed 64 bits; MEMORY. */
clshard_status clshard__moves_create(const clshard__side *to, const clshard__side *from,
                                     clshard__moves **out_moves, clshard_error *err);
void clshard__moves_release(clshard__moves *moves);

/* Sorted by target position, then by the place of the rectangle, in C order. */
size_t clshard__moves_count(const clshard__moves *moves);
clshard__move clshard__moves_get(const clshard__moves *moves, size_t index);

/* What a move moves, in global indices; never empty. O(rank). */
clshard_box clshard__moves_box(const clshard__moves *moves, size_t index);

/* Elements that all moves of a reach move. */
uint64_t clshard__moves_elements(const clshard__moves *moves, clshard__reach reach);

/* Elements that positions of the target want and no position of the source has: the tail of
 * `drop`. */
uint64_t clshard__moves_missing(const clshard__moves *moves);

clshard__collective clshard__moves_collective(const clshard__moves *moves);

#endif
