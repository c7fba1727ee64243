/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tsv.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *name)
{
    char path[1024];
    FILE *file;
    long size;
    char *text;

    (void)snprintf(path, sizeof path, "%s/%s", CLSHARD_TESTS_DIR, name);
    file = fopen(path, "rb");
    cr_assert(file != NULL, "cannot open %s", path);
    cr_assert(fseek(file, 0, SEEK_END) == 0);
    size = ftell(file);
    cr_assert(size > 0 && fseek(file, 0, SEEK_SET) == 0);
    text = calloc((size_t)size + 1, 1);
    cr_assert(text != NULL && fread(text, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    return text;
}

static void cut_fields(char *line, struct tsv_row *row)
{
    size_t count = 0;
    for (size_t i = 0; i < TSV_FIELDS; i++)
        row->field[i] = "";
    for (char *at = line; at != NULL; count++) {
        cr_assert(count < TSV_FIELDS, "line %zu has too many fields", row->line);
        row->field[count] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
}

tsv tsv_read(const char *name)
{
    tsv table = {read_all(name), NULL, 0};
    size_t line_number = 0;
    size_t lines = 1;
    char *line;

    for (const char *at = table.text; *at != '\0'; at++)
        lines += *at == '\n';
    table.row = calloc(lines, sizeof *table.row);
    cr_assert(table.row != NULL);
    for (line = table.text; line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        line_number++;
        if (line[0] != '#') {
            table.row[table.row_count].line = line_number;
            cut_fields(line, &table.row[table.row_count++]);
        }
        line = end;
    }
    cr_assert(table.row_count > 0, "%s has no rows", name);
    return table;
}

void tsv_free(tsv *table)
{
    free(table->text);
    free(table->row);
}

size_t tsv_number(const char *field)
{
    char *end;
    const unsigned long long value = strtoull(field, &end, 10);
    cr_assert(*field >= '0' && *field <= '9' && *end == '\0', "'%s' is no number", field);
    return (size_t)value;
}

char *tsv_entry(char **list, char separator)
{
    char *entry = *list;
    char *end;

    cr_assert_not_null(entry, "the list is too short");
    end = strchr(entry, separator);
    if (end != NULL)
        *end++ = '\0';
    *list = end;
    return entry;
}
