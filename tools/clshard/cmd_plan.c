/* SPDX-License-Identifier: Apache-2.0 */

/* clshard plan: where every slice of an array would lie. */

#include <stdio.h>

#include "commands.h"
#include "fail.h"
#include "json_out.h"
#include "owners.h"
#include "picture.h"
#include "plan.h"
#include "plan_svg.h"
#include "reshard.h"
#include "splits.h"
#include "table.h"

static void print_tsv_row(const plan *made, size_t position)
{
    const clshard_part part = clshard_layout_part(made->placed.layout, position);
    printf("%zu\t%s\t%s\t%zu\t%s\n", position, coordinates_text(made->placed.mesh, position).text,
           ranges_text(&part.box).text, part.replica, extent_text(&part.valid).text);
}

static void print_tsv(const plan *made)
{
    if (made->position != SIZE_MAX)
        print_tsv_row(made, made->position);
    else
        for (size_t i = 0; i < made->position_count; i++)
            print_tsv_row(made, i);
}

static json_t *json_head(const plan *made)
{
    const clshard_layout *layout = made->placed.layout;
    const clshard_shape shape = clshard_layout_shape(layout);
    const clshard_shape shard = clshard_layout_shard_shape(layout);
    const clshard_box largest = {.rank = shard.rank};
    clshard_box box = largest;

    for (size_t i = 0; i < shard.rank; i++)
        box.extent[i] = shard.extent[i];
    return json_pack("{s:{s:o}, s:o, s:o, s:o, s:o, s:o, s:I, s:I}", "mesh", "axes",
                     json_axes(made->placed.mesh), "shape", json_sizes(shape.extent, shape.rank),
                     "spec", json_text(spec_text(layout).text), "dtype",
                     made->dtype == CLSHARD_DTYPE_NONE ? json_null()
                                                       : json_text(clshard_dtype_name(made->dtype)),
                     "shard_shape", json_sizes(shard.extent, shard.rank), "shard_bytes",
                     made->dtype == CLSHARD_DTYPE_NONE
                         ? json_null()
                         : json_integer((json_int_t)box_bytes(&box, made->dtype)),
                     "replicas", (json_int_t)clshard_layout_replica_count(layout), "position_count",
                     (json_int_t)made->position_count);
}

static json_t *json_position(const plan *made, size_t position)
{
    const clshard_part part = clshard_layout_part(made->placed.layout, position);
    const clshard_device_info *device = clshard_mesh_device(made->placed.mesh, position);

    return json_pack("{s:I, s:o, s:o, s:o, s:I, s:o, s:o}", "index", (json_int_t)position,
                     "coordinates", json_coordinates(made->placed.mesh, position), "box",
                     json_ranges(&part.box), "valid", json_ranges(&part.valid), "replica",
                     (json_int_t)part.replica, "bytes",
                     made->dtype == CLSHARD_DTYPE_NONE
                         ? json_null()
                         : json_integer((json_int_t)box_bytes(&part.box, made->dtype)),
                     "device", json_text(device == NULL ? NULL : device->id));
}

static clshard_status print_json(const plan *made, clshard_error *err)
{
    const bool one = made->position != SIZE_MAX;
    const size_t first = one ? made->position : 0;
    const size_t end = one ? first + 1 : made->position_count;

    if (json_holds(made->placed.layout, err))
        return err->status;
    if (made->processes > 0)
        return owners_print_json(made, json_head(made), err);
    if (json_stream_begin(json_head(made), "positions", err))
        return err->status;
    for (size_t i = first; i < end; i++)
        if (json_stream_next(json_position(made, i), i == first, err))
            return err->status;
    json_stream_end();
    return CLSHARD_OK;
}

static void add_row(const plan *made, table *rows, size_t position)
{
    const clshard_part part = clshard_layout_part(made->placed.layout, position);
    const clshard_device_info *device = clshard_mesh_device(made->placed.mesh, position);
    char bytes[BYTES_TEXT];

    table_add(rows, "%zu", position);
    table_add(rows, "%s", coordinates_text(made->placed.mesh, position).text);
    table_add(rows, "%s", part.box.rank == 0 ? "scalar" : ranges_text(&part.box).text);
    table_add(rows, "%zu", part.replica);
    table_add(rows, "%s", extent_text(&part.valid).text);
    if (made->dtype != CLSHARD_DTYPE_NONE)
        table_add(rows, "%s", bytes_text(box_bytes(&part.box, made->dtype), bytes));
    if (device != NULL)
        table_add(rows, "%s %s", device->id, device->name);
}

static clshard_status print_rows(const plan *made, const terminal *screen, clshard_error *err)
{
    const bool one = made->position != SIZE_MAX;
    const size_t first = one ? made->position : 0;
    const size_t all = one ? 1 : made->position_count;
    const size_t shown = all < PLAN_ROWS_MOST ? all : PLAN_ROWS_MOST;
    const bool has_dtype = made->dtype != CLSHARD_DTYPE_NONE;
    const bool has_devices = clshard_mesh_device(made->placed.mesh, 0) != NULL;
    table rows = table_of(5 + (size_t)has_dtype + (size_t)has_devices, screen);
    clshard_status status;

    table_add(&rows, "position");
    table_add(&rows, "coordinates");
    table_add(&rows, "slice");
    table_add(&rows, "replica");
    table_add(&rows, "valid");
    if (has_dtype)
        table_add(&rows, "bytes");
    if (has_devices)
        table_add(&rows, "device");
    for (size_t i = first; i < first + shown; i++)
        add_row(made, &rows, i);
    putchar('\n');
    status = table_print(&rows, screen, "", err);
    table_free(&rows);
    if (status == CLSHARD_OK && shown < all)
        printf("%zu positions are not shown; --position N shows one, --tsv and --json all\n",
               all - shown);
    return status;
}

void plan_print_heading(const plan *made)
{
    const char *dtype = made->dtype == CLSHARD_DTYPE_NONE ? "" : clshard_dtype_name(made->dtype);
    char bytes[BYTES_TEXT] = "";

    if (made->dtype != CLSHARD_DTYPE_NONE)
        bytes_text(made->bytes, bytes);
    printf("mesh     %s (%zu position%s", mesh_text(made->placed.mesh).text, made->position_count,
           made->position_count == 1 ? "" : "s");
    if (made->processes > 0)
        printf(", %zu process%s", made->processes, made->processes == 1 ? "" : "es");
    printf(")\n");
    printf("array    %s", shape_text(clshard_layout_shape(made->placed.layout)).text);
    if (dtype[0] != '\0')
        printf(" %s, %s", dtype, bytes);
    printf("\nspec     %s\n", spec_text(made->placed.layout).text);
}

static void print_summary(const plan *made)
{
    const clshard_shape shard = clshard_layout_shard_shape(made->placed.layout);
    clshard_box box = {.rank = shard.rank};
    char bytes[EXACT_BYTES_TEXT];

    for (size_t i = 0; i < shard.rank; i++)
        box.extent[i] = shard.extent[i];
    printf("\nshard shape %s", shape_text(shard).text);
    if (made->dtype != CLSHARD_DTYPE_NONE)
        printf(", %s", exact_bytes_text(box_bytes(&box, made->dtype), bytes));
    printf(", replicas %zu\n", clshard_layout_replica_count(made->placed.layout));
}

static clshard_status print_for_people(const plan *made, clshard_error *err)
{
    const terminal screen = terminal_of_stdout();
    bool drawn = false;

    plan_print_heading(made);
    if (made->position == SIZE_MAX && picture_print(made->placed.layout, &screen, &drawn, err))
        return err->status;
    if (made->processes > 0 && owners_print_rows(made, &screen, err))
        return err->status;
    if (made->processes == 0 && (!drawn || clshard_mesh_device(made->placed.mesh, 0) != NULL) &&
        print_rows(made, &screen, err))
        return err->status;
    print_summary(made);
    return CLSHARD_OK;
}

static clshard_status write_svg(const options *read, const plan *made, clshard_error *err)
{
    const policy_text policy = policy_from_options(read);
    const plan_svg picture = {made->placed.layout, made->dtype, policy.text};

    return plan_svg_write(&picture, option_text(read, OPTION_SVG), err);
}

/* A picture shows all positions, and nothing else goes where it goes. */
static clshard_status check_svg(const options *read, clshard_error *err)
{
    if (options_exclude(read, OPTION_SVG, OPTION_POSITION, err) ||
        (option_is_stdout(read, OPTION_SVG) &&
         (options_exclude(read, OPTION_SVG, OPTION_JSON, err) ||
          options_exclude(read, OPTION_SVG, OPTION_TSV, err))))
        return err->status;
    return CLSHARD_OK;
}

static clshard_status print_plan(const options *read, const plan *made, clshard_error *err)
{
    if (made->position != SIZE_MAX && made->position >= made->position_count)
        return fail(err, CLSHARD_ERR_INDEX, "--position %zu: the mesh has positions 0 to %zu",
                    made->position, made->position_count - 1);
    if (option_given(read, OPTION_SVG) && write_svg(read, made, err))
        return err->status;
    if (option_is_stdout(read, OPTION_SVG))
        return CLSHARD_OK;
    if (option_given(read, OPTION_JSON))
        return print_json(made, err);
    if (!option_given(read, OPTION_TSV))
        return print_for_people(made, err);
    if (made->processes > 0)
        return owners_print_tsv(made, err);
    print_tsv(made);
    return CLSHARD_OK;
}

/* Without --devices the mesh is abstract and no driver is asked. */
static clshard_status plan_on(const options *read, clshard_shape shape, plan *made,
                              clshard_error *err)
{
    clshard_runtime *runtime = NULL;
    clshard_status status = CLSHARD_OK;

    if (option_given(read, OPTION_DEVICES))
        status = runtime_from_options(read, &runtime, err);
    if (status == CLSHARD_OK)
        status = placement_from_options(read, runtime, shape, &made->placed, err);
    if (status == CLSHARD_OK) {
        made->position_count = clshard_mesh_position_count(made->placed.mesh);
        status = option_given(read, OPTION_TO) ? reshard_show(read, runtime, made, err)
                                               : print_plan(read, made, err);
        placement_free(&made->placed);
    }
    clshard_runtime_release(runtime);
    return status;
}

/* Which options go together. */
static clshard_status check_options(const options *read, clshard_error *err)
{
    if (options_exclude(read, OPTION_JSON, OPTION_TSV, err) ||
        options_need(read, OPTION_TO_MESH, OPTION_TO, err) ||
        options_need(read, OPTION_TO_UNEVEN, OPTION_TO, err) ||
        options_need(read, OPTION_REPEAT, OPTION_DEVICES, err) || check_svg(read, err))
        return err->status;
    if (!option_given(read, OPTION_TO))
        return options_exclude(read, OPTION_PROCESSES, OPTION_POSITION, err);
    return CLSHARD_OK;
}

static clshard_status run_plan(const options *read, clshard_error *err)
{
    plan made = {.position = SIZE_MAX};
    const char *dtype = option_text(read, OPTION_DTYPE);
    clshard_shape shape;

    if (check_options(read, err) || option_needed(read, OPTION_MESH, err) ||
        option_needed(read, OPTION_SHAPE, err) ||
        option_number(read, OPTION_POSITION, &made.position, err) ||
        option_number(read, OPTION_PROCESSES, &made.processes, err) ||
        clshard_shape_parse(option_text(read, OPTION_SHAPE), &shape, err))
        return err->status;
    if (dtype != NULL && (clshard_dtype_parse(dtype, &made.dtype, err) ||
                          array_bytes(shape, made.dtype, &made.bytes, err)))
        return err->status;
    return plan_on(read, shape, &made, err);
}

static const struct poptOption table_of_plan[] = {
    {"shape", '\0', POPT_ARG_STRING, NULL, OPTION_SHAPE, "shape of the array: 256x1024, or scalar",
     "SHAPE"},
    {"dtype", '\0', POPT_ARG_STRING, NULL, OPTION_DTYPE,
     "element type, to show bytes: bool, u8 to i64, f16, bf16, f32, f64", "DTYPE"},
    {"position", '\0', POPT_ARG_STRING, NULL, OPTION_POSITION,
     "show only this position; not with --svg, nor with --processes unless --to is given", "N"},
    {"tsv", '\0', POPT_ARG_NONE, NULL, OPTION_TSV,
     "print index, coordinates, ranges, replica and valid extent, separated by tabs", NULL},
    {"svg", '\0', POPT_ARG_STRING, NULL, OPTION_SVG,
     "also write a picture as this file; - prints only that", "FILE"},
    {"to", '\0', POPT_ARG_STRING, NULL, OPTION_TO,
     "show the moves of a reshard to this spec: who takes what from whom", "SPEC"},
    {"to-mesh", '\0', POPT_ARG_STRING, NULL, OPTION_TO_MESH,
     "mesh of the target of --to (default: --mesh)", "AXES"},
    {"to-uneven", '\0', POPT_ARG_STRING, NULL, OPTION_TO_UNEVEN,
     "how the target of --to is cut (default: as --uneven says)", "POLICY"},
    {"processes", '\0', POPT_ARG_STRING, NULL, OPTION_PROCESSES,
     "deal the positions to N processes, and show what each owns", "N"},
    OPTION_GROUP(options_of_placement, "Placement:"),
    OPTION_GROUP(options_of_devices, "Devices (without --devices none is touched):"),
    OPTION_GROUP(options_of_output, "Output and help:"),
    POPT_TABLEEND};

const command command_plan = {
    .name = "plan",
    .summary = "where every slice of an array would lie, without touching a device",
    .usage = "clshard plan",
    .arguments = "--mesh AXES --shape SHAPE --spec SPEC [OPTION...]",
    .description =
        "Shows where every slice of an array would lie on a mesh of devices, without touching\n"
        "one: as a picture, as a table of positions, as tab separated values, as JSON, or as an\n"
        "SVG file to keep. With --to it shows the moves that bring the array into another layout.",
    .example = "  clshard plan --mesh data=4,model=2 --shape 256x1024 --spec data,model\n"
               "  clshard plan --mesh gpu=2 --shape 100x8 --spec gpu --weights gpu=3,1\n"
               "  clshard plan --mesh data=4 --shape 64x64 --dtype f32 --spec data --to _,data",
    .table = table_of_plan,
    .argument = NULL,
    .run = run_plan,
};
