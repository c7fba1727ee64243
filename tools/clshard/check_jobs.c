/* SPDX-License-Identifier: Apache-2.0 */
#include "check_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clshard/check.h>

#include "check_lines.h"
#include "fail.h"
#include "json_out.h"

/* ---- in the child ---- */

/* Where a child is among the jobs. */
typedef struct position {
    const clshard_runtime *runtime;
    clshard_check_options options;
    size_t first; /* jobs before it are not run */
    size_t job;
} position;

static clshard_status tell_finding(void *context, const clshard_finding *finding,
                                   clshard_error *err)
{
    (void)context;
    (void)err;
    check_lines_tell(json_pack("{s:{s:s, s:s, s:o, s:f}}", "finding", "test", finding->test,
                               "verdict", clshard_verdict_name(finding->verdict), "sentence",
                               json_text(finding->sentence), "seconds", finding->seconds));
    return CLSHARD_OK;
}

static clshard_status test_device(position *at, size_t index, clshard_error *err)
{
    const clshard_device_info *info = clshard_runtime_device(at->runtime, index);

    if (at->job++ < at->first)
        return CLSHARD_OK;
    check_lines_tell(json_pack(
        "{s:I, s:{s:o, s:o, s:o, s:o, s:o}}", "job", (json_int_t)(at->job - 1), "device", "id",
        json_text(info->id), "name", json_text(info->name), "platform", json_text(info->platform),
        "version", json_text(info->version), "driver", json_text(info->driver)));
    return clshard_check_device(at->runtime, index, &at->options, tell_finding, NULL, err);
}

static clshard_status test_pair(position *at, size_t from, size_t to, clshard_error *err)
{
    if (at->job++ < at->first)
        return CLSHARD_OK;
    check_lines_tell(json_pack("{s:I, s:{s:o, s:o}}", "job", (json_int_t)(at->job - 1), "pair",
                               "from", json_text(clshard_runtime_device(at->runtime, from)->id),
                               "to", json_text(clshard_runtime_device(at->runtime, to)->id)));
    return clshard_check_pair(at->runtime, from, to, &at->options, tell_finding, NULL, err);
}

static clshard_status run_all(position *at, clshard_error *err)
{
    const size_t count = clshard_runtime_device_count(at->runtime);
    clshard_status status = CLSHARD_OK;

    for (size_t i = 0; status == CLSHARD_OK && i < count; i++)
        status = test_device(at, i, err);
    for (size_t i = 0; status == CLSHARD_OK && i < count * count; i++) {
        const size_t from = i / count;
        const size_t to = i % count;
        if (at->options.quick ? from < to : from != to)
            status = test_pair(at, from, to, err);
    }
    return status;
}

clshard_status check_jobs_tell(const check_jobs *jobs, size_t first, clshard_error *err)
{
    const char *chosen = getenv("CLSHARD_DEVICES");
    const char *fallback = chosen == NULL || chosen[0] == '\0' ? "*" : NULL;
    position at = {.options = {.size = sizeof at.options, .quick = jobs->quick}, .first = first};
    clshard_runtime *runtime = NULL;
    clshard_status status =
        clshard_runtime_open(jobs->devices != NULL ? jobs->devices : fallback, NULL, &runtime, err);

    at.runtime = runtime;
    if (status == CLSHARD_OK)
        status = run_all(&at, err);
    if (status != CLSHARD_OK)
        check_lines_tell(json_pack("{s:{s:i, s:o}}", "error", "status", (int)status, "message",
                                   json_text(err->message)));
    clshard_runtime_release(runtime);
    check_lines_tell(json_pack("{s:b}", "done", 1));
    return CLSHARD_OK;
}

/* ---- in the parent ---- */

/* What the children told so far. */
typedef struct account {
    json_t *devices, *pairs;
    json_t *current; /* the device or pair that is tested; borrowed */
    json_int_t job;  /* its number; -1: none yet */
    bool done;
} account;

static clshard_status begin(account *kept, json_t *list, json_t *tested, json_t *job,
                            clshard_error *err)
{
    if (json_object_set_new(tested, "findings", json_array()) != 0 ||
        json_array_append(list, tested) != 0)
        return fail_memory(err, "check");
    kept->current = tested;
    kept->job = json_integer_value(job);
    return CLSHARD_OK;
}

static clshard_status add_finding(account *kept, json_t *finding, clshard_error *err)
{
    if (json_array_append(json_object_get(kept->current, "findings"), finding) != 0)
        return fail_memory(err, "check");
    return CLSHARD_OK;
}

static clshard_status read_line(account *kept, json_t *line, clshard_error *err)
{
    json_t *job = json_object_get(line, "job");
    json_t *device = json_object_get(line, "device");
    json_t *pair = json_object_get(line, "pair");
    json_t *finding = json_object_get(line, "finding");
    json_t *error = json_object_get(line, "error");

    if (device != NULL)
        return begin(kept, kept->devices, device, job, err);
    if (pair != NULL)
        return begin(kept, kept->pairs, pair, job, err);
    if (finding != NULL)
        return add_finding(kept, finding, err);
    if (error != NULL)
        return fail(err, (clshard_status)json_integer_value(json_object_get(error, "status")), "%s",
                    json_string_value(json_object_get(error, "message")));
    kept->done = kept->done || json_object_get(line, "done") != NULL;
    return CLSHARD_OK;
}

static clshard_status read_lines(account *kept, FILE *printed, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    json_t *line;

    rewind(printed);
    while (status == CLSHARD_OK && (line = check_lines_next(printed)) != NULL) {
        status = read_line(kept, line, err);
        json_decref(line);
    }
    return status;
}

/* The child was ended within a job: that is a finding, and the next child goes on after it. */
static clshard_status add_end(account *kept, const process_end *end, double seconds,
                              clshard_error *err)
{
    const json_t *findings = json_object_get(kept->current, "findings");
    const size_t count = json_array_size(findings);
    const char *last =
        count == 0
            ? NULL
            : json_string_value(json_object_get(json_array_get(findings, count - 1), "test"));
    char how[160];
    char sentence[320];
    json_t *finding;
    clshard_status status;

    if (end->timed_out)
        (void)snprintf(how, sizeof how, "a test took longer than %g seconds", seconds);
    else
        (void)snprintf(how, sizeof how, "the process ended by %s", process_end_text(end).text);
    (void)snprintf(sentence, sizeof sentence, "%s, %s%s%s", how,
                   last == NULL ? "before any test was done" : "after the test '",
                   last == NULL ? "" : last, last == NULL ? "" : "'");
    finding = json_pack("{s:s, s:s, s:o, s:f}", "test", "process", "verdict", "failed", "sentence",
                        json_text(sentence), "seconds", 0.0);
    status = finding == NULL ? fail_memory(err, "check") : add_finding(kept, finding, err);
    json_decref(finding);
    return status;
}

static clshard_status run_child(const check_jobs *jobs, json_int_t first, FILE *printed,
                                process_end *out_end, clshard_error *err)
{
    char number[32];
    const char *words[8] = {"check", "--job", number};
    const process child = {.words = words, .vendors = jobs->vendors, .seconds = jobs->seconds};
    size_t count = 3;

    (void)snprintf(number, sizeof number, "%lld", (long long)first);
    if (jobs->quick)
        words[count++] = "--quick";
    if (jobs->devices != NULL) {
        words[count++] = "--devices";
        words[count] = jobs->devices;
    }
    return process_run(&child, printed, out_end, err);
}

/* One child, and what it told. */
static clshard_status run_some(const check_jobs *jobs, account *kept, clshard_error *err)
{
    const json_int_t before = kept->job;
    FILE *printed = tmpfile();
    process_end end;
    clshard_status status;

    if (printed == NULL)
        return fail_io(err, "opening", "a scratch file");
    status = run_child(jobs, kept->job + 1, printed, &end, err);
    if (status == CLSHARD_OK)
        status = read_lines(kept, printed, err);
    (void)fclose(printed);
    if (status != CLSHARD_OK || kept->done)
        return status;
    if (kept->job == before)
        return fail(err, CLSHARD_ERR_OPENCL,
                    "check: the drivers together end the process before any test: %s",
                    end.timed_out ? "no answer in time" : process_end_text(&end).text);
    return add_end(kept, &end, jobs->seconds, err);
}

clshard_status check_jobs_run(const check_jobs *jobs, json_t **out_devices, json_t **out_pairs,
                              clshard_error *err)
{
    account kept = {.devices = json_array(), .pairs = json_array(), .job = -1};
    clshard_status status = CLSHARD_OK;

    *out_devices = kept.devices;
    *out_pairs = kept.pairs;
    if (kept.devices == NULL || kept.pairs == NULL)
        return fail_memory(err, "check");
    while (status == CLSHARD_OK && !kept.done)
        status = run_some(jobs, &kept, err);
    return status;
}
