/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/copy.h"

#include <string.h>

enum { WIDEST_WORD = 16 };

/* Appends a loop, slowest first; loops of one step, and steps that continue the run or the loop
 * outside, vanish. */
static void add_inner(clshard__copy *copy, size_t extent, ptrdiff_t from, ptrdiff_t to)
{
    const size_t last = copy->rank - 1;

    if (extent == 1)
        return;
    if (copy->rank > 0 && copy->from[last] == (ptrdiff_t)extent * from &&
        copy->to[last] == (ptrdiff_t)extent * to) {
        copy->extent[last] *= extent;
        copy->from[last] = from;
        copy->to[last] = to;
        return;
    }
    copy->extent[copy->rank] = extent;
    copy->from[copy->rank] = from;
    copy->to[copy->rank] = to;
    copy->rank++;
}

/* Lets the innermost loop become part of the run where both sides allow it. */
static void lengthen_run(clshard__copy *copy)
{
    const size_t last = copy->rank - 1;
    if (copy->rank > 0 && copy->from[last] == (ptrdiff_t)copy->run &&
        copy->to[last] == (ptrdiff_t)copy->run) {
        copy->run *= copy->extent[last];
        copy->rank--;
    }
}

clshard__copy clshard__copy_of(clshard_shape box, const ptrdiff_t *from_strides,
                               const ptrdiff_t *to_strides, size_t item_bytes)
{
    clshard__copy copy = {0};

    for (size_t d = 0; d < box.rank; d++)
        if (box.extent[d] == 0)
            return copy;
    copy.run = item_bytes;
    for (size_t d = 0; d < box.rank; d++)
        add_inner(&copy, box.extent[d], from_strides[d], to_strides[d]);
    lengthen_run(&copy);
    return copy;
}

size_t clshard__copy_bytes(const clshard__copy *copy)
{
    size_t bytes = copy->run;
    for (size_t d = 0; d < copy->rank; d++)
        bytes *= copy->extent[d];
    return bytes;
}

/* The strides of a buffer that holds the copy's runs in order. */
static void runs_in_order(const clshard__copy *copy, ptrdiff_t *strides)
{
    size_t stride = copy->run;
    for (size_t d = copy->rank; d-- > 0;) {
        strides[d] = (ptrdiff_t)stride;
        stride *= copy->extent[d];
    }
}

/* The same loops with other strides, joined anew. */
static clshard__copy with_strides(const clshard__copy *copy, const ptrdiff_t *from,
                                  const ptrdiff_t *to)
{
    clshard__copy joined = {.run = copy->run};
    for (size_t d = 0; d < copy->rank; d++)
        add_inner(&joined, copy->extent[d], from[d], to[d]);
    lengthen_run(&joined);
    return joined;
}

clshard__copy clshard__copy_from_dense(const clshard__copy *copy)
{
    ptrdiff_t dense[CLSHARD_RANK_MAX];
    runs_in_order(copy, dense);
    return with_strides(copy, dense, copy->to);
}

clshard__copy clshard__copy_to_dense(const clshard__copy *copy)
{
    ptrdiff_t dense[CLSHARD_RANK_MAX];
    runs_in_order(copy, dense);
    return with_strides(copy, copy->from, dense);
}

void clshard__copy_source_span(const clshard__copy *copy, ptrdiff_t *out_low, ptrdiff_t *out_high)
{
    ptrdiff_t low = 0;
    ptrdiff_t high = (ptrdiff_t)copy->run;
    for (size_t d = 0; d < copy->rank; d++) {
        const ptrdiff_t span = ((ptrdiff_t)copy->extent[d] - 1) * copy->from[d];
        if (span < 0)
            low += span;
        else
            high += span;
    }
    *out_low = low;
    *out_high = high;
}

size_t clshard__copy_word(const clshard__copy *copy, size_t from_offset, size_t to_offset)
{
    /* The lowest bit set in any of them bounds the word; signs do not matter to it. */
    size_t bits = WIDEST_WORD | copy->run | from_offset | to_offset;
    for (size_t d = 0; d < copy->rank; d++)
        bits |= (size_t)copy->from[d] | (size_t)copy->to[d];
    return bits & (~bits + 1);
}

/* Visits every run; stops early, with false, when visit says so. */
typedef bool run_visitor(void *to, const void *from, size_t bytes);

static bool visit_runs(const clshard__copy *copy, char *to, const char *from, run_visitor *visit)
{
    size_t at[CLSHARD_RANK_MAX] = {0};
    size_t d;

    if (copy->run == 0)
        return true;
    for (;;) {
        if (!visit(to, from, copy->run))
            return false;
        for (d = copy->rank; d-- > 0;) {
            to += copy->to[d];
            from += copy->from[d];
            if (++at[d] < copy->extent[d])
                break;
            to -= (ptrdiff_t)copy->extent[d] * copy->to[d];
            from -= (ptrdiff_t)copy->extent[d] * copy->from[d];
            at[d] = 0;
        }
        if (d == SIZE_MAX)
            return true;
    }
}

/* Fixed sizes let the compiler turn the copy of one element into one move. */
static bool copy_bytes(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
    }
    return true;
}

static bool same_bytes(void *to, const void *from, size_t bytes)
{
    return memcmp(to, from, bytes) == 0;
}

void clshard__copy_run(const clshard__copy *copy, void *to, const void *from)
{
    (void)visit_runs(copy, to, from, copy_bytes);
}

bool clshard__copy_equal(const clshard__copy *copy, const void *to, const void *from)
{
    /* same_bytes only reads. */
    return visit_runs(copy, (char *)(uintptr_t)to, from, same_bytes);
}

/* Bytes that dimensions d and inner ones span on the source's side. */
static size_t inner_span(const clshard__copy *copy, size_t d)
{
    size_t span = copy->run;
    for (; d < copy->rank; d++)
        span +=
            (copy->extent[d] - 1) * (size_t)(copy->from[d] < 0 ? -copy->from[d] : copy->from[d]);
    return span;
}

/* How many steps of dimension d fit into the bound, when all of the inner ones do. */
static size_t steps_within(const clshard__copy *copy, size_t d, size_t bound)
{
    const size_t stride = (size_t)(copy->from[d] < 0 ? -copy->from[d] : copy->from[d]);
    const size_t inner = inner_span(copy, d + 1);
    if (inner >= bound || stride == 0)
        return stride == 0 ? copy->extent[d] : 1;
    return (bound - inner) / stride + 1;
}

/* Where a copy is cut: dimensions before `dimension` take one step a piece, itself `chunk` steps.
 */
typedef struct cutting_place {
    size_t dimension;
    size_t chunk;
} cutting_place;

static cutting_place find_place(const clshard__copy *copy, size_t bound)
{
    cutting_place place = {0, 1};
    while (place.dimension < copy->rank && inner_span(copy, place.dimension) > bound &&
           inner_span(copy, place.dimension + 1) > bound)
        place.dimension++;
    if (place.dimension < copy->rank)
        place.chunk = steps_within(copy, place.dimension, bound);
    return place;
}

/* false after the last piece. */
static bool advance(const clshard__copy *copy, cutting_place place, size_t *at)
{
    size_t d = place.dimension < copy->rank ? place.dimension + 1 : copy->rank;
    while (d-- > 0) {
        const size_t step = d == place.dimension ? place.chunk : 1;
        if (step < copy->extent[d] - at[d]) {
            at[d] += step;
            return true;
        }
        at[d] = 0;
    }
    return false;
}

bool clshard__copy_next_piece(const clshard__copy *copy, size_t bound,
                              clshard__piece_cursor *cursor, clshard__piece *out_piece)
{
    const cutting_place place = find_place(copy, bound);

    if (copy->run == 0 || (cursor->started && !advance(copy, place, cursor->at)))
        return false;
    cursor->started = true;
    out_piece->copy = *copy;
    out_piece->from_offset = 0;
    out_piece->to_offset = 0;
    for (size_t d = 0; d < copy->rank; d++) {
        const size_t left = copy->extent[d] - cursor->at[d];
        out_piece->from_offset += (ptrdiff_t)cursor->at[d] * copy->from[d];
        out_piece->to_offset += (ptrdiff_t)cursor->at[d] * copy->to[d];
        if (d < place.dimension)
            out_piece->copy.extent[d] = 1;
        else if (d == place.dimension)
            out_piece->copy.extent[d] = left < place.chunk ? left : place.chunk;
    }
    return true;
}
