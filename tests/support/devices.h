/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_DEVICES_H
#define CLSHARD_TESTS_DEVICES_H

/* Real devices for a test: those that CLSHARD_DEVICES names, else all that the machine has. */

#include <clshard/clshard.h>

/* Fails the test, with the error's text, unless the call succeeded. */
#define must(call)                                                                                 \
    do {                                                                                           \
        clshard_error must_error = {CLSHARD_OK, 0, -1, ""};                                        \
        clshard_error *const error = &must_error;                                                  \
        const clshard_status must_status = (call);                                                 \
        cr_assert(must_status == CLSHARD_OK, "%s: %s: %s", #call,                                  \
                  clshard_status_name(must_status), must_error.message);                           \
    } while (0)

/* The selector of those devices: NULL where CLSHARD_DEVICES has one. */
const char *devices_selector(void);

/* Fails the test when there is no device: a run without any must not look like a success. */
clshard_runtime *devices_open(void);

/* A mesh whose positions share devices where there are too few. The caller may release the runtime.
 */
clshard_mesh *devices_mesh(const clshard_runtime *runtime, const char *axes);

/* A dense host tensor of its own memory, filled with bytes that differ from place to place. */
clshard_tensor devices_tensor(clshard_dtype dtype, clshard_shape shape);

#endif
