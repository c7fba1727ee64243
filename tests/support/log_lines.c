/* SPDX-License-Identifier: Apache-2.0 */
#include "support/log_lines.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

void log_lines_add(void *lines, const char *line)
{
    log_lines *all = lines;
    const size_t room = sizeof all->text - all->length;
    const int bytes = snprintf(all->text + all->length, room, "%s\n", line);

    cr_assert(bytes >= 0 && (size_t)bytes < room, "too many lines");
    all->length += (size_t)bytes;
}

size_t log_lines_with(const log_lines *lines, const char *text)
{
    const char *found = lines->text;
    size_t count = 0;

    while ((found = strstr(found, text)) != NULL) {
        count++;
        found = strchr(found, '\n');
    }
    return count;
}
