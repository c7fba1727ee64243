/* SPDX-License-Identifier: Apache-2.0 */
/* What a child of fork() may do with its parent's objects: look at them, be refused by whatever
 * touches a driver, and release them, in any case without hanging; and that the parent does not
 * notice. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/plain.h"

enum { SIDE = 256, SECONDS = 30, BUSY_FORKS = 100 };

typedef struct objects {
    clshard_runtime *runtime;
    clshard_sharding *sharding;
    clshard_array *array;
    clshard_event *event; /* pending, or NULL */
    clshard_tensor from, back;
} objects;

static clshard_tensor tensor(void)
{
    return clshard_tensor_of(calloc(SIDE, SIDE * sizeof(int32_t)), CLSHARD_I32,
                             CLSHARD_SHAPE(SIDE, SIDE));
}

static void release(objects *all)
{
    clshard_event_release(all->event);
    clshard_array_release(all->array);
    clshard_sharding_release(all->sharding);
    clshard_runtime_release(all->runtime);
}

/* ---- the child ---- */

static clshard_status ignore(void *context, const clshard_finding *finding, clshard_error *err)
{
    (void)context;
    (void)finding;
    (void)err;
    return CLSHARD_OK;
}

static void be_refused(const objects *all)
{
    static const clshard_status forked = CLSHARD_ERR_FORKED;
    static const char words[] = "fork()";
    clshard_array *array = NULL;
    clshard_event *event = NULL;
    clshard_tensor shard;
    clshard_error err = {0};

    (void)refused(
        clshard_array_create_sharded(all->sharding, CLSHARD_I32, all->from.shape, &array, &err),
        forked, words, &err);
    (void)refused(clshard_runtime_trim(all->runtime, &err), forked, words, &err);
    (void)refused(clshard_check_device(all->runtime, 0, NULL, ignore, NULL, &err), forked, words,
                  &err);
    (void)expect(array == NULL, "an output was touched");
    if (all->array == NULL)
        return;
    (void)refused(clshard_scatter(all->array, &all->from, NULL, NULL, &err), forked, words, &err);
    (void)refused(clshard_scatter(all->array, &all->from, NULL, &event, &err), forked, words, &err);
    (void)refused(clshard_gather(&all->back, all->array, NULL, NULL, &err), forked, words, &err);
    (void)refused(clshard_array_map(all->array, 0, &shard, &err), forked, words, &err);
    (void)refused(clshard_array_unmap(all->array, 0, &err), forked, words, &err);
    (void)refused(clshard_array_wait(all->array, &err), forked, words, &err);
    if (all->event == NULL)
        return;
    (void)refused(clshard_event_wait(all->event, &err), forked, words, &err);
    (void)expect(clshard_event_done(all->event), "a wait would return at once");
    (void)clshard_event_report_count(all->event);
}

/* Layouts and plans need no driver. */
static void plan(const objects *all)
{
    clshard_layout *layout = NULL;
    clshard_plan *moves = NULL;
    clshard_error err = {0};

    if (works(clshard_layout_create(all->sharding, all->from.shape, &layout, &err), &err) &&
        works(clshard_plan_create(layout, layout, &moves, &err), &err))
        (void)expect(clshard_plan_move_count(moves) == 4, "%zu moves",
                     clshard_plan_move_count(moves));
    clshard_plan_release(moves);
    clshard_layout_release(layout);
}

static void look(const objects *all)
{
    const clshard_mesh *mesh = clshard_sharding_mesh(all->sharding);
    clshard_mesh *other = NULL;
    char text[32];
    clshard_error err = {0};

    (void)expect(clshard_runtime_device(all->runtime, 0)->name[0] != '\0', "no name");
    (void)expect(clshard_mesh_device(mesh, 3) != NULL, "no device");
    (void)clshard_mesh_format(mesh, text, sizeof text);
    (void)works(clshard_mesh_parse(all->runtime, text,
                                   CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true),
                                   &other, &err),
                &err);
    (void)expect(clshard_mesh_equal(mesh, other), "'%s'", text);
    clshard_mesh_release(other);
}

static void expect_good_end(pid_t child, const char *when)
{
    int ended = 0;

    (void)expect(waitpid(child, &ended, 0) == child, "%s", when);
    (void)expect(!WIFSIGNALED(ended), "%s: the child ended with signal %d (%d: it hung)", when,
                 WTERMSIG(ended), SIGALRM);
    (void)expect(!WIFEXITED(ended) || WEXITSTATUS(ended) == 0, "%s: the child's checks failed",
                 when);
}

/* The child ends with _exit(): in exit() a driver may wait for threads that only its parent has. */
static void fork_child(objects *all, bool releases, const char *when)
{
    pid_t child;

    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        (void)alarm(SECONDS);
        plain_start_over();
        look(all);
        plan(all);
        be_refused(all);
        if (releases)
            release(all);
        _exit(plain_result());
    }
    expect_good_end(child, when);
}

/* ---- a child made before anything was opened ---- */

static void use_own(objects *own)
{
    clshard_error err = {0};

    own->runtime = plain_open(NULL);
    own->sharding = plain_sharding(own->runtime, "a=2,b=2", "a,b");
    memset(own->from.data, 0x21, own->from.bytes);
    if (works(clshard_array_create_sharded(own->sharding, CLSHARD_I32, own->from.shape, &own->array,
                                           &err),
              &err) &&
        works(clshard_scatter(own->array, &own->from, NULL, NULL, &err), &err) &&
        works(clshard_gather(&own->back, own->array, NULL, NULL, &err), &err))
        (void)expect(memcmp(own->from.data, own->back.data, own->from.bytes) == 0, "other bytes");
    release(own);
}

/* Must be what main() starts with: several drivers hang in children of a process that has used
 * them. */
static void a_child_made_first_has_its_own(void)
{
    objects own = {.from = tensor(), .back = tensor()};
    pid_t child;

    child = fork();
    if (child == 0) {
        (void)alarm(SECONDS);
        plain_start_over();
        use_own(&own);
        exit(plain_result());
    }
    expect_good_end(child, "with a runtime of its own");
    use_own(&own);
    free(own.from.data);
    free(own.back.data);
}

/* ---- the parent ---- */

static void still_works(objects *all)
{
    clshard_error err = {0};

    memset(all->back.data, 0, all->back.bytes);
    if (works(clshard_array_wait(all->array, &err), &err) &&
        works(clshard_gather(&all->back, all->array, NULL, NULL, &err), &err))
        (void)expect(memcmp(all->from.data, all->back.data, all->from.bytes) == 0, "other bytes");
}

static void fork_at_each_stage(bool releases)
{
    objects all = {.runtime = plain_open(NULL), .from = tensor(), .back = tensor()};
    clshard_error err = {0};

    memset(all.from.data, 0x5a, all.from.bytes);
    all.sharding = plain_sharding(all.runtime, "a=2,b=2", "a,b");
    fork_child(&all, releases, "after the runtime was opened");
    if (works(clshard_array_create_sharded(all.sharding, CLSHARD_I32, all.from.shape, &all.array,
                                           &err),
              &err) &&
        works(clshard_scatter(all.array, &all.from, NULL, NULL, &err), &err)) {
        fork_child(&all, releases, "after a scatter");
        still_works(&all);
    }
    if (all.array != NULL &&
        works(clshard_scatter(all.array, &all.from, NULL, &all.event, &err), &err)) {
        fork_child(&all, releases, "with an event pending");
        (void)works(clshard_event_wait(all.event, &err), &err);
        still_works(&all);
    }
    release(&all);
    free(all.from.data);
    free(all.back.data);
}

/* ---- while other threads work ---- */

typedef struct busy {
    objects *all;
    atomic_bool stop;
} busy;

static void *work(void *context)
{
    busy *own = context;
    const clshard_tensor from = tensor();
    clshard_error err = {0};

    while (!atomic_load(&own->stop)) {
        clshard_array *array = NULL;
        if (works(clshard_array_create_sharded(own->all->sharding, CLSHARD_I32, from.shape, &array,
                                               &err),
                  &err))
            (void)works(clshard_scatter(array, &from, NULL, NULL, &err), &err);
        clshard_array_release(array);
    }
    free(from.data);
    return NULL;
}

/* The locks of the engine and of the pools may be taken when the child is made; nobody leaves them
 * there. */
static void fork_while_others_work(void)
{
    objects all = {.runtime = plain_open(NULL), .from = tensor()};
    busy others = {.all = &all};
    pthread_t thread[2];

    all.sharding = plain_sharding(all.runtime, "a=2,b=2", "a,b");
    atomic_init(&others.stop, false);
    for (size_t i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, work, &others) != 0)
            abort();
    for (int i = 0; i < BUSY_FORKS; i++)
        fork_child(&all, true, "while other threads work");
    atomic_store(&others.stop, true);
    for (size_t i = 0; i < 2; i++)
        (void)pthread_join(thread[i], NULL);
    release(&all);
    free(all.from.data);
}

int main(void)
{
    a_child_made_first_has_its_own();
    fork_at_each_stage(false);
    fork_at_each_stage(true);
    fork_while_others_work();
    return plain_result();
}
