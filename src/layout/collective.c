/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/collective.h"

/* What is compared. */
typedef struct reshard {
    const clshard__geometry *to, *from;
    const clshard__moves *moves;
} reshard;

static bool same_places(const clshard__side *to, const clshard__side *from)
{
    const size_t positions = clshard__geometry_positions(to->geometry);

    if (positions != clshard__geometry_positions(from->geometry))
        return false;
    if (to->places.device == from->places.device && to->places.process == from->places.process)
        return true;
    for (size_t p = 0; p < positions; p++)
        if (!clshard__same_place(&to->places, &from->places, p))
            return false;
    return true;
}

/* Whether no position takes anything from another. */
static bool is_slice(const reshard *asked)
{
    for (int reach = CLSHARD__REACH_DEVICE; reach < CLSHARD__REACHES; reach++)
        if (clshard__moves_elements(asked->moves, (clshard__reach)reach) > 0)
            return false;
    return true;
}

static bool is_empty(const clshard_box *box)
{
    for (size_t d = 0; d < box->rank; d++)
        if (box->extent[d] == 0)
            return true;
    return false;
}

static bool contains(const clshard_box *outer, const clshard_box *inner)
{
    for (size_t d = 0; d < outer->rank; d++)
        if (inner->offset[d] < outer->offset[d] ||
            inner->offset[d] + inner->extent[d] > outer->offset[d] + outer->extent[d])
            return false;
    return true;
}

/* Whether every position keeps all that it has. Then those that want the same slice are a group
 * whose slices together are what each of them wants. */
static bool is_all_gather(const reshard *asked)
{
    for (size_t p = 0; p < clshard__geometry_positions(asked->to); p++) {
        const clshard_box wanted = clshard__geometry_part(asked->to, p).valid;
        const clshard_box given = clshard__geometry_part(asked->from, p).valid;
        if (!is_empty(&given) && !contains(&wanted, &given))
            return false;
    }
    return true;
}

/* Whether each position takes one whole slice of the source, and each slice has as many holders
 * before and after. */
static bool is_permute(const reshard *asked)
{
    if (clshard__geometry_replica_count(asked->to) != clshard__geometry_replica_count(asked->from))
        return false;
    for (size_t i = 0; i < clshard__moves_count(asked->moves); i++) {
        const clshard__move move = clshard__moves_get(asked->moves, i);
        const clshard_box wanted = clshard__geometry_part(asked->to, move.to).valid;
        const clshard_box given = clshard__geometry_part(asked->from, move.from).valid;
        if (!contains(&wanted, &given) || !contains(&given, &wanted))
            return false;
    }
    return true;
}

/* The slice that a move takes from, by its lowest holder. */
static size_t slice_of(const reshard *asked, size_t move)
{
    return clshard__first_holder(asked->from, clshard__moves_get(asked->moves, move).from);
}

/* Whether every position has this many moves, so that those of position p start at p * size. */
static bool all_have(const reshard *asked, size_t size)
{
    const size_t positions = clshard__geometry_positions(asked->to);

    if (clshard__moves_count(asked->moves) / size != positions ||
        clshard__moves_count(asked->moves) % size != 0)
        return false;
    for (size_t p = 0; p < positions; p++)
        if (clshard__moves_get(asked->moves, p * size).to != p ||
            clshard__moves_get(asked->moves, p * size + size - 1).to != p)
            return false;
    return true;
}

/* Whether a position and all those that it takes from are a group that takes from exactly itself.
 * The first of a position's sources stands for the group. */
static bool is_in_group(const reshard *asked, size_t position, size_t size)
{
    const size_t first = slice_of(asked, position * size);
    bool self = false;

    for (size_t i = 0; i < size; i++) {
        const size_t slice = slice_of(asked, position * size + i);
        if (slice != slice_of(asked, first * size + i) || slice_of(asked, slice * size) != first)
            return false;
        self = self || slice == position;
    }
    return self;
}

static size_t moves_to_first_position(const clshard__moves *moves)
{
    size_t count = 0;
    while (count < clshard__moves_count(moves) && clshard__moves_get(moves, count).to == 0)
        count++;
    return count;
}

/* Whether the positions fall into groups of one size, above 1, in which each takes something from
 * each. Replicas, if any, are the same positions before and after, and each has a group of its own.
 */
static bool is_all_to_all(const reshard *asked)
{
    const size_t size = moves_to_first_position(asked->moves);

    if (size < 2 || !all_have(asked, size))
        return false;
    for (size_t p = 0; p < clshard__geometry_positions(asked->to); p++) {
        const size_t lowest = clshard__first_holder(asked->to, p);
        if (lowest != clshard__first_holder(asked->from, p))
            return false;
        if (lowest == p && !is_in_group(asked, p, size))
            return false;
    }
    return true;
}

clshard__collective clshard__collective_of(const clshard__side *to, const clshard__side *from,
                                           const clshard__moves *moves)
{
    const reshard asked = {to->geometry, from->geometry, moves};

    if (clshard__moves_missing(moves) > 0 || !same_places(to, from))
        return CLSHARD__COLLECTIVE_NONE;
    if (is_slice(&asked))
        return CLSHARD__COLLECTIVE_SLICE;
    if (is_all_gather(&asked))
        return CLSHARD__COLLECTIVE_ALL_GATHER;
    if (is_permute(&asked))
        return CLSHARD__COLLECTIVE_PERMUTE;
    return is_all_to_all(&asked) ? CLSHARD__COLLECTIVE_ALL_TO_ALL : CLSHARD__COLLECTIVE_NONE;
}
