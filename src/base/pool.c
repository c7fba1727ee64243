/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"

clshard_status clshard__pool_init(clshard__pool *pool, size_t limit, void (*end)(void *handle),
                                  clshard_error *err)
{
    memset(pool, 0, sizeof *pool);
    pool->limit = limit;
    pool->end = end;
    return clshard__lock_init(&pool->lock, err);
}

void clshard__pool_end(clshard__pool *pool)
{
    clshard__pool_trim(pool);
    clshard__lock_end(&pool->lock);
    clshard__free(pool->block);
}

size_t clshard__pool_size(size_t bytes, size_t most_bytes)
{
    enum { SMALLEST = 4096, STEPS = 8 }; /* sizes between one power of two and the next */
    size_t power = SMALLEST;
    size_t step;
    size_t size;

    while (power <= bytes / 2)
        power *= 2;
    step = power / STEPS;
    if (bytes <= SMALLEST)
        size = SMALLEST;
    else if (!clshard__mul(clshard__ceil_div(bytes, step), step, &size))
        size = bytes;
    return size <= most_bytes ? size : bytes;
}

/* Takes block i out; the lock is held. */
static clshard__pool_block take_out(clshard__pool *pool, size_t i)
{
    const clshard__pool_block block = pool->block[i];
    pool->count--;
    pool->bytes -= block.bytes;
    memmove(&pool->block[i], &pool->block[i + 1], (pool->count - i) * sizeof *pool->block);
    return block;
}

clshard__pool_block clshard__pool_take(clshard__pool *pool, size_t bytes)
{
    const size_t most = clshard__pool_size(bytes, SIZE_MAX);
    clshard__pool_block block = {NULL, 0};
    size_t best = SIZE_MAX;

    clshard__lock_take(&pool->lock);
    /* The latest first: its pages are the likeliest to be in a cache. */
    for (size_t i = pool->count; i-- > 0;)
        if (pool->block[i].bytes >= bytes && pool->block[i].bytes <= most &&
            (best == SIZE_MAX || pool->block[i].bytes < pool->block[best].bytes))
            best = i;
    if (best != SIZE_MAX)
        block = take_out(pool, best);
    clshard__lock_leave(&pool->lock);
    return block;
}

void clshard__pool_give(clshard__pool *pool, clshard__pool_block block)
{
    void *memory;

    clshard__lock_take(&pool->lock);
    memory = pool->block;
    if (block.bytes > pool->limit ||
        !clshard__grow(&memory, &pool->capacity, pool->count + 1, sizeof *pool->block)) {
        pool->end(block.handle);
    } else {
        pool->block = memory;
        pool->block[pool->count++] = block;
        pool->bytes += block.bytes;
        while (pool->bytes > pool->limit)
            pool->end(take_out(pool, 0).handle);
    }
    clshard__lock_leave(&pool->lock);
}

void clshard__pool_trim(clshard__pool *pool)
{
    clshard__lock_take(&pool->lock);
    while (pool->count > 0)
        pool->end(take_out(pool, pool->count - 1).handle);
    clshard__lock_leave(&pool->lock);
}

size_t clshard__pool_bytes(clshard__pool *pool)
{
    size_t bytes;
    clshard__lock_take(&pool->lock);
    bytes = pool->bytes;
    clshard__lock_leave(&pool->lock);
    return bytes;
}
