/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks.h"

#include <stdio.h>
#include <string.h>

bool box_is_empty(const clshard_box *box)
{
    for (size_t i = 0; i < box->rank; i++)
        if (box->extent[i] == 0)
            return true;
    return false;
}

/* Keeps the ranges of a dimension sorted and distinct; false when there are too many. */
static bool add_cut(blocks *found, size_t dimension, size_t start, size_t stop)
{
    const cut_kind kind = start < found->shape.extent[dimension] ? CUT_HELD : CUT_PADDING;
    cut *cuts = found->cuts[dimension];
    size_t *count = &found->cut_count[dimension];
    const bool padded = kind == CUT_PADDING || (*count > 0 && cuts[*count - 1].kind == CUT_PADDING);
    size_t at = 0;

    while (at < *count && cuts[at].start < start)
        at++;
    if (at < *count && cuts[at].start == start)
        return true;
    /* Padding that follows elements of the same part is a range more than there are parts. */
    if (*count == CUTS_MOST + (size_t)padded)
        return false;
    memmove(cuts + at + 1, cuts + at, (*count - at) * sizeof *cuts);
    cuts[at] = (cut){start, stop, kind};
    (*count)++;
    return true;
}

/* Cut at the array's end, should the box reach past it. */
static bool add_ranges(blocks *found, size_t dimension, size_t start, size_t stop)
{
    const size_t end = found->shape.extent[dimension];

    if (start >= end || stop <= end)
        return add_cut(found, dimension, start, stop);
    return add_cut(found, dimension, start, end) && add_cut(found, dimension, end, stop);
}

static bool add_box(blocks *found, const clshard_box *box)
{
    if (box_is_empty(box))
        return true;
    for (size_t i = 0; i < box->rank; i++)
        if (!add_ranges(found, i, box->offset[i], box->offset[i] + box->extent[i]))
            return false;
    return true;
}

/* False when nobody holds anything. */
static bool add_tails(blocks *found)
{
    for (size_t i = 0; i < found->shape.rank; i++) {
        const size_t count = found->cut_count[i];
        if (count == 0)
            return false;
        if (found->cuts[i][count - 1].stop < found->shape.extent[i]) {
            found->cuts[i][count] =
                (cut){found->cuts[i][count - 1].stop, found->shape.extent[i], CUT_DROPPED};
            found->cut_count[i]++;
        }
    }
    return true;
}

/* Draws what is cut; an array of two or more dimensions is a plane even when less is cut. */
static bool choose_dimensions(blocks *found)
{
    size_t chosen[CLSHARD_RANK_MAX];
    size_t cut_dimensions = 0;
    size_t count = 0;
    size_t room;

    for (size_t i = 0; i < found->shape.rank; i++)
        cut_dimensions += found->cut_count[i] > 1;
    room = cut_dimensions < 2 ? 2 - cut_dimensions : 0;
    for (size_t i = 0; i < found->shape.rank; i++) {
        if (found->cut_count[i] == 1 && room == 0)
            continue;
        room -= found->cut_count[i] == 1;
        chosen[count++] = i;
    }
    found->column = count > 0 ? chosen[count - 1] : NO_DIMENSION;
    found->row = count > 1 ? chosen[count - 2] : NO_DIMENSION;
    found->slab = count > 2 ? chosen[count - 3] : NO_DIMENSION;
    return count <= 3;
}

const char *blocks_find(const clshard_layout *layout, bool with_padding, blocks *out)
{
    const clshard_mesh *mesh = clshard_sharding_mesh(clshard_layout_sharding(layout));

    memset(out, 0, sizeof *out);
    out->shape = clshard_layout_shape(layout);
    out->position_count = clshard_mesh_position_count(mesh);
    if (out->position_count > POSITIONS_MOST)
        return "the mesh has more than 256 positions";
    for (size_t i = 0; i < out->position_count; i++) {
        const clshard_part *part = &out->part[i];
        out->part[i] = clshard_layout_part(layout, i);
        if (!add_box(out, with_padding ? &part->box : &part->valid))
            return "a dimension is cut into more than 64 parts";
    }
    out->cut_count[NO_DIMENSION] = 1;
    out->cuts[NO_DIMENSION][0] = (cut){0, 1, CUT_HELD};
    if (!add_tails(out))
        return "no position holds an element";
    return choose_dimensions(out) ? NULL : "more than 3 dimensions are cut";
}

static bool holds(const blocks *found, const clshard_box *box, size_t dimension, size_t index)
{
    const cut *range = &found->cuts[dimension][index];
    return dimension == NO_DIMENSION ||
           (box->offset[dimension] <= range->start &&
            range->stop - box->offset[dimension] <= box->extent[dimension]);
}

members block_holders(const blocks *found, block_index at)
{
    members set = {{false}};
    for (size_t i = 0; i < found->position_count; i++) {
        const clshard_box *box = &found->part[i].box;
        set.is[i] = !box_is_empty(box) && holds(found, box, found->slab, at.slab) &&
                    holds(found, box, found->row, at.row) &&
                    holds(found, box, found->column, at.column);
    }
    return set;
}

cut_kind block_kind(const blocks *found, block_index at)
{
    const cut_kind kinds[] = {found->cuts[found->slab][at.slab].kind,
                              found->cuts[found->row][at.row].kind,
                              found->cuts[found->column][at.column].kind};
    cut_kind kind = CUT_HELD;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i] > kind)
            kind = kinds[i];
    return kind;
}

/* A dimension that is not drawn has one range. */
clshard_box block_box(const blocks *found, block_index at)
{
    clshard_box box = {.rank = found->shape.rank};

    for (size_t i = 0; i < box.rank; i++) {
        const size_t index = i == found->slab     ? at.slab
                             : i == found->row    ? at.row
                             : i == found->column ? at.column
                                                  : 0;
        const cut *range = &found->cuts[i][index];
        box.offset[i] = range->start;
        box.extent[i] = range->stop - range->start;
    }
    return box;
}

const char *range_text(const blocks *found, size_t dimension, size_t index, char buffer[RANGE_TEXT])
{
    const cut *range = &found->cuts[dimension][index];
    buffer[0] = '\0';
    if (dimension != NO_DIMENSION)
        (void)snprintf(buffer, RANGE_TEXT, "%zu:%zu", range->start, range->stop);
    return buffer;
}

double range_share(const blocks *found, size_t dimension, size_t index)
{
    const cut *range = &found->cuts[dimension][index];
    const cut *last = &found->cuts[dimension][found->cut_count[dimension] - 1];
    return (double)(range->stop - range->start) / (double)last->stop;
}

const char *dimension_axes(const clshard_layout *layout, size_t dimension, char buffer[AXES_TEXT])
{
    const clshard_spec *spec = clshard_sharding_spec(clshard_layout_sharding(layout));
    size_t used = 0;

    buffer[0] = '\0';
    if (dimension >= spec->rank)
        return buffer;
    for (size_t i = 0; i < CLSHARD_RANK_MAX && spec->entry[dimension].axis[i][0] != '\0'; i++)
        used += (size_t)snprintf(buffer + used, AXES_TEXT - used, "%s%s", i > 0 ? "+" : "",
                                 spec->entry[dimension].axis[i]);
    return buffer;
}

members positions_without_data(const blocks *found)
{
    members set = {{false}};
    for (size_t i = 0; i < found->position_count; i++)
        set.is[i] = box_is_empty(&found->part[i].valid);
    return set;
}

members positions_with_padding(const blocks *found)
{
    members set = {{false}};
    for (size_t i = 0; i < found->position_count; i++) {
        const clshard_part *part = &found->part[i];
        for (size_t d = 0; d < part->box.rank; d++)
            set.is[i] = set.is[i] || part->box.extent[d] != part->valid.extent[d];
    }
    return set;
}

/* One past the run of members that starts at first. */
static size_t run_end(const members *set, size_t first)
{
    size_t end = first;
    while (end < POSITIONS_MOST && set->is[end])
        end++;
    return end;
}

/* Keeps whole entries, and ends in "..". */
static void cut_list_short(const char *list, char *buffer, size_t buffer_bytes)
{
    size_t kept = 0;
    for (size_t i = 0; list[i] != '\0' && i + sizeof "..." <= buffer_bytes; i++)
        if (list[i] == ',')
            kept = i + 1;
    memcpy(buffer, list, kept);
    (void)snprintf(buffer + kept, buffer_bytes - kept, "..");
}

size_t members_text(const members *set, char *buffer, size_t buffer_bytes)
{
    char list[POSITIONS_MOST * 5] = "";
    size_t count = 0;
    size_t used = 0;

    for (size_t i = 0; i < POSITIONS_MOST; i++) {
        const char *comma = used > 0 ? "," : "";
        size_t end = run_end(set, i);
        if (end == i)
            continue;
        /* Two neighbours read better as a list. */
        if (end - i == 2)
            end = i + 1;
        used +=
            (size_t)(end - i > 2
                         ? snprintf(list + used, sizeof list - used, "%s%zu-%zu", comma, i, end - 1)
                         : snprintf(list + used, sizeof list - used, "%s%zu", comma, i));
        count += end - i;
        i = end - 1;
    }
    if (used < buffer_bytes)
        memcpy(buffer, list, used + 1);
    else
        cut_list_short(list, buffer, buffer_bytes);
    return count;
}
