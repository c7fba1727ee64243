/* SPDX-License-Identifier: Apache-2.0 */
/* Runtimes: the process's first are opened by eight threads at once, a shared one gives each device
 * to all of them at once, and the last thread to give it up ends it. */

#include <string.h>

#include "mesh/runtime_internal.h"
#include "support/plain.h"

enum { ROUNDS = 4, MOST_DEVICES = 64 };

/* ---- the first calls of the process ---- */

static void open_own(void *context, size_t number)
{
    size_t *devices = context;
    clshard_runtime *runtime = plain_open(NULL);

    devices[number] = clshard_runtime_device_count(runtime);
    for (size_t i = 0; i < devices[number]; i++) {
        const clshard_device_info *info = clshard_runtime_device(runtime, i);
        (void)expect(info->index == i && info->name[0] != '\0', "device %zu", i);
    }
    clshard_runtime_release(runtime);
}

/* Must be what main() starts with: later every driver is awake. */
static void first_calls_see_every_device(void)
{
    size_t devices[PLAIN_TEAM] = {0};
    clshard_runtime *later;

    plain_team(open_own, devices);
    later = plain_open(NULL);
    for (size_t i = 0; i < PLAIN_TEAM; i++)
        (void)expect(devices[i] == clshard_runtime_device_count(later),
                     "thread %zu saw %zu devices, one alone sees %zu", i, devices[i],
                     clshard_runtime_device_count(later));
    clshard_runtime_release(later);
}

/* ---- first use of devices ---- */

typedef struct starts {
    clshard_runtime *runtime;
    clshard__worker worker[PLAIN_TEAM][MOST_DEVICES];
} starts;

static size_t some_devices(const clshard_runtime *runtime)
{
    const size_t count = clshard_runtime_device_count(runtime);
    return count < MOST_DEVICES ? count : MOST_DEVICES;
}

static void start_all(void *context, size_t number)
{
    starts *all = context;
    const size_t count = some_devices(all->runtime);
    clshard_error err = {0};

    for (size_t i = 0; i < count; i++) {
        const size_t device = (i + number) % count;
        (void)works(clshard__engine_start(clshard__runtime_engine(all->runtime), device,
                                          &all->worker[number][device], &err),
                    &err);
    }
}

static void a_device_gets_one_context_and_one_queue(clshard_context_policy contexts)
{
    static starts all;

    memset(&all, 0, sizeof all);
    all.runtime = plain_open(CLSHARD_WITH(clshard_runtime_options, .contexts = contexts));
    plain_team(start_all, &all);
    for (size_t i = 1; i < PLAIN_TEAM; i++)
        for (size_t device = 0; device < some_devices(all.runtime); device++) {
            const clshard__worker *first = &all.worker[0][device];
            const clshard__worker *other = &all.worker[i][device];
            (void)expect(first->queue != NULL && other->queue == first->queue &&
                             other->context == first->context,
                         "device %zu, thread %zu", device, i);
        }
    clshard_runtime_release(all.runtime);
}

/* ---- kernels ---- */

static void take_and_give(void *context, size_t number)
{
    clshard__engine *engine = clshard__runtime_engine(context);
    clshard__worker worker = {0};
    clshard_error err = {0};

    (void)number;
    if (!works(clshard__engine_start(engine, 0, &worker, &err), &err))
        return;
    for (int round = 0; round < ROUNDS; round++) {
        clshard__kernel *kernel = NULL;
        clshard__kernel *other = NULL;
        if (works(clshard__engine_kernel_take(engine, &worker, "copy_box", "-DRANK=1 -DWORD=uint",
                                              &kernel, &err),
                  &err) &&
            works(clshard__engine_kernel_take(engine, &worker, "copy_box", "-DRANK=1 -DWORD=uint",
                                              &other, &err),
                  &err))
            (void)expect(kernel != other && kernel->handle != other->handle, "taken twice");
        clshard__engine_kernel_give(engine, other);
        clshard__engine_kernel_give(engine, kernel);
    }
}

static void a_kernel_is_used_by_one_thread_at_a_time(void)
{
    clshard_runtime *runtime = plain_open(NULL);

    if (runtime != NULL)
        plain_team(take_and_give, runtime);
    clshard_runtime_release(runtime);
}

/* ---- meshes at the same time, and the last claim ---- */

typedef struct claims {
    clshard_sharding *sharding[PLAIN_TEAM];
    clshard_runtime *runtime;
} claims;

/* Thread 0 holds the runtime's own claim and gives it up while the others make arrays. */
static void make_and_release(void *context, size_t number)
{
    claims *all = context;
    clshard_array *array = NULL;
    clshard_error err = {0};

    if (number == 0)
        clshard_runtime_release(all->runtime);
    (void)works(clshard_array_create_sharded(all->sharding[number], CLSHARD_F32, CLSHARD_SHAPE(16),
                                             &array, &err),
                &err);
    clshard_sharding_release(all->sharding[number]);
    clshard_array_release(array);
}

static void any_thread_may_end_a_runtime(void)
{
    claims all = {.runtime = plain_open(NULL)};

    for (size_t i = 0; i < PLAIN_TEAM; i++)
        all.sharding[i] = plain_sharding(all.runtime, i % 2 == 0 ? "a=4" : "a=2", "a");
    plain_team(make_and_release, &all);
}

static void make_meshes(void *context, size_t number)
{
    clshard_runtime *runtime = context;

    for (int round = 0; round < ROUNDS; round++) {
        clshard_sharding *sharding = plain_sharding(runtime, "a=2,b=2", "a,b");
        const clshard_device_info *info =
            clshard_mesh_device(clshard_sharding_mesh(sharding), number % 4);
        (void)expect(info != NULL && info->name[0] != '\0', "position %zu", number % 4);
        clshard_sharding_release(sharding);
    }
}

static void meshes_are_made_at_once(void)
{
    clshard_runtime *runtime = plain_open(NULL);

    plain_team(make_meshes, runtime);
    clshard_runtime_release(runtime);
}

int main(void)
{
    first_calls_see_every_device();
    for (int i = 0; i < ROUNDS; i++) {
        a_device_gets_one_context_and_one_queue(CLSHARD_CONTEXT_AUTO);
        a_device_gets_one_context_and_one_queue(CLSHARD_CONTEXT_PER_DEVICE);
        any_thread_may_end_a_runtime();
    }
    a_kernel_is_used_by_one_thread_at_a_time();
    meshes_are_made_at_once();
    return plain_result();
}
