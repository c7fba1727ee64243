/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>

#include "fail.h"

enum { COLUMNS_MOST = 12 };

table table_of(size_t columns, const terminal *screen)
{
    const table rows = {.columns = columns, .utf8 = screen->utf8};
    return rows;
}

static char *formatted(const char *format, va_list arguments)
{
    va_list again;
    char *text;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text != NULL)
        (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

static char *cleaned(const char *text, bool utf8)
{
    const size_t bytes = clean_text(text, utf8, NULL, 0) + 1;
    char *clean = malloc(bytes);
    if (clean != NULL)
        clean_text(text, utf8, clean, bytes);
    return clean;
}

static bool grow(table *rows)
{
    const size_t capacity = rows->capacity == 0 ? 64 : 2 * rows->capacity;
    char **cell = realloc(rows->cell, capacity * sizeof *cell);
    if (cell == NULL)
        return false;
    rows->cell = cell;
    rows->capacity = capacity;
    return true;
}

void table_add(table *rows, const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = formatted(format, arguments);
    va_end(arguments);
    if (text != NULL && (rows->cell_count < rows->capacity || grow(rows)))
        rows->cell[rows->cell_count] = cleaned(text, rows->utf8);
    else
        rows->failed = true;
    free(text);
    if (rows->failed)
        return;
    if (rows->cell[rows->cell_count] == NULL)
        rows->failed = true;
    else
        rows->cell_count++;
}

static void measure(const table *rows, size_t width[COLUMNS_MOST])
{
    for (size_t i = 0; i < rows->cell_count; i++) {
        const size_t columns = text_columns(rows->cell[i]);
        if (columns > width[i % rows->columns])
            width[i % rows->columns] = columns;
    }
}

clshard_status table_print(const table *rows, const terminal *screen, const char *indent,
                           clshard_error *err)
{
    size_t width[COLUMNS_MOST] = {0};
    size_t blanks = 0; /* before the next cell: none end a line */

    if (rows->failed)
        return fail_memory(err, "table");
    measure(rows, width);
    for (size_t i = 0; i < rows->cell_count; i++) {
        const size_t column = i % rows->columns;
        const bool last = column + 1 == rows->columns;
        const size_t columns = text_columns(rows->cell[i]);
        if (column == 0)
            printf("%s%s", indent, i == 0 ? screen->faint : "");
        if (columns > 0)
            printf("%*s%s", (int)blanks, "", rows->cell[i]);
        blanks = (columns > 0 ? 0 : blanks) + width[column] - columns + 2;
        blanks = last ? 0 : blanks;
        if (last)
            printf("%s\n", i + 1 == rows->columns ? screen->normal : "");
    }
    return CLSHARD_OK;
}

void table_free(table *rows)
{
    for (size_t i = 0; i < rows->cell_count; i++)
        free(rows->cell[i]);
    free(rows->cell);
    rows->cell = NULL;
    rows->cell_count = 0;
}
