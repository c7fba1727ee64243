/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_PLAN_H
#define TOOL_PLAN_H

/* What `clshard plan` has been asked for. */

#include "placement.h"

/* Most rows of a table for a person; of a larger plan it says how many are not shown. */
enum { PLAN_ROWS_MOST = 64 };

typedef struct plan {
    placement placed;
    size_t position_count;
    size_t position;  /* the only one to show; SIZE_MAX: all */
    size_t processes; /* that own the positions; 0: not asked for */
    clshard_dtype dtype;
    uint64_t bytes; /* of the whole array; 0 without a dtype */
} plan;

/* The lines about mesh and array. */
void plan_print_heading(const plan *made);

#endif
