/* SPDX-License-Identifier: Apache-2.0 */
#include "fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "terminal.h"

clshard_status fail(clshard_error *err, clshard_status status, const char *format, ...)
{
    va_list arguments;

    err->status = status;
    err->native = 0;
    err->position = -1;
    va_start(arguments, format);
    if (vsnprintf(err->message, sizeof err->message, format, arguments) < 0)
        err->message[0] = '\0';
    va_end(arguments);
    return status;
}

clshard_status fail_io(clshard_error *err, const char *what, const char *path)
{
    const int reason = errno;
    return fail(err, CLSHARD_ERR_IO, "%s '%s': %s", what, path, strerror(reason));
}

clshard_status fail_memory(clshard_error *err, const char *what)
{
    return fail(err, CLSHARD_ERR_MEMORY, "%s: the host has no memory left", what);
}

void fail_add(clshard_error *err, const char *format, ...)
{
    const size_t used = strlen(err->message);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(err->message + used, sizeof err->message - used, format, arguments);
    va_end(arguments);
}

clshard_status fail_in(clshard_error *err, const char *where)
{
    const clshard_error inner = *err;

    err->message[0] = '\0';
    fail_add(err, "%s: ", where);
    fail_add(err, "%s", inner.message);
    return err->status;
}

/* Bad input is whatever the user can correct: arguments, and files that cannot be used. */
static bool is_bad_input(clshard_status status)
{
    return (status >= CLSHARD_ERR_ARGUMENT && status < CLSHARD_ERR_MEMORY) ||
           status == CLSHARD_ERR_OVERFLOW || status == CLSHARD_ERR_IO ||
           status == CLSHARD_ERR_FORMAT;
}

int report_error(const clshard_error *err)
{
    fprintf(stderr, "clshard: error: %s: ", clshard_status_name(err->status));
    print_clean(stderr, err->message);
    if (err->position >= 0)
        fprintf(stderr, " (at position %lld)", (long long)err->position);
    fputc('\n', stderr);
    return is_bad_input(err->status) ? EXIT_BAD_USAGE : EXIT_FAILED;
}
