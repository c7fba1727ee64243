/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_RANDOM_H
#define CLSHARD_TESTS_RANDOM_H

/* The same pseudo-random numbers on every machine: splitmix64. A test names its seed; the number in
 * CLSHARD_TEST_SEED gives all tests other numbers (tools/check --long tries several). */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct random_source {
    uint64_t state; /* the seed to start with */
} random_source;

static inline uint64_t random_u64(random_source *source)
{
    const char *other = getenv("CLSHARD_TEST_SEED");
    uint64_t z = (source->state += UINT64_C(0x9e3779b97f4a7c15));
    z ^= other == NULL ? 0 : strtoull(other, NULL, 10) * UINT64_C(0xd1342543de82ef95);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* One of 0 .. n - 1, each as likely; 0 for n = 0. */
static inline size_t uniform(random_source *source, size_t n)
{
    /* Numbers below this many would make the low results likelier. */
    const uint64_t skewed = n == 0 ? 0 : (UINT64_MAX - n + 1) % n;
    uint64_t number = random_u64(source);
    while (number < skewed)
        number = random_u64(source);
    return n == 0 ? 0 : (size_t)(number % n);
}

/* One of first .. last, both included. */
static inline size_t uniform_between(random_source *source, size_t first, size_t last)
{
    return first + uniform(source, last - first + 1);
}

/* One character of a text that is not empty. */
static inline char uniform_char(random_source *source, const char *text)
{
    size_t length = 0;
    while (text[length] != '\0')
        length++;
    return text[uniform(source, length)];
}

#endif
