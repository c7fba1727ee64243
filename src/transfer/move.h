/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TRANSFER_MOVE_H
#define CLSHARD_TRANSFER_MOVE_H

/* Moving one position's part between a host tensor and its shard: what the routes implement. */

#include "array/array_internal.h"
#include "layout/strides.h"

typedef struct clshard__move {
    const clshard__array_shard *shard;
    clshard__engine *engine;
    size_t item_bytes;
    char *host;         /* the part's first element in the host tensor */
    clshard__copy copy; /* scatter: from the host to the shard; gather: the other way */
    const void
        *fill;    /* scatter: an element for what the host does not fill; NULL: nothing to fill */
    bool compare; /* gather: compare with the host tensor instead of filling it */
    clshard__step *step;
} clshard__move;

/* Each enqueues the commands of one step and fills the step in, also when it fails halfway: what
 * was enqueued is in the step, and must be waited for. */
typedef clshard_status clshard__move_function(clshard__move *move, clshard_error *err);
clshard__move_function clshard__linear_scatter, clshard__linear_gather;
clshard__move_function clshard__kernel_scatter, clshard__kernel_gather;

/* Keeps an event of the step's next command: the first one for its start, the latest for its end.
 */
void clshard__move_command(clshard__move *move, cl_event event);

/* Writes the fill element all over the shard. */
clshard_status clshard__move_fill(clshard__move *move, clshard_error *err);

/* The failure of an OpenCL call of this move. */
clshard_status clshard__move_fail(const clshard__move *move, cl_int code, const char *call,
                                  clshard_error *err);

/* Staging memory of the step; MEMORY. */
clshard_status clshard__move_stage(clshard__move *move, size_t bytes, clshard_error *err);

#endif
