/* SPDX-License-Identifier: Apache-2.0 */
/* How long the part of one position takes on a mesh of 2^20 positions, under the closed-form policy
 * that takes longest. */
#include "measure.h"

#include <clshard/sharding.h>

enum { SIDE = 1024, CALLS = 100000 };

/* The sum keeps the calls from being dropped. */
static double time_parts(const clshard_layout *layout, size_t *sum)
{
    const size_t positions = (size_t)SIDE * SIDE;
    const double start = now();
    size_t position = 0;

    for (size_t i = 0; i < CALLS; i++) {
        const clshard_part part = clshard_layout_part(layout, position);
        *sum += part.box.offset[0] + part.valid.extent[1] + part.replica;
        /* Odd, so that every position comes up, and far, so that no two alike follow. */
        position = (position + 611953) % positions;
    }
    return (now() - start) * 1e9 / CALLS;
}

static clshard_status time_policy(const clshard_mesh *mesh, clshard_policy policy, size_t repeats,
                                  double *out_median, clshard_error *err)
{
    /* Only what `even` accepts divides; the others have a remainder to spread. */
    const size_t extra = policy == CLSHARD_EVEN ? 0 : 77;
    const clshard_shape shape = CLSHARD_SHAPE((size_t)SIDE * 16 + extra, (size_t)SIDE * 3 + extra);
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    double times[REPEATS_MAX];
    size_t sum = 0;
    clshard_status status = clshard_sharding_parse(
        mesh, "data,model", CLSHARD_WITH(clshard_sharding_options, .uneven = policy), &sharding,
        err);

    if (status == CLSHARD_OK)
        status = clshard_layout_create(sharding, shape, &layout, err);
    for (size_t i = 0; i < repeats && status == CLSHARD_OK; i++)
        times[i] = time_parts(layout, &sum);
    if (status == CLSHARD_OK && sum > 0)
        *out_median = median_of(times, repeats);
    clshard_layout_release(layout);
    clshard_sharding_release(sharding);
    return status;
}

static clshard_status run(size_t repeats, double *out_median, clshard_error *err)
{
    clshard_mesh *mesh = NULL;
    double slowest = 0;
    clshard_status status = clshard_mesh_parse(NULL, "data=1024,model=1024", NULL, &mesh, err);

    for (int policy = CLSHARD_EVEN; policy <= CLSHARD_DROP && status == CLSHARD_OK; policy++) {
        double median = 0;
        status = time_policy(mesh, (clshard_policy)policy, repeats, &median, err);
        slowest = median > slowest ? median : slowest;
    }
    if (status == CLSHARD_OK)
        *out_median = slowest;
    clshard_mesh_release(mesh);
    return status;
}

const measurement measure_layout_part = {
    .name = "layout_part",
    .what = "a position's part on an abstract 1024x1024 mesh, slowest closed-form policy",
    .unit = "ns",
    .goal = 200,
    .lower_is_better = true,
    .run = run,
};
