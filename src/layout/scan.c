/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/scan.h"

#include <stdio.h>
#include <string.h>

clshard__scan clshard__scan_of(const char *subject, const char *text)
{
    const clshard__scan scan = {subject, text, text};
    return scan;
}

bool clshard__scan_pass(clshard__scan *scan, char expected)
{
    if (*scan->at != expected)
        return false;
    scan->at++;
    return true;
}

clshard_status clshard__scan_fail(const clshard__scan *scan, const char *place,
                                  clshard_status status, const char *what, clshard_error *err)
{
    return clshard__fail_text(err, status, scan->subject, scan->text, (size_t)(place - scan->text),
                              "%s", what);
}

size_t clshard__scan_word(const clshard__scan *scan)
{
    return strspn(scan->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
}

clshard_status clshard__scan_name(clshard__scan *scan, const char *what,
                                  char name[CLSHARD_NAME_MAX], clshard_error *err)
{
    const size_t length = clshard__scan_word(scan);
    char word[CLSHARD_NAME_MAX] = "";
    clshard_error inner = {0};
    clshard_status status;

    if (length == 0) {
        (void)snprintf(inner.message, sizeof inner.message, "expected the %s", what);
        return clshard__scan_fail(scan, scan->at, CLSHARD_ERR_TEXT, inner.message, err);
    }
    if (length >= sizeof word)
        return clshard__fail_text(
            err, CLSHARD_ERR_NAME, scan->subject, scan->text, (size_t)(scan->at - scan->text),
            "the %s has %zu characters; at most %d fit", what, length, CLSHARD_NAME_MAX - 1);
    memcpy(word, scan->at, length);
    status = clshard__name_check(word, what, &inner);
    if (status != CLSHARD_OK)
        return clshard__scan_fail(scan, scan->at, status, inner.message, err);
    memcpy(name, word, sizeof word);
    scan->at += length;
    return CLSHARD_OK;
}

clshard_status clshard__scan_size(clshard__scan *scan, const char *what, size_t *out_value,
                                  clshard_error *err)
{
    const clshard_status status = clshard__read_size(scan->at, &scan->at, out_value);
    if (status == CLSHARD_OK)
        return CLSHARD_OK;
    return clshard__fail_text(
        err, status, scan->subject, scan->text, (size_t)(scan->at - scan->text),
        status == CLSHARD_ERR_OVERFLOW ? "the %s does not fit in %zu bits" : "expected the %s",
        what, sizeof(size_t) * 8);
}

clshard_status clshard__scan_more(clshard__scan *scan, char separator, bool *out_more,
                                  clshard_error *err)
{
    if (*scan->at != separator && *scan->at != '\0')
        return clshard__fail_text(err, CLSHARD_ERR_TEXT, scan->subject, scan->text,
                                  (size_t)(scan->at - scan->text),
                                  "expected '%c' or the end of the text", separator);
    *out_more = clshard__scan_pass(scan, separator);
    return CLSHARD_OK;
}

/* Whether "_" or "None" comes next as a whole word. */
static bool pass_replicated(clshard__scan *scan)
{
    const size_t length = clshard__scan_word(scan);
    if ((length != 1 || scan->at[0] != '_') && (length != 4 || memcmp(scan->at, "None", 4) != 0))
        return false;
    scan->at += length;
    return true;
}

clshard_status clshard__scan_entry(clshard__scan *scan, clshard_spec_entry *out_entry,
                                   clshard_error *err)
{
    clshard_spec_entry entry = {0};
    size_t count = 0;
    clshard_status status;

    if (pass_replicated(scan)) {
        if (*scan->at == '+')
            return clshard__scan_fail(scan, scan->at, CLSHARD_ERR_TEXT,
                                      "a replicated dimension has no axes to join", err);
        *out_entry = entry;
        return CLSHARD_OK;
    }
    do {
        if (count == CLSHARD_RANK_MAX)
            return clshard__fail_text(err, CLSHARD_ERR_RANK, scan->subject, scan->text,
                                      (size_t)(scan->at - scan->text),
                                      "a dimension has at most %d axes", CLSHARD_RANK_MAX);
        status = clshard__scan_name(scan, "axis name", entry.axis[count], err);
        if (status != CLSHARD_OK)
            return status;
        count++;
    } while (clshard__scan_pass(scan, '+'));
    *out_entry = entry;
    return CLSHARD_OK;
}

size_t clshard__entry_axes(const clshard_spec_entry *entry)
{
    size_t count = 0;
    while (count < CLSHARD_RANK_MAX && entry->axis[count][0] != '\0')
        count++;
    return count;
}

void clshard__write_entry(clshard__writer *writer, const clshard_spec_entry *entry)
{
    const size_t count = clshard__entry_axes(entry);
    for (size_t i = 0; i < count; i++)
        clshard__write(writer, "%s%.*s", i == 0 ? "" : "+", CLSHARD_NAME_MAX - 1, entry->axis[i]);
    if (count == 0)
        clshard__write(writer, "_");
}

bool clshard__entry_equal(const clshard_spec_entry *a, const clshard_spec_entry *b)
{
    const size_t count = clshard__entry_axes(a);
    if (count != clshard__entry_axes(b))
        return false;
    for (size_t i = 0; i < count; i++)
        if (strncmp(a->axis[i], b->axis[i], CLSHARD_NAME_MAX) != 0)
            return false;
    return true;
}
