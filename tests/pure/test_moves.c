/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "layout/moves.h"
#include "support/geometries.h"
#include "support/plan.h"
#include "support/refusal.h"

/* Random pairs of layouts and of places against the plainest search: every element of every
 * position, and for each the holders one by one. */

enum { POSITIONS_MOST = 24, ELEMENTS_MOST = 30 * 9 * 5, PAIRS = 1000 };

typedef struct trial {
    clshard_shape shape;
    clshard__side to, from;
    clshard__moves *moves;
    size_t number[6][POSITIONS_MOST];
    clshard_box wanted[POSITIONS_MOST], given[POSITIONS_MOST];
    size_t to_count, from_count;
} trial;

static void random_places(random_source *source, trial *made)
{
    const size_t kinds = uniform(source, 8);
    size_t row = 0;
    clshard__side *sides[2] = {&made->to, &made->from};

    for (size_t s = 0; s < 2; s++) {
        clshard__places *places = &sides[s]->places;
        const size_t **tables[3] = {&places->process, &places->context, &places->device};
        for (size_t t = 0; t < 3; t++) {
            size_t *numbers = made->number[row++];
            for (size_t i = 0; i < POSITIONS_MOST; i++)
                numbers[i] = uniform(source, t == 2 ? 12 : 3);
            *tables[t] = (kinds >> t & 1) != 0 ? numbers : NULL;
        }
    }
}

static void make(random_source *source, trial *made)
{
    clshard_error err;

    memset(made, 0, sizeof *made);
    made->shape = random_shape(source);
    made->to_count = uniform_between(source, 1, POSITIONS_MOST);
    made->from_count =
        uniform(source, 3) > 0 ? made->to_count : uniform_between(source, 1, POSITIONS_MOST);
    made->to.geometry = random_geometry(source, made->to_count, made->shape);
    made->from.geometry = random_geometry(source, made->from_count, made->shape);
    random_places(source, made);
    for (size_t p = 0; p < made->to_count; p++)
        made->wanted[p] = clshard__geometry_part(made->to.geometry, p).valid;
    for (size_t p = 0; p < made->from_count; p++)
        made->given[p] = clshard__geometry_part(made->from.geometry, p).valid;
    cr_assert_eq(clshard__moves_create(&made->to, &made->from, &made->moves, &err), CLSHARD_OK,
                 "%s", err.message);
}

static void end(trial *made)
{
    clshard__moves_release(made->moves);
    clshard__geometry_release((clshard__geometry *)made->to.geometry);
    clshard__geometry_release((clshard__geometry *)made->from.geometry);
}

static size_t number_at(const size_t *table, size_t position, size_t otherwise)
{
    return table == NULL ? otherwise : table[position];
}

/* How far a source is from a target, by the definition. */
static clshard__reach reach_of(const trial *made, size_t to, size_t from)
{
    const clshard__places *a = &made->to.places;
    const clshard__places *b = &made->from.places;

    if (number_at(a->process, to, 0) != number_at(b->process, from, 0))
        return CLSHARD__REACH_PROCESS;
    if (number_at(a->device, to, to) == number_at(b->device, from, from))
        return to == from ? CLSHARD__REACH_SELF : CLSHARD__REACH_DEVICE;
    if (number_at(a->context, to, 0) == number_at(b->context, from, 0))
        return CLSHARD__REACH_CONTEXT;
    return CLSHARD__REACH_HOST;
}

/* The nearest position that holds an element, of equally near ones the lowest; SIZE_MAX: none. */
static size_t best_source(const trial *made, size_t to, const size_t *index)
{
    size_t best = SIZE_MAX;
    for (size_t from = 0; from < made->from_count; from++)
        if (box_has(&made->given[from], index) &&
            (best == SIZE_MAX || reach_of(made, to, from) < reach_of(made, to, best)))
            best = from;
    return best;
}

/* Goes through all elements of one position: each is in exactly the move that the definition says.
 * Returns how many are missing. */
static uint64_t check_position(const trial *made, size_t to, uint64_t *elements)
{
    const size_t count = clshard__moves_count(made->moves);
    uint64_t missing = 0;

    for (size_t i = 0; i < shape_elements(made->shape); i++) {
        size_t index[CLSHARD_RANK_MAX] = {0};
        size_t best, moved = 0;
        shape_index(made->shape, i, index);
        best = box_has(&made->wanted[to], index) ? best_source(made, to, index) : SIZE_MAX;
        missing += box_has(&made->wanted[to], index) && best == SIZE_MAX;
        for (size_t m = 0; m < count; m++) {
            const clshard__move move = clshard__moves_get(made->moves, m);
            const clshard_box box = clshard__moves_box(made->moves, m);
            if (move.to != to || !box_has(&box, index))
                continue;
            moved++;
            cr_assert_eq(move.from, best, "position %zu: from %zu, not %zu", to, move.from, best);
            cr_assert_eq(move.reach, reach_of(made, to, best));
            elements[move.reach]++;
        }
        cr_assert_eq(moved, best != SIZE_MAX, "position %zu, element %zu: %zu moves", to, i, moved);
    }
    return missing;
}

static bool comes_after(const clshard_box *later, const clshard_box *earlier)
{
    for (size_t d = 0; d < later->rank; d++)
        if (later->offset[d] != earlier->offset[d])
            return later->offset[d] > earlier->offset[d];
    return false;
}

/* No move is empty, they are sorted, and none could be one with another. */
static void check_order(const trial *made)
{
    for (size_t m = 0; m < clshard__moves_count(made->moves); m++) {
        const clshard__move move = clshard__moves_get(made->moves, m);
        const clshard_box box = clshard__moves_box(made->moves, m);
        cr_assert_not(box_is_empty(&box));
        for (size_t e = 0; e < m; e++) {
            const clshard__move earlier = clshard__moves_get(made->moves, e);
            const clshard_box earlier_box = clshard__moves_box(made->moves, e);
            cr_assert(earlier.to <= move.to);
            cr_assert(earlier.to < move.to || earlier.from != move.from);
            cr_assert(earlier.to < move.to || comes_after(&box, &earlier_box));
        }
    }
}

Test(moves, every_element_comes_once_from_the_nearest_holder)
{
    random_source source = {20};
    size_t reached[CLSHARD__REACHES] = {0};
    size_t incomplete = 0;

    for (size_t i = 0; i < PAIRS; i++) {
        uint64_t elements[CLSHARD__REACHES] = {0};
        uint64_t missing = 0;
        trial made;
        make(&source, &made);
        for (size_t p = 0; p < made.to_count; p++)
            missing += check_position(&made, p, elements);
        check_order(&made);
        cr_assert_eq(clshard__moves_missing(made.moves), missing);
        incomplete += missing > 0;
        for (int r = 0; r < CLSHARD__REACHES; r++) {
            cr_assert_eq(clshard__moves_elements(made.moves, (clshard__reach)r), elements[r]);
            reached[r] += elements[r] > 0;
        }
        end(&made);
    }
    /* The trials are worth something only if everything came up. */
    for (int r = 0; r < CLSHARD__REACHES; r++)
        cr_assert(reached[r] > PAIRS / 20, "reach %d came up in %zu pairs", r, reached[r]);
    cr_assert(incomplete > PAIRS / 100, "%zu pairs miss something", incomplete);
}

/* ---- collectives ---- */

static bool overlap(const clshard_box *a, const clshard_box *b)
{
    for (size_t d = 0; d < a->rank; d++)
        if (a->offset[d] + a->extent[d] <= b->offset[d] ||
            b->offset[d] + b->extent[d] <= a->offset[d])
            return false;
    return !box_is_empty(a) && !box_is_empty(b);
}

static bool within(const clshard_box *inner, const clshard_box *outer)
{
    for (size_t d = 0; d < inner->rank; d++)
        if (inner->offset[d] < outer->offset[d] ||
            inner->offset[d] + inner->extent[d] > outer->offset[d] + outer->extent[d])
            return false;
    return true;
}

/* Different slices of the source that a position's target lies over. */
static size_t distinct_sources(const trial *made, size_t to)
{
    size_t count = 0;
    for (size_t q = 0; q < made->from_count; q++) {
        bool seen = false;
        for (size_t r = 0; r < q; r++)
            seen = seen || boxes_equal(&made->given[q], &made->given[r]);
        count += !seen && overlap(&made->wanted[to], &made->given[q]);
    }
    return count;
}

static bool is_equivalence(bool related[][POSITIONS_MOST], size_t count)
{
    for (size_t p = 0; p < count; p++)
        for (size_t q = 0; q < count; q++)
            for (size_t r = 0; r < count; r++)
                if (!related[p][p] || related[p][q] != related[q][p] ||
                    (related[p][q] && related[q][r] && !related[p][r]))
                    return false;
    return true;
}

/* "Takes from" is an equivalence between positions, whose classes have as many slices each; and
 * replicas stay replicas. */
static bool all_to_all_by_definition(const trial *made)
{
    const size_t count = made->to_count;
    bool takes[POSITIONS_MOST][POSITIONS_MOST];

    for (size_t p = 0; p < count; p++)
        for (size_t q = 0; q < count; q++) {
            takes[p][q] = overlap(&made->wanted[p], &made->given[q]);
            if (boxes_equal(&made->wanted[p], &made->wanted[q]) !=
                boxes_equal(&made->given[p], &made->given[q]))
                return false;
        }
    for (size_t p = 0; p < count; p++)
        if (distinct_sources(made, p) != distinct_sources(made, 0))
            return false;
    return is_equivalence(takes, count) && distinct_sources(made, 0) > 1;
}

/* Empty slices may go anywhere. */
static bool permute_by_definition(const trial *made)
{
    for (size_t p = 0; p < made->to_count; p++) {
        size_t before = 0, after = 0;
        for (size_t q = 0; q < made->to_count; q++) {
            before += boxes_equal(&made->given[q], &made->wanted[p]);
            after += boxes_equal(&made->wanted[q], &made->wanted[p]);
        }
        if (before != after && !box_is_empty(&made->wanted[p]))
            return false;
    }
    return true;
}

/* Whether each position's box on one side lies in its box on the other; empty ones do. */
static bool all_within(const trial *made, const clshard_box *inner, const clshard_box *outer)
{
    for (size_t p = 0; p < made->to_count; p++)
        if (!box_is_empty(&inner[p]) && !within(&inner[p], &outer[p]))
            return false;
    return true;
}

/* On abstract meshes with as many positions. */
static clshard__collective by_definition(const trial *made)
{
    if (clshard__moves_missing(made->moves) > 0)
        return CLSHARD__COLLECTIVE_NONE;
    if (all_within(made, made->wanted, made->given))
        return CLSHARD__COLLECTIVE_SLICE;
    if (all_within(made, made->given, made->wanted))
        return CLSHARD__COLLECTIVE_ALL_GATHER;
    if (permute_by_definition(made))
        return CLSHARD__COLLECTIVE_PERMUTE;
    return all_to_all_by_definition(made) ? CLSHARD__COLLECTIVE_ALL_TO_ALL
                                          : CLSHARD__COLLECTIVE_NONE;
}

Test(moves, a_collective_is_named_exactly_where_its_definition_holds)
{
    static const size_t counts[] = {2, 4, 6, 8, 9, 12};
    random_source source = {21};
    size_t named[5] = {0};

    for (size_t i = 0; i < 40 * PAIRS; i++) {
        trial made = {.to_count = counts[uniform(&source, 6)]};
        clshard_error err;
        made.from_count = made.to_count;
        made.shape = random_shape(&source);
        for (size_t d = 0; d < made.shape.rank; d++)
            made.shape.extent[d] = made.shape.extent[d] == 0 ? 12 : made.shape.extent[d];
        made.to.geometry = random_geometry(&source, made.to_count, made.shape);
        made.from.geometry = random_geometry(&source, made.from_count, made.shape);
        for (size_t p = 0; p < made.to_count; p++) {
            made.wanted[p] = clshard__geometry_part(made.to.geometry, p).valid;
            made.given[p] = clshard__geometry_part(made.from.geometry, p).valid;
        }
        cr_assert_eq(clshard__moves_create(&made.to, &made.from, &made.moves, &err), CLSHARD_OK,
                     "%s", err.message);
        cr_assert_eq(clshard__moves_collective(made.moves), by_definition(&made),
                     "pair %zu: %d, not %d", i, (int)clshard__moves_collective(made.moves),
                     (int)by_definition(&made));
        named[clshard__moves_collective(made.moves)]++;
        end(&made);
    }
    for (size_t c = 0; c < 5; c++)
        cr_assert(named[c] > 100, "collective %zu came up %zu times", c, named[c]);
}

/* ---- sizes past all memory ---- */

static clshard__geometry *geometry_of(const char *mesh, const char *spec, const char *shape,
                                      clshard_policy uneven)
{
    clshard__geometry *geometry = NULL;
    clshard_error err;
    cr_assert_eq(try_geometry(mesh, spec, shape, uneven, &geometry, &err), CLSHARD_OK, "%s",
                 err.message);
    return geometry;
}

static clshard_status try_moves(clshard__geometry *to, clshard__geometry *from, clshard_error *err)
{
    const clshard__side target = {.geometry = to};
    const clshard__side source = {.geometry = from};
    clshard__moves *moves = NULL;
    const clshard_status status = clshard__moves_create(&target, &source, &moves, err);

    cr_assert_eq(moves == NULL, status != CLSHARD_OK);
    clshard__moves_release(moves);
    clshard__geometry_release(to);
    clshard__geometry_release(from);
    return status;
}

Test(moves, layouts_of_two_shapes_are_refused)
{
    clshard_error err;
    refusal(try_moves(geometry_of("a=2", "a", "4x6", CLSHARD_EVEN),
                      geometry_of("a=2", "a", "4x7", CLSHARD_EVEN), &err),
            CLSHARD_ERR_SHAPE, &err, "4x7");
    refusal(try_moves(geometry_of("a=2", "a", "4x6", CLSHARD_EVEN),
                      geometry_of("a=2", "", "scalar", CLSHARD_EVEN), &err),
            CLSHARD_ERR_SHAPE, &err, "scalar");
}

Test(moves, more_elements_than_64_bits_count_are_an_overflow)
{
    clshard_error err;
    refusal(try_moves(geometry_of("a=16", "_", "4294967296x1073741824", CLSHARD_EVEN),
                      geometry_of("a=16", "a", "4294967296x1073741824", CLSHARD_EVEN), &err),
            CLSHARD_ERR_OVERFLOW, &err, "16 positions");
}

Test(moves, more_moves_than_memory_holds_are_refused)
{
    clshard_error err;
    refusal(try_moves(geometry_of("a=1152921504606846976", "_", "1", CLSHARD_EVEN),
                      geometry_of("a=1", "_", "1", CLSHARD_EVEN), &err),
            CLSHARD_ERR_MEMORY, &err, "moves");
    refusal(try_moves(geometry_of("a=4611686018427387904", "a", "4", CLSHARD_CEIL),
                      geometry_of("a=1", "_", "4", CLSHARD_EVEN), &err),
            CLSHARD_ERR_MEMORY, &err, "moves");
}

Test(moves, empty_parts_of_the_source_give_nothing)
{
    /* Of a million parts eight hold something. */
    clshard__geometry *to = geometry_of("a=4", "a", "8", CLSHARD_EVEN);
    clshard__geometry *from = geometry_of("a=1048576", "a", "8", CLSHARD_BALANCED);
    const clshard__side target = {.geometry = to};
    const clshard__side source = {.geometry = from};
    clshard__moves *moves = NULL;
    clshard_error err;

    cr_assert_eq(clshard__moves_create(&target, &source, &moves, &err), CLSHARD_OK, "%s",
                 err.message);
    cr_assert_eq(clshard__moves_count(moves), 8);
    for (size_t i = 0; i < 8; i++)
        cr_assert_eq(clshard__moves_get(moves, i).from, i);
    clshard__moves_release(moves);
    clshard__geometry_release(to);
    clshard__geometry_release(from);
}
