/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TRANSFER_ISSUE_H
#define CLSHARD_TRANSFER_ISSUE_H

/* What scatter and gather have in common: checking a call, issuing its moves, and ending it. */

#include <clshard/transfer.h>

#include "transfer/move.h"

/* Direction of a call; says which route functions it uses. */
typedef enum clshard__direction { CLSHARD__SCATTER = 0, CLSHARD__GATHER = 1 } clshard__direction;

/* A call that passed its checks. */
typedef struct clshard__call {
    clshard__direction direction;
    const char *what; /* "scatter" */
    const clshard_array *array;
    const clshard_tensor *host;
    clshard__view view; /* of the host tensor */
    clshard_transfer_options options;
    clshard_route forced;
    clshard__operation *operation;
} clshard__call;

/* The whole call. Checks everything before anything is enqueued. */
clshard_status clshard__issue(clshard__direction direction, const clshard_array *array,
                              const clshard_tensor *host, const clshard_transfer_options *options,
                              clshard_event **out_event, clshard_error *err);

#endif
