/* SPDX-License-Identifier: Apache-2.0 */
/* Eight threads, each with arrays of its own on one mesh: contexts, queues and kernels are shared.
 */

#include <stdlib.h>
#include <string.h>

#include "support/plain.h"

enum { ROUNDS = 20, ROWS = 64, COLUMNS = 33 };

typedef struct work {
    clshard_runtime *runtime;
    const clshard_sharding *sharding;
    clshard_route route;
} work;

static bool round_trip(const work *own, clshard_array *array, const clshard_tensor *from,
                       const clshard_tensor *back)
{
    const clshard_transfer_options *options =
        CLSHARD_WITH(clshard_transfer_options, .route = own->route);
    clshard_error err = {0};

    return works(clshard_scatter(array, from, options, NULL, &err), &err) &&
           works(clshard_gather(back, array, options, NULL, &err), &err) &&
           expect(memcmp(from->data, back->data, from->bytes) == 0, "other bytes came back");
}

/* Changes one element of shard 0 in place, which is element 0 of the tensor. */
static bool map_and_change(clshard_array *array, const clshard_tensor *from)
{
    clshard_tensor shard;
    clshard_error err = {0};

    if (!works(clshard_array_map(array, 0, &shard, &err), &err))
        return false;
    (void)refused(clshard_scatter(array, from, NULL, NULL, &err), CLSHARD_ERR_BUSY, "mapped", &err);
    *(unsigned char *)shard.data ^= 1u;
    return works(clshard_array_unmap(array, 0, &err), &err);
}

static void use_array(const work *own, const clshard_tensor *from, const clshard_tensor *back)
{
    unsigned char *first = from->data;
    clshard_array *array = NULL;
    clshard_error err = {0};

    if (works(clshard_array_create_sharded(own->sharding, CLSHARD_U8, from->shape, &array, &err),
              &err) &&
        round_trip(own, array, from, back) && map_and_change(array, from)) {
        first[0] ^= 1u;
        if (works(clshard_gather(back, array, NULL, NULL, &err), &err))
            (void)expect(memcmp(from->data, back->data, from->bytes) == 0, "after the mapping");
    }
    clshard_array_release(array);
}

static void use(void *context, size_t number)
{
    work own = *(const work *)context;
    clshard_error err = {0};
    const clshard_shape shape = CLSHARD_SHAPE(ROWS, COLUMNS);
    const clshard_tensor from = clshard_tensor_of(calloc(ROWS, COLUMNS), CLSHARD_U8, shape);
    const clshard_tensor back = clshard_tensor_of(calloc(ROWS, COLUMNS), CLSHARD_U8, shape);

    for (size_t round = 0; round < ROUNDS; round++) {
        memset(from.data, (int)(number * ROUNDS + round), from.bytes);
        memset(back.data, 0, back.bytes);
        if (((const work *)context)->route == CLSHARD_ROUTE_AUTO)
            own.route = (number + round) % 2 == 0 ? CLSHARD_ROUTE_KERNEL : CLSHARD_ROUTE_LINEAR;
        use_array(&own, &from, &back);
        /* The pools are emptied under the others' feet. */
        if (round % 5 == number % 5)
            (void)works(clshard_runtime_trim(own.runtime, &err), &err);
    }
    free(from.data);
    free(back.data);
}

static clshard_status no_failure(void *context, const clshard_finding *finding, clshard_error *err)
{
    (void)context;
    (void)err;
    (void)expect(finding->verdict != CLSHARD_FAILED, "%s: %s", finding->test, finding->sentence);
    return CLSHARD_OK;
}

/* One thread tests a device while the others use it. */
static void check_beside_others(void *context, size_t number)
{
    const work *all = context;
    clshard_error err = {0};

    if (number > 0)
        use(context, number);
    else
        (void)works(clshard_check_device(all->runtime, 0,
                                         CLSHARD_WITH(clshard_check_options, .quick = true),
                                         no_failure, NULL, &err),
                    &err);
}

int main(void)
{
    static const clshard_route routes[] = {CLSHARD_ROUTE_KERNEL, CLSHARD_ROUTE_LINEAR,
                                           CLSHARD_ROUTE_AUTO};

    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        clshard_runtime *runtime = plain_open(NULL);
        clshard_sharding *sharding = plain_sharding(runtime, "a=2,b=2", "a,b");
        work all = {runtime, sharding, routes[i]};

        plain_team(routes[i] == CLSHARD_ROUTE_AUTO ? check_beside_others : use, &all);
        clshard_sharding_release(sharding);
        clshard_runtime_release(runtime);
    }
    return plain_result();
}
