/* SPDX-License-Identifier: Apache-2.0 */

/* clshard check: self-tests of the loader's entries, of devices, and of pairs of devices. Drivers
 * are loaded by children only, so that one that crashes or hangs is a finding like any other. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check_jobs.h"
#include "check_print.h"
#include "commands.h"
#include "fail.h"
#include "json_out.h"
#include "probe.h"

enum {
    ENTRY_SECONDS = 10,
    TESTS_PER_ENTRY = 6 /* a test may take so many times as long as an entry */
};

/* Whatever was found is a failure of the command, which is told after the tables. */
static clshard_status judge(const check_count *count, clshard_error *err)
{
    if (count->failed == 0 && count->broken_entries == 0)
        return CLSHARD_OK;
    return fail(err, count->failed > 0 ? CLSHARD_ERR_OPENCL : CLSHARD_ERR_NO_DEVICES,
                "check: %zu test%s failed, %zu loader entr%s broken", count->failed,
                count->failed == 1 ? "" : "s", count->broken_entries,
                count->broken_entries == 1 ? "y is" : "ies are");
}

static clshard_status print(const options *read, json_t *document, const char *folder,
                            const check_count *count, clshard_error *err)
{
    if (!option_given(read, OPTION_JSON))
        return check_print(document, folder, count, err);
    if (json_object_set_new(
            document, "summary",
            json_pack("{s:I, s:I, s:I, s:I, s:I}", "passed", (json_int_t)count->passed,
                      "unsupported", (json_int_t)count->unsupported, "disabled",
                      (json_int_t)count->disabled, "failed", (json_int_t)count->failed,
                      "broken_entries", (json_int_t)count->broken_entries)) != 0)
        return fail_memory(err, "JSON");
    return json_print(json_incref(document), err);
}

/* Prints what there is, also when the tests could not be run to their end. */
static clshard_status report(const options *read, const probe_result *probed, json_t *devices,
                             json_t *pairs, clshard_status tested, clshard_error *err)
{
    json_t *document = json_pack("{s:O, s:o, s:o}", "entries", probed->entries, "devices", devices,
                                 "pairs", pairs);
    clshard_error other;
    check_count count;
    clshard_status status;

    if (document == NULL)
        return fail_memory(err, "check");
    count = check_count_of(document);
    status = print(read, document, probed->folder, &count, tested == CLSHARD_OK ? err : &other);
    json_decref(document);
    if (tested != CLSHARD_OK)
        return tested;
    return status == CLSHARD_OK ? judge(&count, err) : status;
}

static bool names_devices(const options *read)
{
    const char *chosen = getenv("CLSHARD_DEVICES");
    return option_given(read, OPTION_DEVICES) || (chosen != NULL && chosen[0] != '\0');
}

/* Nobody asked for particular devices, and there are none: the loader's entries are the reason. */
static clshard_status say_no_devices(const probe_result *probed, clshard_error *err)
{
    const size_t entries = json_array_size(probed->entries);
    struct stat facts;

    fail(err, CLSHARD_ERR_NO_DEVICES, "check: there is no OpenCL device to test: ");
    if (stat(probed->folder, &facts) != 0)
        fail_add(err, "loader entries in '%s': %s", probed->folder, strerror(errno));
    else if (entries == 0)
        fail_add(err, "'%s' holds no loader entry (*.icd)", probed->folder);
    else if (probed->broken > 0)
        fail_add(err, "%zu of %zu loader entr%s broken", probed->broken, entries,
                 probed->broken == 1 ? "y is" : "ies are");
    else
        fail_add(err, "no loader entry shows one");
    fail_add(err, "; 'clshard list' says what to install");
    return err->status;
}

static clshard_status run_parent(const options *read, size_t seconds, clshard_error *err)
{
    check_jobs jobs = {.devices = option_text(read, OPTION_DEVICES),
                       .quick = option_given(read, OPTION_QUICK),
                       .seconds = TESTS_PER_ENTRY * (double)seconds};
    probe_result probed = {0};
    json_t *devices = NULL;
    json_t *pairs = NULL;
    clshard_status status = probe_entries((double)seconds, &probed, err);

    if (status == CLSHARD_OK) {
        jobs.vendors = probed.vendors;
        status = check_jobs_run(&jobs, &devices, &pairs, err);
        if (status == CLSHARD_ERR_NO_DEVICES && !names_devices(read))
            status = say_no_devices(&probed, err);
        status = report(read, &probed, devices, pairs, status, err);
    }
    probe_free(&probed);
    return status;
}

static clshard_status run_check(const options *read, clshard_error *err)
{
    const check_jobs jobs = {.devices = option_text(read, OPTION_DEVICES),
                             .quick = option_given(read, OPTION_QUICK)};
    size_t seconds = ENTRY_SECONDS;
    size_t first = 0;

    if (option_number(read, OPTION_TIMEOUT, &seconds, err) ||
        option_number(read, OPTION_JOB, &first, err))
        return err->status;
    if (seconds == 0 || seconds > 86400)
        return fail(err, CLSHARD_ERR_ARGUMENT, "check: --timeout is 1 to 86400 seconds, not %zu",
                    seconds);
    if (option_given(read, OPTION_ENTRY))
        return probe_tell(option_text(read, OPTION_ENTRY), err);
    if (option_given(read, OPTION_JOB))
        return check_jobs_tell(&jobs, first, err);
    return run_parent(read, seconds, err);
}

static const struct poptOption table_of_check[] = {
    {"quick", '\0', POPT_ARG_NONE, NULL, OPTION_QUICK,
     "fewer dtypes, shapes and values, and each pair in one direction", NULL},
    {"timeout", '\0', POPT_ARG_STRING, NULL, OPTION_TIMEOUT,
     "longest time for an entry of the loader (default 10); a test may take six times as long",
     "SECONDS"},
    {"entry", '\0', POPT_ARG_STRING | POPT_ARGFLAG_DOC_HIDDEN, NULL, OPTION_ENTRY, NULL, NULL},
    {"job", '\0', POPT_ARG_STRING | POPT_ARGFLAG_DOC_HIDDEN, NULL, OPTION_JOB, NULL, NULL},
    {"devices", '\0', POPT_ARG_STRING, NULL, OPTION_DEVICES,
     "devices to test (default: all): *, ids as P.D or P.*, cpu, gpu, accelerator, parts of names, "
     "-TERM to leave out",
     "SELECTOR"},
    OPTION_GROUP(options_of_output, "Output and help:"),
    POPT_TABLEEND};

const command command_check = {
    .name = "check",
    .summary = "test each loader entry, device and pair of devices",
    .usage = "clshard check",
    .arguments = "[OPTION...]",
    .description =
        "Tests what the drivers of this machine can do: each entry of OpenCL's loader, each "
        "device\n"
        "(transfers, memory shared with the host, arithmetic), each pair of devices. A driver "
        "that\n"
        "crashes or hangs is named. Exits with 1 when a test fails or an entry is broken; what a\n"
        "device lacks, and what is turned off for its driver, is no failure.",
    .example = "  clshard check --quick --devices gpu",
    .table = table_of_check,
    .argument = NULL,
    .run = run_check,
};
