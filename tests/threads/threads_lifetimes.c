/* SPDX-License-Identifier: Apache-2.0 */
/* Every object may be released by a thread that did not make it, while others release theirs:
 * whichever is last ends what is behind it. */

#include <stdlib.h>
#include <string.h>

#include "support/plain.h"

enum { ROUNDS = 40, SIDE = 64 };

typedef struct chain {
    clshard_runtime *runtime;
    clshard_mesh *mesh;
    clshard_sharding *sharding;
    clshard_layout *layout;
    clshard_array *array, *other;
    clshard_event *event, *later;
    size_t turn; /* so that no thread always has the same object */
} chain;

static void release_one(void *context, size_t number)
{
    chain *all = context;

    switch ((number + all->turn) % PLAIN_TEAM) {
    case 0:
        clshard_runtime_release(all->runtime);
        break;
    case 1:
        clshard_mesh_release(all->mesh);
        break;
    case 2:
        clshard_sharding_release(all->sharding);
        break;
    case 3:
        clshard_layout_release(all->layout);
        break;
    case 4:
        clshard_array_release(all->array);
        break;
    case 5:
        clshard_array_release(all->other);
        break;
    case 6:
        clshard_event_release(all->event);
        break;
    default:
        clshard_event_release(all->later);
        break;
    }
}

static bool make(chain *all, const clshard_tensor *from, const clshard_tensor *to)
{
    clshard_error err = {0};

    all->runtime = plain_open(NULL);
    return works(clshard_mesh_parse(all->runtime, "a=2,b=2",
                                    CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true),
                                    &all->mesh, &err),
                 &err) &&
           works(clshard_sharding_parse(all->mesh, "a,b", NULL, &all->sharding, &err), &err) &&
           works(clshard_layout_create(all->sharding, from->shape, &all->layout, &err), &err) &&
           works(clshard_array_create(all->layout, from->dtype, &all->array, &err), &err) &&
           works(clshard_array_create(all->layout, from->dtype, &all->other, &err), &err) &&
           works(clshard_scatter(all->other, from, NULL, NULL, &err), &err) &&
           works(clshard_scatter(all->array, from, NULL, &all->event, &err), &err) &&
           works(clshard_gather(to, all->other, NULL, &all->later, &err), &err);
}

int main(void)
{
    const clshard_shape shape = CLSHARD_SHAPE(SIDE, SIDE);
    const clshard_tensor from = clshard_tensor_of(calloc(SIDE, SIDE), CLSHARD_U8, shape);
    const clshard_tensor to = clshard_tensor_of(calloc(SIDE, SIDE), CLSHARD_U8, shape);

    memset(from.data, 7, from.bytes);
    for (size_t round = 0; round < ROUNDS; round++) {
        chain all = {.turn = round};

        memset(to.data, 0, to.bytes);
        if (!make(&all, &from, &to))
            break;
        plain_team(release_one, &all);
        /* The array's end waited for the gather. */
        (void)expect(memcmp(from.data, to.data, to.bytes) == 0, "other bytes");
    }
    free(from.data);
    free(to.data);
    return plain_result();
}
