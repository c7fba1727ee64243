/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_CHECKED_H
#define CLSHARD_BASE_CHECKED_H

/* Size arithmetic that says when it overflows. */

#include <stdbool.h>
#include <stddef.h>

/* false when a + b does not fit; then *out is untouched. */
static inline bool clshard__add(size_t a, size_t b, size_t *out)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

/* false when a * b does not fit; then *out is untouched. */
static inline bool clshard__mul(size_t a, size_t b, size_t *out)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

/* b must not be 0. */
static inline size_t clshard__ceil_div(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

#endif
