/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks.h"

#include <stdio.h>
#include <string.h>

static bool box_is_empty(const clshard_box *box)
{
    for (size_t i = 0; i < box->rank; i++)
        if (box->extent[i] == 0)
            return true;
    return false;
}

/* Keeps the ranges of a dimension sorted and distinct; false when there are too many. */
static bool add_cut(blocks *found, size_t dimension, size_t start, size_t stop)
{
    cut *cuts = found->cuts[dimension];
    size_t *count = &found->cut_count[dimension];
    size_t at = 0;

    while (at < *count && cuts[at].start < start)
        at++;
    if (at < *count && cuts[at].start == start)
        return true;
    if (*count == CUTS_MOST)
        return false;
    memmove(cuts + at + 1, cuts + at, (*count - at) * sizeof *cuts);
    cuts[at] = (cut){start, stop, true};
    (*count)++;
    return true;
}

static bool add_part(blocks *found, const clshard_box *valid)
{
    if (box_is_empty(valid))
        return true;
    for (size_t i = 0; i < valid->rank; i++)
        if (!add_cut(found, i, valid->offset[i], valid->offset[i] + valid->extent[i]))
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
                (cut){found->cuts[i][count - 1].stop, found->shape.extent[i], false};
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

bool blocks_find(const clshard_layout *layout, blocks *out)
{
    const clshard_mesh *mesh = clshard_sharding_mesh(clshard_layout_sharding(layout));

    memset(out, 0, sizeof *out);
    out->shape = clshard_layout_shape(layout);
    out->position_count = clshard_mesh_position_count(mesh);
    if (out->position_count > POSITIONS_MOST)
        return false;
    for (size_t i = 0; i < out->position_count; i++) {
        out->part[i] = clshard_layout_part(layout, i);
        if (!add_part(out, &out->part[i].valid))
            return false;
    }
    out->cut_count[NO_DIMENSION] = 1;
    out->cuts[NO_DIMENSION][0] = (cut){0, 1, true};
    return add_tails(out) && choose_dimensions(out);
}

static bool holds(const blocks *found, const clshard_box *valid, size_t dimension, size_t index)
{
    return dimension == NO_DIMENSION ||
           valid->offset[dimension] == found->cuts[dimension][index].start;
}

members block_holders(const blocks *found, block_index at)
{
    members set = {{false}};
    for (size_t i = 0; i < found->position_count; i++) {
        const clshard_box *valid = &found->part[i].valid;
        set.is[i] = !box_is_empty(valid) && holds(found, valid, found->slab, at.slab) &&
                    holds(found, valid, found->row, at.row) &&
                    holds(found, valid, found->column, at.column);
    }
    return set;
}

bool block_is_held(const blocks *found, block_index at)
{
    return found->cuts[found->slab][at.slab].held && found->cuts[found->row][at.row].held &&
           found->cuts[found->column][at.column].held;
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
