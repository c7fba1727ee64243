/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_POOL_H
#define CLSHARD_BASE_POOL_H

/* Blocks of memory that nobody uses, kept for the next user: fresh pages cost more than the copy
 * into them. What a block is, only the owner knows: it gives a handle, and says how one is ended.
 */

#include "base/lock.h"

typedef struct clshard__pool_block {
    void *handle;
    size_t bytes;
} clshard__pool_block;

typedef struct clshard__pool {
    clshard__lock lock;         /* guards all below */
    clshard__pool_block *block; /* the oldest first */
    size_t count, capacity;
    size_t bytes, limit;
    void (*end)(void *handle);
} clshard__pool;

clshard_status clshard__pool_init(clshard__pool *pool, size_t limit, void (*end)(void *handle),
                                  clshard_error *err);
void clshard__pool_end(clshard__pool *pool);

/* The bytes to make a block with for a user who wants so many: few sizes, so that blocks fit again,
 * and at most an eighth more; never above most_bytes. */
size_t clshard__pool_size(size_t bytes, size_t most_bytes);

/* The smallest block that fits and is not much larger; handle NULL: there is none. */
clshard__pool_block clshard__pool_take(clshard__pool *pool, size_t bytes);

/* Keeps an idle block, and ends the oldest ones while the limit is exceeded. */
void clshard__pool_give(clshard__pool *pool, clshard__pool_block block);

/* Ends all blocks. */
void clshard__pool_trim(clshard__pool *pool);

/* Bytes that are kept. */
size_t clshard__pool_bytes(clshard__pool *pool);

#endif
