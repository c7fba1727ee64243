/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TRANSFER_SELF_TEST_H
#define CLSHARD_TRANSFER_SELF_TEST_H

/* The tests behind clshard_check_device() and clshard_check_pair(). */

#include <clshard/check.h>
#include <clshard/transfer.h>

#include "opencl/memory.h"

/* What a test runs on. */
typedef struct clshard__check {
    const clshard_runtime *runtime;
    clshard__engine *engine;
    size_t device;
    size_t other; /* SIZE_MAX: no pair */
    clshard__worker worker;
    cl_device_fp_config f32; /* what the device says of its f32 */
    bool quick;
    clshard_route route; /* of the tests of a route */
} clshard__check;

/* What a test found. PASSED without a sentence to start. */
typedef struct clshard__found {
    clshard_verdict verdict;
    char sentence[400];
} clshard__found;

/* Sets both. */
void clshard__found_set(clshard__found *found, clshard_verdict verdict, const char *format, ...)
    CLSHARD__PRINTF(3, 4);

/* A test. One that returns a failure has failed with that sentence, unless the failure is the
 * host's. A finding of its own may be set before OK is returned. */
typedef clshard_status clshard__self_test(const clshard__check *check, clshard__found *found,
                                          clshard_error *err);

/* Arrays: route (check->route), and those that choose it. */
clshard__self_test clshard__test_route, clshard__test_padding, clshard__test_mapping,
    clshard__test_large, clshard__test_empty;
/* Memory and clocks. */
clshard__self_test clshard__test_shared_memory, clshard__test_device_times;
/* Arithmetic. */
clshard__self_test clshard__test_division, clshard__test_denormals, clshard__test_contraction,
    clshard__test_u8_to_f32, clshard__test_f32_to_u8, clshard__test_f16_storage, clshard__test_f16,
    clshard__test_f64, clshard__test_integers;
/* Pairs. */
clshard__self_test clshard__test_pair_array, clshard__test_pair_host, clshard__test_pair_context;

/* A mesh of one axis, `a`, whose positions are on these devices, used again from the start where
 * there are too few; and an array over it that cuts the last dimension. */
clshard_status clshard__check_mesh(const clshard__check *check, const size_t *devices,
                                   size_t device_count, size_t positions, clshard_mesh **out_mesh,
                                   clshard_error *err);
clshard_status clshard__check_array(const clshard_mesh *mesh, clshard_policy uneven,
                                    clshard_dtype dtype, clshard_shape shape,
                                    clshard_array **out_array, clshard_error *err);

/* Bytes that differ from place to place, the same for the same seed. */
void clshard__check_fill(void *memory, size_t bytes, uint32_t seed);

/* A kernel of cl/ on `items` items. It is passed the inputs, the output, and the number of items.
 */
enum { CLSHARD__TRIAL_INPUTS = 3 };
typedef struct clshard__trial {
    const char *kernel;        /* literals, as clshard__engine_kernel_take() */
    const char *build_options; /* "": none */
    size_t items;
    struct {
        const void *data; /* NULL: no more inputs */
        size_t bytes;
    } input[CLSHARD__TRIAL_INPUTS];
    void *output; /* receives output_bytes */
    size_t output_bytes;
} clshard__trial;
clshard_status clshard__trial_run(const clshard__check *check, const clshard__trial *trial,
                                  clshard_error *err);

/* Flushes, waits for the event of a command, and gives the event up. Blocking calls do not suffice:
 * on rusticl of Mesa 22.3.6 one returns early when another thread flushes the same queue. */
cl_int clshard__check_settle(const clshard__check *check, cl_event event);

/* Takes the kernel, sets its arguments and enqueues it; *out_event receives its event. The worker
 * is entered. */
clshard_status clshard__trial_enqueue(const clshard__check *check, const clshard__trial *trial,
                                      const cl_mem *buffers, size_t buffer_count,
                                      cl_event *out_event, clshard_error *err);

#endif
