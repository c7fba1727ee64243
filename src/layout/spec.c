/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/spec.h>

#include "base/error.h"
#include "base/text.h"
#include "layout/scan.h"

/* A spec comes from a caller, who may have left anything in it. */
static size_t rank_of(const clshard_spec *spec)
{
    return spec->rank < CLSHARD_RANK_MAX ? spec->rank : CLSHARD_RANK_MAX;
}

static clshard_status scan_entries(clshard__scan *scan, clshard_spec *spec, clshard_error *err)
{
    bool more = *scan->at != '\0';
    while (more) {
        clshard_status status;
        if (spec->rank == CLSHARD_RANK_MAX)
            return clshard__fail_text(err, CLSHARD_ERR_RANK, scan->subject, scan->text,
                                      (size_t)(scan->at - scan->text),
                                      "a spec has at most %d entries", CLSHARD_RANK_MAX);
        status = clshard__scan_entry(scan, &spec->entry[spec->rank], err);
        if (status == CLSHARD_OK)
            status = clshard__scan_more(scan, ',', &more, err);
        if (status != CLSHARD_OK)
            return status;
        spec->rank++;
    }
    return CLSHARD_OK;
}

clshard_status clshard_spec_parse(const char *text, clshard_spec *out_spec, clshard_error *err)
{
    clshard_spec spec = {0};
    clshard__scan scan;
    clshard_status status;

    if (text == NULL || out_spec == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "spec: text and out_spec must be given");
    scan = clshard__scan_of("spec", text);
    status = scan_entries(&scan, &spec, err);
    if (status == CLSHARD_OK)
        *out_spec = spec;
    return status;
}

size_t clshard_spec_format(const clshard_spec *spec, char *buffer, size_t buffer_bytes)
{
    clshard__writer writer = clshard__writer_of(buffer, buffer_bytes);
    const size_t rank = rank_of(spec);

    for (size_t i = 0; i < rank; i++) {
        clshard__write(&writer, "%s", i == 0 ? "" : ",");
        clshard__write_entry(&writer, &spec->entry[i]);
    }
    return writer.needed;
}

bool clshard_spec_equal(const clshard_spec *a, const clshard_spec *b)
{
    const size_t rank = rank_of(a);

    if (a->rank != b->rank)
        return false;
    for (size_t i = 0; i < rank; i++)
        if (!clshard__entry_equal(&a->entry[i], &b->entry[i]))
            return false;
    return true;
}
