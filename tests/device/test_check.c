/* SPDX-License-Identifier: Apache-2.0 */
/* Self-tests of devices and pairs: what they report, and how they end. */

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/devices.h"

enum { TESTS_MOST = 64, TESTED_MOST = 4 };

static const clshard_check_options quick = {.size = sizeof quick, .quick = true};

/* What a check reported. */
typedef struct heard {
    size_t count;
    struct {
        char test[64], sentence[512];
        clshard_verdict verdict;
    } finding[TESTS_MOST];
    size_t device, other; /* that all must name */
} heard;

static clshard_status listen(void *context, const clshard_finding *finding, clshard_error *err)
{
    heard *all = context;

    (void)err;
    cr_assert(all->count < TESTS_MOST);
    cr_assert_eq(finding->device, all->device);
    cr_assert_eq(finding->other, all->other);
    cr_assert(finding->seconds >= 0);
    cr_assert(strlen(finding->sentence) > 4, "%s: '%s'", finding->test, finding->sentence);
    strncpy(all->finding[all->count].test, finding->test, 63);
    strncpy(all->finding[all->count].sentence, finding->sentence, 511);
    all->finding[all->count++].verdict = finding->verdict;
    return CLSHARD_OK;
}

static heard check_device(const clshard_runtime *runtime, size_t device,
                          const clshard_check_options *options)
{
    heard all = {.device = device, .other = SIZE_MAX};
    must(clshard_check_device(runtime, device, options, listen, &all, error));
    return all;
}

static clshard_verdict verdict_of(const heard *all, const char *test)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->finding[i].test, test) == 0)
            return all->finding[i].verdict;
    cr_assert_fail("no test '%s'", test);
    return CLSHARD_FAILED;
}

static void none_failed(const heard *all)
{
    for (size_t i = 0; i < all->count; i++)
        cr_assert(all->finding[i].verdict == CLSHARD_PASSED ||
                      all->finding[i].verdict == CLSHARD_UNSUPPORTED ||
                      all->finding[i].verdict == CLSHARD_DISABLED,
                  "device %zu, %s: %s", all->device, all->finding[i].test,
                  all->finding[i].sentence);
}

/* Several equal devices need not all be tested. */
static size_t tested_count(const clshard_runtime *runtime)
{
    const size_t count = clshard_runtime_device_count(runtime);
    return count < TESTED_MOST ? count : TESTED_MOST;
}

Test(check, every_device_passes_or_says_what_it_lacks)
{
    clshard_runtime *runtime = devices_open();

    for (size_t d = 0; d < tested_count(runtime); d++) {
        const clshard_device_info *info = clshard_runtime_device(runtime, d);
        const heard all = check_device(runtime, d, d == 0 ? NULL : &quick);
        none_failed(&all);
        cr_assert_eq(verdict_of(&all, "f64"), info->f64 ? CLSHARD_PASSED : CLSHARD_UNSUPPORTED);
        cr_assert_eq(verdict_of(&all, "f16"), info->f16 ? CLSHARD_PASSED : CLSHARD_UNSUPPORTED);
        cr_assert_eq(verdict_of(&all, "device times") == CLSHARD_DISABLED,
                     strstr(info->disabled, "device times") != NULL);
        for (int r = 1; clshard_route_name((clshard_route)r) != NULL; r++) {
            char test[64];
            snprintf(test, sizeof test, "route %s", clshard_route_name((clshard_route)r));
            (void)verdict_of(&all, test);
        }
    }
    clshard_runtime_release(runtime);
}

Test(check, every_device_has_the_same_tests_quick_or_not)
{
    clshard_runtime *runtime = devices_open();
    const heard first = check_device(runtime, 0, NULL);

    cr_assert(first.count >= 18, "%zu", first.count);
    cr_assert_str_eq(first.finding[0].test, "start");
    for (size_t d = 0; d < tested_count(runtime); d++) {
        const heard all = check_device(runtime, d, &quick);
        cr_assert_eq(all.count, first.count);
        for (size_t i = 0; i < all.count; i++)
            cr_assert_str_eq(all.finding[i].test, first.finding[i].test);
    }
    for (size_t i = 0; i < first.count; i++)
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(first.finding[i].test, first.finding[j].test);
    clshard_runtime_release(runtime);
}

/* Both devices are used by the array, and data of each reaches the other. */
Test(check, every_pair_passes)
{
    clshard_runtime *runtime = devices_open();
    const size_t count = tested_count(runtime);

    for (size_t i = 0; i < count * count; i++) {
        heard all = {.device = i / count, .other = i % count};
        if (all.device == all.other)
            continue;
        must(clshard_check_pair(runtime, all.device, all.other, NULL, listen, &all, error));
        cr_assert_eq(all.count, 3);
        none_failed(&all);
        cr_assert(strcmp(all.finding[2].sentence, "one context") == 0 ||
                  strcmp(all.finding[2].sentence, "two contexts") == 0);
    }
    clshard_runtime_release(runtime);
}

Test(check, contexts_are_told_as_the_policy_makes_them)
{
    clshard_runtime *runtime = NULL;

    must(clshard_runtime_open(
        devices_selector(),
        CLSHARD_WITH(clshard_runtime_options, .contexts = CLSHARD_CONTEXT_PER_DEVICE), &runtime,
        error));
    if (clshard_runtime_device_count(runtime) > 1) {
        heard all = {.device = 0, .other = 1};
        must(clshard_check_pair(runtime, 0, 1, &quick, listen, &all, error));
        cr_assert_str_eq(all.finding[2].sentence, "two contexts");
    }
    clshard_runtime_release(runtime);
}

static clshard_status stop_at_third(void *context, const clshard_finding *finding,
                                    clshard_error *err)
{
    size_t *calls = context;

    if (++*calls < 3)
        return CLSHARD_OK;
    if (err != NULL) {
        err->status = CLSHARD_ERR_IO;
        (void)snprintf(err->message, sizeof err->message, "no more after %s", finding->test);
    }
    return CLSHARD_ERR_IO;
}

Test(check, ends_with_what_the_callback_returns)
{
    clshard_runtime *runtime = devices_open();
    clshard_error err = {CLSHARD_OK, 0, -1, ""};
    size_t calls = 0;

    cr_assert_eq(clshard_check_device(runtime, 0, &quick, stop_at_third, &calls, &err),
                 CLSHARD_ERR_IO);
    cr_assert_eq(calls, 3);
    cr_assert_str_eq(err.message, "no more after route linear");
    if (clshard_runtime_device_count(runtime) > 1) {
        calls = 2;
        cr_assert_eq(clshard_check_pair(runtime, 0, 1, &quick, stop_at_third, &calls, NULL),
                     CLSHARD_ERR_IO);
        cr_assert_eq(calls, 3);
    }
    /* The runtime is as it was. */
    heard all = check_device(runtime, 0, &quick);
    none_failed(&all);
    clshard_runtime_release(runtime);
}

static void refused(clshard_status status, const clshard_error *err, clshard_status wanted,
                    const char *words)
{
    cr_assert_eq(status, wanted, "%s", clshard_status_name(status));
    cr_assert_eq(err->status, wanted);
    cr_assert(strstr(err->message, words) != NULL, "'%s' is not in '%s'", words, err->message);
}

Test(check, refuses_what_is_no_device_in_use)
{
    clshard_runtime *runtime = devices_open();
    const size_t count = clshard_runtime_device_count(runtime);
    heard all = {0};
    clshard_error err;

    refused(clshard_check_device(NULL, 0, NULL, listen, &all, &err), &err, CLSHARD_ERR_ARGUMENT,
            "runtime is NULL");
    refused(clshard_check_device(runtime, 0, NULL, NULL, &all, &err), &err, CLSHARD_ERR_ARGUMENT,
            "report is NULL");
    refused(clshard_check_device(runtime, count, NULL, listen, &all, &err), &err, CLSHARD_ERR_INDEX,
            "not in use");
    refused(clshard_check_device(runtime, SIZE_MAX, NULL, listen, &all, &err), &err,
            CLSHARD_ERR_INDEX, "not in use");
    refused(clshard_check_pair(NULL, 0, 1, NULL, listen, &all, &err), &err, CLSHARD_ERR_ARGUMENT,
            "runtime is NULL");
    refused(clshard_check_pair(runtime, 0, 1, NULL, NULL, &all, &err), &err, CLSHARD_ERR_ARGUMENT,
            "report is NULL");
    refused(clshard_check_pair(runtime, 0, 0, NULL, listen, &all, &err), &err,
            CLSHARD_ERR_DUPLICATE_DEVICE, "no pair with itself");
    refused(clshard_check_pair(runtime, 0, count, NULL, listen, &all, &err), &err,
            CLSHARD_ERR_INDEX, "not in use");
    refused(clshard_check_pair(runtime, count, 0, NULL, listen, &all, &err), &err,
            CLSHARD_ERR_INDEX, "not in use");
    cr_assert_eq(clshard_check_device(runtime, count, NULL, listen, &all, NULL), CLSHARD_ERR_INDEX);
    cr_assert_eq(all.count, 0);
    clshard_runtime_release(runtime);
}

Test(check, refuses_options_that_it_does_not_know)
{
    const struct {
        clshard_check_options known;
        size_t unknown;
    } newer = {{.size = sizeof newer}, 1};
    clshard_check_options none = {0};
    clshard_runtime *runtime = devices_open();
    heard all = {0};
    clshard_error err;

    refused(clshard_check_device(runtime, 0, &newer.known, listen, &all, &err), &err,
            CLSHARD_ERR_ARGUMENT, "newer clshard");
    refused(clshard_check_pair(runtime, 0, 1, &none, listen, &all, &err), &err,
            CLSHARD_ERR_ARGUMENT, "its size is 0");
    clshard_runtime_release(runtime);
}

/* It is no fault of the device's. */
Test(check, refuses_a_wrong_route_in_the_environment)
{
    clshard_runtime *runtime = devices_open();
    heard all = {.other = SIZE_MAX};
    clshard_error err;

    cr_assert_eq(setenv("CLSHARD_ROUTE", "fast", 1), 0);
    refused(clshard_check_device(runtime, 0, &quick, listen, &all, &err), &err,
            CLSHARD_ERR_ARGUMENT, "CLSHARD_ROUTE is 'fast'");
    none_failed(&all);
    clshard_runtime_release(runtime);
}

static void *check_alone(void *context)
{
    heard all = check_device(context, 0, &quick);
    none_failed(&all);
    return NULL;
}

Test(check, several_threads_may_check_one_device)
{
    clshard_runtime *runtime = devices_open();
    pthread_t thread[3];

    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, check_alone, runtime), 0);
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(pthread_join(thread[i], NULL), 0);
    clshard_runtime_release(runtime);
}

Test(check, is_refused_after_fork)
{
    clshard_runtime *runtime = devices_open();
    heard all = {0};
    int state = 0;
    const pid_t child = fork();

    if (child == 0)
        _exit(clshard_check_device(runtime, 0, NULL, listen, &all, NULL) == CLSHARD_ERR_FORKED ? 0
                                                                                               : 1);
    cr_assert(child > 0);
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0);
    clshard_runtime_release(runtime);
}

Test(check, verdicts_have_names)
{
    cr_assert_str_eq(clshard_verdict_name(CLSHARD_PASSED), "passed");
    cr_assert_str_eq(clshard_verdict_name(CLSHARD_UNSUPPORTED), "unsupported");
    cr_assert_str_eq(clshard_verdict_name(CLSHARD_DISABLED), "disabled");
    cr_assert_str_eq(clshard_verdict_name(CLSHARD_FAILED), "failed");
    cr_assert_null(clshard_verdict_name((clshard_verdict)0));
    cr_assert_null(clshard_verdict_name((clshard_verdict)5));
    cr_assert_null(clshard_verdict_name((clshard_verdict)-1));
}
