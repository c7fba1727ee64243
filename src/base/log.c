/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"

static void to_stderr(void *context, const char *line)
{
    (void)context;
    (void)fprintf(stderr, "clshard: %s\n", line);
}

clshard_status clshard__log_init(clshard__log *log, void (*sink)(void *context, const char *line),
                                 void *context, clshard_error *err)
{
    const char *asked = clshard__env_get(CLSHARD__ENV_LOG);

    log->sink = sink;
    log->context = context;
    if (asked != NULL && strcmp(asked, "stderr") != 0 && strcmp(asked, "off") != 0)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "CLSHARD_LOG is '%s'; it may be 'stderr' or 'off'",
                             clshard__quote(asked).text);
    if (sink == NULL && asked != NULL && strcmp(asked, "stderr") == 0)
        log->sink = to_stderr;
    return clshard__lock_init(&log->lock, err);
}

void clshard__log_end(clshard__log *log)
{
    clshard__lock_end(&log->lock);
}

void clshard__log_line(clshard__log *log, const char *format, ...)
{
    char line[1024];
    va_list arguments;

    if (log->sink == NULL)
        return;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    clshard__lock_take(&log->lock);
    log->sink(log->context, line);
    clshard__lock_leave(&log->lock);
}
