/* SPDX-License-Identifier: Apache-2.0 */
/* A file of the kernel cache, in memory: only a whole one, for the same key, is believed. */

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "opencl/binary_file.h"

enum { KEY_LENGTH_AT = 16, BINARY_LENGTH_AT = 24, HEADER_BYTES = 48 };

static clshard__bytes bytes_of(const char *text)
{
    return (clshard__bytes){(unsigned char *)(uintptr_t)text, strlen(text)};
}

static const char key_text[] = "5:0.1.04:PoCL", binary_text[] = "\177ELF, or what a driver likes";

static clshard__bytes packed(void)
{
    clshard__bytes file = {NULL, 0};
    cr_assert(clshard__binary_file_pack(bytes_of(key_text), bytes_of(binary_text), &file));
    return file;
}

/* What is wrong with it; NULL: nothing. A refused file must leave the output alone. */
static const char *problem_of(clshard__bytes file)
{
    clshard__bytes binary = {NULL, 77};
    const char *problem = clshard__binary_file_check(file, bytes_of(key_text), &binary);
    cr_assert((problem == NULL) == (binary.data != NULL) &&
              (problem == NULL || binary.count == 77));
    return problem;
}

Test(binary_file, holds_what_was_packed)
{
    const clshard__bytes file = packed();
    clshard__bytes binary = {NULL, 0};

    cr_assert_eq(file.count, HEADER_BYTES + strlen(key_text) + strlen(binary_text));
    cr_assert_eq(clshard__binary_file_check(file, bytes_of(key_text), &binary), NULL);
    cr_assert_eq(binary.count, strlen(binary_text));
    cr_assert(memcmp(binary.data, binary_text, binary.count) == 0);
    clshard__free(file.data);
}

Test(binary_file, may_hold_nothing)
{
    unsigned char none[1];
    const clshard__bytes empty = {none, 0};
    clshard__bytes file = {NULL, 0};
    clshard__bytes binary = {NULL, 1};

    cr_assert(clshard__binary_file_pack(empty, empty, &file));
    cr_assert_eq(clshard__binary_file_check(file, empty, &binary), NULL);
    cr_assert_eq(binary.count, 0);
    clshard__free(file.data);
}

/* In memory of exactly that size, so that a sanitizer sees a read past the end. */
Test(binary_file, cut_short_anywhere_is_refused)
{
    const clshard__bytes file = packed();

    for (size_t count = 0; count < file.count; count++) {
        unsigned char *part = malloc(count > 0 ? count : 1);
        cr_assert(part != NULL);
        memcpy(part, file.data, count);
        cr_assert(problem_of((clshard__bytes){part, count}) != NULL, "%zu bytes", count);
        free(part);
    }
    clshard__free(file.data);
}

Test(binary_file, with_more_after_it_is_refused)
{
    const clshard__bytes file = packed();
    unsigned char *longer = calloc(file.count + 1, 1);

    cr_assert(longer != NULL);
    memcpy(longer, file.data, file.count);
    cr_assert(problem_of((clshard__bytes){longer, file.count + 1}) != NULL);
    free(longer);
    clshard__free(file.data);
}

Test(binary_file, with_any_bit_flipped_is_refused)
{
    const clshard__bytes file = packed();

    for (size_t bit = 0; bit < 8 * file.count; bit++) {
        file.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        cr_assert(problem_of(file) != NULL, "bit %zu", bit);
        file.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    cr_assert_eq(problem_of(file), NULL);
    clshard__free(file.data);
}

Test(binary_file, with_lengths_that_cannot_be_is_refused)
{
    const clshard__bytes file = packed();
    const uint64_t rest = file.count - HEADER_BYTES;
    const uint64_t lengths[][2] = {
        {UINT64_MAX, rest + 1}, {rest + 1, UINT64_MAX},   {rest + 1, 0}, {UINT64_MAX, UINT64_MAX},
        {0, UINT64_MAX},        {1ull << 63, 1ull << 63}, {0, rest - 1}, {0, rest + 1}};

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        memcpy(file.data + KEY_LENGTH_AT, &lengths[i][0], sizeof lengths[i][0]);
        memcpy(file.data + BINARY_LENGTH_AT, &lengths[i][1], sizeof lengths[i][1]);
        cr_assert_str_eq(problem_of(file), "its size is not what it says", "row %zu", i);
    }
    clshard__free(file.data);
}

Test(binary_file, of_another_key_is_refused)
{
    const clshard__bytes file = packed();
    const char *const others[] = {"", "5:0.1.04:PoCK", "5:0.1.04:PoC", "5:0.1.04:PoCL ",
                                  "5:0.1.04:PoCL\177ELF, or what a driver likes"};
    clshard__bytes binary = {NULL, 0};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_assert_str_eq(clshard__binary_file_check(file, bytes_of(others[i]), &binary),
                         "it holds another kernel", "'%s'", others[i]);
    clshard__free(file.data);
}

Test(binary_file, larger_than_the_bound_is_not_made)
{
    clshard__bytes binary = bytes_of(binary_text);
    clshard__bytes file = {NULL, 0};

    binary.count = CLSHARD__BINARY_FILE_MAX_BYTES;
    cr_assert(!clshard__binary_file_pack(bytes_of(key_text), binary, &file));
    binary.count = SIZE_MAX;
    cr_assert(!clshard__binary_file_pack(bytes_of(key_text), binary, &file));
    cr_assert_eq(file.data, NULL);
}

Test(binary_file, names_follow_from_the_key_alone)
{
    char name[CLSHARD__BINARY_NAME_CHARS];
    char same[CLSHARD__BINARY_NAME_CHARS];
    char other[CLSHARD__BINARY_NAME_CHARS];

    clshard__binary_file_name(bytes_of("a key"), name);
    clshard__binary_file_name(bytes_of("a key"), same);
    clshard__binary_file_name(bytes_of("a kez"), other);
    cr_assert_str_eq(name, same);
    cr_assert_str_neq(name, other);
    cr_assert_eq(strlen(name), sizeof name - 1);
    cr_assert(clshard__binary_file_is_name(name) && clshard__binary_file_is_name(other));
}

Test(binary_file, other_names_are_not_taken_for_its_own)
{
    const char *const others[] = {"",
                                  ".clbin",
                                  "0123456789abcdef0123456789abcdef",
                                  "0123456789abcdef0123456789abcdef.clbi",
                                  "0123456789abcdef0123456789abcdef.clbin~",
                                  "0123456789abcdef0123456789abcde.clbin",
                                  "0123456789abcdef0123456789abcdef0.clbin",
                                  "0123456789ABCDEF0123456789ABCDEF.clbin",
                                  "../456789abcdef0123456789abcdef01.clbin"};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_assert(!clshard__binary_file_is_name(others[i]), "%s", others[i]);
}
