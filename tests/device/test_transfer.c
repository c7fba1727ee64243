/* SPDX-License-Identifier: Apache-2.0 */
/* Scatter and gather against the definition of a part, element by element, on random arrays. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/devices.h"
#include "support/samples.h"

enum { ROUNDS = 120, OTHER = 0x5a };

static const clshard_route routes[] = {CLSHARD_ROUTE_AUTO, CLSHARD_ROUTE_LINEAR,
                                       CLSHARD_ROUTE_KERNEL};

static unsigned char source[SAMPLE_HOST_BYTES], target[SAMPLE_HOST_BYTES];

static clshard_array *make_array(const clshard_runtime *runtime, const sample *s)
{
    const clshard_sharding_options options = {.size = sizeof options,
                                              .uneven = s->policy == CLSHARD_WEIGHTED ? CLSHARD_EVEN
                                                                                      : s->policy,
                                              .splits = s->splits,
                                              .split_count = s->split_count};
    clshard_mesh *mesh = devices_mesh(runtime, s->mesh);
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;

    must(clshard_sharding_parse(mesh, s->spec, &options, &sharding, error));
    must(clshard_array_create_sharded(sharding, s->dtype, s->shape, &array, error));
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    return array;
}

static size_t box_elements(const clshard_box *box)
{
    size_t count = 1;
    for (size_t d = 0; d < box->rank; d++)
        count *= box->extent[d];
    return count;
}

/* What element i of a shard's box must hold. */
static const unsigned char *wanted_element(const sample *s, const clshard_part *part, size_t i,
                                           const unsigned char *fill)
{
    size_t left = i;
    for (size_t d = s->shape.rank; d-- > 0;) {
        if (left % part->box.extent[d] >= part->valid.extent[d])
            return fill;
        left /= part->box.extent[d];
    }
    return sample_element(&s->host, sample_global_index(s->shape, &part->box, i));
}

static void check_shards(clshard_array *array, const sample *s, const unsigned char *fill)
{
    const size_t item = clshard_dtype_bytes(s->dtype);

    for (size_t p = 0; p < clshard_array_shard_count(array); p++) {
        const clshard_shard shard = clshard_array_shard(array, p);
        clshard_tensor mapped;
        must(clshard_array_map(array, p, &mapped, error));
        cr_assert_eq(shard.bytes, box_elements(&shard.part.box) * item, "%s", s->text);
        for (size_t i = 0; i < shard.bytes / item; i++)
            cr_assert(memcmp((unsigned char *)mapped.data + i * item,
                             wanted_element(s, &shard.part, i, fill), item) == 0,
                      "%s: position %zu element %zu", s->text, p, i);
        must(clshard_array_unmap(array, p, error));
    }
}

/* The elements that some part holds came back, and no other byte was touched. */
static void check_gathered(const clshard_array *array, const sample *s)
{
    static bool held[SAMPLE_HOST_BYTES];
    static unsigned char wanted[SAMPLE_HOST_BYTES];
    const size_t item = clshard_dtype_bytes(s->dtype);

    memset(held, 0, sizeof held);
    memset(wanted, OTHER, sizeof wanted);
    for (size_t p = 0; p < clshard_array_shard_count(array); p++) {
        const clshard_shard shard = clshard_array_shard(array, p);
        for (size_t i = 0; i < box_elements(&shard.part.valid); i++)
            held[sample_global_index(s->shape, &shard.part.valid, i)] = true;
    }
    for (size_t i = 0; i < s->elements; i++)
        if (held[i])
            memcpy(wanted + (sample_element(&s->host, i) - source), sample_element(&s->host, i),
                   item);
    cr_assert(memcmp(target, wanted, sizeof wanted) == 0, "%s", s->text);
}

static void round_trip(const clshard_runtime *runtime, const sample *s, clshard_route route)
{
    static const unsigned char fill[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    clshard_array *array = make_array(runtime, s);
    clshard_tensor back = s->host;

    back.data = target + ((unsigned char *)s->host.data - source);
    memset(target, OTHER, sizeof target);
    must(clshard_scatter(array, &s->host,
                         CLSHARD_WITH(clshard_transfer_options, .route = route, .fill = fill), NULL,
                         error));
    check_shards(array, s, fill);
    must(clshard_gather(
        &back, array,
        CLSHARD_WITH(clshard_transfer_options, .route = route, .compare_replicas = true), NULL,
        error));
    check_gathered(array, s);
    clshard_array_release(array);
}

static void round_trips(clshard_route route, uint64_t seed)
{
    clshard_runtime *runtime = devices_open();
    random_source random = {seed};

    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (unsigned char)random_u64(&random);
    for (int round = 0; round < ROUNDS; round++) {
        sample s;
        sample_make(&random, &s, source);
        round_trip(runtime, &s, route);
    }
    clshard_runtime_release(runtime);
}

Test(transfer, round_trips_by_the_route_linear)
{
    round_trips(CLSHARD_ROUTE_LINEAR, 101);
}

Test(transfer, round_trips_by_the_route_kernel)
{
    round_trips(CLSHARD_ROUTE_KERNEL, 102);
}

Test(transfer, round_trips_by_the_route_that_is_chosen)
{
    round_trips(CLSHARD_ROUTE_AUTO, 103);
}

static void large_round_trip(const clshard_sharding *sharding, const clshard_tensor *from,
                             const clshard_tensor *back, clshard_route route)
{
    clshard_array *array = NULL;

    memset(back->data, OTHER, back->bytes);
    must(clshard_array_create_sharded(sharding, from->dtype, from->shape, &array, error));
    must(clshard_scatter(array, from, CLSHARD_WITH(clshard_transfer_options, .route = route), NULL,
                         error));
    must(clshard_gather(back, array, CLSHARD_WITH(clshard_transfer_options, .route = route), NULL,
                        error));
    cr_assert(memcmp(from->data, back->data, from->bytes) == 0, "%s", clshard_route_name(route));
    clshard_array_release(array);
}

/* A box whose slab is larger than what is uploaded at once. */
Test(transfer, large_boxes_cross_in_pieces)
{
    clshard_runtime *runtime = devices_open();
    clshard_mesh *mesh = devices_mesh(runtime, "a=2");
    clshard_sharding *sharding = NULL;
    const clshard_tensor from = devices_tensor(CLSHARD_U16, CLSHARD_SHAPE(3, 1 << 18, 12));
    const clshard_tensor back = devices_tensor(CLSHARD_U16, from.shape);

    must(clshard_sharding_parse(mesh, "_,_,a", NULL, &sharding, error));
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
        large_round_trip(sharding, &from, &back, routes[i]);
    free(from.data);
    free(back.data);
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
}
