/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/plan.h>

#include <criterion/criterion.h>
#include <string.h>

#include "support/refusal.h"
#include "support/tsv.h"

_Static_assert(sizeof(size_t) != 8 || sizeof(clshard_move) == 160, "clshard_move has grown");

static clshard_mesh *mesh_of(const char *axes, size_t processes)
{
    clshard_mesh *mesh = NULL;
    clshard_error err;
    cr_assert_eq(clshard_mesh_parse(NULL, axes,
                                    CLSHARD_WITH(clshard_mesh_options, .processes = processes),
                                    &mesh, &err),
                 CLSHARD_OK, "%s", err.message);
    return mesh;
}

/* Releases nothing; the mesh lives on in the layout. */
static clshard_layout *layout_on(const clshard_mesh *mesh, const char *spec, clshard_shape shape,
                                 clshard_policy uneven)
{
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    clshard_error err;
    cr_assert_eq(clshard_sharding_parse(mesh, spec,
                                        CLSHARD_WITH(clshard_sharding_options, .uneven = uneven),
                                        &sharding, &err),
                 CLSHARD_OK, "%s", err.message);
    cr_assert_eq(clshard_layout_create(sharding, shape, &layout, &err), CLSHARD_OK, "%s",
                 err.message);
    clshard_sharding_release(sharding);
    return layout;
}

static clshard_layout *layout_of(const char *axes, const char *spec, clshard_shape shape)
{
    clshard_mesh *mesh = mesh_of(axes, 0);
    clshard_layout *layout = layout_on(mesh, spec, shape, CLSHARD_EVEN);
    clshard_mesh_release(mesh);
    return layout;
}

/* Takes over both layouts: the plan keeps them alive. */
static clshard_plan *plan_of(clshard_layout *from, clshard_layout *to)
{
    clshard_plan *plan = NULL;
    clshard_error err;
    cr_assert_eq(clshard_plan_create(to, from, &plan, &err), CLSHARD_OK, "%s", err.message);
    clshard_layout_release(from);
    clshard_layout_release(to);
    return plan;
}

static uint64_t lacked(const clshard_plan *plan)
{
    uint64_t elements = 0;
    for (int r = CLSHARD_REACH_DEVICE; r <= CLSHARD_REACH_PROCESS; r++)
        elements += clshard_plan_elements(plan, (clshard_reach)r);
    return elements;
}

static uint64_t elements_of(const clshard_box *box)
{
    uint64_t elements = 1;
    for (size_t d = 0; d < box->rank; d++)
        elements *= box->extent[d];
    return elements;
}

/* ---- what JAX says ---- */

static clshard_shape shape_of_chain(const char *chain)
{
    if (strcmp(chain, "test_shard_consistency") == 0)
        return CLSHARD_SHAPE(8, 4);
    if (strcmp(chain, "test_gather_from_shards") == 0)
        return CLSHARD_SHAPE(8, 8);
    if (strcmp(chain, "layouts_2x4") == 0)
        return CLSHARD_SHAPE(16, 24);
    cr_assert_str_eq(chain, "three_dims");
    return CLSHARD_SHAPE(8, 6, 4);
}

/* What all positions of a layout hold; the step from the host brings it all. */
static uint64_t held(clshard_layout *layout)
{
    const clshard_mesh *mesh = clshard_sharding_mesh(clshard_layout_sharding(layout));
    uint64_t elements = 0;
    for (size_t p = 0; p < clshard_mesh_position_count(mesh); p++) {
        const clshard_part part = clshard_layout_part(layout, p);
        elements += elements_of(&part.valid);
    }
    clshard_layout_release(layout);
    return elements;
}

Test(plan, moves_exactly_the_bytes_that_jax_lacks)
{
    tsv table = tsv_read("acceptance/06_reshard_chain.tsv");
    size_t steps = 0;

    for (size_t i = 0; i < table.row_count; i++) {
        const char **field = table.row[i].field;
        const clshard_shape shape = shape_of_chain(field[0]);
        clshard_layout *to = layout_of(field[1], field[4], shape);
        uint64_t elements;
        if (strcmp(field[3], "host") == 0) {
            elements = held(to);
        } else {
            clshard_plan *plan = plan_of(layout_of(field[1], field[3], shape), to);
            elements = lacked(plan);
            clshard_plan_release(plan);
        }
        /* Every chain has elements of four bytes. */
        cr_assert_eq(elements * 4, tsv_number(field[5]), "line %zu: %zu bytes", table.row[i].line,
                     (size_t)elements * 4);
        steps++;
    }
    cr_assert(steps > 150, "%zu rows", steps);
    tsv_free(&table);
}

typedef struct known {
    const char *from, *to;
    clshard_collective collective;
} known;

/* Those that XLA builds from two collectives are no single one. */
Test(plan, names_the_collectives_that_xla_was_seen_to_use)
{
    static const known rows[] = {
        {"x", "", CLSHARD_COLLECTIVE_ALL_GATHER},      {"", "x", CLSHARD_COLLECTIVE_SLICE},
        {"x", "_,x", CLSHARD_COLLECTIVE_ALL_TO_ALL},   {"x", "y", CLSHARD_COLLECTIVE_NONE},
        {"x,y", "y,x", CLSHARD_COLLECTIVE_NONE},       {"x+y", "y+x", CLSHARD_COLLECTIVE_PERMUTE},
        {"x+y", "x", CLSHARD_COLLECTIVE_ALL_GATHER},   {"x", "x+y", CLSHARD_COLLECTIVE_SLICE},
        {"x,y", "x+y", CLSHARD_COLLECTIVE_ALL_TO_ALL}, {"_,y", "y", CLSHARD_COLLECTIVE_ALL_TO_ALL}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const clshard_shape shape = CLSHARD_SHAPE(16, 24);
        clshard_plan *plan = plan_of(layout_of("x=2,y=4", rows[i].from, shape),
                                     layout_of("x=2,y=4", rows[i].to, shape));
        cr_assert_eq(clshard_plan_collective(plan), rows[i].collective, "%s to %s: %s",
                     rows[i].from, rows[i].to,
                     clshard_collective_name(clshard_plan_collective(plan)));
        clshard_plan_release(plan);
    }
}

/* The cost model of DTensor: of k times all bytes that a group of k wants, each has one k-th. */
Test(plan, an_all_gather_moves_all_but_what_each_position_has)
{
    const clshard_shape shape = CLSHARD_SHAPE(16, 24);
    clshard_plan *plan = plan_of(layout_of("x=8", "x", shape), layout_of("x=8", "", shape));

    cr_assert_eq(clshard_plan_move_count(plan), 64);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_SELF), 16 * 24);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_CONTEXT), 7 * 16 * 24);
    clshard_plan_release(plan);
}

Test(plan, a_slice_moves_nothing)
{
    const clshard_shape shape = CLSHARD_SHAPE(16, 24);
    clshard_plan *plan = plan_of(layout_of("x=8", "", shape), layout_of("x=8", "_,x", shape));

    cr_assert_eq(clshard_plan_move_count(plan), 8);
    cr_assert_eq(lacked(plan), 0);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_SELF), 16 * 24);
    clshard_plan_release(plan);
}

Test(plan, a_move_says_whence_whither_and_what)
{
    const clshard_shape shape = CLSHARD_SHAPE(4, 6);
    clshard_plan *plan = plan_of(layout_of("x=2", "x", shape), layout_of("x=2", "_,x", shape));
    static const clshard_move wanted[] = {
        {0, 0, {2, {0, 0}, {2, 3}}, CLSHARD_REACH_SELF},
        {1, 0, {2, {2, 0}, {2, 3}}, CLSHARD_REACH_CONTEXT},
        {0, 1, {2, {0, 3}, {2, 3}}, CLSHARD_REACH_CONTEXT},
        {1, 1, {2, {2, 3}, {2, 3}}, CLSHARD_REACH_SELF},
    };

    cr_assert_eq(clshard_plan_move_count(plan), 4);
    for (size_t i = 0; i < 4; i++) {
        const clshard_move move = clshard_plan_move(plan, i);
        cr_assert_eq(move.from, wanted[i].from);
        cr_assert_eq(move.to, wanted[i].to);
        cr_assert_eq(move.reach, wanted[i].reach);
        cr_assert_eq(memcmp(&move.box, &wanted[i].box, sizeof move.box), 0, "move %zu", i);
    }
    clshard_plan_release(plan);
}

Test(plan, a_scalar_is_one_element_that_everyone_has)
{
    const clshard_shape scalar = {0};
    clshard_plan *plan = plan_of(layout_of("x=3", "", scalar), layout_of("x=4", "", scalar));

    cr_assert_eq(clshard_plan_move_count(plan), 4);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_SELF), 3);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_CONTEXT), 1);
    cr_assert_eq(clshard_plan_move(plan, 3).from, 0);
    cr_assert_eq(clshard_plan_move(plan, 3).box.rank, 0);
    clshard_plan_release(plan);
}

Test(plan, an_empty_array_needs_no_move)
{
    const clshard_shape empty = CLSHARD_SHAPE(4, 0);
    clshard_plan *plan = plan_of(layout_of("x=4", "x", empty), layout_of("x=4", "", empty));

    cr_assert_eq(clshard_plan_move_count(plan), 0);
    cr_assert_eq(clshard_plan_missing(plan), 0);
    cr_assert_eq(clshard_plan_collective(plan), CLSHARD_COLLECTIVE_SLICE);
    clshard_plan_release(plan);
}

Test(plan, what_drop_left_out_is_missing_and_not_moved)
{
    const clshard_shape shape = CLSHARD_SHAPE(10);
    clshard_mesh *mesh = mesh_of("x=4", 0);
    clshard_plan *plan = plan_of(layout_on(mesh, "x", shape, CLSHARD_DROP),
                                 layout_on(mesh, "", shape, CLSHARD_EVEN));

    cr_assert_eq(clshard_plan_missing(plan), 4 * 2);
    cr_assert_eq(lacked(plan) + clshard_plan_elements(plan, CLSHARD_REACH_SELF), 4 * 8);
    cr_assert_eq(clshard_plan_collective(plan), CLSHARD_COLLECTIVE_NONE);
    clshard_plan_release(plan);
    plan = plan_of(layout_on(mesh, "", shape, CLSHARD_EVEN),
                   layout_on(mesh, "x", shape, CLSHARD_DROP));
    cr_assert_eq(clshard_plan_missing(plan), 0);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_SELF), 8);
    clshard_plan_release(plan);
    clshard_mesh_release(mesh);
}

Test(plan, padding_is_not_moved)
{
    const clshard_shape shape = CLSHARD_SHAPE(10);
    clshard_mesh *mesh = mesh_of("x=4", 0);
    clshard_plan *plan = plan_of(layout_on(mesh, "x", shape, CLSHARD_PAD),
                                 layout_on(mesh, "x", shape, CLSHARD_BALANCED));

    cr_assert_eq(lacked(plan) + clshard_plan_elements(plan, CLSHARD_REACH_SELF), 10);
    for (size_t i = 0; i < clshard_plan_move_count(plan); i++) {
        const clshard_box box = clshard_plan_move(plan, i).box;
        cr_assert(box.offset[0] + box.extent[0] <= 10);
    }
    clshard_plan_release(plan);
    clshard_mesh_release(mesh);
}

/* ---- processes ---- */

Test(plan, positions_of_another_process_are_out_of_reach_last)
{
    const clshard_shape shape = CLSHARD_SHAPE(8);
    clshard_mesh *mesh = mesh_of("h=2,d=2", 2);
    clshard_plan *plan = plan_of(layout_on(mesh, "d", shape, CLSHARD_EVEN),
                                 layout_on(mesh, "", shape, CLSHARD_EVEN));

    /* Each process has a replica of its own. */
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_CONTEXT), 4 * 4);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_PROCESS), 0);
    cr_assert_eq(clshard_plan_move(plan, 4).from, 2);
    clshard_plan_release(plan);
    plan = plan_of(layout_on(mesh, "h", shape, CLSHARD_EVEN),
                   layout_on(mesh, "", shape, CLSHARD_EVEN));
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_CONTEXT), 0);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_PROCESS), 4 * 4);
    cr_assert_eq(clshard_plan_collective(plan), CLSHARD_COLLECTIVE_ALL_GATHER);
    clshard_plan_release(plan);
    clshard_mesh_release(mesh);
}

Test(plan, the_same_position_in_another_process_is_another_device)
{
    const clshard_shape shape = CLSHARD_SHAPE(8);
    clshard_mesh *two = mesh_of("d=4", 2);
    clshard_mesh *four = mesh_of("d=4", 4);
    clshard_plan *plan = plan_of(layout_on(two, "d", shape, CLSHARD_EVEN),
                                 layout_on(four, "d", shape, CLSHARD_EVEN));

    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_SELF), 2);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_PROCESS), 6);
    cr_assert_eq(clshard_plan_collective(plan), CLSHARD_COLLECTIVE_NONE);
    clshard_plan_release(plan);
    clshard_mesh_release(two);
    clshard_mesh_release(four);
}

/* ---- refusals and ends ---- */

Test(plan, refuses_two_shapes_and_null)
{
    clshard_layout *small = layout_of("x=2", "x", CLSHARD_SHAPE(4));
    clshard_layout *large = layout_of("x=2", "x", CLSHARD_SHAPE(4, 2));
    clshard_plan *plan = NULL;
    clshard_error err;

    refusal(clshard_plan_create(small, large, &plan, &err), CLSHARD_ERR_SHAPE, &err, "4x2");
    refusal(clshard_plan_create(NULL, large, &plan, &err), CLSHARD_ERR_ARGUMENT, &err, "to is");
    refusal(clshard_plan_create(small, NULL, &plan, &err), CLSHARD_ERR_ARGUMENT, &err, "from");
    refusal(clshard_plan_create(small, small, NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_plan");
    cr_assert_eq(clshard_plan_create(small, large, &plan, NULL), CLSHARD_ERR_SHAPE);
    cr_assert_null(plan);
    clshard_layout_release(small);
    clshard_layout_release(large);
}

Test(plan, more_elements_than_64_bits_count_are_an_overflow)
{
    const clshard_shape shape = CLSHARD_SHAPE((size_t)1 << 62);
    clshard_layout *from = layout_of("x=8", "x", shape);
    clshard_layout *to = layout_of("x=8", "", shape);
    clshard_plan *plan = NULL;
    clshard_error err;

    refusal(clshard_plan_create(to, from, &plan, &err), CLSHARD_ERR_OVERFLOW, &err, "8 positions");
    cr_assert_null(plan);
    clshard_layout_release(from);
    clshard_layout_release(to);
}

Test(plan, queries_past_the_end_answer_nothing)
{
    const clshard_shape shape = CLSHARD_SHAPE(4);
    clshard_plan *plan = plan_of(layout_of("x=2", "x", shape), layout_of("x=2", "x", shape));
    const clshard_move past = clshard_plan_move(plan, 2);

    cr_assert_eq(past.from, SIZE_MAX);
    cr_assert_eq(past.to, SIZE_MAX);
    cr_assert_eq(past.box.rank, 0);
    cr_assert_eq(clshard_plan_elements(plan, (clshard_reach)5), 0);
    cr_assert_eq(clshard_plan_elements(plan, (clshard_reach)-1), 0);
    cr_assert_eq(clshard_plan_move_count(NULL), 0);
    cr_assert_eq(clshard_plan_move(NULL, 0).to, SIZE_MAX);
    cr_assert_eq(clshard_plan_elements(NULL, CLSHARD_REACH_SELF), 0);
    cr_assert_eq(clshard_plan_missing(NULL), 0);
    cr_assert_eq(clshard_plan_collective(NULL), CLSHARD_COLLECTIVE_NONE);
    clshard_plan_release(plan);
    clshard_plan_release(NULL);
}

Test(plan, every_reach_and_collective_has_a_name)
{
    static const char *const reaches[] = {"self", "device", "context", "host", "process"};
    static const char *const names[] = {"none", "slice", "all-gather", "all-to-all", "permute"};

    for (int i = 0; i < 5; i++) {
        cr_assert_str_eq(clshard_reach_name((clshard_reach)i), reaches[i]);
        cr_assert_str_eq(clshard_collective_name((clshard_collective)i), names[i]);
    }
    cr_assert_null(clshard_reach_name((clshard_reach)5));
    cr_assert_null(clshard_reach_name((clshard_reach)-1));
    cr_assert_null(clshard_collective_name((clshard_collective)5));
}
