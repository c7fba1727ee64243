/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"

/* The analyser has it as a macro. */
#undef clshard__no_memory

enum { PAGE_BYTES = 4096 };

void *clshard__alloc(size_t count, size_t size)
{
    return calloc(count == 0 ? 1 : count, size);
}

void *clshard__alloc_pages(size_t bytes)
{
    size_t padded;
    if (!clshard__add(bytes == 0 ? 1 : bytes, PAGE_BYTES - 1, &padded))
        return NULL;
    return aligned_alloc(PAGE_BYTES, padded / PAGE_BYTES * PAGE_BYTES);
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
    moved = realloc(*memory, bytes);
    if (moved == NULL)
        return false;
    *memory = moved;
    *capacity = larger;
    return true;
}

void clshard__free(void *memory)
{
    free(memory);
}

clshard_status clshard__no_memory(clshard_error *err, const char *what)
{
    return clshard__fail(err, CLSHARD_ERR_MEMORY, "no memory left for %s", what);
}
