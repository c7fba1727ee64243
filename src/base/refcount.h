/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_REFCOUNT_H
#define CLSHARD_BASE_REFCOUNT_H

/* The claims on a shared object. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct clshard__refcount {
    atomic_size_t claims;
} clshard__refcount;

static inline void clshard__refcount_init(clshard__refcount *count)
{
    atomic_init(&count->claims, 1);
}

static inline void clshard__refcount_retain(clshard__refcount *count)
{
    atomic_fetch_add_explicit(&count->claims, 1, memory_order_relaxed);
}

/* Whether that was the last claim: the caller then ends the object. */
static inline bool clshard__refcount_release(clshard__refcount *count)
{
    return atomic_fetch_sub_explicit(&count->claims, 1, memory_order_acq_rel) == 1;
}

#endif
