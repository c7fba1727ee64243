/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/pool.h"
#include "support/random.h"

static size_t ended_count;

static void end_block(void *handle)
{
    ended_count++;
    *(bool *)handle = true;
}

static clshard__pool new_pool(size_t limit)
{
    clshard__pool pool;
    cr_assert_eq(clshard__pool_init(&pool, limit, end_block, NULL), CLSHARD_OK);
    return pool;
}

Test(pool, hands_out_what_fits_and_nothing_much_larger)
{
    clshard__pool pool = new_pool(1 << 20);
    bool small = false;
    bool large = false;

    cr_assert(clshard__pool_take(&pool, 1).handle == NULL);
    clshard__pool_give(&pool, (clshard__pool_block){&large, 1 << 18});
    clshard__pool_give(&pool, (clshard__pool_block){&small, 8192});
    cr_assert(clshard__pool_take(&pool, 4096).handle == NULL, "a block twice as large is no fit");
    cr_assert(clshard__pool_take(&pool, 8193).handle == NULL);
    cr_assert(clshard__pool_take(&pool, 8000).handle == &small);
    cr_assert_eq(clshard__pool_bytes(&pool), 1 << 18);
    cr_assert(clshard__pool_take(&pool, 1 << 18).handle == &large);
    clshard__pool_end(&pool);
    cr_assert_not(small || large, "what is handed out belongs to its user");
}

Test(pool, ends_the_oldest_beyond_its_limit)
{
    clshard__pool pool = new_pool(10000);
    bool ended[4] = {false};

    clshard__pool_give(&pool, (clshard__pool_block){&ended[0], 4096});
    clshard__pool_give(&pool, (clshard__pool_block){&ended[1], 4096});
    clshard__pool_give(&pool, (clshard__pool_block){&ended[2], 4096});
    cr_assert(ended[0] && !ended[1] && !ended[2]);
    clshard__pool_give(&pool, (clshard__pool_block){&ended[3], 10001});
    cr_assert(ended[3] && !ended[1] && !ended[2], "one that is too large drives no other out");
    clshard__pool_trim(&pool);
    cr_assert(ended[1] && ended[2] && clshard__pool_bytes(&pool) == 0);
    clshard__pool_end(&pool);
    cr_assert_eq(ended_count, 4);
}

Test(pool, sizes_are_few_and_at_most_an_eighth_larger)
{
    random_source random = {7};
    size_t before = 0;

    for (int round = 0; round < 100000; round++) {
        const size_t bytes = (size_t)(random_u64(&random) >> uniform_between(&random, 1, 63));
        const size_t size = clshard__pool_size(bytes, SIZE_MAX);
        cr_assert(size >= bytes && size >= 4096);
        cr_assert(size == 4096 || size - bytes <= bytes / 8, "%zu for %zu", size, bytes);
        cr_assert_eq(clshard__pool_size(size, SIZE_MAX), size, "a size fits itself");
        cr_assert(clshard__pool_size(bytes, bytes) == bytes, "a device's limit is kept");
    }
    cr_assert_eq(clshard__pool_size(SIZE_MAX, SIZE_MAX), SIZE_MAX);
    for (size_t bytes = 0, sizes = 0; bytes < 1 << 16; bytes++) {
        const size_t size = clshard__pool_size(bytes, SIZE_MAX);
        cr_assert(size >= before);
        sizes += size != before;
        cr_assert(sizes <= 40);
        before = size;
    }
}
