/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_LOG_LINES_H
#define CLSHARD_TESTS_LOG_LINES_H

/* The lines of a log, to be asked afterwards. */

#include <stddef.h>

typedef struct log_lines {
    char text[1 << 16]; /* each line ends with a newline */
    size_t length;
} log_lines;

/* A sink; its context is a log_lines. Fails the test when there is no room left. */
void log_lines_add(void *lines, const char *line);

/* How many lines contain the text. */
size_t log_lines_with(const log_lines *lines, const char *text);

#endif
