/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

clshard__writer clshard__writer_of(char *buffer, size_t buffer_bytes)
{
    const clshard__writer writer = {buffer, buffer_bytes, 0};
    if (buffer_bytes > 0)
        buffer[0] = '\0';
    return writer;
}

void clshard__write(clshard__writer *writer, const char *format, ...)
{
    const size_t used = writer->needed < writer->capacity ? writer->needed : writer->capacity;
    va_list arguments;
    int written;

    va_start(arguments, format);
    written = vsnprintf(used < writer->capacity ? writer->buffer + used : NULL,
                        writer->capacity - used, format, arguments);
    va_end(arguments);
    if (written > 0)
        writer->needed += (size_t)written;
}

/* Not <ctype.h>: names must not depend on the locale. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t clshard__name_span(const char *text)
{
    size_t length = 0;
    if (!is_letter(text[0]))
        return 0;
    while (is_letter(text[length]) || is_digit(text[length]) ||
           (text[length] != '\0' && strchr("_.-", text[length]) != NULL))
        length++;
    return length;
}

clshard_status clshard__name_check(const char *name, const char *what, clshard_error *err)
{
    const size_t length = name == NULL ? 0 : strlen(name);

    if (length == 0 || clshard__name_span(name) != length)
        return clshard__fail(
            err, CLSHARD_ERR_NAME,
            "%s '%s' is malformed: a letter must come first, then letters, digits, "
            "'_', '.' or '-'",
            what, clshard__quote(name).text);
    if (length >= CLSHARD_NAME_MAX)
        return clshard__fail(err, CLSHARD_ERR_NAME, "%s '%s' has %zu characters; at most %d fit",
                             what, clshard__quote(name).text, length, CLSHARD_NAME_MAX - 1);
    if (strcmp(name, "None") == 0)
        return clshard__fail(err, CLSHARD_ERR_NAME,
                             "%s 'None' is reserved: it means a replicated dimension", what);
    return CLSHARD_OK;
}

clshard_status clshard__read_size(const char *text, const char **end, size_t *out_value)
{
    size_t value = 0;
    if (!is_digit(*text))
        return CLSHARD_ERR_TEXT;
    for (; is_digit(*text); text++)
        if (!clshard__mul(value, 10, &value) || !clshard__add(value, (size_t)(*text - '0'), &value))
            return CLSHARD_ERR_OVERFLOW;
    *end = text;
    *out_value = value;
    return CLSHARD_OK;
}
