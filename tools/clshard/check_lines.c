/* SPDX-License-Identifier: Apache-2.0 */
#include "check_lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Drivers print too, and not always whole lines: each of ours starts after a line's end. */
#define MARK "clshard-check "

void check_lines_tell(json_t *object)
{
    if (object == NULL)
        return;
    fputs("\n" MARK, stdout);
    (void)json_dumpf(object, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
    putchar('\n');
    (void)fflush(stdout);
    json_decref(object);
}

json_t *check_lines_next(FILE *printed)
{
    const size_t mark = strlen(MARK);
    char *line = NULL;
    size_t capacity = 0;
    json_t *object = NULL;

    while (object == NULL && getline(&line, &capacity, printed) > 0)
        if (strncmp(line, MARK, mark) == 0)
            object = json_loads(line + mark, 0, NULL);
    free(line);
    return object;
}

process_text process_end_text(const process_end *end)
{
    process_text made;

    if (end->signal != 0)
        (void)snprintf(made.text, sizeof made.text, "signal %d (%s)", end->signal,
                       strsignal(end->signal));
    else
        (void)snprintf(made.text, sizeof made.text, "exit status %d", end->exit);
    return made;
}
