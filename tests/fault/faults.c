/* SPDX-License-Identifier: Apache-2.0 */
/* faults calls|allocations|layer [SCENARIO]: every driver call, or every allocation, of each
 * scenario fails once. Then the scenario succeeds with right data or tells what failed, nothing
 * remains, and the same runtime still works. `layer` sees that the layer is there and counts. */

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fault/scenarios.h"
#include "support/fault_layer/fault_layer.h"

enum { SECONDS = 60, MOST_FAULTS = 5000 };

static const fault_layer *layer;
static char where[200] = "faults"; /* what is running */
static int failures;
static char folder[] = "/tmp/clshard-faults-XXXXXX";

static void tell_end(int number)
{
    (void)write(STDERR_FILENO,
                number == SIGALRM ? "hangs: " : "crashes: ", 7 + 2 * (number != SIGALRM));
    (void)write(STDERR_FILENO, where, strlen(where));
    (void)write(STDERR_FILENO, "\n", 1);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

/* Counts and tells what is not so. */
static void expect(bool is_so, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void expect(bool is_so, const char *format, ...)
{
    va_list arguments;

    if (is_so)
        return;
    failures++;
    (void)fprintf(stderr, "%s: ", where);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "\n");
}

/* What no test can go on without. */
static void need(bool is_so, const char *what)
{
    if (is_so)
        return;
    (void)fprintf(stderr, "%s: %s\n", where, what);
    exit(1);
}

/* Loading the layer again gives the one that the loader uses. */
static void load_layer(void)
{
    const char *path = getenv("OPENCL_LAYERS");
    void *library = path == NULL ? NULL : dlopen(path, RTLD_NOW);
    fault_layer_getter *get = NULL;

    need(library != NULL, "OPENCL_LAYERS must name the fault layer, as ctest sets it");
    *(void **)&get = dlsym(library, FAULT_LAYER_SYMBOL);
    need(get != NULL, "OPENCL_LAYERS names another layer");
    layer = get();
}

static clshard_runtime *open_devices(void)
{
    clshard_runtime *runtime = NULL;
    clshard_error error = {CLSHARD_OK, 0, -1, ""};
    const clshard_status status =
        clshard_runtime_open(scenarios_selector(), NULL, &runtime, &error);

    need(status == CLSHARD_OK, error.message);
    need(clshard_runtime_device_count(runtime) > 0, "no OpenCL device");
    return runtime;
}

/* What is alive: claims on OpenCL's objects, and the library's allocations. */
typedef struct census {
    long objects[FAULT_OBJECTS];
    int64_t allocations;
} census;

static census count_living(void)
{
    census now = {{0}, clshard__alloc_live()};
    for (int i = 0; i < FAULT_OBJECTS; i++)
        now.objects[i] = layer->live((fault_object)i);
    return now;
}

static const census nothing;

static void expect_living(const census *wanted)
{
    static const char *const names[FAULT_OBJECTS] = {
        [FAULT_CONTEXT] = "contexts", [FAULT_QUEUE] = "queues",   [FAULT_BUFFER] = "buffers",
        [FAULT_PROGRAM] = "programs", [FAULT_KERNEL] = "kernels", [FAULT_EVENT] = "events"};
    const census now = count_living();

    for (int i = 0; i < FAULT_OBJECTS; i++)
        expect(now.objects[i] == wanted->objects[i], "%ld claims on %s remain, not %ld",
               now.objects[i], names[i], wanted->objects[i]);
    expect(now.allocations == wanted->allocations, "%lld allocations remain, not %lld",
           (long long)now.allocations, (long long)wanted->allocations);
}

static size_t count_threads(void)
{
    DIR *threads = opendir("/proc/self/task");
    size_t count = 0;

    while (threads != NULL && readdir(threads) != NULL)
        count++;
    if (threads != NULL)
        (void)closedir(threads);
    return count;
}

/* Where no queue is left, waits until the drivers' threads are gone too. rusticl of Mesa 22.3.6
 * ends a queue in the queue's own thread, some time after clReleaseCommandQueue, and crashes there
 * (PipeContext::drop) when another queue is made meanwhile. */
static void wait_for_threads(void)
{
    static size_t idle;
    const struct timespec step = {0, 1000000};
    size_t steps = 0;

    if (layer->live(FAULT_QUEUE) != 0)
        return;
    while (steps < (idle == 0 ? 100 : 1000) && (idle == 0 || count_threads() > idle)) {
        (void)nanosleep(&step, NULL);
        steps++;
    }
    if (idle == 0 || count_threads() > idle)
        idle = count_threads();
}

static void disarm(void)
{
    layer->arm(NULL, 0);
    clshard__alloc_fail_at(0);
}

/* The n-th driver call or the n-th allocation. */
typedef struct fault {
    unsigned long call, allocation;
} fault;

/* What came of a run with a fault. */
typedef struct outcome {
    clshard_status status;
    clshard_error error;
    const char *failed; /* the entry point; NULL: none */
    int code;
    bool allocation_failed;
} outcome;

static outcome run(const scenario *chosen, const clshard_runtime *runtime, fault given)
{
    outcome found = {CLSHARD_OK, {CLSHARD_OK, 0, -1, ""}, NULL, 0, false};

    (void)alarm(SECONDS);
    layer->arm(NULL, given.call);
    clshard__alloc_fail_at(given.allocation);
    found.status = chosen->run(chosen, runtime, &found.error);
    found.failed = layer->failed(&found.code);
    found.allocation_failed = given.allocation != 0 && clshard__alloc_count() >= given.allocation;
    disarm();
    (void)alarm(0);
    wait_for_threads();
    return found;
}

/* The words of which a message has one, so that its reader knows which call failed. */
static bool names_operation(const char *message, const char *entry)
{
    if (strcmp(entry, "clWaitForEvents") == 0 || strcmp(entry, "clGetEventInfo") == 0)
        return strstr(message, "scatter") != NULL || strstr(message, "gather") != NULL ||
               strstr(message, "clEnqueueMapBuffer") != NULL ||
               strstr(message, "clEnqueueUnmapMemObject") != NULL;
    if (strcmp(entry, "clBuildProgram") == 0)
        return strstr(message, "building kernel") != NULL;
    return strstr(message, entry) != NULL;
}

static void check(const outcome *found)
{
    const clshard_error *error = &found->error;

    const char *status = clshard_status_name(found->status);

    expect(found->status != WRONG_DATA, "%s", error->message);
    if (found->status == CLSHARD_OK || found->status == WRONG_DATA)
        return;
    expect(error->status == found->status, "%s in the error is not %s",
           clshard_status_name(error->status), status);
    expect(error->message[0] != '\0', "%s without a message", status);
    if (found->status == TOLD_AS_FINDING) {
        char code[32];
        (void)snprintf(code, sizeof code, "(%d)", found->code);
        expect(strstr(error->message, code) != NULL, "no code %s in: %s", code, error->message);
    } else if (found->failed != NULL) {
        expect(error->native == found->code, "%s: native is %d, not %d: %s", status, error->native,
               found->code, error->message);
        expect(names_operation(error->message, found->failed), "%s does not name %s: %s", status,
               found->failed, error->message);
    } else if (found->allocation_failed) {
        expect(found->status == CLSHARD_ERR_MEMORY, "%s: %s", status, error->message);
    } else {
        expect(false, "%s although nothing failed: %s", status, error->message);
    }
}

static void run_unharmed(const scenario *chosen, const clshard_runtime *runtime)
{
    const outcome found = run(chosen, runtime, (fault){0, 0});
    expect(found.status == CLSHARD_OK, "without a fault: %s: %s", clshard_status_name(found.status),
           found.error.message);
}

/* One fault, and what must be true afterwards. Whether anything was there to fail. */
static bool survive(const scenario *chosen, const clshard_runtime *runtime, fault given)
{
    outcome found;

    (void)snprintf(where, sizeof where, "%s: call %lu, allocation %lu", chosen->name, given.call,
                   given.allocation);
    found = run(chosen, runtime, given);
    if (found.failed != NULL)
        (void)snprintf(where, sizeof where, "%s: call %lu, %s with %d", chosen->name, given.call,
                       found.failed, found.code);
    check(&found);
    if (found.failed == NULL && !found.allocation_failed)
        return false;
    run_unharmed(chosen, runtime);
    return true;
}

static void trim(clshard_runtime *runtime)
{
    clshard_error error = {CLSHARD_OK, 0, -1, ""};
    expect(clshard_runtime_trim(runtime, &error) == CLSHARD_OK, "trim: %s", error.message);
}

/* On a runtime that has what it needs, and keeps just that. */
static bool survive_warm(const scenario *chosen, clshard_runtime *runtime, fault given)
{
    census before;
    bool struck;

    trim(runtime);
    before = count_living();
    struck = survive(chosen, runtime, given);
    trim(runtime);
    expect_living(&before);
    return struck;
}

static bool survive_fresh(const scenario *chosen, fault given)
{
    const census before = count_living();
    clshard_runtime *runtime = open_devices();
    const bool struck = survive(chosen, runtime, given);

    clshard_runtime_release(runtime);
    wait_for_threads();
    expect_living(&before);
    return struck;
}

/* The n-th fault, for n = 1, 2, ... until nothing was there to fail. */
static unsigned long survive_all(const scenario *chosen, bool calls)
{
    clshard_runtime *runtime = open_devices();
    const unsigned long step = chosen->step == 0 ? 1 : chosen->step;
    unsigned long count = 0;
    bool struck = true;

    (void)snprintf(where, sizeof where, "%s", chosen->name);
    if (!chosen->fresh)
        run_unharmed(chosen, runtime);
    while (struck && count < MOST_FAULTS) {
        const unsigned long n = 1 + count * step;
        const fault next = calls ? (fault){n, 0} : (fault){0, n};
        struck = chosen->fresh ? survive_fresh(chosen, next) : survive_warm(chosen, runtime, next);
        count += struck;
    }
    clshard_runtime_release(runtime);
    wait_for_threads();
    expect(count < MOST_FAULTS, "there is no end to it");
    expect_living(&nothing);
    return count;
}

/* All scenarios, or the one of this name. */
static void run_scenarios(bool calls, const char *name)
{
    const char *what = calls ? "driver calls" : "allocations";
    unsigned long all = 0;

    for (const scenario *next = scenarios; next->name != NULL; next++)
        if (name == NULL || strcmp(name, next->name) == 0) {
            const unsigned long failed = survive_all(next, calls);
            printf("%-24s %5lu %s failed\n", next->name, failed, what);
            (void)fflush(stdout);
            all += failed;
        }
    printf("%-24s %5lu %s failed\n", "all", all, what);
    expect(all > 0, "nothing failed");
}

/* What the scenarios rely on: the layer is called, fails what it is asked to fail, and counts. */
static void check_layer(void)
{
    const clshard_mesh_options shared = {.size = sizeof shared, .repeat_devices = true};
    const clshard_shape shape = CLSHARD_SHAPE(2);
    clshard_runtime *runtime;
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;
    const char *failed;
    int code = 0;

    layer->arm("clCreateBuffer", 2);
    runtime = open_devices();
    expect(layer->calls("clGetPlatformIDs") > 0, "the layer is not called");
    expect(layer->calls(NULL) > layer->calls("clGetPlatformIDs"), "calls are not added up");
    need(clshard_mesh_parse(runtime, "a=2", &shared, &mesh, NULL) == CLSHARD_OK, "no mesh");
    need(clshard_sharding_parse(mesh, "a", NULL, &sharding, NULL) == CLSHARD_OK, "no sharding");
    expect(clshard_array_create_sharded(sharding, CLSHARD_F32, shape, &array, NULL) ==
               CLSHARD_ERR_DEVICE_MEMORY,
           "the second buffer does not fail");
    failed = layer->failed(&code);
    expect(failed != NULL && strcmp(failed, "clCreateBuffer") == 0 && code == -4,
           "the layer does not tell what failed");
    need(clshard_array_create_sharded(sharding, CLSHARD_F32, shape, &array, NULL) == CLSHARD_OK,
         "no array");
    expect(layer->live(FAULT_BUFFER) == 2 && layer->live(FAULT_CONTEXT) > 0,
           "objects are not counted");
    expect(clshard__alloc_live() > 0, "allocations are not counted");
    clshard_array_release(array);
    trim(runtime);
    expect(layer->live(FAULT_BUFFER) == 0, "what is released still counts");
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
    expect_living(&nothing);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";

    load_layer();
    need(mkdtemp(folder) != NULL, "no folder in /tmp");
    scenarios_set_folder(folder);
    (void)signal(SIGALRM, tell_end);
#ifndef __SANITIZE_ADDRESS__ /* which tells more */
    (void)signal(SIGSEGV, tell_end);
    (void)signal(SIGABRT, tell_end);
#endif
    if (strcmp(what, "layer") == 0)
        check_layer();
    else if (strcmp(what, "calls") == 0 || strcmp(what, "allocations") == 0)
        run_scenarios(strcmp(what, "calls") == 0, count > 2 ? arguments[2] : NULL);
    else
        need(false, "usage: faults calls|allocations|layer [SCENARIO]");
    scenarios_clean_folder();
    expect(rmdir(folder) == 0, "files were left in %s", folder);
    return failures == 0 ? 0 : 1;
}
