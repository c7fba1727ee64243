/* SPDX-License-Identifier: Apache-2.0 */

/* clshard scatter: a .npy file over the devices, back, and compared. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <clshard/npy.h>
#include <clshard/transfer.h>

#include "commands.h"
#include "fail.h"
#include "placement.h"
#include "round_trip.h"
#include "shard_files.h"
#include "verify.h"

static double seconds_now(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static clshard_status read_route(const options *read, clshard_route *out_route, clshard_error *err)
{
    const char *text = option_text(read, OPTION_ROUTE);
    char known[128] = "";
    const char *name;

    *out_route = CLSHARD_ROUTE_AUTO;
    if (text == NULL)
        return CLSHARD_OK;
    for (int i = 0; (name = clshard_route_name((clshard_route)i)) != NULL; i++) {
        if (strcmp(name, text) == 0) {
            *out_route = (clshard_route)i;
            return CLSHARD_OK;
        }
        (void)snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
                       i > 0 ? ", " : "", name);
    }
    return fail(err, CLSHARD_ERR_ARGUMENT, "--route '%s' is no route; these are: %s", text, known);
}

static clshard_status scatter_all(round_trip *trip, clshard_error *err)
{
    const clshard_transfer_options how = {.size = sizeof how, .route = trip->route};
    const double start = seconds_now();

    if (clshard_scatter(trip->array, &trip->original, &how, &trip->scattered, err) ||
        clshard_event_wait(trip->scattered, err))
        return err->status;
    trip->scatter_seconds = seconds_now() - start;
    return CLSHARD_OK;
}

/* Replicas are compared on the way: a gather alone would look at one of each. */
static clshard_status gather_all(round_trip *trip, clshard_error *err)
{
    const clshard_transfer_options how = {
        .size = sizeof how, .route = trip->route, .compare_replicas = true};
    const double start = seconds_now();
    clshard_event *gathered = NULL;
    clshard_status status;

    status = clshard_gather(&trip->gathered, trip->array, &how, &gathered, err);
    if (status == CLSHARD_OK)
        status = clshard_event_wait(gathered, err);
    clshard_event_release(gathered);
    trip->gather_seconds = seconds_now() - start;
    return status;
}

static clshard_status there_and_back(const options *read, round_trip *trip, clshard_error *err)
{
    if (scatter_all(trip, err))
        return err->status;
    verify_prepare(trip->gathered.data, trip->original.data, trip->original.bytes);
    if (gather_all(trip, err) ||
        verify_gathered(trip->placed.layout, &trip->gathered, &trip->original, &trip->result, err))
        return err->status;
    if (trip->out != NULL && shard_files_write(trip->array, trip->out, &trip->others, err))
        return err->status;
    return round_trip_print(trip, option_given(read, OPTION_JSON), err);
}

static clshard_status scatter_file(const options *read, round_trip *trip, clshard_error *err)
{
    clshard_tensor *original = &trip->original;
    clshard_runtime *runtime = NULL;
    clshard_status status;

    if (clshard_npy_read(trip->file, original, err))
        return err->status;
    *original = clshard_tensor_of(original->data, original->dtype, original->shape);
    trip->gathered = *original;
    trip->gathered.data = malloc(original->bytes + 1);
    if (trip->gathered.data == NULL)
        return fail_memory(err, "scatter");
    status = runtime_from_options(read, &runtime, err);
    if (status == CLSHARD_OK)
        status = placement_from_options(read, runtime, original->shape, &trip->placed, err);
    clshard_runtime_release(runtime);
    if (status || clshard_array_create(trip->placed.layout, original->dtype, &trip->array, err))
        return err->status;
    return there_and_back(read, trip, err);
}

static void free_round_trip(round_trip *trip)
{
    clshard_event_release(trip->scattered);
    clshard_array_release(trip->array);
    placement_free(&trip->placed);
    free(trip->gathered.data);
    clshard_npy_free(&trip->original);
}

static clshard_status run_scatter(const options *read, clshard_error *err)
{
    round_trip trip = {.file = read->argument, .out = option_text(read, OPTION_OUT)};
    clshard_status status;

    /* What can be refused without the file and the devices is refused first. */
    if (option_needed(read, OPTION_MESH, err) || read_route(read, &trip.route, err))
        return err->status;
    status = scatter_file(read, &trip, err);
    free_round_trip(&trip);
    return status;
}

static const struct poptOption table_of_scatter[] = {
    {"route", '\0', POPT_ARG_STRING, NULL, OPTION_ROUTE,
     "how data is moved: auto (default), kernel, linear", "ROUTE"},
    {"out", '\0', POPT_ARG_STRING, NULL, OPTION_OUT,
     "write each position's slice as NNNN.npy into this folder", "DIR"},
    OPTION_GROUP(options_of_placement, "Placement:"),
    OPTION_GROUP(options_of_devices, "Devices:"),
    OPTION_GROUP(options_of_output, "Output and help:"),
    POPT_TABLEEND};

const command command_scatter = {
    .name = "scatter",
    .summary = "spread a .npy file over the devices, gather it back and compare",
    .usage = "clshard scatter",
    .arguments = "FILE.npy --mesh AXES --spec SPEC [OPTION...]",
    .description =
        "Spreads an array from a .npy file over the devices, gathers it back, compares every\n"
        "byte, and shows which slice each device held, how it was moved and how fast.",
    .example = "  clshard scatter images.npy --mesh data=-1 --spec data --uneven balanced",
    .table = table_of_scatter,
    .argument = "FILE.npy",
    .run = run_scatter,
};
