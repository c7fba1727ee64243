/* SPDX-License-Identifier: Apache-2.0 */
/* The caller's log function is called by several threads, one at a time for each runtime. */

#include <string.h>

#include "base/log.h"
#include "support/plain.h"

enum { ROUNDS = 200, LINE_BYTES = 1024 };

/* Not atomic, so that ThreadSanitizer sees calls that are not one at a time. */
typedef struct written {
    char last[LINE_BYTES];
    size_t count;
    size_t torn;
} written;

static void take_line(void *context, const char *line)
{
    written *to = context;

    strncpy(to->last, line, sizeof to->last - 1);
    to->count++;
    to->torn += strcmp(to->last, line) != 0;
}

typedef struct shared_log {
    clshard__log log;
    written lines;
} shared_log;

static void write_lines(void *context, size_t number)
{
    shared_log *all = context;

    for (size_t i = 0; i < ROUNDS; i++)
        clshard__log_line(&all->log, "thread %zu writes line %zu", number, i);
}

static void lines_come_one_at_a_time(void)
{
    static shared_log all;
    clshard_error err = {0};

    if (!works(clshard__log_init(&all.log, take_line, &all.lines, &err), &err))
        return;
    plain_team(write_lines, &all);
    clshard__log_end(&all.log);
    (void)expect(all.lines.count == PLAIN_TEAM * (size_t)ROUNDS, "%zu lines", all.lines.count);
    (void)expect(all.lines.torn == 0, "%zu lines are torn", all.lines.torn);
}

/* Each runtime has a log of its own, and so has each thread's context here. */
static void open_logged(void *context, size_t number)
{
    written own = {{0}, 0, 0};
    clshard_runtime *runtime =
        plain_open(CLSHARD_WITH(clshard_runtime_options, .log = take_line, .log_context = &own));

    (void)context;
    (void)expect(own.count >= clshard_runtime_device_count(runtime) && own.torn == 0,
                 "thread %zu: %zu lines, %zu torn", number, own.count, own.torn);
    clshard_runtime_release(runtime);
}

int main(void)
{
    lines_come_one_at_a_time();
    plain_team(open_logged, NULL);
    return plain_result();
}
