/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the time to plan a reshard grows with the pairs of positions that overlap, and not with
 * the square of the positions: the time per pair on 256 and 1024 positions against that on 64. */
#include "measure.h"

#include <stdio.h>

#include <clshard/plan.h>

/* A reshard on a mesh of two columns, and how often it is planned for one time to be taken. */
typedef struct reshard {
    const char *from, *to;
    size_t rounds; /* on 64 positions; fewer on more */
} reshard;

static const reshard reshards[] = {
    {"a+b", "a", 256},    /* two pairs per position */
    {"a+b", "_,b+a", 16}, /* every position with every other */
};
enum { RESHARDS = sizeof reshards / sizeof reshards[0], EXTENT = 2048 };

static clshard_status layout_of(const clshard_mesh *mesh, const char *spec,
                                clshard_layout **out_layout, clshard_error *err)
{
    const clshard_shape shape = CLSHARD_SHAPE(EXTENT, EXTENT);
    clshard_sharding *sharding = NULL;
    clshard_status status = clshard_sharding_parse(mesh, spec, NULL, &sharding, err);

    if (status == CLSHARD_OK)
        status = clshard_layout_create(sharding, shape, out_layout, err);
    clshard_sharding_release(sharding);
    return status;
}

/* Nanoseconds per pair. */
static clshard_status time_plans(const clshard_layout *to, const clshard_layout *from,
                                 size_t rounds, double *out_time, clshard_error *err)
{
    const double start = now();
    size_t pairs = 0;

    for (size_t i = 0; i < rounds; i++) {
        clshard_plan *plan = NULL;
        const clshard_status status = clshard_plan_create(to, from, &plan, err);
        if (status != CLSHARD_OK)
            return status;
        pairs += clshard_plan_move_count(plan);
        clshard_plan_release(plan);
    }
    *out_time = (now() - start) * 1e9 / (double)pairs;
    return CLSHARD_OK;
}

static clshard_status time_reshard(const reshard *kind, size_t positions, size_t repeats,
                                   double *out_median, clshard_error *err)
{
    const size_t rounds = kind->rounds * 64 / positions;
    clshard_mesh *mesh = NULL;
    clshard_layout *to = NULL;
    clshard_layout *from = NULL;
    double times[REPEATS_MAX];
    char axes[64];
    clshard_status status;

    (void)snprintf(axes, sizeof axes, "a=%zu,b=2", positions / 2);
    status = clshard_mesh_parse(NULL, axes, NULL, &mesh, err);
    if (status == CLSHARD_OK)
        status = layout_of(mesh, kind->to, &to, err);
    if (status == CLSHARD_OK)
        status = layout_of(mesh, kind->from, &from, err);
    for (size_t i = 0; i < repeats && status == CLSHARD_OK; i++)
        status = time_plans(to, from, rounds, &times[i], err);
    if (status == CLSHARD_OK)
        *out_median = median_of(times, repeats);
    clshard_layout_release(to);
    clshard_layout_release(from);
    clshard_mesh_release(mesh);
    return status;
}

static clshard_status run(size_t repeats, double *out_median, clshard_error *err)
{
    double worst = 0;
    clshard_status status = CLSHARD_OK;

    for (size_t i = 0; i < RESHARDS && status == CLSHARD_OK; i++) {
        double least = 0;
        for (size_t positions = 64; positions <= 1024 && status == CLSHARD_OK; positions *= 4) {
            double median = 0;
            status = time_reshard(&reshards[i], positions, repeats, &median, err);
            if (positions == 64)
                least = median;
            worst = median / least > worst ? median / least : worst;
        }
    }
    if (status == CLSHARD_OK)
        *out_median = worst;
    return status;
}

const measurement measure_reshard_plan = {
    .name = "reshard_plan",
    .what = "planning time per overlapping pair on 256 and 1024 positions over that on 64",
    .unit = "x",
    .goal = 1.5,
    .lower_is_better = true,
    .run = run,
};
