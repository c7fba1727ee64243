/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_LOG_H
#define CLSHARD_BASE_LOG_H

/* Lines for the caller's log. Off unless the caller gave a sink or CLSHARD_LOG asks for stderr. */

#include "base/error.h"
#include "base/lock.h"

typedef struct clshard__log {
    void (*sink)(void *context, const char *line); /* NULL: off */
    void *context;
    clshard__lock lock; /* one line at a time */
} clshard__log;

/* sink NULL: as CLSHARD_LOG says ("stderr", "off"; another value is ARGUMENT). */
clshard_status clshard__log_init(clshard__log *log, void (*sink)(void *context, const char *line),
                                 void *context, clshard_error *err);
void clshard__log_end(clshard__log *log);
void clshard__log_line(clshard__log *log, const char *format, ...) CLSHARD__PRINTF(2, 3);

#endif
