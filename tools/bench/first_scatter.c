/* SPDX-License-Identifier: Apache-2.0 */
/* How long a process waits for its first scatter, once the devices are known: contexts, queues,
 * buffers, and kernels where the route needs them. Each time is a process of its own, since drivers
 * and kernels stay warm in one. */
#include "first_scatter.h"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clshard/clshard.h>

#include "measure.h"

enum { ROWS = 4, COLUMNS = 1024 };

static const char by_rows[] = "rows", by_kernel[] = "kernel";

static clshard_status scatter(const clshard_runtime *runtime, bool kernel, clshard_error *err)
{
    static float host[ROWS][COLUMNS];
    const clshard_shape shape = CLSHARD_SHAPE(ROWS, COLUMNS);
    const clshard_tensor from = clshard_tensor_of(host, CLSHARD_F32, shape);
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;
    clshard_status status = clshard_mesh_parse(
        runtime, "data=4", CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true), &mesh, err);

    if (status == CLSHARD_OK)
        status = clshard_sharding_parse(mesh, kernel ? "_,data" : "data", NULL, &sharding, err);
    if (status == CLSHARD_OK)
        status = clshard_array_create_sharded(sharding, CLSHARD_F32, shape, &array, err);
    if (status == CLSHARD_OK)
        status = clshard_scatter(
            array, &from,
            CLSHARD_WITH(clshard_transfer_options,
                         .route = kernel ? CLSHARD_ROUTE_KERNEL : CLSHARD_ROUTE_AUTO),
            NULL, err);
    clshard_array_release(array);
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    return status;
}

int first_scatter_child(const char *how, const char *cache_folder)
{
    clshard_runtime *runtime = NULL;
    clshard_error err = {.position = -1};
    double start = 0;
    clshard_status status = clshard_runtime_open(
        NULL, CLSHARD_WITH(clshard_runtime_options, .cache_folder = cache_folder), &runtime, &err);

    if (status == CLSHARD_OK) {
        start = now();
        status = scatter(runtime, strcmp(how, by_kernel) == 0, &err);
    }
    if (status == CLSHARD_OK)
        printf("%.9f\n", now() - start);
    else
        fprintf(stderr, "clshard-bench: error: %s: %s\n", clshard_status_name(status), err.message);
    clshard_runtime_release(runtime);
    return status == CLSHARD_OK && fflush(stdout) == 0 ? 0 : 1;
}

static clshard_status fail(clshard_error *err, const char *message)
{
    if (err != NULL) {
        err->status = CLSHARD_ERR_IO;
        (void)snprintf(err->message, sizeof err->message, "first scatter: %s", message);
    }
    return CLSHARD_ERR_IO;
}

/* Starts this program as such a child, with its output in a pipe. */
static pid_t spawn(const char *how, const char *cache_folder, const int ends[2])
{
    extern char **environ;
    const char *const arguments[] = {"clshard-bench", FIRST_SCATTER_CHILD, how, cache_folder, NULL};
    posix_spawn_file_actions_t actions;
    pid_t process = -1;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    if (posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) != 0 ||
        posix_spawn_file_actions_addclose(&actions, ends[0]) != 0 ||
        posix_spawn_file_actions_addclose(&actions, ends[1]) != 0 ||
        posix_spawn(&process, "/proc/self/exe", &actions, NULL, (char **)(uintptr_t)arguments,
                    environ) != 0)
        process = -1;
    (void)posix_spawn_file_actions_destroy(&actions);
    return process;
}

/* Milliseconds of one child. */
static clshard_status time_child(const char *how, const char *cache_folder, double *out_time,
                                 clshard_error *err)
{
    char line[64] = "";
    int ends[2];
    int ended = -1;
    pid_t process;
    FILE *output;

    if (pipe(ends) != 0)
        return fail(err, "no pipe to be had");
    process = spawn(how, cache_folder, ends);
    (void)close(ends[1]);
    output = fdopen(ends[0], "r");
    if (output == NULL || fgets(line, sizeof line, output) == NULL)
        line[0] = '\0';
    if (output != NULL)
        (void)fclose(output);
    else
        (void)close(ends[0]);
    if (process < 0 || waitpid(process, &ended, 0) != process || ended != 0 || line[0] == '\0')
        return fail(err, "the process that measures it failed");
    *out_time = strtod(line, NULL) * 1e3;
    return CLSHARD_OK;
}

static clshard_status time_children(const char *how, const char *cache_folder, size_t repeats,
                                    double *out_median, clshard_error *err)
{
    double times[REPEATS_MAX];
    /* Once before: it fills the cache, and the operating system's own. */
    clshard_status status = time_child(how, cache_folder, &times[0], err);

    for (size_t i = 0; i < repeats && status == CLSHARD_OK; i++)
        status = time_child(how, cache_folder, &times[i], err);
    if (status == CLSHARD_OK)
        *out_median = median_of(times, repeats);
    return status;
}

static void remove_folder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = folder < 0 ? NULL : fdopendir(folder);

    for (const struct dirent *entry = list == NULL ? NULL : readdir(list); entry != NULL;
         entry = readdir(list))
        (void)unlinkat(folder, entry->d_name, 0);
    if (list != NULL)
        (void)closedir(list);
    (void)rmdir(path);
}

/* With a cache of kernels of its own. */
static clshard_status time_warm(const char *how, size_t repeats, double *out_median,
                                clshard_error *err)
{
    char folder[] = "/tmp/clshard-bench-XXXXXX";
    clshard_status status;

    if (mkdtemp(folder) == NULL)
        return fail(err, "no folder in /tmp for a cache of kernels");
    status = time_children(how, folder, repeats, out_median, err);
    remove_folder(folder);
    return status;
}

static clshard_status run_rows(size_t repeats, double *out_median, clshard_error *err)
{
    return time_children(by_rows, "off", repeats, out_median, err);
}

static clshard_status run_rows_warm(size_t repeats, double *out_median, clshard_error *err)
{
    return time_warm(by_rows, repeats, out_median, err);
}

static clshard_status run_kernel_warm(size_t repeats, double *out_median, clshard_error *err)
{
    return time_warm(by_kernel, repeats, out_median, err);
}

const measurement measure_first_scatter = {
    .name = "first_scatter",
    .what =
        "a process's first scatter after the devices are known: 4 rows of 4 KiB, no kernel cache",
    .unit = "ms",
    .goal = 25,
    .lower_is_better = true,
    .run = run_rows,
};

const measurement measure_first_scatter_warm = {
    .name = "first_scatter_warm",
    .what = "the same with a kernel cache, which such a scatter does not need",
    .unit = "ms",
    .goal = 25,
    .lower_is_better = true,
    .run = run_rows_warm,
};

const measurement measure_first_kernel_warm = {
    .name = "first_kernel_warm",
    .what = "the same bytes in columns by the route kernel, with its binaries in the cache",
    .unit = "ms",
    .goal = 25,
    .lower_is_better = true,
    .run = run_kernel_warm,
};
