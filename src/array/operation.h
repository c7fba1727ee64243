/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_ARRAY_OPERATION_H
#define CLSHARD_ARRAY_OPERATION_H

/* What one call issued on many devices, until all of it is done. Shared by the event that the
 * caller holds and the arrays that were worked on. Locked inside. */

#include <CL/cl.h>

#include <clshard/event.h>

#include "layout/copy.h"
#include "opencl/memory.h"

typedef struct clshard__operation clshard__operation;

/* Work for the host once a step's commands are done: copy.run 0 means none. */
typedef struct clshard__aftermath {
    clshard__copy copy; /* from the step's staging */
    void *to;
    bool compare; /* do not copy: the sides must already be equal */
} clshard__aftermath;

/* What is done for one position. The operation owns events, temporary and staging. */
typedef struct clshard__step {
    size_t position;
    clshard__worker worker;
    clshard_route route;
    uint64_t bytes;
    double issued;                 /* clshard__seconds() before the first command */
    cl_event first;                /* of the first command; NULL: the last is the first */
    cl_event last;                 /* of the last one; NULL: there was none */
    clshard__pool_block temporary; /* a buffer that the commands use; handle may be NULL */
    clshard__pool_block staging;   /* host memory that they use; handle may be NULL */
    clshard__aftermath after;
} clshard__step;

/* what names the call in messages ("scatter"); a literal. memory is where steps have theirs from;
 * it must live until the operation is done. */
clshard_status clshard__operation_create(const char *what, size_t most_steps,
                                         clshard__memory *memory,
                                         clshard__operation **out_operation, clshard_error *err);
clshard__operation *clshard__operation_retain(clshard__operation *operation);

/* The last claim waits for what is not done yet. NULL is allowed. */
void clshard__operation_release(clshard__operation *operation);

/* A zeroed step to fill in, while the operation is being issued; at most most_steps. */
clshard__step *clshard__operation_add(clshard__operation *operation, size_t position);

/* Waits for all steps, does their aftermath, and frees what they used. The first failure, always
 * the same. tell: whether the caller passes a failure on to the user. */
clshard_status clshard__operation_wait(clshard__operation *operation, bool tell,
                                       clshard_error *err);

/* Whether a wait would not block; then the aftermath is done too. */
bool clshard__operation_done(clshard__operation *operation);

/* Whether a failure is known that no user was told of. */
bool clshard__operation_untold(clshard__operation *operation);

/* An event over the operation; takes one claim on OK. */
clshard_status clshard__event_create(clshard__operation *operation, clshard_event **out_event,
                                     clshard_error *err);

#endif
