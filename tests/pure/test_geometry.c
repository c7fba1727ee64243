/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/plan.h"

enum { ROUNDS = 4000, CELLS_MAX = 4096, TABLE_MAX = 64 };

/* A random tiling with the splits it was made of. */
typedef struct plan {
    clshard__tiling *tiling;
    clshard_shape shape;
    clshard__geometry *geometry;
} plan;

static size_t parts_of(const clshard__axes *axes, const clshard_spec_entry *entry)
{
    size_t parts = 1;
    for (size_t i = 0; i < CLSHARD_RANK_MAX && entry->axis[i][0] != '\0'; i++)
        parts *= axes->size[clshard__axes_find(axes, entry->axis[i])];
    return parts;
}

/* Room for the tables that random splits point to. */
typedef struct tables {
    uint32_t weights[CLSHARD_RANK_MAX][TABLE_MAX];
    size_t sizes[CLSHARD_RANK_MAX][TABLE_MAX];
} tables;

/* Fills in the tables of a split for a dimension of some extent. */
static void random_split(random_source *source, clshard_split *split, size_t axis_size,
                         size_t parts, size_t extent, tables *room, size_t index)
{
    if (split->policy == CLSHARD_WEIGHTED) {
        for (size_t i = 0; i < axis_size; i++)
            room->weights[index][i] = (uint32_t)uniform(source, 5);
        room->weights[index][uniform(source, axis_size)] = 3;
        split->weights = room->weights[index];
        split->count = axis_size;
        split->granule = uniform(source, 4);
    } else if (split->policy == CLSHARD_SIZES) {
        size_t left = extent;
        for (size_t i = 0; i < parts; i++) {
            room->sizes[index][i] = i + 1 == parts ? left : uniform(source, left + 1);
            left -= room->sizes[index][i];
        }
        split->sizes = room->sizes[index];
        split->count = parts;
    }
}

/* At most one split per dimension, by its first axis; others keep the uneven policy. */
static size_t random_splits(random_source *source, const clshard__axes *axes,
                            const clshard_spec *spec, const clshard_shape *shape,
                            clshard_split *splits, tables *room)
{
    size_t count = 0;
    for (size_t d = 0; d < spec->rank; d++) {
        const clshard_spec_entry *entry = &spec->entry[d];
        clshard_split *split = &splits[count];
        if (entry->axis[0][0] == '\0' || uniform(source, 2) == 0)
            continue;
        *split = (clshard_split){
            .axis = entry->axis[0],
            .policy = (clshard_policy)uniform_between(source, CLSHARD_BALANCED, CLSHARD_SIZES)};
        random_split(source, split, axes->size[clshard__axes_find(axes, split->axis)],
                     parts_of(axes, entry), shape->extent[d], room, count++);
    }
    return count;
}

/* Everything but even, which refuses most shapes; extents are often below the number of parts. */
static plan random_plan(random_source *source, const clshard__axes *axes,
                        const clshard_shape *shape)
{
    const clshard_spec spec = random_spec(source, axes, uniform(source, shape->rank + 1));
    const clshard_policy uneven =
        (clshard_policy)uniform_between(source, CLSHARD_BALANCED, CLSHARD_DROP);
    clshard_split splits[CLSHARD_RANK_MAX];
    plan made = {NULL, *shape, NULL};
    clshard_error err;
    tables room;
    const size_t count = random_splits(source, axes, &spec, shape, splits, &room);

    cr_assert_eq(clshard__tiling_create(axes, &spec, uneven, splits, count, &made.tiling, &err),
                 CLSHARD_OK, "%s", err.message);
    cr_assert_eq(clshard__geometry_create(made.tiling, *shape, &made.geometry, &err), CLSHARD_OK,
                 "%s", err.message);
    return made;
}

static clshard_shape random_shape(random_source *source, size_t rank)
{
    static const size_t extents[] = {0, 1, 2, 3, 4, 5, 7, 8, 12, 13};
    clshard_shape shape = {rank, {0}};
    for (size_t d = 0; d < rank; d++)
        shape.extent[d] = extents[uniform(source, 10)];
    return shape;
}

static plan any_plan(random_source *source)
{
    static const size_t positions[] = {1, 2, 3, 4, 6, 8, 12, 24};
    const clshard__axes axes = random_axes(source, positions[uniform(source, 8)]);
    const clshard_shape shape = random_shape(source, uniform(source, 4));
    return random_plan(source, &axes, &shape);
}

static void end_plan(plan *made)
{
    clshard__geometry_release(made->geometry);
    clshard__tiling_release(made->tiling);
}

/* The number of a dimension's part at a position, as the index map of JAX defines it. */
static size_t part_number(const plan *made, size_t dimension, size_t position)
{
    const clshard__tiling *tiling = made->tiling;
    size_t number = 0;
    if (dimension >= tiling->spec.rank)
        return 0;
    for (size_t i = 0; i < tiling->dimension[dimension].axis_count; i++) {
        const size_t axis = tiling->dimension[dimension].axis[i];
        number = number * tiling->axes.size[axis] +
                 clshard__axes_coordinate(&tiling->axes, axis, position);
    }
    return number;
}

/* Whether two positions have the same part numbers in all dimensions that are not empty. */
static bool same_part_numbers(const plan *made, size_t p, size_t q)
{
    for (size_t d = 0; d < made->shape.rank; d++)
        if (made->shape.extent[d] > 0 && part_number(made, d, p) != part_number(made, d, q))
            return false;
    return true;
}

/* Adds 1 for each element of a box to the grid of the whole array. */
static void mark(const clshard_shape *shape, const clshard_box *box, unsigned char *grid)
{
    size_t elements = 1;
    for (size_t d = 0; d < box->rank; d++)
        elements *= box->extent[d];
    for (size_t e = 0; e < elements; e++) {
        size_t left = e;
        size_t index = 0;
        size_t stride = 1;
        for (size_t d = box->rank; d-- > 0;) {
            index += (box->offset[d] + left % box->extent[d]) * stride;
            stride *= shape->extent[d];
            left /= box->extent[d];
        }
        grid[index]++;
    }
}

/* Whether an element of the array belongs to some part: all do, but for the tail under `drop`. */
static bool belongs(const plan *made, size_t element)
{
    for (size_t d = made->shape.rank; d-- > 0;) {
        const size_t extent = made->shape.extent[d];
        const size_t index = element % extent;
        element /= extent;
        if (d < made->tiling->spec.rank && made->tiling->dimension[d].policy == CLSHARD_DROP) {
            const size_t parts = made->tiling->dimension[d].parts;
            if (index >= extent / parts * parts)
                return false;
        }
    }
    return true;
}

static size_t elements_of(const clshard_shape *shape)
{
    size_t elements = 1;
    for (size_t d = 0; d < shape->rank; d++)
        elements *= shape->extent[d];
    return elements;
}

Test(geometry, every_replica_holds_each_element_once)
{
    random_source source = {21};
    unsigned char *grid = malloc(CELLS_MAX);
    for (int round = 0; round < ROUNDS; round++) {
        plan made = any_plan(&source);
        const size_t replicas = clshard__geometry_replica_count(made.geometry);
        const size_t elements = elements_of(&made.shape);
        cr_assert_leq(elements, CELLS_MAX);
        for (size_t r = 0; r < replicas; r++) {
            memset(grid, 0, CELLS_MAX);
            for (size_t p = 0; p < made.tiling->axes.positions; p++) {
                const clshard_part part = clshard__geometry_part(made.geometry, p);
                if (part.replica == r)
                    mark(&made.shape, &part.valid, grid);
            }
            for (size_t e = 0; e < elements; e++)
                cr_assert_eq(grid[e], belongs(&made, e), "round %d, element %zu", round, e);
        }
        end_plan(&made);
    }
    free(grid);
}

Test(geometry, a_box_holds_its_valid_part_and_no_box_is_larger_than_the_shard_shape)
{
    random_source source = {22};
    for (int round = 0; round < ROUNDS; round++) {
        plan made = any_plan(&source);
        const clshard_shape shard = clshard__geometry_shard_shape(made.geometry);
        size_t largest[CLSHARD_RANK_MAX] = {0};
        for (size_t p = 0; p < made.tiling->axes.positions; p++) {
            const clshard_part part = clshard__geometry_part(made.geometry, p);
            cr_assert(part.box.rank == made.shape.rank && part.valid.rank == made.shape.rank);
            for (size_t d = 0; d < made.shape.rank; d++) {
                const size_t stop = part.valid.offset[d] + part.valid.extent[d];
                cr_assert_leq(stop, made.shape.extent[d]);
                cr_assert_leq(part.valid.extent[d], part.box.extent[d]);
                cr_assert(part.valid.extent[d] == 0 || part.valid.offset[d] == part.box.offset[d]);
                largest[d] = part.box.extent[d] > largest[d] ? part.box.extent[d] : largest[d];
            }
        }
        cr_assert_eq(shard.rank, made.shape.rank);
        cr_assert(memcmp(shard.extent, largest, sizeof largest) == 0, "round %d", round);
        end_plan(&made);
    }
}

Test(geometry, parts_come_in_the_order_of_their_coordinates)
{
    random_source source = {23};
    for (int round = 0; round < ROUNDS; round++) {
        plan made = any_plan(&source);
        const size_t positions = made.tiling->axes.positions;
        const size_t p = uniform(&source, positions);
        const size_t q = uniform(&source, positions);
        const clshard_part a = clshard__geometry_part(made.geometry, p);
        const clshard_part b = clshard__geometry_part(made.geometry, q);
        for (size_t d = 0; d < made.shape.rank; d++) {
            const size_t in_a = part_number(&made, d, p);
            const size_t in_b = part_number(&made, d, q);
            cr_assert(in_a >= in_b || a.valid.offset[d] + a.valid.extent[d] <= b.valid.offset[d],
                      "round %d", round);
            cr_assert(in_a != in_b ||
                      (a.box.offset[d] == b.box.offset[d] && a.box.extent[d] == b.box.extent[d]));
        }
        end_plan(&made);
    }
}

Test(geometry, replicas_are_counted_in_the_order_of_positions)
{
    random_source source = {24};
    for (int round = 0; round < ROUNDS; round++) {
        plan made = any_plan(&source);
        const size_t positions = made.tiling->axes.positions;
        for (size_t p = 0; p < positions; p++) {
            size_t before = 0;
            size_t alike = 0;
            for (size_t q = 0; q < positions; q++) {
                const bool same = same_part_numbers(&made, p, q);
                before += same && q < p;
                alike += same;
            }
            cr_assert_eq(clshard__geometry_part(made.geometry, p).replica, before);
            cr_assert_eq(clshard__geometry_replica_count(made.geometry), alike);
        }
        end_plan(&made);
    }
}

Test(geometry, fully_replicated_means_everything_everywhere)
{
    random_source source = {25};
    size_t replicated = 0;
    for (int round = 0; round < ROUNDS; round++) {
        plan made = any_plan(&source);
        const bool answer = clshard__geometry_fully_replicated(made.geometry);
        bool everywhere = true;
        for (size_t p = 0; p < made.tiling->axes.positions; p++) {
            const clshard_part part = clshard__geometry_part(made.geometry, p);
            everywhere = everywhere && memcmp(part.valid.extent, made.shape.extent,
                                              sizeof part.valid.extent) == 0;
        }
        cr_assert_eq(answer, everywhere, "round %d", round);
        replicated += answer;
        end_plan(&made);
    }
    cr_assert(replicated > 100 && replicated < ROUNDS - 100);
}

Test(geometry, equivalence_is_the_same_box_and_valid_range_everywhere)
{
    random_source source = {26};
    size_t equivalent = 0;
    for (int round = 0; round < 4 * ROUNDS; round++) {
        const size_t positions = uniform(&source, 2) == 0 ? 4 : 12;
        const clshard__axes axes_a = random_axes(&source, positions);
        const clshard__axes axes_b = random_axes(&source, positions);
        const clshard_shape shape = random_shape(&source, uniform(&source, 3));
        plan a = random_plan(&source, &axes_a, &shape);
        plan b = random_plan(&source, &axes_b, &shape);
        bool same = true;
        for (size_t p = 0; p < positions; p++) {
            const clshard_part in_a = clshard__geometry_part(a.geometry, p);
            const clshard_part in_b = clshard__geometry_part(b.geometry, p);
            same = same && memcmp(&in_a.box, &in_b.box, sizeof in_a.box) == 0 &&
                   memcmp(&in_a.valid, &in_b.valid, sizeof in_a.valid) == 0;
        }
        cr_assert_eq(clshard__geometry_equivalent(a.geometry, b.geometry), same, "round %d", round);
        equivalent += same;
        end_plan(&a);
        end_plan(&b);
    }
    cr_assert(equivalent > 500 && equivalent < 4 * ROUNDS - 500, "%zu show both", equivalent);
}

Test(geometry, other_shapes_are_not_equivalent)
{
    clshard__geometry *a = NULL;
    clshard__geometry *b = NULL;
    cr_assert_eq(try_geometry("d=4", "", "8x4", CLSHARD_EVEN, &a, NULL), CLSHARD_OK);
    cr_assert_eq(try_geometry("d=4", "", "8x5", CLSHARD_EVEN, &b, NULL), CLSHARD_OK);
    cr_assert(clshard__geometry_equivalent(a, a));
    cr_assert(!clshard__geometry_equivalent(a, b));
    clshard__geometry_release(b);
    cr_assert_eq(try_geometry("d=5", "", "8x4", CLSHARD_EVEN, &b, NULL), CLSHARD_OK);
    cr_assert(!clshard__geometry_equivalent(a, b), "other positions");
    clshard__geometry_release(a);
    clshard__geometry_release(b);
}

Test(geometry, the_shape_is_kept)
{
    const clshard_shape expected = CLSHARD_SHAPE(8, 6);
    clshard__geometry *geometry = NULL;
    clshard_shape shape;
    cr_assert_eq(try_geometry("d=4", "d", "8x6", CLSHARD_EVEN, &geometry, NULL), CLSHARD_OK);
    shape = clshard__geometry_shape(geometry);
    cr_assert(memcmp(&shape, &expected, sizeof shape) == 0);
    clshard__geometry_release(geometry);
}

Test(geometry, past_the_last_position_there_is_nothing)
{
    clshard__geometry *geometry = NULL;
    cr_assert_eq(try_geometry("d=4", "d", "8", CLSHARD_EVEN, &geometry, NULL), CLSHARD_OK);
    cr_assert_eq(clshard__geometry_part(geometry, 3).box.rank, 1);
    cr_assert_eq(clshard__geometry_part(geometry, 4).box.rank, 0);
    cr_assert_eq(clshard__geometry_part(geometry, 4).replica, SIZE_MAX);
    cr_assert_eq(clshard__geometry_part(geometry, SIZE_MAX).valid.rank, 0);
    clshard__geometry_release(geometry);
}

Test(geometry, a_mesh_of_any_size_takes_no_memory_per_position)
{
    const size_t side = (size_t)1 << 31;
    clshard__geometry *geometry = NULL;
    clshard_part part;
    cr_assert_eq(try_geometry("x=2147483648,y=2147483648", "y,x", "4294967296x4294967295",
                              CLSHARD_BALANCED, &geometry, NULL),
                 CLSHARD_OK);
    part = clshard__geometry_part(geometry, (side - 1) * side + 5);
    cr_assert(part.box.offset[0] == 10 && part.box.extent[0] == 2);
    cr_assert(part.box.offset[1] == 2 * (side - 1) && part.box.extent[1] == 1);
    cr_assert_eq(part.replica, 0);
    clshard__geometry_release(geometry);
}

static void expect_refusal(const char *mesh, const char *spec, const char *shape,
                           clshard_policy uneven, clshard_status expected, const char *words)
{
    clshard__geometry *const untouched = (clshard__geometry *)&untouched;
    clshard__geometry *geometry = untouched;
    clshard_error err = {0};
    cr_assert_eq(try_geometry(mesh, spec, shape, uneven, &geometry, &err), expected, "%s",
                 err.message);
    cr_assert_eq(err.status, expected);
    cr_assert_not_null(strstr(err.message, words), "'%s' lacks '%s'", err.message, words);
    cr_assert_eq(geometry, untouched);
    cr_assert_eq(try_geometry(mesh, spec, shape, uneven, &geometry, NULL), expected);
}

Test(geometry, a_spec_longer_than_the_shape_is_a_rank_error)
{
    expect_refusal("d=4", "d,_,_", "8x4", CLSHARD_EVEN, CLSHARD_ERR_RANK,
                   "3 entries but the shape has rank 2");
    expect_refusal("d=4", "_", "scalar", CLSHARD_EVEN, CLSHARD_ERR_RANK, "an empty one fits");
}

Test(geometry, a_rank_above_the_most_is_a_rank_error)
{
    clshard__tiling *tiling = tiling_of("d=4", "d", CLSHARD_EVEN);
    clshard__geometry *geometry = NULL;
    const clshard_shape shape = {CLSHARD_RANK_MAX + 1, {0}};
    clshard_error err;
    cr_assert_eq(clshard__geometry_create(tiling, shape, &geometry, &err), CLSHARD_ERR_RANK);
    cr_assert_not_null(strstr(err.message, "rank 9; at most 8"), "%s", err.message);
    cr_assert_null(geometry);
    clshard__tiling_release(tiling);
}

Test(geometry, indivisible_names_the_dimension_the_axes_and_who_would_accept)
{
    const char *const words[] = {"dimension 1", "16x10", "extent 10", "8 parts", "data=4, model=2",
                                 "balanced",    "ceil",  "pad",       "drop"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        expect_refusal("data=4,model=2", "_,data+model", "16x10", CLSHARD_EVEN,
                       CLSHARD_ERR_INDIVISIBLE, words[i]);
}

Test(geometry, the_policies_that_indivisible_names_accept)
{
    for (int policy = CLSHARD_BALANCED; policy <= CLSHARD_DROP; policy++) {
        clshard__geometry *geometry = NULL;
        cr_assert_eq(try_geometry("data=4,model=2", "_,data+model", "16x10", (clshard_policy)policy,
                                  &geometry, NULL),
                     CLSHARD_OK);
        clshard__geometry_release(geometry);
    }
}

Test(geometry, rank_is_checked_before_divisibility)
{
    expect_refusal("d=4", "d,_", "7", CLSHARD_EVEN, CLSHARD_ERR_RANK, "rank 1");
}

static clshard_status create_over(const char *spec, clshard_policy uneven, clshard_shape shape,
                                  clshard_error *err)
{
    clshard__tiling *tiling = tiling_of("d=4", spec, uneven);
    clshard__geometry *geometry = NULL;
    const clshard_status status = clshard__geometry_create(tiling, shape, &geometry, err);
    clshard__geometry_release(geometry);
    clshard__tiling_release(tiling);
    return status;
}

Test(geometry, more_elements_than_64_bits_overflow)
{
    const size_t half = (size_t)1 << 32;
    clshard_error err;
    cr_assert_eq(create_over("", CLSHARD_EVEN, CLSHARD_SHAPE(half, half), &err),
                 CLSHARD_ERR_OVERFLOW);
    cr_assert_not_null(strstr(err.message, "4294967296x4294967296 exceeds 64 bits"), "%s",
                       err.message);
    cr_assert_eq(create_over("", CLSHARD_EVEN, CLSHARD_SHAPE(half, half - 1), &err), CLSHARD_OK);
    cr_assert_eq(create_over("", CLSHARD_EVEN, CLSHARD_SHAPE(half, half, 0), &err), CLSHARD_OK);
}

Test(geometry, padding_past_64_bits_overflows)
{
    clshard_error err;
    cr_assert_eq(create_over("d", CLSHARD_PAD, CLSHARD_SHAPE(SIZE_MAX), &err),
                 CLSHARD_ERR_OVERFLOW);
    cr_assert_not_null(strstr(err.message, "dimension 0"), "%s", err.message);
    cr_assert_eq(create_over("d", CLSHARD_CEIL, CLSHARD_SHAPE(SIZE_MAX), &err), CLSHARD_OK);
    cr_assert_eq(create_over("d", CLSHARD_PAD, CLSHARD_SHAPE(SIZE_MAX - 3), &err), CLSHARD_OK);
}

Test(geometry, sizes_must_sum_to_the_extent)
{
    const clshard__axes axes = axes_of("d=3");
    const clshard_spec spec = spec_of("d");
    const size_t sizes[] = {5, 3, 1};
    const clshard_split split = {"d", CLSHARD_SIZES, NULL, sizes, 3, 0};
    clshard__tiling *tiling = NULL;
    clshard__geometry *geometry = NULL;
    clshard_error err;
    cr_assert_eq(clshard__tiling_create(&axes, &spec, CLSHARD_EVEN, &split, 1, &tiling, &err),
                 CLSHARD_OK);
    cr_assert_eq(clshard__geometry_create(tiling, shape_of("10"), &geometry, &err),
                 CLSHARD_ERR_SPLIT);
    cr_assert_not_null(strstr(err.message, "sum to 9, not to the extent 10"), "%s", err.message);
    cr_assert_eq(clshard__geometry_create(tiling, shape_of("9"), &geometry, &err), CLSHARD_OK);
    clshard__geometry_release(geometry);
    clshard__tiling_release(tiling);
}

Test(geometry, weights_whose_products_sum_past_64_bits_overflow)
{
    const clshard__axes axes = axes_of("a=2,b=2");
    const clshard_spec spec = spec_of("a+b");
    const uint32_t most[] = {UINT32_MAX, UINT32_MAX};
    const clshard_split splits[] = {{"a", CLSHARD_WEIGHTED, most, NULL, 2, 0},
                                    {"b", CLSHARD_WEIGHTED, most, NULL, 2, 0}};
    clshard__tiling *tiling = NULL;
    clshard__geometry *geometry = NULL;
    cr_assert_eq(clshard__tiling_create(&axes, &spec, CLSHARD_EVEN, splits, 2, &tiling, NULL),
                 CLSHARD_OK);
    cr_assert_eq(clshard__geometry_create(tiling, shape_of("9"), &geometry, NULL),
                 CLSHARD_ERR_OVERFLOW);
    clshard__tiling_release(tiling);
}
