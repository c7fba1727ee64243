/* SPDX-License-Identifier: Apache-2.0 */
/* Eight threads, each with arrays of its own on one mesh: kernels and queues are shared. */

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/devices.h"

enum { THREADS = 8, STEPS = 20 };

typedef struct job {
    const clshard_sharding *sharding;
    unsigned number;
    unsigned wrong;
    clshard_error err;
} job;

/* Asserting in a thread would end the process; failures are counted instead. */
static bool step(job *j, const clshard_tensor *from, const clshard_tensor *back, int i)
{
    const clshard_route route = i % 2 == 0 ? CLSHARD_ROUTE_KERNEL : CLSHARD_ROUTE_LINEAR;
    clshard_array *array = NULL;
    bool right;

    memset(from->data, (int)(j->number * STEPS) + i, from->bytes);
    right = !clshard_array_create_sharded(j->sharding, CLSHARD_U8, from->shape, &array, &j->err) &&
            !clshard_scatter(array, from, CLSHARD_WITH(clshard_transfer_options, .route = route),
                             NULL, &j->err) &&
            !clshard_gather(back, array, CLSHARD_WITH(clshard_transfer_options, .route = route),
                            NULL, &j->err) &&
            memcmp(from->data, back->data, from->bytes) == 0;
    clshard_array_release(array);
    return right;
}

static void *run(void *context)
{
    job *j = context;
    const clshard_shape shape = CLSHARD_SHAPE(64, 33);
    const clshard_tensor from = clshard_tensor_of(calloc(64, 33), CLSHARD_U8, shape);
    const clshard_tensor back = clshard_tensor_of(calloc(64, 33), CLSHARD_U8, shape);

    for (int i = 0; i < STEPS; i++)
        j->wrong += !step(j, &from, &back, i);
    free(from.data);
    free(back.data);
    return NULL;
}

Test(threads, arrays_of_one_mesh_may_be_used_at_once)
{
    clshard_runtime *runtime = devices_open();
    clshard_mesh *mesh = devices_mesh(runtime, "a=2,b=2");
    clshard_sharding *sharding = NULL;
    pthread_t threads[THREADS];
    job jobs[THREADS] = {{0}};

    must(clshard_sharding_parse(mesh, "a,b",
                                CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_PAD),
                                &sharding, error));
    for (unsigned i = 0; i < THREADS; i++) {
        jobs[i].sharding = sharding;
        jobs[i].number = i;
        cr_assert(pthread_create(&threads[i], NULL, run, &jobs[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        cr_assert(pthread_join(threads[i], NULL) == 0);
        cr_assert(jobs[i].wrong == 0, "thread %u: %u steps went wrong; %s", i, jobs[i].wrong,
                  jobs[i].err.message);
    }
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
}
