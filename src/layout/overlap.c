/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/overlap.h"

#include "base/alloc.h"

typedef struct range {
    size_t start, stop;
} range;

static range valid_range(const clshard__cut *cut, size_t part)
{
    const clshard__slice slice = clshard__cut_slice(cut, part);
    return (range){slice.valid_offset, slice.valid_offset + slice.valid_extent};
}

/* The first part that ends after a place, from a given part on: the one with it, if any has. Ends
 * never fall, and empty parts are passed over. */
static size_t part_ending_after(const clshard__cut *cut, size_t part, size_t place)
{
    size_t end = cut->parts;
    while (part < end) {
        const size_t middle = part + (end - part) / 2;
        if (valid_range(cut, middle).stop > place)
            end = middle;
        else
            part = middle + 1;
    }
    return part;
}

/* Being filled. */
typedef struct filling {
    clshard__overlaps made;
    size_t count, capacity;
    const clshard__cut *cut; /* of the source */
    const clshard__digits *digits;
} filling;

static bool add(filling *to, size_t part, range common)
{
    void *list = to->made.list;
    const bool grown = clshard__grow(&list, &to->capacity, to->count + 1, sizeof *to->made.list);

    to->made.list = list;
    if (!grown)
        return false;
    to->made.list[to->count].holder = clshard__digits_write(to->digits, part);
    to->made.list[to->count++].extent = common.stop - common.start;
    to->made.found += common.stop - common.start;
    return true;
}

/* Goes from each common part straight to the next, so that empty parts between them cost little. */
static bool add_all(filling *to, range wanted)
{
    size_t part = 0;
    size_t place = wanted.start;

    while (place < wanted.stop) {
        range common;
        part = part_ending_after(to->cut, part, place);
        if (part == to->cut->parts)
            return true;
        common = valid_range(to->cut, part);
        place = common.stop;
        common.start = common.start < wanted.start ? wanted.start : common.start;
        common.stop = common.stop > wanted.stop ? wanted.stop : common.stop;
        if (common.start >= common.stop)
            return true;
        if (!add(to, part, common))
            return false;
    }
    return true;
}

clshard_status clshard__overlaps_create(const clshard__geometry *to, const clshard__geometry *from,
                                        size_t dimension, clshard__overlaps *out,
                                        clshard_error *err)
{
    const clshard__cut *cut = clshard__geometry_cut(to, dimension);
    filling fill = {.made.parts = cut->parts,
                    .cut = clshard__geometry_cut(from, dimension),
                    .digits = clshard__geometry_digits(from, dimension)};
    bool fits;

    if (cut->parts < SIZE_MAX)
        fill.made.first = clshard__alloc(cut->parts + 1, sizeof *fill.made.first);
    fits = fill.made.first != NULL;
    for (size_t part = 0; part < cut->parts && fits; part++) {
        const range wanted = valid_range(cut, part);
        fill.made.wanted += wanted.stop - wanted.start;
        fits = add_all(&fill, wanted);
        fill.made.first[part + 1] = fill.count;
    }
    if (!fits) {
        clshard__overlaps_end(&fill.made);
        return clshard__no_memory(err, "the moves of a reshard");
    }
    *out = fill.made;
    return CLSHARD_OK;
}

void clshard__overlaps_end(clshard__overlaps *overlaps)
{
    clshard__free(overlaps->first);
    clshard__free(overlaps->list);
}
