/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_TSV_H
#define CLSHARD_TESTS_TSV_H

/* Reading the tables of vectors that other systems computed. */

#include <stddef.h>

enum { TSV_FIELDS = 16 };

typedef struct tsv {
    char *text; /* the whole file, cut up by NULs */
    struct tsv_row {
        size_t line;                   /* in the file, from 1 */
        const char *field[TSV_FIELDS]; /* "" past the last */
    } * row;
    size_t row_count;
} tsv;

/* Reads tests/NAME without the lines that start with "#". Fails the test when there is no row. */
tsv tsv_read(const char *name);
void tsv_free(tsv *table);

/* A field that holds a decimal number; anything else fails the test. */
size_t tsv_number(const char *field);

/* Cuts the next entry off a list, which must have one; empty entries count. *list becomes NULL
 * after the last. */
char *tsv_entry(char **list, char separator);

#endif
