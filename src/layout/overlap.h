/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_OVERLAP_H
#define CLSHARD_LAYOUT_OVERLAP_H

/* One dimension of a reshard: which parts of the source each part of the target lies over. */

#include "layout/geometry.h"

/* What a part of the target takes from one part of the source. */
typedef struct clshard__overlap {
    size_t holder; /* this dimension's share in the number of the lowest position with that part */
    size_t extent; /* common elements, at least 1 */
} clshard__overlap;

/* All of them, part by part of the target, and in each by rising offset. Its memory and its making
 * grow with the parts and the overlaps. */
typedef struct clshard__overlaps {
    size_t parts;  /* of the target */
    size_t *first; /* parts + 1 entries: part k has list[first[k]] to list[first[k + 1]] */
    clshard__overlap *list;
    size_t wanted; /* elements of the target's parts together */
    size_t found;  /* of those, the elements that some part of the source holds */
} clshard__overlaps;

/* The extents are equal, and above 0. MEMORY. */
clshard_status clshard__overlaps_create(const clshard__geometry *to, const clshard__geometry *from,
                                        size_t dimension, clshard__overlaps *out,
                                        clshard_error *err);
/* A zeroed one is allowed. */
void clshard__overlaps_end(clshard__overlaps *overlaps);

#endif
