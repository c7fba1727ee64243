/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_FAULT_LAYER_H
#define CLSHARD_TESTS_FAULT_LAYER_H

/* An OpenCL layer between the loader and the drivers, which counts calls and objects and makes
 * calls fail. OPENCL_LAYERS names it; a test in the same process finds it by dlopen() of the same
 * file and dlsym() of FAULT_LAYER_SYMBOL. Without a test to steer it, the environment's FAULT_LAYER
 * does: `synchronous`, or `delay=MICROSECONDS`. Any thread may call. */

#include <stdbool.h>

#define FAULT_LAYER_SYMBOL "fault_layer_get"

typedef enum fault_object {
    FAULT_CONTEXT,
    FAULT_QUEUE,
    FAULT_BUFFER,
    FAULT_PROGRAM,
    FAULT_KERNEL,
    FAULT_EVENT,
    FAULT_OBJECTS
} fault_object;

typedef struct fault_layer {
    /* From now on the n-th call of the entry point fails, or of all together for NULL. 0: none
     * does. Counts start again. */
    void (*arm)(const char *entry, unsigned long n);

    /* Calls since then: of an entry point, or of all together for NULL. */
    unsigned long (*calls)(const char *entry);

    /* What has failed since then, and with which code; NULL: nothing. */
    const char *(*failed)(int *out_code);

    /* Claims on objects of this kind that were not given back. */
    long (*live)(fault_object object);

    /* Each call first sleeps for up to so long; how long differs from call to call. */
    void (*delay)(unsigned microseconds);

    /* Each command is done when the call that enqueues it returns. */
    void (*synchronous)(bool on);
} fault_layer;

typedef const fault_layer *fault_layer_getter(void);

#endif
