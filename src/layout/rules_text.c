/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <clshard/spec.h>

#include "base/error.h"
#include "base/text.h"
#include "layout/scan.h"

static const char preset_data_parallel[] = "data_parallel";
static const char preset_fsdp[] = "fsdp";

/* Whether the text is a preset: its name, then the end or ':'. Passes it if so. */
static bool pass_preset(clshard__scan *scan, const char *preset)
{
    const size_t length = clshard__scan_word(scan);
    if (length != strlen(preset) || memcmp(scan->at, preset, length) != 0 ||
        (scan->at[length] != '\0' && scan->at[length] != ':'))
        return false;
    scan->at += length;
    return true;
}

/* Reads the axes after a preset's ':', all of them or, without ':', none. */
static clshard_status scan_preset_axes(clshard__scan *scan, size_t count,
                                       char axis[][CLSHARD_NAME_MAX], bool *out_given,
                                       clshard_error *err)
{
    *out_given = clshard__scan_pass(scan, ':');
    for (size_t i = 0; i < count && *out_given; i++) {
        clshard_status status;
        if (i > 0 && !clshard__scan_pass(scan, ','))
            return clshard__scan_fail(scan, scan->at, CLSHARD_ERR_TEXT,
                                      "expected ',' and the model axis", err);
        status = clshard__scan_name(scan, i == 0 ? "data axis" : "model axis", axis[i], err);
        if (status != CLSHARD_OK)
            return status;
    }
    if (*scan->at != '\0')
        return clshard__scan_fail(scan, scan->at, CLSHARD_ERR_TEXT, "expected the end of the text",
                                  err);
    return CLSHARD_OK;
}

static clshard_status scan_data_parallel(clshard__scan *scan, clshard_rules *out_rules,
                                         clshard_error *err)
{
    char axis[1][CLSHARD_NAME_MAX];
    bool given;
    const clshard_status status = scan_preset_axes(scan, 1, axis, &given, err);
    if (status != CLSHARD_OK)
        return status;
    return clshard_rules_data_parallel(given ? axis[0] : NULL, out_rules, err);
}

static clshard_status scan_fsdp(clshard__scan *scan, clshard_rules *out_rules, clshard_error *err)
{
    char axis[2][CLSHARD_NAME_MAX];
    bool given;
    const clshard_status status = scan_preset_axes(scan, 2, axis, &given, err);
    if (status != CLSHARD_OK)
        return status;
    return clshard_rules_fsdp(given ? axis[0] : NULL, given ? axis[1] : NULL, out_rules, err);
}

static clshard_status scan_rule(clshard__scan *scan, clshard_rule *rule, clshard_error *err)
{
    const clshard_status status = clshard__scan_name(scan, "logical name", rule->name, err);
    if (status != CLSHARD_OK)
        return status;
    if (!clshard__scan_pass(scan, '='))
        return clshard__fail_text(err, CLSHARD_ERR_TEXT, scan->subject, scan->text,
                                  (size_t)(scan->at - scan->text),
                                  "expected '=' and axes; the presets %s and %s stand alone",
                                  preset_data_parallel, preset_fsdp);
    return clshard__scan_entry(scan, &rule->axes, err);
}

static clshard_status scan_rules(clshard__scan *scan, clshard_rules *rules, clshard_error *err)
{
    bool more = *scan->at != '\0';
    while (more) {
        clshard_status status;
        if (rules->count == CLSHARD_RULE_MAX)
            return clshard__fail_text(err, CLSHARD_ERR_RANK, scan->subject, scan->text,
                                      (size_t)(scan->at - scan->text), "at most %d rules fit",
                                      CLSHARD_RULE_MAX);
        status = scan_rule(scan, &rules->rule[rules->count], err);
        if (status == CLSHARD_OK)
            status = clshard__scan_more(scan, ',', &more, err);
        if (status != CLSHARD_OK)
            return status;
        rules->count++;
    }
    return CLSHARD_OK;
}

clshard_status clshard_rules_parse(const char *text, clshard_rules *out_rules, clshard_error *err)
{
    clshard_rules rules = {0};
    clshard__scan scan;
    clshard_status status;

    if (text == NULL || out_rules == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "rules: text and out_rules must be given");
    scan = clshard__scan_of("rules", text);
    if (pass_preset(&scan, preset_data_parallel))
        return scan_data_parallel(&scan, out_rules, err);
    if (pass_preset(&scan, preset_fsdp))
        return scan_fsdp(&scan, out_rules, err);
    status = scan_rules(&scan, &rules, err);
    if (status == CLSHARD_OK)
        *out_rules = rules;
    return status;
}

size_t clshard_rules_format(const clshard_rules *rules, char *buffer, size_t buffer_bytes)
{
    clshard__writer writer = clshard__writer_of(buffer, buffer_bytes);
    const size_t count = rules->count < CLSHARD_RULE_MAX ? rules->count : CLSHARD_RULE_MAX;

    for (size_t i = 0; i < count; i++) {
        clshard__write(&writer, "%s%.*s=", i == 0 ? "" : ",", CLSHARD_NAME_MAX - 1,
                       rules->rule[i].name);
        clshard__write_entry(&writer, &rules->rule[i].axes);
    }
    return writer.needed;
}
