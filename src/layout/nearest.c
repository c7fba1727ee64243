/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/nearest.h"

#include <stdlib.h>

#include "base/alloc.h"

/* What makes positions equally near: the process, and a number within it. */
typedef struct group {
    size_t process, number;
} group;

typedef struct holder {
    size_t slice;
    group where;
    size_t position;
} holder;

/* The holders within one reach, sorted so that the lowest of each slice and group comes first. */
typedef struct level {
    bool all;       /* every holder is within this reach */
    holder *sorted; /* NULL: none is, or all are */
} level;

struct clshard__nearest {
    clshard__side to, from;
    size_t holders; /* positions of the source */
    level within[CLSHARD__REACHES];
};

/* ---- numbers of a position ---- */

static size_t process_of(const clshard__places *places, size_t position)
{
    return places->process == NULL ? 0 : places->process[position];
}

static size_t device_of(const clshard__places *places, size_t position)
{
    return places->device == NULL ? position : places->device[position];
}

static size_t number_of(const clshard__places *places, clshard__reach reach, size_t position)
{
    if (reach == CLSHARD__REACH_DEVICE)
        return device_of(places, position);
    if (reach == CLSHARD__REACH_CONTEXT && places->context != NULL)
        return places->context[position];
    return 0;
}

static group group_of(const clshard__places *places, clshard__reach reach, size_t position)
{
    return (group){process_of(places, position), number_of(places, reach, position)};
}

bool clshard__same_place(const clshard__places *a, const clshard__places *b, size_t position)
{
    return process_of(a, position) == process_of(b, position) &&
           device_of(a, position) == device_of(b, position);
}

size_t clshard__first_holder(const clshard__geometry *geometry, size_t position)
{
    const size_t rank = clshard__geometry_shape(geometry).rank;
    size_t first = 0;

    for (size_t d = 0; d < rank; d++) {
        const clshard__digits *digits = clshard__geometry_digits(geometry, d);
        first += clshard__digits_write(digits, clshard__digits_read(digits, position));
    }
    return first;
}

/* ---- making ---- */

static int compare_sizes(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* By slice and group alone. */
static int compare_places(const holder *a, const holder *b)
{
    int order = compare_sizes(a->slice, b->slice);
    if (order == 0)
        order = compare_sizes(a->where.process, b->where.process);
    if (order == 0)
        order = compare_sizes(a->where.number, b->where.number);
    return order;
}

static int compare_holders(const void *a, const void *b)
{
    const holder *left = a;
    const holder *right = b;
    const int order = compare_places(left, right);
    return order != 0 ? order : compare_sizes(left->position, right->position);
}

static clshard_status sort_holders(clshard__nearest *nearest, clshard__reach reach,
                                   clshard_error *err)
{
    holder *sorted = clshard__alloc(nearest->holders, sizeof *sorted);

    if (sorted == NULL)
        return clshard__no_memory(err, "the sources of a reshard");
    for (size_t i = 0; i < nearest->holders; i++)
        sorted[i] = (holder){clshard__first_holder(nearest->from.geometry, i),
                             group_of(&nearest->from.places, reach, i), i};
    qsort(sorted, nearest->holders, sizeof *sorted, compare_holders);
    nearest->within[reach].sorted = sorted;
    return CLSHARD_OK;
}

/* Without a table there is nothing to look for: no two positions share a device, and all share a
 * context or a process. */
static clshard_status fill(clshard__nearest *nearest, clshard_error *err)
{
    const clshard__places *to = &nearest->to.places;
    const clshard__places *from = &nearest->from.places;
    const bool processes = to->process != NULL || from->process != NULL;
    const bool contexts = to->context != NULL || from->context != NULL;
    clshard_status status = CLSHARD_OK;

    nearest->within[CLSHARD__REACH_CONTEXT].all = !contexts && !processes;
    nearest->within[CLSHARD__REACH_HOST].all = !processes;
    nearest->within[CLSHARD__REACH_PROCESS].all = true;
    if (to->device != NULL || from->device != NULL)
        status = sort_holders(nearest, CLSHARD__REACH_DEVICE, err);
    if (status == CLSHARD_OK && (contexts || processes))
        status = sort_holders(nearest, CLSHARD__REACH_CONTEXT, err);
    if (status == CLSHARD_OK && contexts && processes)
        status = sort_holders(nearest, CLSHARD__REACH_HOST, err);
    return status;
}

clshard_status clshard__nearest_create(const clshard__side *to, const clshard__side *from,
                                       clshard__nearest **out_nearest, clshard_error *err)
{
    clshard__nearest *nearest = clshard__alloc(1, sizeof *nearest);
    clshard_status status;

    if (nearest == NULL)
        return clshard__no_memory(err, "the sources of a reshard");
    nearest->to = *to;
    nearest->from = *from;
    nearest->holders = clshard__geometry_positions(from->geometry);
    status = fill(nearest, err);
    if (status == CLSHARD_OK)
        *out_nearest = nearest;
    else
        clshard__nearest_release(nearest);
    return status;
}

void clshard__nearest_release(clshard__nearest *nearest)
{
    if (nearest == NULL)
        return;
    for (size_t i = 0; i < CLSHARD__REACHES; i++)
        clshard__free(nearest->within[i].sorted);
    clshard__free(nearest);
}

/* ---- looking up ---- */

/* The lowest holder of a slice in a group; SIZE_MAX: none. */
static size_t find(const holder *sorted, size_t count, const holder *wanted)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_places(&sorted[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < count && compare_places(&sorted[low], wanted) == 0)
        return sorted[low].position;
    return SIZE_MAX;
}

/* The lowest holder of a slice within a reach; SIZE_MAX: none. */
static size_t find_within(const clshard__nearest *nearest, clshard__reach reach, size_t position,
                          size_t slice)
{
    const level *within = &nearest->within[reach];
    const holder wanted = {slice, group_of(&nearest->to.places, reach, position), 0};

    if (within->sorted != NULL)
        return find(within->sorted, nearest->holders, &wanted);
    return within->all ? slice : SIZE_MAX;
}

size_t clshard__nearest_own(const clshard__nearest *nearest, size_t position)
{
    if (position >= nearest->holders ||
        !clshard__same_place(&nearest->to.places, &nearest->from.places, position))
        return SIZE_MAX;
    return clshard__first_holder(nearest->from.geometry, position);
}

clshard__source clshard__nearest_find(const clshard__nearest *nearest, size_t position,
                                      size_t slice)
{
    clshard__source source = {SIZE_MAX, CLSHARD__REACH_SELF};

    for (int reach = CLSHARD__REACH_DEVICE; source.position == SIZE_MAX; reach++) {
        source.reach = (clshard__reach)reach;
        source.position = find_within(nearest, source.reach, position, slice);
    }
    return source;
}
