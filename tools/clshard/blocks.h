/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_BLOCKS_H
#define TOOL_BLOCKS_H

/* The blocks that a picture shows: where each dimension is cut, and who holds what. */

#include <clshard/sharding.h>

/* RANGES_MOST: a tail, or padding, may follow what is cut. */
enum {
    POSITIONS_MOST = 256,
    CUTS_MOST = 64,
    RANGES_MOST = CUTS_MOST + 2,
    NO_DIMENSION = CLSHARD_RANK_MAX
};

typedef enum cut_kind {
    CUT_HELD,
    CUT_PADDING, /* past the array's end, where the policy `pad` stores more */
    CUT_DROPPED  /* the tail that the policy `drop` leaves out */
} cut_kind;

/* A range of a dimension between two cuts. */
typedef struct cut {
    size_t start;
    size_t stop;
    cut_kind kind;
} cut;

typedef struct blocks {
    clshard_shape shape;
    size_t position_count;
    clshard_part part[POSITIONS_MOST];
    /* The last entry is NO_DIMENSION's: one range. */
    size_t cut_count[CLSHARD_RANK_MAX + 1];
    cut cuts[CLSHARD_RANK_MAX + 1][RANGES_MOST];
    size_t slab; /* the dimensions that are drawn, or NO_DIMENSION */
    size_t row;
    size_t column;
} blocks;

/* Which positions of a mesh are meant. */
typedef struct members {
    bool is[POSITIONS_MOST];
} members;

/* One range of each drawn dimension, by index. */
typedef struct block_index {
    size_t slab;
    size_t row;
    size_t column;
} block_index;

/* Says why the layout is not one that can be drawn; NULL: *out is filled. */
const char *blocks_find(const clshard_layout *layout, bool with_padding, blocks *out);

bool box_is_empty(const clshard_box *box);

members block_holders(const blocks *found, block_index at);
cut_kind block_kind(const blocks *found, block_index at);
clshard_box block_box(const blocks *found, block_index at);
members positions_without_data(const blocks *found);
members positions_with_padding(const blocks *found);

/* "START:STOP"; "" for NO_DIMENSION. */
enum { RANGE_TEXT = 64 };
const char *range_text(const blocks *found, size_t dimension, size_t index,
                       char buffer[RANGE_TEXT]);

/* The part of its dimension that a range takes, 0 to 1. */
double range_share(const blocks *found, size_t dimension, size_t index);

/* The axes that cut a dimension, joined by `+`; "" for none. */
enum { AXES_TEXT = CLSHARD_RANK_MAX * CLSHARD_NAME_MAX };
const char *dimension_axes(const clshard_layout *layout, size_t dimension, char buffer[AXES_TEXT]);

/* The members as "0-3,7"; what does not fit ends in "..". Returns their number. */
size_t members_text(const members *set, char *buffer, size_t buffer_bytes);

#endif
