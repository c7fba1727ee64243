/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_NUMBER_H
#define TOOL_NUMBER_H

/* Whole numbers from text, and lists of them per axis: "data=3,1". */

#include <clshard/status.h>

/* Reads exactly `length` decimal digits; false for anything else, or past 64 bits. */
bool read_number(const char *text, size_t length, size_t *out_value);

typedef struct axis_list {
    char *axis;
    size_t count;
    size_t *number;
} axis_list;

/* Reads AXIS=N,N,... with each number at most `most`. option is named in the message.
 * `argument` without an axis; `split`, with the place marked, for a number that is none. */
clshard_status axis_list_read(const char *option, const char *text, size_t most, axis_list *out,
                              clshard_error *err);
void axis_list_free(axis_list *list);

#endif
