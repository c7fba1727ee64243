/* SPDX-License-Identifier: Apache-2.0 */
/* A process may end with objects alive: the library has no destructors, and the drivers' must not
 * crash or hang. The program runs itself once for each way to end. */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/plain.h"

enum { SIDE = 512, SECONDS = 60 };

/* What is alive at the end: static, so that it counts as reachable and not as leaked. */
static struct {
    clshard_runtime *runtime;
    clshard_sharding *sharding;
    clshard_array *array, *mapped;
    clshard_event *event;
    clshard_tensor from, back, shard;
} alive;

static void make_all(void)
{
    const clshard_shape shape = CLSHARD_SHAPE(SIDE, SIDE);
    clshard_error err = {0};

    alive.from = clshard_tensor_of(calloc(SIDE, SIDE), CLSHARD_U8, shape);
    alive.back = clshard_tensor_of(calloc(SIDE, SIDE), CLSHARD_U8, shape);
    alive.runtime = plain_open(NULL);
    alive.sharding = plain_sharding(alive.runtime, "a=2,b=2", "a,b");
    if (works(clshard_array_create_sharded(alive.sharding, CLSHARD_U8, shape, &alive.array, &err),
              &err) &&
        works(clshard_array_create_sharded(alive.sharding, CLSHARD_U8, shape, &alive.mapped, &err),
              &err) &&
        works(clshard_scatter(alive.array, &alive.from, NULL, NULL, &err), &err))
        (void)works(clshard_array_map(alive.mapped, 1, &alive.shard, &err), &err);
}

static void issue(void)
{
    clshard_error err = {0};

    (void)works(
        clshard_gather(&alive.back, alive.array,
                       CLSHARD_WITH(clshard_transfer_options, .route = CLSHARD_ROUTE_KERNEL),
                       &alive.event, &err),
        &err);
}

/* Mesa's llvmpipe crashes when a process exits while it runs a kernel (docs/threads.md). */
static void issue_and_wait(void)
{
    clshard_error err = {0};

    issue();
    (void)works(clshard_event_wait(alive.event, &err), &err);
}

/* The arrays are left, what they were made from is released. */
static void release_some(void)
{
    issue_and_wait();
    clshard_event_release(alive.event);
    clshard_sharding_release(alive.sharding);
    clshard_runtime_release(alive.runtime);
}

static void *exit_here(void *context)
{
    (void)context;
    exit(plain_result());
}

/* ---- the ways to end ---- */

static int return_with_arrays(void)
{
    return plain_result();
}

static int return_with_an_event(void)
{
    issue_and_wait();
    return plain_result();
}

static int return_with_some_released(void)
{
    release_some();
    return plain_result();
}

static int exit_in_another_thread(void)
{
    pthread_t thread;

    issue_and_wait();
    if (pthread_create(&thread, NULL, exit_here, NULL) == 0)
        (void)pthread_join(thread, NULL);
    return EXIT_FAILURE;
}

/* No destructor runs then, so the event may be pending. */
static int exit_at_once(void)
{
    issue();
    _exit(plain_result());
}

static const struct {
    const char *name;
    int (*end)(void);
} ways[] = {{"return_with_arrays", return_with_arrays},
            {"return_with_an_event", return_with_an_event},
            {"return_with_some_released", return_with_some_released},
            {"exit_in_another_thread", exit_in_another_thread},
            {"exit_at_once", exit_at_once}};

enum { WAYS = sizeof ways / sizeof ways[0] };

static void run_self(const char *program, const char *way)
{
    int ended = 0;
    pid_t child;

    child = fork();
    if (child == 0) {
        (void)alarm(SECONDS);
        (void)execl(program, program, way, (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    (void)expect(waitpid(child, &ended, 0) == child, "%s", way);
    (void)expect(!WIFSIGNALED(ended), "%s: signal %d (%d: it hung)", way, WTERMSIG(ended), SIGALRM);
    (void)expect(!WIFEXITED(ended) || WEXITSTATUS(ended) == 0, "%s: status %d", way,
                 WEXITSTATUS(ended));
}

int main(int count, char **arguments)
{
    if (count < 2) {
        for (size_t i = 0; i < WAYS; i++)
            run_self(arguments[0], ways[i].name);
        return plain_result();
    }
    make_all();
    for (size_t i = 0; i < WAYS; i++)
        if (strcmp(arguments[1], ways[i].name) == 0)
            return ways[i].end();
    return EXIT_FAILURE;
}
