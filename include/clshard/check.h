/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_CHECK_H
#define CLSHARD_CHECK_H

/**
 * @file
 * Self-tests of devices and of pairs of devices: what works, what a device lacks, what is turned
 * off for its driver and why, and what fails. docs/check.md says what each test means.
 *
 * A check runs on the runtime's own contexts, queues and kernels, beside other work on them. A
 * driver that crashes takes the process with it; the tool `clshard check` runs all this in a child
 * process.
 *
 * Thread class: internally locked.
 */

#include <clshard/runtime.h>

/** What a test came to. */
typedef enum clshard_verdict {
    CLSHARD_PASSED = 1,      /**< works */
    CLSHARD_UNSUPPORTED = 2, /**< the device says that it lacks it: no failure */
    CLSHARD_DISABLED = 3,    /**< turned off for this driver, whose fault is known */
    CLSHARD_FAILED = 4       /**< the device claims it, and it is wrong */
} clshard_verdict;

/** The outcome of one test. Lives as long as the call of the callback; may grow at its end. */
typedef struct clshard_finding {
    const char *test;        /**< stable name, such as "route linear" or "division" */
    clshard_verdict verdict; /**< what it came to */
    const char *sentence;    /**< the values behind it, or why not; never NULL, never empty */
    size_t device;           /**< in the runtime */
    size_t other;            /**< the second device of a pair; SIZE_MAX: none */
    double seconds;          /**< that the test took */
} clshard_finding;

/**
 * Receives each finding as soon as its test is done, on the calling thread.
 * @param context as given to the check.
 * @param finding what was found.
 * @param err of the check; may be NULL.
 * @return OK; anything else ends the check, which then returns it.
 */
typedef clshard_status clshard_check_report(void *context, const clshard_finding *finding,
                                            clshard_error *err);

/** Options of clshard_check_device() and clshard_check_pair(). */
typedef struct clshard_check_options {
    size_t size; /**< of this struct */
    bool quick;  /**< fewer dtypes, shapes and values; every test runs */
} clshard_check_options;

CLSHARD_BEGIN_DECLS

/**
 * Tests one device: each route with each dtype, odd sizes and offsets, padding, mapping, empty
 * shards, memory shared with the host, and the arithmetic that the kernels rely on.
 * @param runtime whose device it is.
 * @param device index of a device in use.
 * @param options may be NULL.
 * @param report receives the findings, always the same tests in the same order; when the device
 * cannot be started, the first test fails and is the only one.
 * @param context passed to `report`.
 * @param err may be NULL.
 * @return OK when the tests ran, whatever they found; `index` for no device in use; `argument`,
 * also for a wrong value in the environment;
 * `forked`; `memory`; what `report` returned.
 */
CLSHARD_CHECKED clshard_status clshard_check_device(const clshard_runtime *runtime, size_t device,
                                                    const clshard_check_options *options,
                                                    clshard_check_report *report, void *context,
                                                    clshard_error *err);

/**
 * Tests an ordered pair of devices: an array over both, and data of the first that moves to the
 * second through the host.
 * @return as clshard_check_device(); `duplicate_device` when both are the same.
 */
CLSHARD_CHECKED clshard_status clshard_check_pair(const clshard_runtime *runtime, size_t device,
                                                  size_t other,
                                                  const clshard_check_options *options,
                                                  clshard_check_report *report, void *context,
                                                  clshard_error *err);

/** The text of a verdict ("passed", "unsupported", "disabled", "failed"); NULL for no verdict. */
CLSHARD_API const char *clshard_verdict_name(clshard_verdict verdict);

CLSHARD_END_DECLS

#endif
