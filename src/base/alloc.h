/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_ALLOC_H
#define CLSHARD_BASE_ALLOC_H

/* All host memory of the library comes from here. */

#include <clshard/status.h>

#include "base/error.h"

/* Zeroed memory for count elements of size bytes; NULL when there is none or the product overflows.
 * count 0 gives memory too, so that NULL always means failure. */
void *clshard__alloc(size_t count, size_t size);

/* Memory for transfers: page-aligned, not zeroed. */
void *clshard__alloc_pages(size_t bytes);

/* A NUL-terminated copy of length bytes. */
char *clshard__copy_text(const char *text, size_t length);

/* Grows *memory from *capacity elements to at least need, by doubling; keeps it on failure. */
bool clshard__grow(void **memory, size_t *capacity, size_t need, size_t size);

/* NULL is allowed. */
void clshard__free(void *memory);

#ifdef CLSHARD_FAULTS /* for tests; a release has none of it */
/* From now on the n-th allocation fails; 0: none does. The count starts again. */
void clshard__alloc_fail_at(uint64_t n);

/* Allocations since then, and what was allocated at any time and is not freed yet. */
uint64_t clshard__alloc_count(void);
int64_t clshard__alloc_live(void);
#endif

/* The one sentence about memory: what could not be allocated. */
clshard_status clshard__no_memory(clshard_error *err, const char *what);

#ifdef __clang_analyzer__ /* as in error.h */
#define clshard__no_memory(err, what)                                                              \
    clshard__failed(clshard__no_memory(err, what), CLSHARD_ERR_MEMORY)
#endif

#endif
