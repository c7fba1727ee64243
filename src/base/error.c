/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The analyser has them as macros. */
#undef clshard__fail
#undef clshard__fail_native
#undef clshard__fail_text

#define STATUS_CASE(name, value, text)                                                             \
    case CLSHARD_##name:                                                                           \
        return text;

const char *clshard_status_name(clshard_status status)
{
    switch (status) {
        CLSHARD_STATUS_MAP(STATUS_CASE)
    case CLSHARD_STATUS_FORCE_INT:
        break;
    }
    return "unknown";
}

static void fill(clshard_error *err, clshard_status status, int32_t native, const char *format,
                 va_list arguments)
{
    if (err == NULL)
        return;
    err->status = status;
    err->native = native;
    err->position = -1;
    if (vsnprintf(err->message, sizeof err->message, format, arguments) < 0)
        err->message[0] = '\0';
}

clshard_status clshard__fail(clshard_error *err, clshard_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(err, status, 0, format, arguments);
    va_end(arguments);
    return status;
}

clshard_status clshard__fail_native(clshard_error *err, clshard_status status, int32_t native,
                                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(err, status, native, format, arguments);
    va_end(arguments);
    return status;
}

void clshard__error_at(clshard_error *err, size_t position)
{
    if (err != NULL)
        err->position = (int64_t)position;
}

clshard__quoted clshard__quote_span(const char *text, size_t length)
{
    static const char hex[] = "0123456789abcdef";
    clshard__quoted quoted;
    size_t used = 0;
    size_t i;

    for (i = 0; i < length && used < sizeof quoted.text - 8; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte >= 0x20 && byte < 0x7f) {
            quoted.text[used++] = (char)byte;
        } else {
            quoted.text[used++] = '\\';
            quoted.text[used++] = 'x';
            quoted.text[used++] = hex[byte >> 4];
            quoted.text[used++] = hex[byte & 15];
        }
    }
    if (i < length) {
        memcpy(quoted.text + used, "...", 3);
        used += 3;
    }
    quoted.text[used] = '\0';
    return quoted;
}

clshard__quoted clshard__quote(const char *text)
{
    return text == NULL ? clshard__quote_span("(null)", 6)
                        : clshard__quote_span(text, strlen(text));
}

clshard_status clshard__fail_text(clshard_error *err, clshard_status status, const char *subject,
                                  const char *text, size_t offset, const char *format, ...)
{
    /* Enough of the text on both sides of the place to find it, whatever the text's length. */
    const size_t context = 40;
    const size_t length = strlen(text);
    const size_t from = offset > context ? offset - context : 0;
    const size_t left = length - offset;
    char what[256];
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(what, sizeof what, format, arguments) < 0)
        what[0] = '\0';
    va_end(arguments);
    return clshard__fail(
        err, status, "%s '%s%s>>>%s': at character %zu: %s", subject, from > 0 ? "..." : "",
        clshard__quote_span(text + from, offset - from).text,
        clshard__quote_span(text + offset, left > context ? context : left).text, offset + 1, what);
}
