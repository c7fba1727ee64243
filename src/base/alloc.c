/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#ifdef CLSHARD_FAULTS
#include <stdatomic.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"

/* The analyser has it as a macro. */
#undef clshard__no_memory

enum { PAGE_BYTES = 4096 };

#ifdef CLSHARD_FAULTS
static atomic_uint_fast64_t fail_at, allocations;
static atomic_int_fast64_t live;

void clshard__alloc_fail_at(uint64_t n)
{
    atomic_store(&allocations, 0);
    atomic_store(&fail_at, n);
}

uint64_t clshard__alloc_count(void)
{
    return atomic_load(&allocations);
}

int64_t clshard__alloc_live(void)
{
    return atomic_load(&live);
}

/* Counts an allocation; false when it is to fail. */
static bool may_allocate(void)
{
    return atomic_fetch_add(&allocations, 1) + 1 != atomic_load(&fail_at);
}

static void *count_live(void *memory, int_fast64_t change)
{
    if (memory != NULL)
        atomic_fetch_add(&live, change);
    return memory;
}
#else
static inline bool may_allocate(void)
{
    return true;
}

static inline void *count_live(void *memory, int change)
{
    (void)change;
    return memory;
}
#endif

void *clshard__alloc(size_t count, size_t size)
{
    size_t bytes;
    /* AddressSanitizer takes a product that overflows for a mistake. */
    if (!clshard__mul(count, size, &bytes) || !may_allocate())
        return NULL;
    return count_live(calloc(count == 0 ? 1 : count, size), 1);
}

void *clshard__alloc_pages(size_t bytes)
{
    size_t padded;
    if (!clshard__add(bytes == 0 ? 1 : bytes, PAGE_BYTES - 1, &padded))
        return NULL;
    padded = padded / PAGE_BYTES * PAGE_BYTES;
    return may_allocate() ? count_live(aligned_alloc(PAGE_BYTES, padded), 1) : NULL;
}

char *clshard__copy_text(const char *text, size_t length)
{
    char *copy = clshard__alloc(length + 1, 1);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

bool clshard__grow(void **memory, size_t *capacity, size_t need, size_t size)
{
    size_t larger = *capacity < 4 ? 4 : *capacity;
    size_t bytes;
    void *moved;

    if (need <= *capacity)
        return true;
    while (larger < need)
        if (!clshard__mul(larger, 2, &larger))
            return false;
    if (!clshard__mul(larger, size, &bytes))
        return false;
    moved = may_allocate() ? realloc(*memory, bytes) : NULL;
    if (moved == NULL)
        return false;
    if (*memory == NULL)
        (void)count_live(moved, 1);
    *memory = moved;
    *capacity = larger;
    return true;
}

void clshard__free(void *memory)
{
    free(count_live(memory, -1));
}

clshard_status clshard__no_memory(clshard_error *err, const char *what)
{
    return clshard__fail(err, CLSHARD_ERR_MEMORY, "no memory left for %s", what);
}
