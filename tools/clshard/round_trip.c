/* SPDX-License-Identifier: Apache-2.0 */
#include "round_trip.h"

#include "fail.h"
#include "json_out.h"
#include "table.h"

enum { ROWS_MOST = 64 };

/* What the scatter reports of a position; route AUTO and no bytes where it took no part. */
static clshard_report report_of(const round_trip *trip, size_t position, size_t *next)
{
    const clshard_report *report = clshard_event_report(trip->scattered, *next);
    const clshard_report none = {.position = position};

    /* Reports come by rising position, and so do we. */
    if (report == NULL || report->position != position)
        return none;
    (*next)++;
    return *report;
}

static double rate_of(uint64_t bytes, double seconds)
{
    return bytes > 0 && seconds > 0 ? (double)bytes / seconds : 0;
}

static json_t *json_position(const round_trip *trip, size_t position, size_t *next)
{
    const clshard_report report = report_of(trip, position, next);
    const clshard_part part = clshard_layout_part(trip->placed.layout, position);
    const clshard_device_info *device = clshard_mesh_device(trip->placed.mesh, position);

    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:s, s:f, s:f}", "index",
                     (json_int_t)position, "coordinates",
                     json_coordinates(trip->placed.mesh, position), "device", json_text(device->id),
                     "name", json_text(device->name), "box", json_ranges(&part.box), "valid",
                     json_ranges(&part.valid), "replica", (json_int_t)part.replica, "bytes",
                     (json_int_t)report.bytes, "route",
                     report.bytes == 0 ? "none" : clshard_route_name(report.route), "seconds",
                     report.seconds, "bytes_per_second", rate_of(report.bytes, report.seconds));
}

static clshard_status print_json(const round_trip *trip, clshard_error *err)
{
    const size_t count = clshard_mesh_position_count(trip->placed.mesh);
    const clshard_shape shape = trip->original.shape;
    json_t *positions = json_array();
    size_t next = 0;

    for (size_t i = 0; i < count; i++)
        positions = json_append(positions, json_position(trip, i, &next));
    return json_print(
        json_pack("{s:o, s:s, s:o, s:{s:o}, s:o, s:b, s:I, s:I, s:f, s:f, s:o, s:o}", "file",
                  json_text(trip->file), "dtype", clshard_dtype_name(trip->original.dtype), "shape",
                  json_sizes(shape.extent, shape.rank), "mesh", "axes",
                  json_axes(trip->placed.mesh), "spec",
                  json_text(spec_text(trip->placed.layout).text), "verified", 1, "verified_bytes",
                  (json_int_t)trip->result.equal_bytes, "dropped_bytes",
                  (json_int_t)trip->result.untouched_bytes, "scatter_seconds",
                  trip->scatter_seconds, "gather_seconds", trip->gather_seconds, "out",
                  json_text(trip->out), "positions", positions),
        err);
}

static void add_row(const round_trip *trip, table *rows, size_t position, size_t *next)
{
    const clshard_report report = report_of(trip, position, next);
    const clshard_part part = clshard_layout_part(trip->placed.layout, position);
    const clshard_device_info *device = clshard_mesh_device(trip->placed.mesh, position);
    char text[BYTES_TEXT];

    table_add(rows, "%zu", position);
    table_add(rows, "%s", part.valid.rank == 0 ? "scalar" : ranges_text(&part.valid).text);
    table_add(rows, "%s", bytes_text(report.bytes, text));
    table_add(rows, "%s", report.bytes == 0 ? "-" : clshard_route_name(report.route));
    table_add(rows, "%s", rate_text(report.bytes, report.seconds, text));
    table_add(rows, "%s %s", device->id, device->name);
}

static clshard_status print_rows(const round_trip *trip, const terminal *screen, clshard_error *err)
{
    static const char *const titles[] = {"position", "slice", "bytes", "route", "rate", "device"};
    const size_t columns = sizeof titles / sizeof titles[0];
    const size_t count = clshard_mesh_position_count(trip->placed.mesh);
    const size_t shown = count < ROWS_MOST ? count : ROWS_MOST;
    table rows = table_of(columns, screen);
    size_t next = 0;
    clshard_status status;

    for (size_t i = 0; i < columns; i++)
        table_add(&rows, "%s", titles[i]);
    for (size_t i = 0; i < shown; i++)
        add_row(trip, &rows, i, &next);
    status = table_print(&rows, screen, "", err);
    table_free(&rows);
    if (status == CLSHARD_OK && shown < count)
        printf("%zu positions are not shown; --json shows all\n", count - shown);
    return status;
}

static void print_times(const round_trip *trip)
{
    const uint64_t bytes = trip->result.equal_bytes;
    char there[BYTES_TEXT];
    char back[BYTES_TEXT];

    printf("\nscatter %.3g ms (%s), gather and comparison of replicas %.3g ms (%s)\n",
           1e3 * trip->scatter_seconds, rate_text(bytes, trip->scatter_seconds, there),
           1e3 * trip->gather_seconds, rate_text(bytes, trip->gather_seconds, back));
}

static clshard_status print_for_people(const round_trip *trip, clshard_error *err)
{
    const terminal screen = terminal_of_stdout();
    char bytes[BYTES_TEXT];

    printf("file     ");
    print_clean(stdout, trip->file);
    printf("\narray    %s %s, %s\n", shape_text(trip->original.shape).text,
           clshard_dtype_name(trip->original.dtype), bytes_text(trip->original.bytes, bytes));
    printf("mesh     %s\nspec     %s\n\n", mesh_text(trip->placed.mesh).text,
           spec_text(trip->placed.layout).text);
    if (print_rows(trip, &screen, err))
        return err->status;
    print_times(trip);
    printf("verified: %llu bytes equal\n", (unsigned long long)trip->result.equal_bytes);
    if (trip->result.untouched_bytes > 0)
        printf("dropped: %llu bytes belong to no position and were left alone\n",
               (unsigned long long)trip->result.untouched_bytes);
    if (trip->out != NULL) {
        printf("written: %zu files in ", clshard_array_shard_count(trip->array));
        print_clean(stdout, trip->out);
        if (trip->others > 0)
            printf("; %zu other NNNN.npy %s there already", trip->others,
                   trip->others == 1 ? "was" : "were");
        putchar('\n');
    }
    return CLSHARD_OK;
}

clshard_status round_trip_print(const round_trip *trip, bool as_json, clshard_error *err)
{
    return as_json ? print_json(trip, err) : print_for_people(trip, err);
}
