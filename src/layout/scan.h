/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_SCAN_H
#define CLSHARD_LAYOUT_SCAN_H

/* Reading the texts of meshes, specs, rules and shapes from left to right. */

#include <clshard/spec.h>

#include "base/error.h"
#include "base/text.h"

typedef struct clshard__scan {
    const char *subject; /* what the text is, for messages: "mesh" */
    const char *text;
    const char *at; /* what comes next */
} clshard__scan;

clshard__scan clshard__scan_of(const char *subject, const char *text);

/* Passes the character if it comes next. */
bool clshard__scan_pass(clshard__scan *scan, char expected);

/* A failure at a place of the text. */
clshard_status clshard__scan_fail(const clshard__scan *scan, const char *place,
                                  clshard_status status, const char *what, clshard_error *err);

/* Bytes of the run of characters that may stand in a name, whether it is one or not. */
size_t clshard__scan_word(const clshard__scan *scan);

/* Reads a name; what says what it names. TEXT where no name could begin, NAME for a malformed one.
 * name is untouched on failure. */
clshard_status clshard__scan_name(clshard__scan *scan, const char *what,
                                  char name[CLSHARD_NAME_MAX], clshard_error *err);

/* Reads a decimal number without a sign. TEXT, OVERFLOW. */
clshard_status clshard__scan_size(clshard__scan *scan, const char *what, size_t *out_value,
                                  clshard_error *err);

/* After an item of a list: false at the end of the text. TEXT when neither a separator nor the end
 * comes next. */
clshard_status clshard__scan_more(clshard__scan *scan, char separator, bool *out_more,
                                  clshard_error *err);

/* Reads the axes of one dimension: "data", "data+model", "_" or "None". RANK for too many. */
clshard_status clshard__scan_entry(clshard__scan *scan, clshard_spec_entry *out_entry,
                                   clshard_error *err);

/* Prints them so that they read back equal. */
void clshard__write_entry(clshard__writer *writer, const clshard_spec_entry *entry);

/* Number of axes of an entry, at most CLSHARD_RANK_MAX. */
size_t clshard__entry_axes(const clshard_spec_entry *entry);

bool clshard__entry_equal(const clshard_spec_entry *a, const clshard_spec_entry *b);

#endif
