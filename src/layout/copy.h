/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_COPY_H
#define CLSHARD_LAYOUT_COPY_H

/* A strided copy of an n-d box, reduced to as few and as long runs as the strides allow. What every
 * route moves is described by one of these. */

#include <clshard/tensor.h>

typedef struct clshard__copy {
    size_t run;  /* bytes that are contiguous on both sides; 0: nothing to copy */
    size_t rank; /* loops around the run; 0: one run */
    size_t extent[CLSHARD_RANK_MAX];  /* slowest first */
    ptrdiff_t from[CLSHARD_RANK_MAX]; /* byte strides */
    ptrdiff_t to[CLSHARD_RANK_MAX];
} clshard__copy;

/* Of a box of that shape; strides in bytes per dimension. */
clshard__copy clshard__copy_of(clshard_shape box, const ptrdiff_t *from_strides,
                               const ptrdiff_t *to_strides, size_t item_bytes);

/* Bytes that are moved. */
size_t clshard__copy_bytes(const clshard__copy *copy);

/* The same box with its source replaced by a dense buffer, runs in order; or with its target. */
clshard__copy clshard__copy_from_dense(const clshard__copy *copy);
clshard__copy clshard__copy_to_dense(const clshard__copy *copy);

/* Bytes touched on the source's side, relative to its start: low is 0 or less, high above it. */
void clshard__copy_source_span(const clshard__copy *copy, ptrdiff_t *out_low, ptrdiff_t *out_high);

/* The widest of 1, 2, 4, 8, 16 bytes that divides the run, every stride and both offsets. */
size_t clshard__copy_word(const clshard__copy *copy, size_t from_offset, size_t to_offset);

/* Copies between host memory; the two must not overlap. */
void clshard__copy_run(const clshard__copy *copy, void *to, const void *from);

/* Whether both sides hold the same bytes. */
bool clshard__copy_equal(const clshard__copy *copy, const void *to, const void *from);

/* Cuts a copy into pieces whose source spans at most bound bytes where a single run allows it. Zero
 * the cursor to start; false after the last piece. */
typedef struct clshard__piece {
    clshard__copy copy;
    ptrdiff_t from_offset, to_offset; /* of the piece's first run */
} clshard__piece;
typedef struct clshard__piece_cursor {
    bool started;
    size_t at[CLSHARD_RANK_MAX];
} clshard__piece_cursor;
bool clshard__copy_next_piece(const clshard__copy *copy, size_t bound,
                              clshard__piece_cursor *cursor, clshard__piece *out_piece);

#endif
