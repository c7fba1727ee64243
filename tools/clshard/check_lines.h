/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_CHECK_LINES_H
#define TOOL_CHECK_LINES_H

/* What a child of `clshard check` tells its parent: JSON objects, each on a marked line, among
 * whatever drivers print. */

#include <jansson.h>
#include <stdio.h>

#include "process.h"

/* Prints an object at once, and frees it; NULL prints nothing. */
void check_lines_tell(json_t *object);

/* The next object of what a child printed; NULL past the last. The caller frees it. */
json_t *check_lines_next(FILE *printed);

/* How a child ended: "signal 11 (Segmentation fault)", "exit status 3". */
typedef struct process_text {
    char text[96];
} process_text;
process_text process_end_text(const process_end *end);

#endif
