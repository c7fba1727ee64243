/* SPDX-License-Identifier: Apache-2.0 */
/* An event may be used in another thread than its array, at the same time: four threads issue and
 * go on using their arrays, four wait for what they are handed. */

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "support/plain.h"

enum { ROUNDS = 20, ROWS = 64, COLUMNS = 48, PAIRS = PLAIN_TEAM / 2 };

/* On a mesh of 2 x 2 whose second axis only makes replicas. */
enum { SHARDS = 4, SLICES = 2 };

/* What the two threads of a pair pass to each other. */
typedef struct slot {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool full;
    clshard_event *event;     /* the waiter's from then on; NULL: there is no more */
    clshard_status wanted;    /* what the wait must answer */
    size_t reports;           /* and how many reports there then are */
    const unsigned char *now; /* bytes that must be equal when it is done; NULL: none */
    const unsigned char *then;
} slot;

/* reports SIZE_MAX: the event fails. */
static void put(slot *to, clshard_event *event, size_t reports, const void *now, const void *then)
{
    (void)pthread_mutex_lock(&to->lock);
    to->event = event;
    to->wanted = reports == SIZE_MAX ? CLSHARD_ERR_REPLICAS : CLSHARD_OK;
    to->reports = reports == SIZE_MAX ? 0 : reports;
    to->now = now;
    to->then = then;
    to->full = true;
    (void)pthread_cond_broadcast(&to->changed);
    (void)pthread_mutex_unlock(&to->lock);
}

/* Until the slot is full, or empty again. */
static void await(slot *of, bool full)
{
    (void)pthread_mutex_lock(&of->lock);
    while (of->full != full)
        (void)pthread_cond_wait(&of->changed, &of->lock);
    (void)pthread_mutex_unlock(&of->lock);
}

static void empty(slot *of)
{
    (void)pthread_mutex_lock(&of->lock);
    of->full = false;
    (void)pthread_cond_broadcast(&of->changed);
    (void)pthread_mutex_unlock(&of->lock);
}

/* ---- the thread that waits ---- */

/* What holds once the event is done, however that was found out. */
static void check_done(const slot *from)
{
    (void)expect(clshard_event_report_count(from->event) == from->reports, "%zu reports",
                 clshard_event_report_count(from->event));
    if (from->now != NULL)
        (void)expect(memcmp(from->now, from->then, ROWS * COLUMNS) == 0, "other bytes");
}

/* Every second time asks until it is done before it waits. */
static void check_end(const slot *from, size_t round)
{
    clshard_error err = {0};
    clshard_status status;

    if (round % 2 == 0) {
        while (!clshard_event_done(from->event))
            (void)sched_yield();
        check_done(from);
    }
    status = clshard_event_wait(from->event, &err);
    (void)expect(status == from->wanted, "%s: %s", clshard_status_name(status), err.message);
    (void)expect(clshard_event_wait(from->event, NULL) == status, "the second wait differs");
    (void)expect(clshard_event_done(from->event), "waited for, but not done");
    check_done(from);
}

static void wait_for_all(slot *from)
{
    for (size_t round = 0;; round++) {
        clshard_event *event;

        await(from, true);
        event = from->event;
        if (event != NULL)
            check_end(from, round);
        clshard_event_release(event);
        empty(from);
        if (event == NULL)
            return;
    }
}

/* ---- the thread that issues ---- */

typedef struct owner {
    slot *to;
    clshard_array *array;
    clshard_tensor from, first, second;
    const clshard_transfer_options *options;
} owner;

/* Array calls while the waiter has the event of the scatter before. */
static void scatter_and_go_on(const owner *own)
{
    clshard_event *event = NULL;
    clshard_error err = {0};

    if (!works(clshard_scatter(own->array, &own->from, own->options, &event, &err), &err))
        return;
    put(own->to, event, SHARDS, NULL, NULL);
    if (works(clshard_gather(&own->first, own->array, own->options, NULL, &err), &err))
        (void)expect(memcmp(own->first.data, own->from.data, own->from.bytes) == 0, "other bytes");
    await(own->to, false);
}

/* Both threads wait for one gather; the second one is issued meanwhile. */
static void gather_and_go_on(const owner *own)
{
    clshard_event *event = NULL;
    clshard_error err = {0};

    memset(own->first.data, 0, own->first.bytes);
    if (!works(clshard_gather(&own->first, own->array, own->options, &event, &err), &err))
        return;
    put(own->to, event, SLICES, own->first.data, own->from.data);
    (void)works(clshard_gather(&own->second, own->array, own->options, NULL, &err), &err);
    (void)works(clshard_array_wait(own->array, &err), &err);
    (void)expect(memcmp(own->second.data, own->from.data, own->from.bytes) == 0, "other bytes");
    await(own->to, false);
}

/* The array ends while the waiter waits. */
static void gather_and_release(const owner *own)
{
    clshard_event *event = NULL;
    clshard_error err = {0};

    memset(own->first.data, 0, own->first.bytes);
    if (works(clshard_gather(&own->first, own->array, own->options, &event, &err), &err))
        put(own->to, event, SLICES, own->first.data, own->from.data);
    clshard_array_release(own->array);
    await(own->to, false);
}

static bool make_replicas_differ(clshard_array *array)
{
    clshard_tensor shard;
    clshard_error err = {0};

    for (size_t i = 0; i < clshard_array_shard_count(array); i++)
        if (clshard_array_shard(array, i).part.replica == 1) {
            if (!works(clshard_array_map(array, i, &shard, &err), &err))
                return false;
            *(unsigned char *)shard.data ^= 0xffu;
            return works(clshard_array_unmap(array, i, &err), &err);
        }
    return expect(false, "there is no replica");
}

/* A failure is told to the waiter; whether the array's owner hears of it too depends on who is
 * first. */
static void fail_and_go_on(const owner *own)
{
    const clshard_transfer_options *compare = CLSHARD_WITH(
        clshard_transfer_options, .route = own->options->route, .compare_replicas = true);
    clshard_event *event = NULL;
    clshard_error err = {0};
    clshard_status status;

    if (!make_replicas_differ(own->array) ||
        !works(clshard_gather(&own->first, own->array, compare, &event, &err), &err))
        return;
    put(own->to, event, SIZE_MAX, NULL, NULL);
    status = clshard_array_wait(own->array, &err);
    (void)expect(status == CLSHARD_OK || status == CLSHARD_ERR_REPLICAS, "%s", err.message);
    await(own->to, false);
    (void)works(clshard_array_wait(own->array, &err), &err);
}

static void issue(const clshard_sharding *sharding, owner *own, size_t round)
{
    clshard_error err = {0};

    own->options =
        CLSHARD_WITH(clshard_transfer_options,
                     .route = round % 2 == 0 ? CLSHARD_ROUTE_KERNEL : CLSHARD_ROUTE_LINEAR);
    memset(own->from.data, (int)round + 1, own->from.bytes);
    if (!works(
            clshard_array_create_sharded(sharding, CLSHARD_U8, own->from.shape, &own->array, &err),
            &err))
        return;
    scatter_and_go_on(own);
    gather_and_go_on(own);
    fail_and_go_on(own);
    scatter_and_go_on(own);
    gather_and_release(own);
}

static clshard_tensor bytes(void)
{
    return clshard_tensor_of(calloc(ROWS, COLUMNS), CLSHARD_U8, CLSHARD_SHAPE(ROWS, COLUMNS));
}

static void issue_all(const clshard_sharding *sharding, slot *to)
{
    owner own = {.to = to, .from = bytes(), .first = bytes(), .second = bytes()};

    for (size_t round = 0; round < ROUNDS; round++)
        issue(sharding, &own, round);
    put(to, NULL, 0, NULL, NULL);
    await(to, false);
    free(own.from.data);
    free(own.first.data);
    free(own.second.data);
}

/* ---- pairs ---- */

typedef struct pairs {
    const clshard_sharding *sharding;
    slot slot[PAIRS];
} pairs;

static void take_part(void *context, size_t number)
{
    pairs *all = context;

    if (number < PAIRS)
        issue_all(all->sharding, &all->slot[number]);
    else
        wait_for_all(&all->slot[number - PAIRS]);
}

int main(void)
{
    clshard_runtime *runtime = plain_open(NULL);
    clshard_sharding *sharding = plain_sharding(runtime, "a=2,b=2", "a");
    pairs all = {.sharding = sharding};

    clshard_runtime_release(runtime);
    for (size_t i = 0; i < PAIRS; i++) {
        (void)pthread_mutex_init(&all.slot[i].lock, NULL);
        (void)pthread_cond_init(&all.slot[i].changed, NULL);
    }
    plain_team(take_part, &all);
    for (size_t i = 0; i < PAIRS; i++) {
        (void)pthread_cond_destroy(&all.slot[i].changed);
        (void)pthread_mutex_destroy(&all.slot[i].lock);
    }
    clshard_sharding_release(sharding);
    return plain_result();
}
