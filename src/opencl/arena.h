/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_ARENA_H
#define CLSHARD_OPENCL_ARENA_H

/* Strings that live as long as the inventory that tells them. */

#include <stddef.h>

#include "base/error.h"

typedef struct clshard__arena { /* zeroed to start */
    char **texts;
    size_t count, capacity;
} clshard__arena;

/* *out receives the printed text, which lives until the arena ends. OK or MEMORY. */
clshard_status clshard__arena_print(clshard__arena *arena, const char **out, clshard_error *err,
                                    const char *format, ...) CLSHARD__PRINTF(4, 5);

/* The same with length bytes as they are. */
clshard_status clshard__arena_copy(clshard__arena *arena, const char **out, const char *text,
                                   size_t length, clshard_error *err);

void clshard__arena_end(clshard__arena *arena);

#endif
