/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/moves.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "base/error.h"
#include "layout/collective.h"
#include "layout/overlap.h"
#include "layout/strides.h"

struct clshard__moves {
    const clshard__geometry *to, *from;
    size_t count;
    clshard__move *list;
    uint64_t elements[CLSHARD__REACHES];
    uint64_t missing;
    clshard__collective collective;
};

/* What making them needs. */
typedef struct workspace {
    clshard__moves *moves;
    size_t rank;
    clshard__overlaps dimension[CLSHARD_RANK_MAX];
    clshard__nearest *nearest;
} workspace;

/* ---- checks and sizes ---- */

static clshard_status check_shapes(const clshard__geometry *to, const clshard__geometry *from,
                                   clshard_error *err)
{
    const clshard_shape wanted = clshard__geometry_shape(to);
    const clshard_shape given = clshard__geometry_shape(from);
    char text[2][192];

    if (clshard__same_shape(wanted, given))
        return CLSHARD_OK;
    (void)clshard_shape_format(given, text[0], sizeof text[0]);
    (void)clshard_shape_format(wanted, text[1], sizeof text[1]);
    return clshard__fail(err, CLSHARD_ERR_SHAPE,
                         "reshard: the source has the shape %s, the target %s; a reshard goes "
                         "between two layouts of one shape",
                         text[0], text[1]);
}

static bool is_empty(clshard_shape shape)
{
    for (size_t d = 0; d < shape.rank; d++)
        if (shape.extent[d] == 0)
            return true;
    return false;
}

/* Every combination of parts has as many positions as the target has replicas, so what all
 * positions need is a product over the dimensions. */
static clshard_status measure(workspace *work, clshard_error *err)
{
    const size_t replicas = clshard__geometry_replica_count(work->moves->to);
    size_t wanted = replicas;
    size_t found = replicas;
    size_t count = replicas;
    bool fits = true;

    for (size_t d = 0; d < work->rank; d++) {
        const clshard__overlaps *overlaps = &work->dimension[d];
        fits = fits && clshard__mul(wanted, overlaps->wanted, &wanted);
        if (!fits)
            break;
        /* Neither exceeds what is wanted, since no move is empty. */
        found *= overlaps->found;
        count *= overlaps->first[overlaps->parts];
    }
    if (!fits)
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                             "reshard: the elements of all %zu positions of the target together "
                             "exceed 64 bits",
                             clshard__geometry_positions(work->moves->to));
    work->moves->missing = wanted - found;
    work->moves->count = count;
    return CLSHARD_OK;
}

/* ---- the moves of one position ---- */

/* The overlaps of a position's parts: in each dimension a range of the list, and where the odometer
 * over their product stands. */
typedef struct odometer {
    const clshard__overlap *at[CLSHARD_RANK_MAX];
    const clshard__overlap *first[CLSHARD_RANK_MAX];
    const clshard__overlap *end[CLSHARD_RANK_MAX];
} odometer;

/* false when the position takes nothing. */
static bool set(odometer *counter, const workspace *work, size_t position)
{
    for (size_t d = 0; d < work->rank; d++) {
        const clshard__overlaps *overlaps = &work->dimension[d];
        const size_t part =
            clshard__digits_read(clshard__geometry_digits(work->moves->to, d), position);
        counter->first[d] = overlaps->list + overlaps->first[part];
        counter->end[d] = overlaps->list + overlaps->first[part + 1];
        counter->at[d] = counter->first[d];
        if (overlaps->first[part] == overlaps->first[part + 1])
            return false;
    }
    return true;
}

static bool advance(odometer *counter, size_t rank)
{
    for (size_t d = rank; d-- > 0;) {
        if (++counter->at[d] < counter->end[d])
            return true;
        counter->at[d] = counter->first[d];
    }
    return false;
}

static void add_moves(workspace *work, size_t position, size_t *index)
{
    clshard__moves *moves = work->moves;
    const size_t own = clshard__nearest_own(work->nearest, position);
    odometer counter;
    bool more = set(&counter, work, position);

    for (; more; more = advance(&counter, work->rank)) {
        clshard__source source = {position, CLSHARD__REACH_SELF};
        size_t slice = 0;
        uint64_t elements = 1;
        for (size_t d = 0; d < work->rank; d++) {
            slice += counter.at[d]->holder;
            elements *= counter.at[d]->extent;
        }
        if (slice != own)
            source = clshard__nearest_find(work->nearest, position, slice);
        moves->list[*index] = (clshard__move){source.position, position, source.reach};
        moves->elements[source.reach] += elements;
        ++*index;
    }
}

/* ---- making ---- */

static clshard_status find_overlaps(workspace *work, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    for (size_t d = 0; d < work->rank && status == CLSHARD_OK; d++)
        status = clshard__overlaps_create(work->moves->to, work->moves->from, d,
                                          &work->dimension[d], err);
    return status;
}

static clshard_status fill(workspace *work, const clshard__side *to, const clshard__side *from,
                           clshard_error *err)
{
    const size_t positions = clshard__geometry_positions(to->geometry);
    clshard__moves *moves = work->moves;
    size_t index = 0;
    clshard_status status = find_overlaps(work, err);

    if (status == CLSHARD_OK)
        status = measure(work, err);
    if (status == CLSHARD_OK)
        status = clshard__nearest_create(to, from, &work->nearest, err);
    if (status != CLSHARD_OK)
        return status;
    moves->list = clshard__alloc(moves->count, sizeof *moves->list);
    if (moves->list == NULL)
        return clshard__no_memory(err, "the moves of a reshard");
    for (size_t position = 0; position < positions; position++)
        add_moves(work, position, &index);
    return CLSHARD_OK;
}

clshard_status clshard__moves_create(const clshard__side *to, const clshard__side *from,
                                     clshard__moves **out_moves, clshard_error *err)
{
    const clshard_shape shape = clshard__geometry_shape(to->geometry);
    workspace work = {.rank = shape.rank};
    clshard_status status = check_shapes(to->geometry, from->geometry, err);

    if (status != CLSHARD_OK)
        return status;
    work.moves = clshard__alloc(1, sizeof *work.moves);
    if (work.moves == NULL)
        return clshard__no_memory(err, "the moves of a reshard");
    work.moves->to = to->geometry;
    work.moves->from = from->geometry;
    if (!is_empty(shape))
        status = fill(&work, to, from, err);
    if (status == CLSHARD_OK)
        work.moves->collective = clshard__collective_of(to, from, work.moves);
    for (size_t d = 0; d < work.rank; d++)
        clshard__overlaps_end(&work.dimension[d]);
    clshard__nearest_release(work.nearest);
    if (status == CLSHARD_OK)
        *out_moves = work.moves;
    else
        clshard__moves_release(work.moves);
    return status;
}

void clshard__moves_release(clshard__moves *moves)
{
    if (moves == NULL)
        return;
    clshard__free(moves->list);
    clshard__free(moves);
}

/* ---- queries ---- */

size_t clshard__moves_count(const clshard__moves *moves)
{
    return moves->count;
}

clshard__move clshard__moves_get(const clshard__moves *moves, size_t index)
{
    return moves->list[index];
}

clshard_box clshard__moves_box(const clshard__moves *moves, size_t index)
{
    const clshard__move *move = &moves->list[index];
    const clshard_box from = clshard__geometry_part(moves->from, move->from).valid;
    clshard_box box = clshard__geometry_part(moves->to, move->to).valid;

    for (size_t d = 0; d < box.rank; d++) {
        const size_t end = box.offset[d] + box.extent[d];
        const size_t from_end = from.offset[d] + from.extent[d];
        box.offset[d] = from.offset[d] > box.offset[d] ? from.offset[d] : box.offset[d];
        box.extent[d] = (from_end < end ? from_end : end) - box.offset[d];
    }
    return box;
}

uint64_t clshard__moves_elements(const clshard__moves *moves, clshard__reach reach)
{
    return moves->elements[reach];
}

uint64_t clshard__moves_missing(const clshard__moves *moves)
{
    return moves->missing;
}

clshard__collective clshard__moves_collective(const clshard__moves *moves)
{
    return moves->collective;
}
