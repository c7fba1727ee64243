/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_CHECK_PRINT_H
#define TOOL_CHECK_PRINT_H

/* What `clshard check` found, for people. */

#include <jansson.h>

#include <clshard/status.h>

/* How many findings have each verdict. */
typedef struct check_count {
    size_t passed, unsupported, disabled, failed, broken_entries;
} check_count;

/* Counts the findings of {"entries", "devices", "pairs"}. */
check_count check_count_of(const json_t *document);

/* Prints that document as tables, and a line that sums up. */
clshard_status check_print(const json_t *document, const char *folder, const check_count *count,
                           clshard_error *err);

#endif
