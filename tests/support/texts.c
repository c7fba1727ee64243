/* SPDX-License-Identifier: Apache-2.0 */
#include "support/texts.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char name_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

void random_name(random_source *source, char name[CLSHARD_NAME_MAX])
{
    static const char *const few[] = {"data", "model", "embed", "mlp", "heads", "a", "b", "pipe"};
    const size_t length = uniform_between(source, 1, CLSHARD_NAME_MAX - 1);

    memset(name, 0, CLSHARD_NAME_MAX);
    if (uniform(source, 4) != 0) {
        const char *known = few[uniform(source, sizeof few / sizeof few[0])];
        memcpy(name, known, strlen(known));
        return;
    }
    name[0] = uniform_char(source, letters);
    for (size_t i = 1; i < length; i++)
        name[i] = uniform_char(source, name_characters);
    if (strcmp(name, "None") == 0)
        name[0] = 'n';
}

void random_entry(random_source *source, size_t axes, clshard_spec_entry *out_entry)
{
    const size_t count = uniform(source, axes + 1);
    memset(out_entry, 0, sizeof *out_entry);
    for (size_t i = 0; i < count; i++)
        random_name(source, out_entry->axis[i]);
}

static char odd_character(random_source *source)
{
    static const char grammar[] = ",,==++__--::xx0123456789N None.;/*()\t\n\"'%sa";
    if (uniform(source, 4) == 0)
        return (char)uniform_between(source, 1, 255);
    return uniform_char(source, grammar);
}

static void damage(random_source *source, char text[TEXT_BYTES])
{
    const size_t length = strlen(text);
    char *at = text + uniform(source, length + 1);

    switch (uniform(source, 4)) {
    case 0:
        if (*at != '\0')
            *at = odd_character(source);
        break;
    case 1:
        if (length + 1 < TEXT_BYTES) {
            memmove(at + 1, at, strlen(at) + 1);
            *at = odd_character(source);
        }
        break;
    case 2:
        if (*at != '\0')
            memmove(at, at + 1, strlen(at));
        break;
    default:
        if (uniform(source, 4) == 0)
            *at = '\0';
        break;
    }
}

void damaged_text(random_source *source, const char *good, char text[TEXT_BYTES])
{
    const size_t wounds = uniform_between(source, 1, 4);

    if (uniform(source, 8) == 0) {
        const size_t length = uniform(source, 200);
        for (size_t i = 0; i < length; i++)
            text[i] = odd_character(source);
        text[length] = '\0';
        return;
    }
    cr_assert(strlen(good) < TEXT_BYTES);
    memcpy(text, good, strlen(good) + 1);
    for (size_t i = 0; i < wounds; i++)
        damage(source, text);
}

void assert_says_why(clshard_status status, const clshard_error *err, const char *text)
{
    cr_assert(status != CLSHARD_OK && err->status == status, "for '%s'", text);
    cr_assert(err->message[0] != '\0', "for '%s'", text);
    cr_assert_str_neq(clshard_status_name(status), "unknown");
    for (const char *at = err->message; *at != '\0'; at++)
        cr_assert(*at >= 0x20 && *at < 0x7f, "a control byte in the message about '%s'", text);
}

void assert_prints(text_printer print, const void *value, const char *expected)
{
    const size_t needed = strlen(expected);
    const char guard = '\x5a';

    cr_assert_eq(print(value, NULL, 0), needed, "the length of '%s'", expected);
    for (size_t size = 0; size <= needed + 2; size++) {
        /* One byte more than is told, to see it stay. */
        char *buffer = malloc(size + 1);
        const size_t kept = size == 0 ? 0 : (size - 1 < needed ? size - 1 : needed);
        cr_assert(buffer != NULL);
        memset(buffer, guard, size + 1);
        cr_assert_eq(print(value, buffer, size), needed);
        cr_assert_eq(buffer[size], guard, "'%s' was written past %zu bytes", expected, size);
        cr_assert(memcmp(buffer, expected, kept) == 0, "'%s' in %zu bytes", expected, size);
        if (size > 0)
            cr_assert_eq(buffer[kept], '\0');
        free(buffer);
    }
}
