/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_ARRAY_ARRAY_INTERNAL_H
#define CLSHARD_ARRAY_ARRAY_INTERNAL_H

/* What the layers above need of an array. */

#include <clshard/array.h>

#include "array/operation.h"
#include "mesh/layout_internal.h"
#include "mesh/mesh_internal.h"

typedef struct clshard__array_shard {
    clshard__worker worker; /* unset for an empty shard */
    cl_mem memory;          /* NULL: empty; of at least so many bytes */
    size_t memory_bytes;    /* as the pool counts it */
    size_t bytes;
    void *mapped; /* NULL: not mapped */
} clshard__array_shard;

/* What is still known of earlier calls. Behind a pointer: reading an array adds to it. */
typedef struct clshard__array_history {
    clshard__operation **operation;
    size_t count, capacity;
    size_t mapped_count;
    bool failed; /* a call on the array did: its buffers do not enter the pool */
} clshard__array_history;

struct clshard_array {
    clshard_layout *layout;
    clshard_dtype dtype;
    size_t shard_count;
    clshard__array_shard *shard;
    clshard__array_history *history;
};

/* What drives the array's devices; borrowed. */
clshard__engine *clshard__array_engine(const clshard_array *array);

/* What each call on an array starts with. FORKED; BUSY when a shard is mapped; the failure of an
 * earlier call that nobody was told of. Forgets earlier calls that are done. */
clshard_status clshard__array_begin(const clshard_array *array, const char *operation,
                                    clshard_error *err);

/* Makes room for one more call to remember, so that remembering cannot fail after work was issued.
 */
clshard_status clshard__array_reserve(const clshard_array *array, clshard_error *err);

/* Keeps a claim on the operation until it is done. clshard__array_reserve() came before. */
void clshard__array_remember(const clshard_array *array, clshard__operation *operation);

#endif
