/* SPDX-License-Identifier: Apache-2.0 */
/* Every row that Grain, datarax and exact integers computed about shares and uneven splits. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/plan.h"
#include "support/tsv.h"

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

Test(golden_split, shares_are_those_of_grain)
{
    tsv table = tsv_read("golden/splits.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        const clshard_range range =
            contiguous(tsv_number(row->field[0]), tsv_number(row->field[2]),
                       tsv_number(row->field[1]), tsv_number(row->field[3]) != 0);
        cr_assert_eq(range.start, tsv_number(row->field[4]), "line %zu", row->line);
        cr_assert_eq(range.start + range.count, tsv_number(row->field[5]), "line %zu", row->line);
    }
    tsv_free(&table);
}

Test(golden_split, process_bounds_are_those_of_datarax)
{
    tsv table = tsv_read("acceptance/07_bounds.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        const size_t total = tsv_number(row->field[0]);
        const clshard_share share = {tsv_number(row->field[2]), tsv_number(row->field[1])};
        const bool drop = tsv_number(row->field[3]) != 0;
        const clshard_range block = contiguous(total, share.index, share.count, drop);
        clshard_range strided;
        cr_assert_eq(block.start, tsv_number(row->field[4]), "line %zu", row->line);
        cr_assert_eq(block.start + block.count, tsv_number(row->field[5]), "line %zu", row->line);
        cr_assert_eq(clshard_split_strided(total, share, drop ? CLSHARD_DROP : CLSHARD_BALANCED,
                                           &strided, NULL),
                     CLSHARD_OK);
        cr_assert_eq(strided.start, share.index, "line %zu", row->line);
        cr_assert_eq(strided.step, share.count, "line %zu", row->line);
        cr_assert_eq(strided.count, tsv_number(row->field[6]), "line %zu", row->line);
    }
    tsv_free(&table);
}

Test(golden_split, examples_of_four_processes_are_those_of_datarax)
{
    tsv table = tsv_read("acceptance/07_process_102.tsv");
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        const clshard_range held =
            contiguous(102, tsv_number(row->field[0]), 4, tsv_number(row->field[1]) != 0);
        size_t sum = 0;
        for (size_t k = 0; k < held.count; k++)
            sum += held.start + k;
        cr_assert_eq(held.count, tsv_number(row->field[2]), "line %zu", row->line);
        cr_assert_eq(held.start, tsv_number(row->field[3]), "line %zu", row->line);
        cr_assert_eq(held.start + held.count - 1, tsv_number(row->field[4]), "line %zu", row->line);
        cr_assert_eq(sum, tsv_number(row->field[5]), "line %zu", row->line);
    }
    tsv_free(&table);
}

/* The data of a .npy file of version 1, whose header ends at a known place. */
static unsigned char *read_npy(const char *name, size_t bytes)
{
    char path[1024];
    unsigned char head[10];
    unsigned char *data = malloc(bytes);
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/data/%s", CLSHARD_TESTS_DIR, name);
    file = fopen(path, "rb");
    cr_assert(file != NULL && data != NULL, "cannot open %s", path);
    cr_assert(fread(head, 1, sizeof head, file) == sizeof head && head[6] == 1);
    cr_assert(fseek(file, head[8] | head[9] << 8, SEEK_CUR) == 0);
    cr_assert(fread(data, 1, bytes, file) == bytes && fgetc(file) == EOF);
    fclose(file);
    return data;
}

enum { DIGITS = 1797, PIXELS = 64 };

/* The rows that one device of a row holds, of the whole data set. */
static clshard_range device_rows(const struct tsv_row *row)
{
    const bool flat = strcmp(row->field[0], "flat") == 0;
    const bool drop = tsv_number(row->field[1]) != 0;
    const clshard_range process = flat ? (clshard_range){0, 1, DIGITS}
                                       : contiguous(DIGITS, tsv_number(row->field[0]), 4, drop);
    clshard__geometry *geometry = NULL;
    clshard_part part;
    char text[64];

    (void)snprintf(text, sizeof text, "%zu:%zu", process.start, process.start + process.count);
    cr_assert_str_eq(text, row->field[2], "line %zu", row->line);
    (void)snprintf(text, sizeof text, "%zux8x8", process.count);
    cr_assert_eq(
        try_geometry(flat ? "data=8" : "data=2", "data", text, CLSHARD_BALANCED, &geometry, NULL),
        CLSHARD_OK);
    part = clshard__geometry_part(geometry, tsv_number(row->field[3]));
    clshard__geometry_release(geometry);
    return (clshard_range){process.start + part.valid.offset[0], 1, part.valid.extent[0]};
}

Test(golden_split, digits_of_four_processes_with_two_devices_are_those_of_datarax)
{
    tsv table = tsv_read("acceptance/07_process_digits.tsv");
    unsigned char *images = read_npy("digits_images.npy", (size_t)DIGITS * PIXELS);
    unsigned char *labels = read_npy("digits_labels.npy", (size_t)DIGITS * 4);
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        const clshard_range rows = device_rows(row);
        size_t label_sum = 0;
        size_t pixel_sum = 0;
        char text[64];

        (void)snprintf(text, sizeof text, "%zu:%zu", rows.start, rows.start + rows.count);
        cr_assert_str_eq(text, row->field[4], "line %zu", row->line);
        for (size_t r = rows.start; r < rows.start + rows.count; r++) {
            label_sum += labels[r * 4];
            for (size_t p = 0; p < PIXELS; p++)
                pixel_sum += images[r * PIXELS + p];
        }
        cr_assert_eq(label_sum, tsv_number(row->field[5]), "line %zu", row->line);
        cr_assert_eq(pixel_sum, tsv_number(row->field[6]), "line %zu", row->line);
    }
    free(images);
    free(labels);
    tsv_free(&table);
}

/* What a row of the refused inputs comes to here. */
static clshard_status refuse(const char *input)
{
    clshard__geometry *geometry = NULL;
    clshard_range range;
    clshard_share share;

    if (strcmp(input, "rank 0 array") == 0)
        return try_geometry("data=4", "data", "scalar", CLSHARD_DROP, &geometry, NULL);
    cr_assert_eq(sscanf(input, "index %zu of %zu", &share.index, &share.count), 2, "%s", input);
    return clshard_split_contiguous(8, share, CLSHARD_DROP, &range, NULL);
}

Test(golden_split, what_datarax_refuses_is_refused)
{
    tsv table = tsv_read("acceptance/07_refused.tsv");
    size_t inexpressible = 0;
    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        if (row->field[2][0] == '-')
            inexpressible++;
        else
            cr_assert_str_eq(clshard_status_name(refuse(row->field[0])), row->field[2], "line %zu",
                             row->line);
    }
    cr_assert_eq(inexpressible, 3, "a dictionary, a text and index -1 have no counterpart in C");
    tsv_free(&table);
}

/* The splits of one row. */
typedef struct row_splits {
    clshard_split split[2];
    uint32_t weights[2][16];
    size_t sizes[16];
    size_t count;
} row_splits;

static clshard_policy policy_of(const char *text, size_t length)
{
    for (int i = 0; clshard_policy_name((clshard_policy)i) != NULL; i++) {
        const char *name = clshard_policy_name((clshard_policy)i);
        if (strlen(name) == length && strncmp(name, text, length) == 0)
            return (clshard_policy)i;
    }
    cr_assert(false, "'%s' is no policy", text);
    return CLSHARD_EVEN;
}

static void read_numbers(char *list, clshard_split *split, uint32_t *weights, size_t *sizes)
{
    while (list != NULL) {
        const size_t value = tsv_number(tsv_entry(&list, ','));
        weights[split->count] = (uint32_t)value;
        sizes[split->count++] = value;
    }
    split->weights = split->policy == CLSHARD_WEIGHTED ? weights : NULL;
    split->sizes = split->policy == CLSHARD_SIZES ? sizes : NULL;
}

static void read_splits(const struct tsv_row *row, clshard_policy policy, const clshard__axes *axes,
                        row_splits *out)
{
    char *text = strdup(row->field[3]);
    char *left = *text == '\0' ? NULL : text;

    memset(out, 0, sizeof *out);
    while (left != NULL) {
        clshard_split *split = &out->split[out->count];
        split->axis = axes->name[out->count];
        split->policy = policy;
        split->granule = *row->field[4] == '\0' ? 0 : tsv_number(row->field[4]);
        read_numbers(tsv_entry(&left, ';'), split, out->weights[out->count], out->sizes);
        out->count++;
    }
    free(text);
}

/* The mesh and spec of a row: its policy column names them when there are several axes. */
static void read_mesh(const struct tsv_row *row, char mesh[64], char spec[64])
{
    if (sscanf(row->field[0], "%*s %63[^ ] spec %63s", mesh, spec) == 2) {
        mesh[strlen(mesh) - 1] = '\0';
        return;
    }
    (void)snprintf(mesh, 64, "data=%zu", tsv_number(row->field[2]));
    (void)snprintf(spec, 64, "data");
}

static clshard_status row_geometry(const struct tsv_row *row, size_t *out_positions,
                                   clshard__geometry **out_geometry)
{
    const clshard_policy policy = policy_of(row->field[0], strcspn(row->field[0], " "));
    clshard__tiling *tiling = NULL;
    clshard__axes axes;
    clshard_spec parsed;
    row_splits splits;
    char mesh[64];
    char spec[64];
    clshard_status status;

    read_mesh(row, mesh, spec);
    axes = axes_of(mesh);
    parsed = spec_of(spec);
    read_splits(row, policy, &axes, &splits);
    status = clshard__tiling_create(&axes, &parsed, splits.count > 0 ? CLSHARD_EVEN : policy,
                                    splits.split, splits.count, &tiling, NULL);
    if (status == CLSHARD_OK)
        status = clshard__geometry_create(tiling, shape_of(row->field[1]), out_geometry, NULL);
    clshard__tiling_release(tiling);
    *out_positions = axes.positions;
    return status;
}

static void check_uneven(const struct tsv_row *row)
{
    char *stored = strdup(row->field[6]);
    char *valid = strdup(row->field[7]);
    char *stored_left = stored;
    char *valid_left = valid;
    clshard__geometry *geometry = NULL;
    size_t positions;
    size_t at = 0;

    cr_assert_str_eq(clshard_status_name(row_geometry(row, &positions, &geometry)), row->field[5],
                     "line %zu", row->line);
    for (size_t p = 0; geometry != NULL && p < positions; p++) {
        const clshard_part part = clshard__geometry_part(geometry, p);
        cr_assert_eq(part.box.extent[0], tsv_number(tsv_entry(&stored_left, ',')), "line %zu",
                     row->line);
        cr_assert_eq(part.valid.extent[0], tsv_number(tsv_entry(&valid_left, ',')), "line %zu",
                     row->line);
        cr_assert_eq(part.valid.offset[0], at, "line %zu", row->line);
        at += part.valid.extent[0];
    }
    cr_assert(geometry == NULL || (stored_left == NULL && valid_left == NULL), "line %zu",
              row->line);
    clshard__geometry_release(geometry);
    free(stored);
    free(valid);
}

Test(golden_split, uneven_splits_follow_their_rules)
{
    /* Unsigned integers cannot say these; the tool refuses them as text. */
    static const char *const inexpressible[] = {"-1,2", "nan,1", "inf,1"};
    tsv table = tsv_read("acceptance/15_uneven.tsv");
    size_t skipped = 0;

    for (size_t i = 0; i < table.row_count; i++) {
        const struct tsv_row *row = &table.row[i];
        bool skip = false;
        for (size_t k = 0; k < 3; k++)
            skip = skip || strcmp(row->field[3], inexpressible[k]) == 0;
        skipped += skip;
        if (!skip)
            check_uneven(row);
    }
    cr_assert_eq(skipped, 3);
    tsv_free(&table);
}
