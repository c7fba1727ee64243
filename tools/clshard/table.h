/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_TABLE_H
#define TOOL_TABLE_H

/* Text in aligned columns. */

#include <clshard/status.h>

#include "terminal.h"

typedef struct table {
    size_t columns;
    bool utf8;
    bool failed; /* some cell found no memory; table_print() says so */
    size_t cell_count;
    size_t capacity;
    char **cell; /* row by row; the first row is the header */
} table;

table table_of(size_t columns, const terminal *screen);

/* Adds the next cell, cleaned. */
void table_add(table *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints all rows, each after the indent. */
clshard_status table_print(const table *rows, const terminal *screen, const char *indent,
                           clshard_error *err);

void table_free(table *rows);

#endif
