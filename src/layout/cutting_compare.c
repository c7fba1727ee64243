/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "layout/cutting.h"

static bool same_entries(const void *a, const void *b, size_t count, size_t size)
{
    if (a == NULL || b == NULL)
        return a == b;
    return memcmp(a, b, count * size) == 0;
}

bool clshard__cutting_equal(const clshard__cutting *a, const clshard__cutting *b)
{
    return a->axis_count == b->axis_count && a->parts == b->parts && a->policy == b->policy &&
           a->granule == b->granule &&
           same_entries(a->axis, b->axis, a->axis_count, sizeof a->axis[0]) &&
           same_entries(a->weights, b->weights, a->parts, sizeof a->weights[0]) &&
           same_entries(a->sizes, b->sizes, a->parts, sizeof a->sizes[0]);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What of a cutting decides the parts: equal weights in single elements are `balanced`, a common
 * factor does not count, nor does the granule when one part gets everything. */
typedef struct essence {
    clshard_policy policy;
    uint64_t divisor;
    size_t granule;
} essence;

static essence essence_of(const clshard__cutting *cutting)
{
    essence found = {cutting->policy, 1, cutting->granule};
    uint64_t divisor = 0;
    size_t nonzero = 0;
    bool equal = true;

    if (cutting->policy != CLSHARD_WEIGHTED)
        return found;
    for (size_t i = 0; i < cutting->parts; i++) {
        divisor = common_divisor(divisor, cutting->weights[i]);
        nonzero += cutting->weights[i] > 0;
        equal = equal && cutting->weights[i] == cutting->weights[0];
    }
    /* Never 0: weights of 0 alone are refused. */
    found.divisor = divisor == 0 ? 1 : divisor;
    if (nonzero == 1)
        found.granule = 1;
    if (equal && found.granule == 1)
        found.policy = CLSHARD_BALANCED;
    return found;
}

bool clshard__cutting_alike(const clshard__cutting *a, const clshard__cutting *b)
{
    const essence in_a = essence_of(a);
    const essence in_b = essence_of(b);

    if (a->parts != b->parts)
        return false;
    if (a->parts == 1)
        return true;
    if (in_a.policy != in_b.policy)
        return false;
    if (in_a.policy == CLSHARD_SIZES)
        return same_entries(a->sizes, b->sizes, a->parts, sizeof a->sizes[0]);
    if (in_a.policy != CLSHARD_WEIGHTED)
        return true;
    for (size_t i = 0; i < a->parts; i++)
        if (a->weights[i] / in_a.divisor != b->weights[i] / in_b.divisor)
            return false;
    return in_a.granule == in_b.granule;
}
