/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/sharding.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "support/refusal.h"
#include "support/tsv.h"

/* Shardings and layouts over abstract meshes, through the public API. */

static clshard_mesh *mesh_of(const char *axes)
{
    clshard_error err = {0};
    clshard_mesh *mesh = NULL;
    cr_assert_eq(clshard_mesh_parse(NULL, axes, NULL, &mesh, &err), CLSHARD_OK, "%s: %s", axes,
                 err.message);
    return mesh;
}

/* The mesh lives on inside the sharding. */
static clshard_sharding *sharding_of(const char *axes, const char *spec,
                                     const clshard_sharding_options *options)
{
    clshard_error err = {0};
    clshard_mesh *mesh = mesh_of(axes);
    clshard_sharding *sharding = NULL;
    cr_assert_eq(clshard_sharding_parse(mesh, spec, options, &sharding, &err), CLSHARD_OK,
                 "%s on %s: %s", spec, axes, err.message);
    clshard_mesh_release(mesh);
    return sharding;
}

static clshard_layout *layout_of(const char *axes, const char *spec,
                                 const clshard_sharding_options *options, clshard_shape shape)
{
    clshard_error err = {0};
    clshard_sharding *sharding = sharding_of(axes, spec, options);
    clshard_layout *layout = NULL;
    cr_assert_eq(clshard_layout_create(sharding, shape, &layout, &err), CLSHARD_OK, "%s",
                 err.message);
    clshard_sharding_release(sharding);
    return layout;
}

static clshard_shape shape_of(const char *text)
{
    clshard_shape shape;
    cr_assert_eq(clshard_shape_parse(text, &shape, NULL), CLSHARD_OK, "%s", text);
    return shape;
}

/* ---- what JAX computed ---- */

/* Sharding and layout of a row's mesh, spec and shape; the status of the first call that fails. */
static clshard_status layout_of_row(const char *const *field, clshard_layout **out_layout)
{
    clshard_mesh *mesh = mesh_of(field[0]);
    clshard_sharding *sharding = NULL;
    clshard_status status = clshard_sharding_parse(mesh, field[2], NULL, &sharding, NULL);
    if (status == CLSHARD_OK)
        status = clshard_layout_create(sharding, shape_of(field[1]), out_layout, NULL);
    clshard_mesh_release(mesh);
    clshard_sharding_release(sharding);
    return status;
}

/* "0:4,2:6;..." and "0,1,..." of all positions. */
static void print_parts(const clshard_layout *layout, char *ranges, char *replicas)
{
    const size_t positions =
        clshard_mesh_position_count(clshard_sharding_mesh(clshard_layout_sharding(layout)));

    for (size_t position = 0; position < positions; position++) {
        const clshard_part part = clshard_layout_part(layout, position);
        ranges += sprintf(ranges, "%s", position == 0 ? "" : ";");
        for (size_t d = 0; d < part.box.rank; d++)
            ranges += sprintf(ranges, "%s%zu:%zu", d == 0 ? "" : ",", part.box.offset[d],
                              part.box.offset[d] + part.box.extent[d]);
        replicas += sprintf(replicas, "%s%zu", position == 0 ? "" : ",", part.replica);
    }
}

Test(layout, parts_are_those_of_jax)
{
    enum { TEXT_BYTES = 1 << 16 };
    tsv table = tsv_read("golden/layouts.tsv");
    char *ranges = malloc(TEXT_BYTES);
    char *replicas = malloc(TEXT_BYTES);

    for (size_t i = 0; i < table.row_count; i++) {
        const char *const *field = table.row[i].field;
        const size_t line = table.row[i].line;
        clshard_layout *layout = NULL;
        const clshard_status status = layout_of_row(field, &layout);
        char shape[64];

        cr_assert_str_eq(clshard_status_name(status), field[3], "line %zu", line);
        if (status != CLSHARD_OK)
            continue;
        (void)clshard_shape_format(clshard_layout_shard_shape(layout), shape, sizeof shape);
        cr_assert_str_eq(shape, field[4], "line %zu", line);
        print_parts(layout, ranges, replicas);
        cr_assert_str_eq(ranges, field[5], "line %zu", line);
        cr_assert_str_eq(replicas, field[6], "line %zu", line);
        clshard_layout_release(layout);
    }
    free(ranges);
    free(replicas);
    tsv_free(&table);
}

Test(sharding, equivalence_is_that_of_jax)
{
    tsv table = tsv_read("golden/equivalence.tsv");

    for (size_t i = 0; i < table.row_count; i++) {
        const char *const *field = table.row[i].field;
        const size_t rank = (size_t)strtoul(field[1], NULL, 10);
        clshard_sharding *a = sharding_of(field[0], field[2], NULL);
        clshard_sharding *b = sharding_of(field[0], field[3], NULL);
        const bool wanted = field[4][0] == '1';

        cr_assert_eq(clshard_sharding_equivalent(a, b, rank), wanted, "line %zu",
                     table.row[i].line);
        cr_assert_eq(clshard_sharding_equivalent(b, a, rank), wanted, "line %zu",
                     table.row[i].line);
        cr_assert(clshard_sharding_equivalent(a, a, rank));
        cr_assert_eq(clshard_sharding_fully_replicated(a), field[5][0] == '1', "line %zu",
                     table.row[i].line);
        clshard_sharding_release(a);
        clshard_sharding_release(b);
    }
    tsv_free(&table);
}

/* ---- properties ---- */

/* Three axes, used by the spec in any way. */
static clshard_layout *random_layout(random_source *source, clshard_policy policy)
{
    static const char *const specs[] = {"a,b,c", "c+a,b", "b,_,a", "_,a+b+c", "c", ""};
    char axes[64];
    clshard_shape shape = {3, {0}};

    (void)snprintf(axes, sizeof axes, "a=%zu,b=%zu,c=%zu", uniform_between(source, 1, 4),
                   uniform_between(source, 1, 3), uniform_between(source, 1, 3));
    for (size_t d = 0; d < shape.rank; d++)
        shape.extent[d] = uniform(source, 30);
    return layout_of(axes, specs[uniform(source, sizeof specs / sizeof specs[0])],
                     CLSHARD_WITH(clshard_sharding_options, .uneven = policy), shape);
}

static size_t elements_of(const size_t *extent, size_t rank)
{
    size_t elements = 1;
    for (size_t d = 0; d < rank; d++)
        elements *= extent[d];
    return elements;
}

/* Marks the valid elements of the first replicas: none may be marked twice. */
static size_t count_covered(const clshard_layout *layout, size_t positions)
{
    const clshard_shape shape = clshard_layout_shape(layout);
    bool *covered = calloc(elements_of(shape.extent, shape.rank) + 1, sizeof *covered);
    size_t count = 0;

    for (size_t position = 0; position < positions; position++) {
        const clshard_part part = clshard_layout_part(layout, position);
        const size_t elements = elements_of(part.valid.extent, part.valid.rank);
        for (size_t i = 0; part.replica == 0 && i < elements; i++) {
            size_t left = i;
            size_t place = 0;
            size_t stride = 1;
            for (size_t d = shape.rank; d-- > 0; stride *= shape.extent[d]) {
                place += (part.valid.offset[d] + left % part.valid.extent[d]) * stride;
                left /= part.valid.extent[d];
            }
            cr_assert_not(covered[place]);
            covered[place] = true;
            count++;
        }
    }
    free(covered);
    return count;
}

Test(layout, first_replicas_cover_each_element_once)
{
    static const clshard_policy policies[] = {CLSHARD_BALANCED, CLSHARD_CEIL, CLSHARD_PAD};
    random_source source = {21};

    for (int round = 0; round < 300; round++) {
        clshard_layout *layout = random_layout(&source, policies[uniform(&source, 3)]);
        const clshard_shape shape = clshard_layout_shape(layout);
        const size_t positions =
            clshard_mesh_position_count(clshard_sharding_mesh(clshard_layout_sharding(layout)));

        cr_assert_eq(count_covered(layout, positions), elements_of(shape.extent, shape.rank));
        clshard_layout_release(layout);
    }
}

Test(layout, replica_numbers_stay_below_their_count)
{
    random_source source = {22};

    for (int round = 0; round < 300; round++) {
        clshard_layout *layout = random_layout(&source, CLSHARD_BALANCED);
        const size_t count = clshard_layout_replica_count(layout);
        size_t first = 0;
        size_t positions = 0;

        for (clshard_part part; (part = clshard_layout_part(layout, positions)).replica != SIZE_MAX;
             positions++) {
            cr_assert_lt(part.replica, count);
            first += part.replica == 0;
        }
        cr_assert_eq(first * count, positions);
        clshard_layout_release(layout);
    }
}

/* ---- uneven splits ---- */

Test(layout, weights_and_sizes_reach_the_geometry)
{
    const uint32_t weights[] = {3, 1, 1, 1};
    const size_t sizes[] = {5, 1, 0, 2};
    const clshard_split weighted = {
        .axis = "d", .policy = CLSHARD_WEIGHTED, .weights = weights, .count = 4, .granule = 2};
    const clshard_split sized = {.axis = "d", .policy = CLSHARD_SIZES, .sizes = sizes, .count = 4};
    clshard_layout *layout = layout_of(
        "d=4", "d", CLSHARD_WITH(clshard_sharding_options, .splits = &weighted, .split_count = 1),
        CLSHARD_SHAPE(24));

    cr_assert_eq(clshard_layout_part(layout, 0).box.extent[0], 12);
    cr_assert_eq(clshard_layout_part(layout, 3).box.offset[0], 20);
    cr_assert_eq(clshard_layout_shard_shape(layout).extent[0], 12);
    clshard_layout_release(layout);
    layout = layout_of("d=4", "d",
                       CLSHARD_WITH(clshard_sharding_options, .splits = &sized, .split_count = 1),
                       CLSHARD_SHAPE(8));
    cr_assert_eq(clshard_layout_part(layout, 2).box.extent[0], 0);
    cr_assert_eq(clshard_layout_part(layout, 3).box.offset[0], 6);
    clshard_layout_release(layout);
}

Test(layout, padding_is_stored_but_not_valid)
{
    clshard_layout *layout =
        layout_of("d=4", "d", CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_PAD),
                  CLSHARD_SHAPE(10));
    const clshard_part last = clshard_layout_part(layout, 3);

    cr_assert_eq(last.box.offset[0], 9);
    cr_assert_eq(last.box.extent[0], 3);
    cr_assert_eq(last.valid.extent[0], 1);
    clshard_layout_release(layout);
}

/* ---- equality ---- */

Test(sharding, equality_is_of_mesh_spec_and_splits)
{
    static const struct {
        const char *axes, *spec;
        clshard_policy uneven;
    } all[] = {
        {"a=2,b=2", "a,b", CLSHARD_EVEN}, {"a=2,b=2", "b,a", CLSHARD_EVEN},
        {"a=2,b=2", "a", CLSHARD_EVEN},   {"a=2,b=2", "a,_", CLSHARD_EVEN},
        {"a=2,b=2", "a", CLSHARD_PAD},    {"a=2,b=4", "a", CLSHARD_EVEN},
    };
    enum { COUNT = sizeof all / sizeof all[0] };
    clshard_sharding *made[COUNT];

    for (size_t i = 0; i < COUNT; i++)
        made[i] = sharding_of(all[i].axes, all[i].spec,
                              CLSHARD_WITH(clshard_sharding_options, .uneven = all[i].uneven));
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++)
            cr_assert_eq(clshard_sharding_equal(made[i], made[j]), i == j, "%zu and %zu", i, j);
    for (size_t i = 0; i < COUNT; i++) {
        clshard_sharding *twin =
            sharding_of(all[i].axes, all[i].spec,
                        CLSHARD_WITH(clshard_sharding_options, .uneven = all[i].uneven));
        cr_assert(clshard_sharding_equal(made[i], twin));
        clshard_sharding_release(twin);
        clshard_sharding_release(made[i]);
    }
}

Test(sharding, equivalence_looks_past_the_axes_but_not_the_positions)
{
    clshard_sharding *one = sharding_of("d=4", "d", NULL);
    clshard_sharding *two = sharding_of("x=2,y=2", "x+y", NULL);
    clshard_sharding *turned = sharding_of("x=2,y=2", "y+x", NULL);
    clshard_sharding *whole = sharding_of("d=4", "", NULL);
    clshard_sharding *larger = sharding_of("d=8", "", NULL);

    cr_assert(clshard_sharding_equivalent(one, two, 1));
    cr_assert_not(clshard_sharding_equal(one, two));
    cr_assert_not(clshard_sharding_equivalent(one, turned, 1));
    cr_assert_not(clshard_sharding_equivalent(one, whole, 1));
    cr_assert_not(clshard_sharding_equivalent(whole, larger, 1));
    cr_assert(clshard_sharding_fully_replicated(larger));
    cr_assert_not(clshard_sharding_fully_replicated(two));
    clshard_sharding_release(one);
    clshard_sharding_release(two);
    clshard_sharding_release(turned);
    clshard_sharding_release(whole);
    clshard_sharding_release(larger);
}

Test(layout, equality_is_of_shape_and_sharding_equivalence_of_parts)
{
    clshard_layout *base = layout_of("x=2,y=2", "x+y", NULL, CLSHARD_SHAPE(8, 3));
    clshard_layout *twin = layout_of("x=2,y=2", "x+y", NULL, CLSHARD_SHAPE(8, 3));
    clshard_layout *flat = layout_of("d=4", "d", NULL, CLSHARD_SHAPE(8, 3));
    clshard_layout *ceiled =
        layout_of("d=4", "d", CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_CEIL),
                  CLSHARD_SHAPE(8, 3));
    clshard_layout *longer = layout_of("x=2,y=2", "x+y", NULL, CLSHARD_SHAPE(8, 4));
    clshard_layout *empty = layout_of("d=4", "d", NULL, CLSHARD_SHAPE(0));

    cr_assert(clshard_layout_equal(base, base) && clshard_layout_equal(base, twin));
    cr_assert_not(clshard_layout_equal(base, flat));
    cr_assert_not(clshard_layout_equal(base, longer));
    cr_assert(clshard_layout_equivalent(base, flat));
    cr_assert(clshard_layout_equivalent(flat, ceiled));
    cr_assert_not(clshard_layout_equal(flat, ceiled));
    cr_assert_not(clshard_layout_equivalent(base, longer));
    cr_assert_not(clshard_layout_fully_replicated(base));
    cr_assert(clshard_layout_fully_replicated(empty));
    clshard_layout_release(base);
    clshard_layout_release(twin);
    clshard_layout_release(flat);
    clshard_layout_release(ceiled);
    clshard_layout_release(longer);
    clshard_layout_release(empty);
}

/* ---- size ---- */

/* Tables of 2^40 entries fit in no memory that this test can have. */
Test(layout, closed_forms_take_no_memory_per_position)
{
    static const clshard_policy policies[] = {CLSHARD_EVEN, CLSHARD_BALANCED, CLSHARD_CEIL,
                                              CLSHARD_PAD, CLSHARD_DROP};
    const size_t rows = (size_t)1 << 42;

    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        clshard_layout *layout = layout_of(
            "a=1048576,b=1048576", "a+b",
            CLSHARD_WITH(clshard_sharding_options, .uneven = policies[i]), CLSHARD_SHAPE(rows));
        const clshard_part part = clshard_layout_part(layout, ((size_t)1 << 40) - 1);

        cr_assert_eq(part.box.offset[0], rows - 4);
        cr_assert_eq(part.box.extent[0], 4);
        cr_assert_eq(part.replica, 0);
        cr_assert_eq(clshard_layout_part(layout, (size_t)1 << 40).replica, SIZE_MAX);
        cr_assert(clshard_layout_equivalent(layout, layout));
        clshard_layout_release(layout);
    }
}

Test(layout, a_million_positions_answer)
{
    clshard_layout *layout =
        layout_of("data=1024,model=1024", "data,model",
                  CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_BALANCED),
                  CLSHARD_SHAPE(1025, 4096));
    size_t first_column = 0;

    for (size_t position = 0; position < (size_t)1 << 20; position++) {
        const clshard_part part = clshard_layout_part(layout, position);
        cr_assert_eq(part.box.offset[1], position % 1024 * 4);
        first_column += position % 1024 == 0 ? part.box.extent[0] : 0;
    }
    cr_assert_eq(first_column, 1025);
    clshard_layout_release(layout);
}

/* ---- refusals ---- */

Test(sharding, specs_that_do_not_fit_the_mesh_are_refused)
{
    static const struct {
        const char *spec;
        clshard_status status;
        const char *word;
    } cases[] = {
        {"data,data", CLSHARD_ERR_DUPLICATE_AXIS, "'data'"},
        {"data+data", CLSHARD_ERR_DUPLICATE_AXIS, "'data'"},
        {"data,modle", CLSHARD_ERR_UNKNOWN_AXIS, "'modle'"},
        {"modle", CLSHARD_ERR_UNKNOWN_AXIS, "data=4,model=2"},
        {"data,", CLSHARD_ERR_TEXT, ">>>"},
        {"_,_,_,_,_,_,_,_,_", CLSHARD_ERR_RANK, "8"},
    };
    clshard_mesh *mesh = mesh_of("data=4,model=2");

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clshard_sharding *sharding = NULL;
        clshard_error err = {0};
        refusal(clshard_sharding_parse(mesh, cases[i].spec, NULL, &sharding, &err), cases[i].status,
                &err, cases[i].word);
        cr_assert_eq(sharding, NULL);
    }
    clshard_mesh_release(mesh);
}

/* Splits under a spec that leaves axis d unused. */
static void refuse_splits(const clshard_split *splits, size_t count, clshard_status status,
                          const char *word)
{
    clshard_mesh *mesh = mesh_of("a=2,b=2,c=2,d=2");
    clshard_sharding *sharding = NULL;
    clshard_error err = {0};

    refusal(clshard_sharding_parse(
                mesh, "a+b+c",
                CLSHARD_WITH(clshard_sharding_options, .splits = splits, .split_count = count),
                &sharding, &err),
            status, &err, word);
    cr_assert_eq(sharding, NULL);
    clshard_mesh_release(mesh);
}

Test(sharding, splits_that_fit_nothing_are_refused)
{
    const uint32_t large[] = {UINT32_MAX, UINT32_MAX};
    const uint32_t zeros[] = {0, 0};
    const size_t sizes[] = {1, 2};
    const clshard_split short_weights = {
        .axis = "a", .policy = CLSHARD_WEIGHTED, .weights = large, .count = 1};
    const clshard_split no_weight = {
        .axis = "a", .policy = CLSHARD_WEIGHTED, .weights = zeros, .count = 2};
    const clshard_split short_sizes = {
        .axis = "a", .policy = CLSHARD_SIZES, .sizes = sizes, .count = 2};
    const clshard_split unused = {.axis = "d", .policy = CLSHARD_PAD};
    const clshard_split unknown = {.axis = "e", .policy = CLSHARD_PAD};
    const clshard_split two_policies[] = {{.axis = "a", .policy = CLSHARD_PAD},
                                          {.axis = "b", .policy = CLSHARD_CEIL}};
    const clshard_split products[] = {
        {.axis = "a", .policy = CLSHARD_WEIGHTED, .weights = large, .count = 2},
        {.axis = "b", .policy = CLSHARD_WEIGHTED, .weights = large, .count = 2},
        {.axis = "c", .policy = CLSHARD_WEIGHTED, .weights = large, .count = 2}};

    refuse_splits(&short_weights, 1, CLSHARD_ERR_SPLIT, "'a'");
    refuse_splits(&no_weight, 1, CLSHARD_ERR_SPLIT, "'a'");
    refuse_splits(&short_sizes, 1, CLSHARD_ERR_SPLIT, "'a'");
    refuse_splits(&unused, 1, CLSHARD_ERR_SPLIT, "'d'");
    refuse_splits(&unknown, 1, CLSHARD_ERR_UNKNOWN_AXIS, "'e'");
    refuse_splits(two_policies, 2, CLSHARD_ERR_SPLIT, "policies");
    refuse_splits(products, 3, CLSHARD_ERR_OVERFLOW, "64 bits");
    refuse_splits(NULL, 1, CLSHARD_ERR_ARGUMENT, "splits");
}

Test(sharding, values_and_options_that_no_call_accepts_are_refused)
{
    clshard_mesh *mesh = mesh_of("data=4");
    clshard_sharding *sharding = NULL;
    clshard_error err = {0};
    clshard_spec spec = {.rank = 9};

    refusal(clshard_sharding_create(mesh, &spec, NULL, &sharding, &err), CLSHARD_ERR_ARGUMENT, &err,
            "rank");
    spec.rank = 1;
    memset(spec.entry[0].axis[0], 'x', sizeof spec.entry[0].axis[0]);
    refusal(clshard_sharding_create(mesh, &spec, NULL, &sharding, &err), CLSHARD_ERR_ARGUMENT, &err,
            "spec");
    refusal(clshard_sharding_parse(
                mesh, "data", CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_WEIGHTED),
                &sharding, &err),
            CLSHARD_ERR_ARGUMENT, &err, "uneven");
    refusal(clshard_sharding_parse(mesh, "data", &(clshard_sharding_options){0}, &sharding, &err),
            CLSHARD_ERR_ARGUMENT, &err, "clshard_sharding_options");
    cr_assert_eq(sharding, NULL);
    clshard_mesh_release(mesh);
}

Test(sharding, null_arguments_are_named)
{
    const clshard_spec spec = {0};
    clshard_mesh *mesh = mesh_of("data=4");
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    clshard_error err = {0};

    refusal(clshard_sharding_create(NULL, &spec, NULL, &sharding, &err), CLSHARD_ERR_ARGUMENT, &err,
            "mesh");
    refusal(clshard_sharding_create(mesh, NULL, NULL, &sharding, &err), CLSHARD_ERR_ARGUMENT, &err,
            "spec");
    refusal(clshard_sharding_create(mesh, &spec, NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "out_sharding");
    refusal(clshard_sharding_parse(NULL, "", NULL, &sharding, &err), CLSHARD_ERR_ARGUMENT, &err,
            "mesh");
    refusal(clshard_sharding_parse(mesh, NULL, NULL, &sharding, &err), CLSHARD_ERR_ARGUMENT, &err,
            "spec");
    refusal(clshard_sharding_parse(mesh, "", NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "out_sharding");
    refusal(clshard_layout_create(NULL, CLSHARD_SHAPE(4), &layout, &err), CLSHARD_ERR_ARGUMENT,
            &err, "sharding");
    cr_assert_eq(clshard_sharding_create(mesh, &spec, NULL, &sharding, NULL), CLSHARD_OK);
    refusal(clshard_layout_create(sharding, CLSHARD_SHAPE(4), NULL, &err), CLSHARD_ERR_ARGUMENT,
            &err, "out_layout");
    cr_assert_eq(layout, NULL);
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
}

static void refuse_shape(const clshard_sharding *sharding, clshard_shape shape,
                         clshard_status status, const char *word)
{
    clshard_layout *layout = NULL;
    clshard_error err = {0};
    refusal(clshard_layout_create(sharding, shape, &layout, &err), status, &err, word);
    cr_assert_eq(layout, NULL);
}

Test(layout, shapes_that_do_not_fit_are_refused)
{
    const size_t sizes[] = {5, 1, 1, 1};
    const clshard_split split = {.axis = "d", .policy = CLSHARD_SIZES, .sizes = sizes, .count = 4};
    clshard_sharding *even = sharding_of("d=4", "d,_", NULL);
    clshard_sharding *sized = sharding_of(
        "d=4", "d", CLSHARD_WITH(clshard_sharding_options, .splits = &split, .split_count = 1));
    const clshard_shape scalar = {0};
    const clshard_shape too_deep = {9, {4, 4, 4, 4, 4, 4, 4, 4}};

    refuse_shape(even, scalar, CLSHARD_ERR_RANK, "rank 0");
    refuse_shape(even, CLSHARD_SHAPE(4), CLSHARD_ERR_RANK, "rank 1");
    refuse_shape(even, too_deep, CLSHARD_ERR_RANK, "9");
    refuse_shape(even, CLSHARD_SHAPE(6, 2), CLSHARD_ERR_INDIVISIBLE, "balanced");
    refuse_shape(even, CLSHARD_SHAPE(6, 2), CLSHARD_ERR_INDIVISIBLE, "d=4");
    refuse_shape(even, CLSHARD_SHAPE((size_t)1 << 40, (size_t)1 << 40), CLSHARD_ERR_OVERFLOW,
                 "64 bits");
    refuse_shape(sized, CLSHARD_SHAPE(9), CLSHARD_ERR_SPLIT, "9");
    clshard_sharding_release(even);
    clshard_sharding_release(sized);
}

/* ---- lifetimes ---- */

Test(layout, keeps_alive_what_it_was_made_from)
{
    clshard_layout *layout = layout_of("data=4,model=2", "data,model", NULL, CLSHARD_SHAPE(8, 8));
    const clshard_sharding *sharding = clshard_layout_sharding(layout);
    char text[64];

    (void)clshard_mesh_format(clshard_sharding_mesh(sharding), text, sizeof text);
    cr_assert_str_eq(text, "data=4,model=2");
    (void)clshard_spec_format(clshard_sharding_spec(sharding), text, sizeof text);
    cr_assert_str_eq(text, "data,model");
    clshard_layout_release(layout);
}

Test(sharding, splits_are_copied)
{
    size_t sizes[] = {3, 1};
    char axis[] = "d";
    clshard_split split = {.axis = axis, .policy = CLSHARD_SIZES, .sizes = sizes, .count = 2};
    clshard_sharding *sharding = sharding_of(
        "d=2", "d", CLSHARD_WITH(clshard_sharding_options, .splits = &split, .split_count = 1));
    clshard_layout *layout = NULL;

    sizes[0] = 1;
    axis[0] = 'x';
    split.count = 0;
    cr_assert_eq(clshard_layout_create(sharding, CLSHARD_SHAPE(4), &layout, NULL), CLSHARD_OK);
    cr_assert_eq(clshard_layout_part(layout, 1).box.offset[0], 3);
    clshard_layout_release(layout);
    clshard_sharding_release(sharding);
}

Test(sharding, queries_answer_null_with_nothing)
{
    clshard_sharding *sharding = sharding_of("d=2", "d", NULL);

    clshard_sharding_release(NULL);
    cr_assert_eq(clshard_sharding_mesh(NULL), NULL);
    cr_assert_eq(clshard_sharding_spec(NULL), NULL);
    cr_assert_not(clshard_sharding_equal(NULL, NULL));
    cr_assert_not(clshard_sharding_equal(sharding, NULL));
    cr_assert_not(clshard_sharding_equivalent(NULL, sharding, 1));
    cr_assert_not(clshard_sharding_fully_replicated(NULL));
    clshard_sharding_release(sharding);
}

Test(layout, queries_answer_null_with_nothing)
{
    clshard_layout *layout = layout_of("d=2", "d", NULL, CLSHARD_SHAPE(4));

    clshard_layout_release(NULL);
    cr_assert_eq(clshard_layout_sharding(NULL), NULL);
    cr_assert_eq(clshard_layout_shape(NULL).rank, 0);
    cr_assert_eq(clshard_layout_shard_shape(NULL).rank, 0);
    cr_assert_eq(clshard_layout_part(NULL, 0).replica, SIZE_MAX);
    cr_assert_eq(clshard_layout_replica_count(NULL), 0);
    cr_assert_not(clshard_layout_equal(NULL, NULL));
    cr_assert_not(clshard_layout_equivalent(layout, NULL));
    cr_assert_not(clshard_layout_fully_replicated(NULL));
    clshard_layout_release(layout);
}
