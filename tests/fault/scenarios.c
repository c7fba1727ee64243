/* SPDX-License-Identifier: Apache-2.0 */
#include "fault/scenarios.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECK_STEP = 23, ROWS = 6, COLUMNS = 10, OTHER = 0x5a };

#define KERNELS "kernels" /* the folder of a cache */

typedef uint16_t elements[ROWS][COLUMNS];

const char *scenarios_selector(void)
{
    const char *chosen = getenv("CLSHARD_DEVICES");
    return chosen != NULL && chosen[0] != '\0' ? NULL : "*";
}

static char folder[256];

/* What a scenario works on. */
typedef struct stage {
    clshard_mesh *mesh;
    clshard_sharding *sharding;
    clshard_array *array;
    elements source, target;
    clshard_tensor from, to;
} stage;

static clshard_status wrong(clshard_error *err, const char *what)
{
    err->status = WRONG_DATA;
    (void)snprintf(err->message, sizeof err->message, "wrong data: %s", what);
    return WRONG_DATA;
}

static void fill(stage *on, unsigned seed)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            on->source[i][j] = (uint16_t)(seed + 1000 * i + 7 * j);
    memset(on->target, OTHER, sizeof on->target);
}

static clshard_status stage_open(stage *on, const scenario *self, const clshard_runtime *runtime,
                                 clshard_error *err)
{
    const clshard_mesh_options shared = {.size = sizeof shared, .repeat_devices = true};
    const clshard_sharding_options splits = {.size = sizeof splits, .uneven = self->policy};
    const clshard_shape shape = CLSHARD_SHAPE(ROWS, COLUMNS);
    const char *axes = self->mesh == NULL ? "a=2,b=2" : self->mesh;
    const char *spec = self->spec == NULL ? "_,a" : self->spec;
    clshard_status status;

    memset(on, 0, sizeof *on);
    fill(on, 3);
    on->from = clshard_tensor_of(on->source, CLSHARD_U16, shape);
    on->to = clshard_tensor_of(on->target, CLSHARD_U16, shape);
    status = clshard_mesh_parse(runtime, axes, &shared, &on->mesh, err);
    if (status == CLSHARD_OK)
        status = clshard_sharding_parse(on->mesh, spec, &splits, &on->sharding, err);
    if (status == CLSHARD_OK)
        status = clshard_array_create_sharded(on->sharding, CLSHARD_U16, shape, &on->array, err);
    return status;
}

static void stage_end(stage *on)
{
    clshard_array_release(on->array);
    clshard_sharding_release(on->sharding);
    clshard_mesh_release(on->mesh);
}

static clshard_status compare(const stage *on, clshard_error *err)
{
    return memcmp(on->source, on->target, sizeof on->source) == 0
               ? CLSHARD_OK
               : wrong(err, "what was gathered is not what was scattered");
}

static clshard_status scatter_and_gather(stage *on, clshard_route route, clshard_error *err)
{
    const clshard_transfer_options options = {
        .size = sizeof options, .route = route, .compare_replicas = true};
    clshard_status status = clshard_scatter(on->array, &on->from, &options, NULL, err);

    if (status == CLSHARD_OK)
        status = clshard_gather(&on->to, on->array, &options, NULL, err);
    return status == CLSHARD_OK ? compare(on, err) : status;
}

/* Everything waits in the call itself. */
static clshard_status run_at_once(const scenario *self, const clshard_runtime *runtime,
                                  clshard_error *err)
{
    stage on;
    clshard_status status = stage_open(&on, self, runtime, err);

    if (status == CLSHARD_OK)
        status = scatter_and_gather(&on, self->route, err);
    stage_end(&on);
    return status;
}

static clshard_status wait_and_release(clshard_event *event, clshard_error *err)
{
    const bool done = clshard_event_done(event);
    clshard_status status = clshard_event_wait(event, err);

    if (status == CLSHARD_OK && clshard_event_report_count(event) == 0)
        status = wrong(err, "an event without reports");
    if (status != clshard_event_wait(event, NULL) || (done && !clshard_event_done(event)))
        status = wrong(err, "an event that changes its mind");
    clshard_event_release(event);
    return status;
}

static clshard_status run_with_events(const scenario *self, const clshard_runtime *runtime,
                                      clshard_error *err)
{
    const clshard_transfer_options options = {.size = sizeof options, .route = self->route};
    clshard_event *event = NULL;
    stage on;
    clshard_status status = stage_open(&on, self, runtime, err);

    if (status == CLSHARD_OK)
        status = clshard_scatter(on.array, &on.from, &options, &event, err);
    if (status == CLSHARD_OK)
        status = wait_and_release(event, err);
    if (status == CLSHARD_OK)
        status = clshard_gather(&on.to, on.array, &options, &event, err);
    if (status == CLSHARD_OK)
        status = wait_and_release(event, err);
    if (status == CLSHARD_OK)
        status = compare(&on, err);
    stage_end(&on);
    return status;
}

/* Nobody waits for the scatter: a failure is for a later call on the array to tell. */
static clshard_status run_abandoned(const scenario *self, const clshard_runtime *runtime,
                                    clshard_error *err)
{
    const clshard_transfer_options options = {.size = sizeof options, .route = self->route};
    clshard_event *event = NULL;
    stage on;
    clshard_status status = stage_open(&on, self, runtime, err);

    if (status == CLSHARD_OK)
        status = clshard_scatter(on.array, &on.from, &options, &event, err);
    clshard_event_release(event);
    if (status == CLSHARD_OK)
        status = clshard_gather(&on.to, on.array, &options, NULL, err);
    if (status == CLSHARD_OK)
        status = clshard_array_wait(on.array, err);
    if (status == CLSHARD_OK)
        status = compare(&on, err);
    stage_end(&on);
    return status;
}

/* After a failure the array is used again, as a program does that tries twice. */
static clshard_status run_again(const scenario *self, const clshard_runtime *runtime,
                                clshard_error *err)
{
    stage on;
    clshard_status status = stage_open(&on, self, runtime, err);
    clshard_status second;

    if (status != CLSHARD_OK) {
        stage_end(&on);
        return status;
    }
    status = scatter_and_gather(&on, self->route, err);
    fill(&on, 40);
    if (status == CLSHARD_OK) {
        status = scatter_and_gather(&on, self->route, err);
    } else if (status != WRONG_DATA) {
        /* Only one call fails: the second time all must be well. */
        clshard_error other = {CLSHARD_OK, 0, -1, ""};
        second = scatter_and_gather(&on, self->route, &other);
        if (second != CLSHARD_OK)
            status = wrong(err, "a second transfer failed");
    }
    stage_end(&on);
    return status;
}

/* Adds one to each element of a shard, in place. */
static clshard_status increment(clshard_array *array, size_t shard, clshard_error *err)
{
    clshard_tensor mapped;
    clshard_status status = clshard_array_map(array, shard, &mapped, err);

    if (status != CLSHARD_OK)
        return status;
    for (size_t i = 0; i < mapped.bytes / sizeof(uint16_t); i++)
        ((uint16_t *)mapped.data)[i]++;
    return clshard_array_unmap(array, shard, err);
}

static clshard_status run_mapped(const scenario *self, const clshard_runtime *runtime,
                                 clshard_error *err)
{
    stage on;
    clshard_status status = stage_open(&on, self, runtime, err);

    if (status == CLSHARD_OK)
        status = clshard_scatter(on.array, &on.from, NULL, NULL, err);
    for (size_t i = 0; status == CLSHARD_OK && i < clshard_array_shard_count(on.array); i++)
        status = increment(on.array, i, err);
    if (status == CLSHARD_OK)
        status = clshard_gather(&on.to, on.array, NULL, NULL, err);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        on.source[i / COLUMNS][i % COLUMNS]++;
    if (status == CLSHARD_OK)
        status = compare(&on, err);
    stage_end(&on);
    return status;
}

/* Whoever forgets to unmap loses nothing but the data. Fresh, since buffers that stay mapped do not
 * enter the pool: it would grow only later. */
static clshard_status run_still_mapped(const scenario *self, const clshard_runtime *runtime,
                                       clshard_error *err)
{
    clshard_tensor mapped;
    stage on;
    clshard_status status = stage_open(&on, self, runtime, err);

    for (size_t i = 0; status == CLSHARD_OK && i < clshard_array_shard_count(on.array); i++)
        status = clshard_array_map(on.array, i, &mapped, err);
    stage_end(&on);
    return status;
}

/* ---- files ---- */

void scenarios_set_folder(const char *path)
{
    (void)snprintf(folder, sizeof folder, "%s", path);
}

static clshard_status check_file(const stage *on, const char *path, clshard_error *err)
{
    clshard_tensor read = {0};
    clshard_status status = clshard_npy_read(path, &read, err);

    if (status == CLSHARD_OK &&
        (read.bytes != sizeof on->source || memcmp(read.data, on->source, read.bytes) != 0))
        status = wrong(err, "a file");
    clshard_npy_free(&read);
    return status;
}

/* A scatter of what a file holds, and a file of what is gathered. */
static clshard_status run_files(const scenario *self, const clshard_runtime *runtime,
                                clshard_error *err)
{
    clshard_tensor read = {0};
    char path[300];
    stage on;
    clshard_status status = stage_open(&on, self, runtime, err);

    (void)snprintf(path, sizeof path, "%s/array.npy", folder);
    if (status == CLSHARD_OK)
        status = clshard_npy_write(path, &on.from, err);
    if (status == CLSHARD_OK)
        status = clshard_npy_read(path, &read, err);
    if (status == CLSHARD_OK)
        status = clshard_scatter(on.array, &read, NULL, NULL, err);
    clshard_npy_free(&read);
    if (status == CLSHARD_OK)
        status = clshard_gather(&on.to, on.array, NULL, NULL, err);
    if (status == CLSHARD_OK)
        status = clshard_npy_write(path, &on.to, err);
    if (status == CLSHARD_OK)
        status = check_file(&on, path, err);
    (void)unlink(path);
    stage_end(&on);
    return status;
}

/* ---- devices ---- */

static size_t all_devices(const clshard_runtime *runtime)
{
    return clshard_runtime_device_count(runtime) + clshard_runtime_excluded_count(runtime);
}

/* A device may be missing only where its platform says why. */
static clshard_status check_devices(const clshard_runtime *found, const clshard_runtime *all,
                                    clshard_error *err)
{
    bool problem = false;

    for (size_t i = 0; i < clshard_runtime_platform_count(found); i++) {
        const char *text = clshard_runtime_platform(found, i)->problem;
        problem = problem || (text != NULL && strstr(text, "clGet") != NULL);
    }
    for (size_t i = 0; i < all_devices(found); i++) {
        const char *text = clshard_runtime_device(found, i)->excluded;
        if (text != NULL && strstr(text, "did not answer") != NULL && strstr(text, "clGet") == NULL)
            return wrong(err, "a device that is left out without the call that failed");
    }
    return all_devices(found) == all_devices(all) || problem ? CLSHARD_OK
                                                             : wrong(err, "a device is missing");
}

static clshard_status run_open(const scenario *self, const clshard_runtime *runtime,
                               clshard_error *err)
{
    static const char *const selectors[] = {NULL, "*"};
    clshard_status status = CLSHARD_OK;

    (void)self;
    for (size_t i = 0; status == CLSHARD_OK && i < 2; i++) {
        clshard_runtime *found = NULL;
        status = clshard_runtime_open(selectors[i], NULL, &found, err);
        if (status == CLSHARD_OK)
            status = check_devices(found, runtime, err);
        clshard_runtime_release(found);
    }
    return status;
}

/* From contexts to kernels, all made and all released. */
static clshard_status run_contexts(const scenario *self, const clshard_runtime *runtime,
                                   clshard_error *err)
{
    clshard_runtime_options options = {.size = sizeof options, .contexts = self->contexts};
    char cache[300];
    clshard_runtime *own = NULL;
    clshard_status status;

    (void)runtime;
    options.cache_folder = self->cache;
    if (self->cache != NULL && strcmp(self->cache, "off") != 0) {
        (void)snprintf(cache, sizeof cache, "%s/%s", folder, self->cache);
        options.cache_folder = cache;
    }
    status = clshard_runtime_open(scenarios_selector(), &options, &own, err);
    if (status == CLSHARD_OK)
        status = run_at_once(self, own, err);
    clshard_runtime_release(own);
    return status;
}

static void remove_folder(const char *path)
{
    DIR *entries = opendir(path);
    const struct dirent *entry;
    char file[600];

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        (void)snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        (void)unlink(file);
    }
    if (entries != NULL)
        (void)closedir(entries);
    (void)rmdir(path);
}

void scenarios_clean_folder(void)
{
    char cache[300];

    (void)snprintf(cache, sizeof cache, "%s/%s", folder, KERNELS);
    remove_folder(cache);
}

/* Kernels are built and stored each time. */
static clshard_status run_stored(const scenario *self, const clshard_runtime *runtime,
                                 clshard_error *err)
{
    scenarios_clean_folder();
    return run_contexts(self, runtime, err);
}

/* ---- self-tests ---- */

static clshard_status keep_failure(void *context, const clshard_finding *finding,
                                   clshard_error *err)
{
    clshard_error *first = context;

    (void)err;
    if (finding->verdict != CLSHARD_FAILED || first->status != CLSHARD_OK)
        return CLSHARD_OK;
    first->status = TOLD_AS_FINDING;
    (void)snprintf(first->message, sizeof first->message, "%s: %s", finding->test,
                   finding->sentence);
    return CLSHARD_OK;
}

/* Of the last device, and of it with the first. */
static clshard_status run_checks(const scenario *self, const clshard_runtime *runtime,
                                 clshard_error *err)
{
    const clshard_check_options options = {.size = sizeof options, .quick = true};
    const size_t last = clshard_runtime_device_count(runtime) - 1;
    clshard_error first = {CLSHARD_OK, 0, -1, ""};
    clshard_status status =
        clshard_check_device(runtime, last, &options, keep_failure, &first, err);

    (void)self;
    if (status == CLSHARD_OK && last > 0)
        status = clshard_check_pair(runtime, last, 0, &options, keep_failure, &first, err);
    if (status != CLSHARD_OK || first.status == CLSHARD_OK)
        return status;
    *err = first;
    return first.status;
}

/* ---- plans ---- */

/* Splits with tables. */
static clshard_status run_plans(const scenario *self, const clshard_runtime *runtime,
                                clshard_error *err)
{
    static const uint32_t weights[] = {3, 1, 2};
    static const size_t sizes[] = {1, 2, 3, 4};
    const clshard_split splits[] = {
        {.axis = "a", .policy = CLSHARD_SIZES, .sizes = sizes, .count = 4},
        {.axis = "b", .policy = CLSHARD_WEIGHTED, .weights = weights, .count = 3}};
    const clshard_sharding_options options = {
        .size = sizeof options, .splits = splits, .split_count = 2};
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    clshard_status status = clshard_mesh_parse(NULL, "a=4,b=3", NULL, &mesh, err);

    (void)self;
    (void)runtime;
    if (status == CLSHARD_OK)
        status = clshard_sharding_parse(mesh, "a,b", &options, &sharding, err);
    if (status == CLSHARD_OK)
        status = clshard_layout_create(sharding, CLSHARD_SHAPE(10, 12), &layout, err);
    if (status == CLSHARD_OK && clshard_layout_part(layout, 3).box.extent[1] != 6)
        status = wrong(err, "a part");
    clshard_layout_release(layout);
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    return status;
}

static clshard_status layout_on(const clshard_mesh *mesh, const char *spec,
                                clshard_layout **out_layout, clshard_error *err)
{
    clshard_sharding *sharding = NULL;
    clshard_status status = clshard_sharding_parse(mesh, spec, NULL, &sharding, err);

    if (status == CLSHARD_OK)
        status = clshard_layout_create(sharding, CLSHARD_SHAPE(12, 12), out_layout, err);
    clshard_sharding_release(sharding);
    return status;
}

static clshard_status plan_moves(const clshard_mesh *mesh, clshard_error *err)
{
    clshard_layout *to = NULL;
    clshard_layout *from = NULL;
    clshard_plan *plan = NULL;
    clshard_status status = layout_on(mesh, "_,a", &to, err);

    if (status == CLSHARD_OK)
        status = layout_on(mesh, "a,b", &from, err);
    if (status == CLSHARD_OK)
        status = clshard_plan_create(to, from, &plan, err);
    if (status == CLSHARD_OK && clshard_plan_move_count(plan) != 72)
        status = wrong(err, "a plan");
    clshard_plan_release(plan);
    clshard_layout_release(to);
    clshard_layout_release(from);
    return status;
}

/* On devices, which have contexts, and on an abstract mesh of several processes. */
static clshard_status run_moves(const scenario *self, const clshard_runtime *runtime,
                                clshard_error *err)
{
    const clshard_mesh_options shared = {.size = sizeof shared, .repeat_devices = true};
    const clshard_mesh_options dealt = {.size = sizeof dealt, .processes = 3};
    clshard_mesh *real = NULL;
    clshard_mesh *abstract = NULL;
    clshard_status status = clshard_mesh_parse(runtime, "a=4,b=3", &shared, &real, err);

    (void)self;
    if (status == CLSHARD_OK)
        status = clshard_mesh_parse(NULL, "a=4,b=3", &dealt, &abstract, err);
    if (status == CLSHARD_OK)
        status = plan_moves(real, err);
    if (status == CLSHARD_OK)
        status = plan_moves(abstract, err);
    clshard_mesh_release(real);
    clshard_mesh_release(abstract);
    return status;
}

const scenario scenarios[] = {
    {.name = "open", .run = run_open},
    {.name = "plans", .run = run_plans},
    {.name = "moves", .run = run_moves},
    {.name = "linear, fresh", .run = run_at_once, .route = CLSHARD_ROUTE_LINEAR, .fresh = true},
    {.name = "kernel, fresh",
     .run = run_at_once,
     .route = CLSHARD_ROUTE_KERNEL,
     .mesh = "a=2",
     .fresh = true},
    {.name = "a context per platform",
     .run = run_contexts,
     .route = CLSHARD_ROUTE_KERNEL,
     .contexts = CLSHARD_CONTEXT_PER_PLATFORM,
     .cache = "off",
     .mesh = "a=1"},
    {.name = "a context per device",
     .run = run_contexts,
     .route = CLSHARD_ROUTE_LINEAR,
     .contexts = CLSHARD_CONTEXT_PER_DEVICE},
    {.name = "kernels stored",
     .run = run_stored,
     .route = CLSHARD_ROUTE_KERNEL,
     .cache = KERNELS,
     .mesh = "a=1"},
    {.name = "kernels read",
     .run = run_contexts,
     .route = CLSHARD_ROUTE_KERNEL,
     .cache = KERNELS,
     .mesh = "a=1"},
    {.name = "linear", .run = run_at_once, .route = CLSHARD_ROUTE_LINEAR},
    {.name = "kernel", .run = run_at_once, .route = CLSHARD_ROUTE_KERNEL},
    {.name = "linear, rows", .run = run_at_once, .route = CLSHARD_ROUTE_LINEAR, .spec = "a"},
    {.name = "linear, padded",
     .run = run_at_once,
     .route = CLSHARD_ROUTE_LINEAR,
     .spec = "a+b",
     .policy = CLSHARD_PAD},
    {.name = "kernel, padded",
     .run = run_at_once,
     .route = CLSHARD_ROUTE_KERNEL,
     .spec = "_,a+b",
     .policy = CLSHARD_PAD},
    {.name = "linear, events", .run = run_with_events, .route = CLSHARD_ROUTE_LINEAR},
    {.name = "kernel, events", .run = run_with_events, .route = CLSHARD_ROUTE_KERNEL},
    {.name = "linear, abandoned", .run = run_abandoned, .route = CLSHARD_ROUTE_LINEAR},
    {.name = "kernel, abandoned", .run = run_abandoned, .route = CLSHARD_ROUTE_KERNEL},
    {.name = "linear, again", .run = run_again, .route = CLSHARD_ROUTE_LINEAR},
    {.name = "kernel, again", .run = run_again, .route = CLSHARD_ROUTE_KERNEL},
    {.name = "mapped", .run = run_mapped},
    {.name = "still mapped", .run = run_still_mapped, .fresh = true},
    {.name = "files", .run = run_files},
    {.name = "checks", .run = run_checks, .step = CHECK_STEP, .fresh = true},
    {.name = NULL}};
