/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_BLOCKS_H
#define TOOL_BLOCKS_H

/* The blocks that a picture shows: where each dimension is cut, and who holds what. */

#include <clshard/sharding.h>

enum { POSITIONS_MOST = 256, CUTS_MOST = 64, NO_DIMENSION = CLSHARD_RANK_MAX };

/* A range of a dimension between two cuts. */
typedef struct cut {
    size_t start;
    size_t stop;
    bool held; /* false: the tail that the policy `drop` leaves out */
} cut;

typedef struct blocks {
    clshard_shape shape;
    size_t position_count;
    clshard_part part[POSITIONS_MOST];
    /* The last entry is NO_DIMENSION's: one range. One range more than CUTS_MOST: a tail. */
    size_t cut_count[CLSHARD_RANK_MAX + 1];
    cut cuts[CLSHARD_RANK_MAX + 1][CUTS_MOST + 1];
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

/* False when the layout is not one that can be drawn. */
bool blocks_find(const clshard_layout *layout, blocks *out);

members block_holders(const blocks *found, block_index at);
bool block_is_held(const blocks *found, block_index at);
members positions_without_data(const blocks *found);
members positions_with_padding(const blocks *found);

/* The members as "0-3,7"; what does not fit ends in "..". Returns their number. */
size_t members_text(const members *set, char *buffer, size_t buffer_bytes);

#endif
