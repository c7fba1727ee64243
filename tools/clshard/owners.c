/* SPDX-License-Identifier: Apache-2.0 */
#include "owners.h"

#include <stdio.h>

#include "fail.h"
#include "json_out.h"
#include "table.h"

/* The positions of a process, and the smallest box around what they store. */
typedef struct share {
    size_t first, count;
    clshard_box hull;
    uint64_t bytes; /* stored; 0 without a dtype */
} share;

static bool is_empty(const clshard_box *box)
{
    for (size_t d = 0; d < box->rank; d++)
        if (box->extent[d] == 0)
            return true;
    return false;
}

static void widen(clshard_box *hull, const clshard_box *box)
{
    for (size_t d = 0; d < hull->rank; d++) {
        const size_t end = hull->offset[d] + hull->extent[d];
        const size_t other = box->offset[d] + box->extent[d];
        if (box->offset[d] < hull->offset[d])
            hull->offset[d] = box->offset[d];
        hull->extent[d] = (end > other ? end : other) - hull->offset[d];
    }
}

/* Positions without data do not count for the hull, unless there are no others. */
static clshard_status measure(const plan *made, size_t process, share *out, clshard_error *err)
{
    const size_t count = made->position_count / made->processes;
    share found = {.first = process * count, .count = count};

    found.hull = clshard_layout_part(made->placed.layout, found.first).box;
    for (size_t i = found.first; i < found.first + count; i++) {
        const clshard_box box = clshard_layout_part(made->placed.layout, i).box;
        const uint64_t bytes = made->dtype == CLSHARD_DTYPE_NONE ? 0 : box_bytes(&box, made->dtype);
        if (bytes > UINT64_MAX - found.bytes)
            return fail(err, CLSHARD_ERR_OVERFLOW,
                        "--processes: process %zu stores more than 2^64 bytes", process);
        found.bytes += bytes;
        if (is_empty(&found.hull))
            found.hull = box;
        else if (!is_empty(&box))
            widen(&found.hull, &box);
    }
    *out = found;
    return CLSHARD_OK;
}

static void positions_text(const share *of, char *buffer, size_t bytes)
{
    if (of->count == 1)
        (void)snprintf(buffer, bytes, "%zu", of->first);
    else
        (void)snprintf(buffer, bytes, "%zu-%zu", of->first, of->first + of->count - 1);
}

static clshard_status add_row(const plan *made, table *rows, size_t process, clshard_error *err)
{
    char positions[48];
    char bytes[BYTES_TEXT];
    share of = {0};

    if (measure(made, process, &of, err))
        return err->status;
    positions_text(&of, positions, sizeof positions);
    table_add(rows, "%zu", process);
    table_add(rows, "%s", positions);
    table_add(rows, "%s", of.hull.rank == 0 ? "scalar" : ranges_text(&of.hull).text);
    if (made->dtype != CLSHARD_DTYPE_NONE)
        table_add(rows, "%s", bytes_text(of.bytes, bytes));
    return CLSHARD_OK;
}

clshard_status owners_print_rows(const plan *made, const terminal *screen, clshard_error *err)
{
    const size_t shown = made->processes < PLAN_ROWS_MOST ? made->processes : PLAN_ROWS_MOST;
    const bool has_dtype = made->dtype != CLSHARD_DTYPE_NONE;
    table rows = table_of(3 + (size_t)has_dtype, screen);
    clshard_status status = CLSHARD_OK;

    table_add(&rows, "process");
    table_add(&rows, "positions");
    table_add(&rows, "within");
    if (has_dtype)
        table_add(&rows, "bytes");
    for (size_t i = 0; i < shown && status == CLSHARD_OK; i++)
        status = add_row(made, &rows, i, err);
    if (status == CLSHARD_OK) {
        putchar('\n');
        status = table_print(&rows, screen, "", err);
    }
    table_free(&rows);
    if (status == CLSHARD_OK && shown < made->processes)
        printf("%zu processes are not shown; --tsv and --json show all\n", made->processes - shown);
    return status;
}

clshard_status owners_print_tsv(const plan *made, clshard_error *err)
{
    for (size_t i = 0; i < made->processes; i++) {
        char positions[48];
        share of = {0};
        if (measure(made, i, &of, err))
            return err->status;
        positions_text(&of, positions, sizeof positions);
        printf("%zu\t%s\t%s", i, positions, ranges_text(&of.hull).text);
        if (made->dtype != CLSHARD_DTYPE_NONE)
            printf("\t%llu", (unsigned long long)of.bytes);
        putchar('\n');
    }
    return CLSHARD_OK;
}

static json_t *json_share(const plan *made, size_t process, const share *of)
{
    const size_t positions[] = {of->first, of->first + of->count};

    return json_pack("{s:I, s:o, s:o, s:o}", "index", (json_int_t)process, "positions",
                     json_sizes(positions, 2), "within", json_ranges(&of->hull), "bytes",
                     made->dtype == CLSHARD_DTYPE_NONE ? json_null()
                                                       : json_integer((json_int_t)of->bytes));
}

clshard_status owners_print_json(const plan *made, json_t *head, clshard_error *err)
{
    if (json_stream_begin(head, "processes", err))
        return err->status;
    for (size_t i = 0; i < made->processes; i++) {
        share of = {0};
        if (measure(made, i, &of, err) || json_holds_count(of.bytes, err) ||
            json_stream_next(json_share(made, i, &of), i == 0, err))
            return err->status;
    }
    json_stream_end();
    return CLSHARD_OK;
}
