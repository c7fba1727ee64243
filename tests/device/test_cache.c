/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel cache between processes. Each process is a child of a test that never calls OpenCL
 * itself, since drivers do not survive fork(). */

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "mesh/runtime_internal.h"
#include "opencl/kernel_sources.h"
#include "opencl/program.h"
#include "opencl/program_binary.h"
#include "support/devices.h"
#include "support/files.h"
#include "support/log_lines.h"

enum { STARTERS = 8, ROWS = 64, COLUMNS = 12 };

TestSuite(cache, .init = folder_make, .fini = folder_remove);

/* What one process is to do, with which options. */
typedef struct job {
    const char *cache_folder;
    clshard_context_policy contexts;
    const char *spec;
    clshard_route route;
} job;

/* What it did. */
typedef struct outcome {
    bool right;         /* the data came back */
    bool host_memory;   /* of all devices */
    size_t built, read; /* programs */
    size_t ignored;     /* files */
} outcome;

/* Of two equal devices the second reads what was built for the first. */
static size_t programs_of(outcome done)
{
    return done.built + done.read;
}

static log_lines lines;

static outcome outcome_of_log(void)
{
    return (outcome){.built = log_lines_with(&lines, "built from source"),
                     .read = log_lines_with(&lines, "read from the cache"),
                     .ignored = log_lines_with(&lines, "is ignored")};
}

static clshard_status move_both_ways(const job *j, const clshard_mesh *mesh, bool *right,
                                     clshard_error *err)
{
    static float rows[ROWS][COLUMNS], back[ROWS][COLUMNS];
    const clshard_shape shape = CLSHARD_SHAPE(ROWS, COLUMNS);
    const clshard_tensor from = clshard_tensor_of(rows, CLSHARD_F32, shape);
    const clshard_tensor to = clshard_tensor_of(back, CLSHARD_F32, shape);
    const clshard_transfer_options options = {.size = sizeof options, .route = j->route};
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;
    clshard_status status;

    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        rows[i / COLUMNS][i % COLUMNS] = (float)i;
    status = clshard_sharding_parse(mesh, j->spec, NULL, &sharding, err);
    if (status == CLSHARD_OK)
        status = clshard_array_create_sharded(sharding, CLSHARD_F32, shape, &array, err);
    if (status == CLSHARD_OK)
        status = clshard_scatter(array, &from, &options, NULL, err);
    if (status == CLSHARD_OK)
        status = clshard_gather(&to, array, &options, NULL, err);
    *right = status == CLSHARD_OK && memcmp(rows, back, sizeof rows) == 0;
    clshard_array_release(array);
    clshard_sharding_release(sharding);
    return status;
}

/* In the process itself. Asserting there would speak for the test's own process. */
static outcome work(const job *j)
{
    const clshard_runtime_options options = {.size = sizeof options,
                                             .contexts = j->contexts,
                                             .log = log_lines_add,
                                             .log_context = &lines,
                                             .cache_folder = j->cache_folder};
    clshard_error err = {0};
    clshard_runtime *runtime = NULL;
    clshard_mesh *mesh = NULL;
    bool right = false;
    outcome done;

    lines = (log_lines){{0}, 0};
    if (clshard_runtime_open(devices_selector(), &options, &runtime, &err) ||
        clshard_mesh_parse(runtime, "a=4",
                           CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true), &mesh,
                           &err) ||
        move_both_ways(j, mesh, &right, &err))
        (void)fprintf(stderr, "%s: %s\n", clshard_status_name(err.status), err.message);
    done = outcome_of_log();
    done.right = right;
    done.host_memory = true;
    for (size_t i = 0; i < clshard_runtime_device_count(runtime); i++)
        done.host_memory = done.host_memory && clshard_runtime_device(runtime, i)->host_memory;
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
    return done;
}

/* A process on its way. */
typedef struct child {
    pid_t process;
    int result;
} child;

static child start(outcome (*run)(const job *j), const job *j)
{
    int ends[2];
    child started;

    cr_assert(pipe(ends) == 0);
    started.process = fork();
    cr_assert(started.process >= 0);
    if (started.process == 0) {
        const outcome done = run(j);
        _exit(write(ends[1], &done, sizeof done) == sizeof done ? 0 : 1);
    }
    cr_assert(close(ends[1]) == 0);
    started.result = ends[0];
    return started;
}

static outcome finish(child started)
{
    outcome done = {0};
    int ended = -1;

    cr_assert(read(started.result, &done, sizeof done) == sizeof done);
    cr_assert(close(started.result) == 0);
    cr_assert(waitpid(started.process, &ended, 0) == started.process);
    cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "a process ended with %d", ended);
    cr_assert(done.right, "the data did not come back");
    return done;
}

static outcome in_a_process(const job *j)
{
    return finish(start(work, j));
}

/* Columns, so that a kernel has something to pack. */
static job kernel_job(void)
{
    return (job){.cache_folder = folder_path(), .spec = "_,a", .route = CLSHARD_ROUTE_KERNEL};
}

Test(cache, a_second_process_builds_nothing)
{
    const job j = kernel_job();
    const outcome first = in_a_process(&j);
    const outcome second = in_a_process(&j);

    cr_assert_gt(first.built, 0);
    cr_assert_eq(folder_count(), first.built);
    cr_assert_eq(second.built, 0);
    cr_assert_eq(second.read, programs_of(first));
}

Test(cache, serves_every_way_of_sharing_contexts)
{
    job j = kernel_job();
    outcome first, second;

    j.contexts = CLSHARD_CONTEXT_PER_PLATFORM;
    first = in_a_process(&j);
    j.contexts = CLSHARD_CONTEXT_PER_DEVICE;
    second = in_a_process(&j);
    cr_assert_gt(first.built, 0);
    cr_assert_eq(second.built, 0);
    cr_assert_eq(second.read, programs_of(first));
}

/* Two runtimes in one process: the second's outcome. */
static outcome work_beside(const job *j)
{
    job off = *j;
    const outcome first = work(j);
    outcome second;

    off.cache_folder = "off";
    second = work(&off);
    second.right = second.right && first.right;
    return second;
}

Test(cache, belongs_to_one_runtime)
{
    const job j = kernel_job();
    const outcome warm = in_a_process(&j);
    const size_t files = folder_count();
    const outcome off = finish(start(work_beside, &j));

    cr_assert_eq(off.read, 0);
    cr_assert_eq(off.built, programs_of(warm));
    cr_assert_eq(folder_count(), files);
}

/* Changes a byte in the middle of every file. */
static size_t damage_files(void)
{
    DIR *list = opendir(folder_path());
    size_t damaged = 0;

    cr_assert(list != NULL);
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        const char *path = folder_file(entry->d_name);
        unsigned char *bytes;
        size_t count;
        if (entry->d_name[0] == '.')
            continue;
        bytes = read_bytes(path, &count);
        bytes[count / 2] ^= 1;
        write_bytes(path, bytes, count);
        free(bytes);
        damaged++;
    }
    (void)closedir(list);
    return damaged;
}

Test(cache, damaged_files_are_built_anew)
{
    const job j = kernel_job();
    const outcome first = in_a_process(&j);
    const size_t damaged = damage_files();
    const outcome second = in_a_process(&j);
    const outcome third = in_a_process(&j);

    cr_assert_gt(damaged, 0);
    cr_assert_eq(second.ignored, damaged);
    cr_assert_eq(second.built, damaged);
    cr_assert_eq(programs_of(second), programs_of(first));
    cr_assert_eq(third.built, 0);
    cr_assert_eq(third.ignored, 0);
}

Test(cache, survives_eight_processes_that_start_at_once)
{
    const job j = kernel_job();
    child started[STARTERS];
    size_t built = 0;

    for (size_t i = 0; i < STARTERS; i++)
        started[i] = start(work, &j);
    for (size_t i = 0; i < STARTERS; i++) {
        const outcome done = finish(started[i]);
        built += done.built;
        cr_assert_eq(done.ignored, 0);
    }
    cr_assert_gt(built, 0);
    cr_assert_eq(in_a_process(&j).built, 0);
}

Test(cache, is_not_needed_for_contiguous_moves_nor_in_the_hosts_memory)
{
    job j = {.cache_folder = "off", .spec = "a", .route = CLSHARD_ROUTE_AUTO};
    outcome done;

    cr_assert(unsetenv("CLSHARD_ROUTE") == 0);
    done = in_a_process(&j);
    cr_assert_eq(programs_of(done), 0, "contiguous moves built a program");
    j.spec = "_,a";
    done = in_a_process(&j);
    if (done.host_memory)
        cr_assert_eq(programs_of(done), 0, "a program was built for devices of the host");
    j.route = CLSHARD_ROUTE_KERNEL;
    cr_assert_gt(in_a_process(&j).built, 0, "the log would not have shown it");
}

/* A driver's own binary that lacks the kernel: no driver refuses it before the kernel is asked for,
 * and none ends the process, as some do on bytes that they did not write. */
static bool other_binary(const clshard__worker *worker, clshard__bytes *out_binary)
{
    const char *source = "kernel void other(global int *a) { a[0] = 1; }";
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(worker->context, 1, &source, NULL, &code);
    bool done;

    if (code != CL_SUCCESS)
        return false;
    done = clBuildProgram(program, 1, &worker->device->id, "", NULL, NULL) == CL_SUCCESS &&
           clshard__program_to_binary(program, worker->device, out_binary);
    (void)clReleaseProgram(program);
    return done;
}

static bool build(const clshard__program_request *request)
{
    cl_program program = NULL;
    const clshard_status status = clshard__program_build(request, &program, NULL);

    if (status == CLSHARD_OK)
        (void)clReleaseProgram(program);
    return status == CLSHARD_OK;
}

static bool store_other(const clshard__program_request *request, const clshard__worker *worker)
{
    const clshard__kernel_source *source = clshard__kernel_sources;
    clshard__bytes key = {NULL, 0};
    clshard__bytes binary = {NULL, 0};
    bool done;

    while (source->name != NULL && strcmp(source->name, request->name) != 0)
        source++;
    done = source->name != NULL &&
           clshard__program_key(request->device, request->options, source->text, &key) &&
           other_binary(worker, &binary);
    if (done)
        clshard__binary_cache_store(request->cache, key, binary);
    clshard__free(key.data);
    clshard__free(binary.data);
    return done;
}

/* Per device: a wrong binary is refused and built anew, and the new one is read. */
static outcome work_with_others(const job *j)
{
    clshard_runtime *runtime = NULL;
    clshard__log log = {0};
    clshard__binary_cache *cache = NULL;
    outcome done = {0};
    bool right = clshard__log_init(&log, log_lines_add, &lines, NULL) == CLSHARD_OK &&
                 clshard_runtime_open(devices_selector(), NULL, &runtime, NULL) == CLSHARD_OK &&
                 clshard__binary_cache_create(j->cache_folder, &log, &cache, NULL) == CLSHARD_OK;

    for (size_t i = 0; right && i < clshard_runtime_device_count(runtime); i++) {
        clshard__worker worker = {0};
        clshard__program_request request = {.name = "copy_box", .options = "", .cache = cache};
        const clshard_status status =
            clshard__engine_start(clshard__runtime_engine(runtime), i, &worker, NULL);
        request.context = worker.context;
        request.device = worker.device;
        lines = (log_lines){{0}, 0};
        right = status == CLSHARD_OK && store_other(&request, &worker) && build(&request) &&
                build(&request);
        done = outcome_of_log();
        right = right && done.built == 1 && done.read == 1 &&
                log_lines_with(&lines, "does not take its binary") == 1;
    }
    clshard__binary_cache_release(cache);
    clshard_runtime_release(runtime);
    clshard__log_end(&log);
    done.right = right;
    return done;
}

Test(cache, binaries_that_a_driver_does_not_take_are_built_anew)
{
    const job j = kernel_job();
    cr_assert_eq(finish(start(work_with_others, &j)).built, 1);
}
