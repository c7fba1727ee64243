/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_SPLITS_H
#define TOOL_SPLITS_H

/* The splits that --weights, --sizes and --granule describe. */

#include <clshard/split.h>

#include "number.h"
#include "options.h"

typedef struct splits {
    size_t count;
    clshard_split *split;
    axis_list *list;    /* the memory behind each split */
    uint32_t **weights; /* NULL for --sizes */
} splits;

clshard_status splits_read(const options *read, splits *out, clshard_error *err);
void splits_free(splits *made);

/* How extents are cut, as the options say: "even", "weights data=3,1"; the end of a long text is
 * missing. */
typedef struct policy_text {
    char text[256];
} policy_text;
policy_text policy_from_options(const options *read);

#endif
