/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/plan.h>

#include "base/alloc.h"
#include "base/error.h"
#include "layout/moves.h"
#include "mesh/layout_internal.h"
#include "mesh/places.h"

/* The values of the public enums are those that the layer below counts with. */
#define SAME_VALUE(public, internal)                                                               \
    _Static_assert((int)(public) == (int)(internal), "two names of one value")
SAME_VALUE(CLSHARD_REACH_SELF, CLSHARD__REACH_SELF);
SAME_VALUE(CLSHARD_REACH_DEVICE, CLSHARD__REACH_DEVICE);
SAME_VALUE(CLSHARD_REACH_CONTEXT, CLSHARD__REACH_CONTEXT);
SAME_VALUE(CLSHARD_REACH_HOST, CLSHARD__REACH_HOST);
SAME_VALUE(CLSHARD_REACH_PROCESS, CLSHARD__REACH_PROCESS);
SAME_VALUE(CLSHARD_COLLECTIVE_NONE, CLSHARD__COLLECTIVE_NONE);
SAME_VALUE(CLSHARD_COLLECTIVE_SLICE, CLSHARD__COLLECTIVE_SLICE);
SAME_VALUE(CLSHARD_COLLECTIVE_ALL_GATHER, CLSHARD__COLLECTIVE_ALL_GATHER);
SAME_VALUE(CLSHARD_COLLECTIVE_ALL_TO_ALL, CLSHARD__COLLECTIVE_ALL_TO_ALL);
SAME_VALUE(CLSHARD_COLLECTIVE_PERMUTE, CLSHARD__COLLECTIVE_PERMUTE);

struct clshard_plan {
    clshard_layout *to, *from;
    clshard__moves *moves;
};

static clshard_status make_moves(const clshard_layout *to, const clshard_layout *from,
                                 clshard__moves **out_moves, clshard_error *err)
{
    const clshard_mesh *meshes[2] = {clshard__layout_mesh(to), clshard__layout_mesh(from)};
    clshard__place_tables tables;
    clshard__side sides[2];
    clshard_status status = clshard__places_create(meshes, &tables, err);

    if (status != CLSHARD_OK)
        return status;
    sides[0] = (clshard__side){clshard__layout_geometry(to), clshard__places_of(&tables, 0)};
    sides[1] = (clshard__side){clshard__layout_geometry(from), clshard__places_of(&tables, 1)};
    status = clshard__moves_create(&sides[0], &sides[1], out_moves, err);
    clshard__places_end(&tables);
    return status;
}

clshard_status clshard_plan_create(const clshard_layout *to, const clshard_layout *from,
                                   clshard_plan **out_plan, clshard_error *err)
{
    clshard__moves *moves = NULL;
    clshard_plan *plan;
    clshard_status status;

    if (to == NULL || from == NULL || out_plan == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_plan_create: %s is NULL",
                             to == NULL     ? "to"
                             : from == NULL ? "from"
                                            : "out_plan");
    status = make_moves(to, from, &moves, err);
    if (status != CLSHARD_OK)
        return status;
    plan = clshard__alloc(1, sizeof *plan);
    if (plan == NULL) {
        clshard__moves_release(moves);
        return clshard__no_memory(err, "a plan");
    }
    plan->to = clshard__layout_retain(to);
    plan->from = clshard__layout_retain(from);
    plan->moves = moves;
    *out_plan = plan;
    return CLSHARD_OK;
}

void clshard_plan_release(clshard_plan *plan)
{
    if (plan == NULL)
        return;
    clshard__moves_release(plan->moves);
    clshard_layout_release(plan->to);
    clshard_layout_release(plan->from);
    clshard__free(plan);
}

size_t clshard_plan_move_count(const clshard_plan *plan)
{
    return plan == NULL ? 0 : clshard__moves_count(plan->moves);
}

clshard_move clshard_plan_move(const clshard_plan *plan, size_t index)
{
    clshard_move move = {.from = SIZE_MAX, .to = SIZE_MAX};

    if (index >= clshard_plan_move_count(plan))
        return move;
    const clshard__move found = clshard__moves_get(plan->moves, index);
    move.from = found.from;
    move.to = found.to;
    move.box = clshard__moves_box(plan->moves, index);
    move.reach = (clshard_reach)found.reach;
    return move;
}

uint64_t clshard_plan_elements(const clshard_plan *plan, clshard_reach reach)
{
    if (plan == NULL || clshard_reach_name(reach) == NULL)
        return 0;
    return clshard__moves_elements(plan->moves, (clshard__reach)reach);
}

uint64_t clshard_plan_missing(const clshard_plan *plan)
{
    return plan == NULL ? 0 : clshard__moves_missing(plan->moves);
}

clshard_collective clshard_plan_collective(const clshard_plan *plan)
{
    return plan == NULL ? CLSHARD_COLLECTIVE_NONE
                        : (clshard_collective)clshard__moves_collective(plan->moves);
}

const char *clshard_reach_name(clshard_reach reach)
{
    static const char *const names[] = {"self", "device", "context", "host", "process"};
    const size_t index = (size_t)reach;
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

const char *clshard_collective_name(clshard_collective collective)
{
    static const char *const names[] = {"none", "slice", "all-gather", "all-to-all", "permute"};
    const size_t index = (size_t)collective;
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}
