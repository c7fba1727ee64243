/* SPDX-License-Identifier: Apache-2.0 */
/* Every row that JAX, Grain and datarax computed about layouts and process shares. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/plan.h"
#include "support/tsv.h"

static size_t number_of(const char *text)
{
    char *end;
    const unsigned long long value = strtoull(text, &end, 10);
    cr_assert(*text != '\0' && *end == '\0', "'%s' is no number", text);
    return (size_t)value;
}

/* Cuts the next entry off a list, which must have one; empty entries count. */
static const char *next_entry(char **list, char separator)
{
    char *entry = *list;
    char *end;

    cr_assert_not_null(entry, "the list is too short");
    end = strchr(entry, separator);
    if (end != NULL)
        *end = '\0';
    *list = end == NULL ? NULL : end + 1;
    return entry;
}

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
        cr_assert_str_eq(print_ranges(&part.box, text), next_entry(&ranges_left, ';'),
                         "line %zu, position %zu", row->line, p);
        cr_assert_str_eq(print_ranges(&part.valid, text), text, "line %zu, position %zu", row->line,
                         p);
        cr_assert_eq(part.replica, number_of(next_entry(&replicas_left, ',')),
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
        const size_t rank = number_of(row->field[1]);
        cr_assert_eq(clshard__tiling_equivalent(a, b, rank), number_of(row->field[4]) != 0,
                     "line %zu", row->line);
        cr_assert_eq(clshard__tiling_equivalent(b, a, rank), number_of(row->field[4]) != 0,
                     "line %zu", row->line);
        cr_assert_eq(clshard__tiling_fully_replicated(a), number_of(row->field[5]) != 0, "line %zu",
                     row->line);
        clshard__tiling_release(a);
        clshard__tiling_release(b);
    }
    tsv_free(&table);
}

static clshard_range contiguous(size_t total, size_t index, size_t count, bool drop)
{
    clshard_range range;
    clshard_error err;
    cr_assert_eq(clshard_split_contiguous(total, (clshard_share){index, count},
                                          drop ? CLSHARD_DROP : CLSHARD_BALANCED, &range, &err),
                 CLSHARD_OK, "%s", err.message);
    cr_assert_eq(range.step, 1);
    return range;
}

static clshard_range strided(size_t total, size_t index, size_t count, bool drop)
{
    clshard_range range;
    clshard_error err;
    cr_assert_eq(clshard_split_strided(total, (clshard_share){index, count},
                                       drop ? CLSHARD_DROP : CLSHARD_BALANCED, &range, &err),
                 CLSHARD_OK, "%s", err.message);
    return range;
}

Test(golden, shares_are_those_of_grain)
{
    tsv table = tsv_read("golden/splits.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        const clshard_range range =
            contiguous(number_of(row->field[0]), number_of(row->field[2]), number_of(row->field[1]),
                       number_of(row->field[3]) != 0);
        cr_assert_eq(range.start, number_of(row->field[4]), "line %zu", row->line);
        cr_assert_eq(range.start + range.count, number_of(row->field[5]), "line %zu", row->line);
    }
    tsv_free(&table);
}

Test(golden, process_bounds_are_those_of_datarax)
{
    tsv table = tsv_read("acceptance/07_bounds.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        const size_t total = number_of(row->field[0]);
        const size_t count = number_of(row->field[1]);
        const size_t index = number_of(row->field[2]);
        const bool drop = number_of(row->field[3]) != 0;
        const clshard_range block = contiguous(total, index, count, drop);
        const clshard_range stride = strided(total, index, count, drop);
        cr_assert_eq(block.start, number_of(row->field[4]), "line %zu", row->line);
        cr_assert_eq(block.start + block.count, number_of(row->field[5]), "line %zu", row->line);
        cr_assert_eq(stride.start, index, "line %zu", row->line);
        cr_assert_eq(stride.step, count, "line %zu", row->line);
        cr_assert_eq(stride.count, number_of(row->field[6]), "line %zu", row->line);
    }
    tsv_free(&table);
}
