/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer/self_test.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/options.h"
#include "mesh/runtime_internal.h"
#include "opencl/info.h"

typedef struct test_row {
    const char *name;
    clshard__self_test *run;
} test_row;

/* After the routes, which are as many as the library has. */
static const test_row device_tests[] = {
    {"padding", clshard__test_padding},
    {"mapping", clshard__test_mapping},
    {"large transfer", clshard__test_large},
    {"empty shard", clshard__test_empty},
    {"shared memory", clshard__test_shared_memory},
    {"device times", clshard__test_device_times},
    {"division", clshard__test_division},
    {"denormals", clshard__test_denormals},
    {"contraction", clshard__test_contraction},
    {"u8 to f32", clshard__test_u8_to_f32},
    {"f32 to u8", clshard__test_f32_to_u8},
    {"f16 storage", clshard__test_f16_storage},
    {"f16", clshard__test_f16},
    {"f64", clshard__test_f64},
    {"64-bit integers", clshard__test_integers},
};

static const test_row pair_tests[] = {
    {"array over both", clshard__test_pair_array},
    {"through the host", clshard__test_pair_host},
    {"contexts", clshard__test_pair_context},
};

/* Who is told. */
typedef struct listener {
    clshard_check_report *report;
    void *context;
} listener;

const char *clshard_verdict_name(clshard_verdict verdict)
{
    static const char *const names[] = {NULL, "passed", "unsupported", "disabled", "failed"};
    const size_t index = (size_t)verdict;
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

void clshard__found_set(clshard__found *found, clshard_verdict verdict, const char *format, ...)
{
    va_list arguments;

    found->verdict = verdict;
    va_start(arguments, format);
    if (vsnprintf(found->sentence, sizeof found->sentence, format, arguments) < 0)
        found->sentence[0] = '\0';
    va_end(arguments);
}

/* Failures of the host, and of what the environment says, end a check; all others are findings. */
static bool is_hosts(clshard_status status)
{
    return status == CLSHARD_ERR_ARGUMENT || status == CLSHARD_ERR_MEMORY ||
           status == CLSHARD_ERR_FORKED || status == CLSHARD_ERR_THREAD;
}

static clshard_status run_test(const clshard__check *check, const char *name,
                               clshard__self_test *run, const listener *to, clshard_error *err)
{
    clshard__found found = {CLSHARD_PASSED, "works"};
    clshard_error failure = {CLSHARD_OK, 0, -1, ""};
    const double start = clshard__seconds();
    clshard_finding finding = {.test = name, .device = check->device, .other = check->other};
    const clshard_status status = run(check, &found, &failure);

    if (is_hosts(status)) {
        if (err != NULL)
            *err = failure;
        return status;
    }
    if (status != CLSHARD_OK)
        clshard__found_set(&found,
                           status == CLSHARD_ERR_UNSUPPORTED ? CLSHARD_UNSUPPORTED : CLSHARD_FAILED,
                           "%.390s", failure.message);
    finding.verdict = found.verdict;
    finding.sentence = found.sentence;
    finding.seconds = clshard__seconds() - start;
    return to->report(to->context, &finding, err);
}

static clshard_status run_rows(const clshard__check *check, const test_row *rows, size_t count,
                               const listener *to, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    for (size_t i = 0; status == CLSHARD_OK && i < count; i++)
        status = run_test(check, rows[i].name, rows[i].run, to, err);
    return status;
}

static clshard_status run_routes(clshard__check *check, const listener *to, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    const char *route;

    for (int i = CLSHARD_ROUTE_AUTO + 1;
         status == CLSHARD_OK && (route = clshard_route_name((clshard_route)i)) != NULL; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "route %s", route);
        check->route = (clshard_route)i;
        status = run_test(check, name, clshard__test_route, to, err);
    }
    check->route = CLSHARD_ROUTE_AUTO;
    return status;
}

/* Its context and queue were made before: this says what came of it. */
static clshard_status test_start(const clshard__check *check, clshard__found *found,
                                 clshard_error *err)
{
    clshard__worker worker;
    const clshard_status status = clshard__engine_start(check->engine, check->device, &worker, err);

    if (status == CLSHARD_OK)
        clshard__found_set(found, CLSHARD_PASSED, "the device has a context and a queue%s",
                           worker.serial != NULL ? ", and is called by one thread at a time" : "");
    return status;
}

/* The failure to start is a finding like any other, and the only one. */
static clshard_status start(clshard__check *check, const listener *to, bool *out_started,
                            clshard_error *err)
{
    const clshard_status started =
        clshard__engine_start(check->engine, check->device, &check->worker, NULL);
    const clshard__device *device = clshard__runtime_device(check->runtime, check->device);
    const clshard__subject subject = {device->platform, device->id, device->info.id};

    *out_started = started == CLSHARD_OK;
    if (!clshard__info_optional(&subject, CL_DEVICE_SINGLE_FP_CONFIG, &check->f32,
                                sizeof check->f32))
        check->f32 = 0;
    return run_test(check, "start", test_start, to, err);
}

static clshard_status check_arguments(const clshard_runtime *runtime, clshard_check_report *report,
                                      const clshard_check_options *options, bool *out_quick,
                                      clshard_error *err)
{
    clshard_check_options known;
    clshard_status status;

    if (runtime == NULL || report == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "check: %s is NULL",
                             runtime == NULL ? "the runtime" : "report");
    status = clshard__options_read(&known, sizeof known, options, "clshard_check_options", err);
    if (status == CLSHARD_OK)
        status = clshard__engine_check(clshard__runtime_engine(runtime), err);
    if (status == CLSHARD_OK)
        *out_quick = known.quick;
    return status;
}

static clshard_status check_index(const clshard_runtime *runtime, size_t device, clshard_error *err)
{
    const size_t count = clshard_runtime_device_count(runtime);

    if (device < count)
        return CLSHARD_OK;
    return clshard__fail(err, CLSHARD_ERR_INDEX, "check: device %zu is not in use; %zu are, from 0",
                         device, count);
}

clshard_status clshard_check_device(const clshard_runtime *runtime, size_t device,
                                    const clshard_check_options *options,
                                    clshard_check_report *report, void *context, clshard_error *err)
{
    const listener to = {report, context};
    clshard__check check = {.runtime = runtime, .device = device, .other = SIZE_MAX};
    bool started = false;
    clshard_status status = check_arguments(runtime, report, options, &check.quick, err);

    if (status == CLSHARD_OK)
        status = check_index(runtime, device, err);
    if (status != CLSHARD_OK)
        return status;
    check.engine = clshard__runtime_engine(runtime);
    status = start(&check, &to, &started, err);
    if (status == CLSHARD_OK && started)
        status = run_routes(&check, &to, err);
    if (status == CLSHARD_OK && started)
        status =
            run_rows(&check, device_tests, sizeof device_tests / sizeof device_tests[0], &to, err);
    return status;
}

clshard_status clshard_check_pair(const clshard_runtime *runtime, size_t device, size_t other,
                                  const clshard_check_options *options,
                                  clshard_check_report *report, void *context, clshard_error *err)
{
    const listener to = {report, context};
    clshard__check check = {.runtime = runtime, .device = device, .other = other};
    clshard_status status = check_arguments(runtime, report, options, &check.quick, err);

    if (status == CLSHARD_OK)
        status = check_index(runtime, device, err);
    if (status == CLSHARD_OK)
        status = check_index(runtime, other, err);
    if (status == CLSHARD_OK && device == other)
        status = clshard__fail(err, CLSHARD_ERR_DUPLICATE_DEVICE,
                               "check: device %zu makes no pair with itself", device);
    if (status != CLSHARD_OK)
        return status;
    check.engine = clshard__runtime_engine(runtime);
    return run_rows(&check, pair_tests, sizeof pair_tests / sizeof pair_tests[0], &to, err);
}
