/* SPDX-License-Identifier: Apache-2.0 */
/* Every row that JAX computed about layouts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/plan.h"
#include "support/tsv.h"

static void check_parts(const clshard__geometry *geometry, const struct tsv_row *row,
                        size_t positions, const char *ranges_text, const char *replicas_text)
{
    char *ranges = strdup(ranges_text);
    char *replicas = strdup(replicas_text);
    char *ranges_left = ranges;
    char *replicas_left = replicas;
    char text[512];

    for (size_t p = 0; p < positions; p++) {
        const clshard_part part = clshard__geometry_part(geometry, p);
        cr_assert_str_eq(print_ranges(&part.box, text), tsv_entry(&ranges_left, ';'),
                         "line %zu, position %zu", row->line, p);
        cr_assert_str_eq(print_ranges(&part.valid, text), text, "line %zu, position %zu", row->line,
                         p);
        cr_assert_eq(part.replica, tsv_number(tsv_entry(&replicas_left, ',')),
                     "line %zu, position %zu", row->line, p);
    }
    cr_assert(ranges_left == NULL && replicas_left == NULL, "line %zu: more rows than positions",
              row->line);
    free(ranges);
    free(replicas);
}

/* status, shard shape, ranges and replica numbers of one row. */
static void check_layout(const struct tsv_row *row, const char *mesh, const char *shape,
                         const char *spec, const char *const expected[4])
{
    const size_t positions = axes_of(mesh).positions;
    clshard__geometry *geometry = NULL;
    clshard_error err;
    char text[256];
    const clshard_status status = try_geometry(mesh, spec, shape, CLSHARD_EVEN, &geometry, &err);

    cr_assert_str_eq(clshard_status_name(status), expected[0], "line %zu", row->line);
    cr_assert_eq(geometry == NULL, status != CLSHARD_OK);
    if (geometry == NULL)
        return;
    (void)clshard_shape_format(clshard__geometry_shard_shape(geometry), text, sizeof text);
    cr_assert_str_eq(text, expected[1], "line %zu", row->line);
    check_parts(geometry, row, positions, expected[2], expected[3]);
    clshard__geometry_release(geometry);
}

Test(golden, layouts_are_those_of_jax)
{
    tsv table = tsv_read("golden/layouts.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        const char *const *field = row->field;
        check_layout(row, field[0], field[1], field[2], &field[3]);
    }
    tsv_free(&table);
}

Test(golden, equivalence_is_that_of_jax)
{
    tsv table = tsv_read("golden/equivalence.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        clshard__tiling *a = tiling_of(row->field[0], row->field[2], CLSHARD_EVEN);
        clshard__tiling *b = tiling_of(row->field[0], row->field[3], CLSHARD_EVEN);
        const size_t rank = tsv_number(row->field[1]);
        cr_assert_eq(clshard__tiling_equivalent(a, b, rank), tsv_number(row->field[4]) != 0,
                     "line %zu", row->line);
        cr_assert_eq(clshard__tiling_equivalent(b, a, rank), tsv_number(row->field[4]) != 0,
                     "line %zu", row->line);
        cr_assert_eq(clshard__tiling_fully_replicated(a), tsv_number(row->field[5]) != 0,
                     "line %zu", row->line);
        clshard__tiling_release(a);
        clshard__tiling_release(b);
    }
    tsv_free(&table);
}

/* The spec that datarax's fsdp rules give names such as "embed,_". */
static clshard_spec fsdp_spec(const char *names_text, clshard_lookup lookup)
{
    const char *names[CLSHARD_RANK_MAX];
    char *list = strdup(names_text);
    char *left = list;
    clshard_rules rules;
    clshard_spec spec;
    clshard_error err;
    size_t count = 0;

    while (left != NULL)
        names[count++] = tsv_entry(&left, ',');
    cr_assert_eq(clshard_rules_fsdp(NULL, NULL, &rules, &err), CLSHARD_OK, "%s", err.message);
    cr_assert_eq(clshard_spec_for_names(&rules, lookup, names, count, &spec, &err), CLSHARD_OK,
                 "%s", err.message);
    free(list);
    return spec;
}

static clshard_lookup lookup_of(const char *text)
{
    for (int i = 0; clshard_lookup_name((clshard_lookup)i) != NULL; i++)
        if (strcmp(clshard_lookup_name((clshard_lookup)i), text) == 0)
            return (clshard_lookup)i;
    cr_assert(false, "'%s' is no lookup", text);
    return CLSHARD_LOOKUP_EXACT;
}

Test(golden, fsdp_of_an_mlp_is_that_of_jax)
{
    tsv table = tsv_read("acceptance/04_fsdp_mlp.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        const char *const *field = row->field;
        const clshard_spec spec = fsdp_spec(field[4], lookup_of(field[1]));
        const char *const expected[] = {field[5], field[7], field[9], field[10]};
        char text[256];
        (void)clshard_spec_format(&spec, text, sizeof text);
        cr_assert_str_eq(text, field[6], "line %zu", row->line);
        check_layout(row, field[0], field[3], text, expected);
    }
    tsv_free(&table);
}

static size_t bytes_of(clshard_shape shape)
{
    size_t bytes = 4;
    for (size_t d = 0; d < shape.rank; d++)
        bytes *= shape.extent[d];
    return bytes;
}

typedef struct totals {
    size_t placed, per_device, replicated;
} totals;

/* Adds what a tensor takes, unless it cannot be placed or is no weight. */
static void add_tensor(const struct tsv_row *row, totals *sum)
{
    const char *const *field = row->field;
    const clshard_spec spec = fsdp_spec(field[4], lookup_of(field[1]));
    clshard__geometry *geometry = NULL;
    char text[256];
    size_t bytes;

    (void)clshard_spec_format(&spec, text, sizeof text);
    if (try_geometry(field[0], text, field[3], CLSHARD_EVEN, &geometry, NULL) != CLSHARD_OK)
        return;
    bytes = bytes_of(clshard__geometry_shard_shape(geometry));
    clshard__geometry_release(geometry);
    cr_assert_eq(bytes, tsv_number(field[8]), "line %zu", row->line);
    if (strcmp(field[2], "batch/x") == 0)
        return;
    sum->placed++;
    sum->per_device += bytes;
    sum->replicated += bytes_of(shape_of(field[3]));
}

Test(golden, fsdp_of_an_mlp_takes_the_bytes_that_jax_takes)
{
    tsv tensors = tsv_read("acceptance/04_fsdp_mlp.tsv");
    tsv table = tsv_read("acceptance/04_fsdp_mlp_bytes.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        totals sum = {0, 0, 0};
        for (size_t t = 0; t < tensors.row_count; t++)
            if (strcmp(tensors.row[t].field[0], row->field[0]) == 0 &&
                strcmp(tensors.row[t].field[1], row->field[1]) == 0)
                add_tensor(&tensors.row[t], &sum);
        cr_assert_eq(sum.placed, tsv_number(row->field[2]), "line %zu", row->line);
        cr_assert_eq(sum.per_device, tsv_number(row->field[3]), "line %zu", row->line);
        cr_assert_eq(sum.replicated, tsv_number(row->field[4]), "line %zu", row->line);
    }
    tsv_free(&tensors);
    tsv_free(&table);
}

/* Every row of the plan that datarax's documentation shows. */
static void check_plan(const char *spec)
{
    const clshard__axes axes = axes_of("data=4,model=2");
    tsv table = tsv_read("acceptance/04_plan.tsv");
    clshard__geometry *geometry = NULL;
    char text[512];

    cr_assert_eq(try_geometry("data=4,model=2", spec, "256x1024", CLSHARD_EVEN, &geometry, NULL),
                 CLSHARD_OK);
    cr_assert_eq(table.row_count, axes.positions);
    for (size_t p = 0; p < table.row_count; p++) {
        const char *const *field = table.row[p].field;
        const clshard_part part = clshard__geometry_part(geometry, p);
        clshard_shape valid = {part.valid.rank, {0}};
        memcpy(valid.extent, part.valid.extent, sizeof valid.extent);
        cr_assert_eq(tsv_number(field[0]), p);
        (void)snprintf(text, sizeof text, "%zu,%zu", clshard__axes_coordinate(&axes, 0, p),
                       clshard__axes_coordinate(&axes, 1, p));
        cr_assert_str_eq(text, field[1]);
        cr_assert_str_eq(print_ranges(&part.box, text), field[2]);
        cr_assert_eq(part.replica, tsv_number(field[3]));
        (void)clshard_shape_format(valid, text, sizeof text);
        cr_assert_str_eq(text, field[4]);
    }
    clshard__geometry_release(geometry);
    tsv_free(&table);
}

Test(golden, the_plan_of_the_documentation_comes_from_a_spec_and_from_rules)
{
    const clshard_spec spec = fsdp_spec("data,embed", CLSHARD_LOOKUP_EXACT);
    char text[64];
    (void)clshard_spec_format(&spec, text, sizeof text);
    cr_assert_str_eq(text, "data,model");
    check_plan("data,model");
    check_plan(text);
}
