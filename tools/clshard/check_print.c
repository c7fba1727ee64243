/* SPDX-License-Identifier: Apache-2.0 */
#include "check_print.h"

#include <string.h>

#include "table.h"

enum { PAIRS_MOST = 64 }; /* rows that are shown whatever their verdict */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

static bool has_verdict(const json_t *object, const char *verdict)
{
    return strcmp(text_of(object, "verdict"), verdict) == 0;
}

static void count_findings(const json_t *tested, check_count *count)
{
    size_t i;
    size_t j;
    json_t *object;
    json_t *finding;

    json_array_foreach(tested, i, object)
    {
        json_array_foreach(json_object_get(object, "findings"), j, finding)
        {
            count->passed += has_verdict(finding, "passed");
            count->unsupported += has_verdict(finding, "unsupported");
            count->disabled += has_verdict(finding, "disabled");
            count->failed += has_verdict(finding, "failed");
        }
    }
}

check_count check_count_of(const json_t *document)
{
    check_count count = {0, 0, 0, 0, 0};
    size_t i;
    json_t *entry;

    count_findings(json_object_get(document, "devices"), &count);
    count_findings(json_object_get(document, "pairs"), &count);
    json_array_foreach(json_object_get(document, "entries"), i, entry) count.broken_entries +=
        !has_verdict(entry, "works") && !has_verdict(entry, "no_platform");
    return count;
}

/* The name of a file within its path. */
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static clshard_status print_entries(const json_t *entries, const char *folder,
                                    const terminal *screen, clshard_error *err)
{
    static const char *const titles[] = {"entry", "library", "verdict", "platforms", "devices", ""};
    table rows = table_of(6, screen);
    size_t i;
    json_t *entry;
    clshard_status status;

    printf("loader entries in ");
    print_clean(stdout, folder);
    putchar('\n');
    if (json_array_size(entries) == 0) {
        puts("  none");
        return CLSHARD_OK;
    }
    for (i = 0; i < 6; i++)
        table_add(&rows, "%s", titles[i]);
    json_array_foreach(entries, i, entry)
    {
        table_add(&rows, "%s", file_name(text_of(entry, "file")));
        table_add(&rows, "%s", file_name(text_of(entry, "library")));
        table_add(&rows, "%s", text_of(entry, "verdict"));
        table_add(&rows, "%lld",
                  (long long)json_integer_value(json_object_get(entry, "platforms")));
        table_add(&rows, "%lld", (long long)json_integer_value(json_object_get(entry, "devices")));
        table_add(&rows, "%s", text_of(entry, "sentence"));
    }
    status = table_print(&rows, screen, "  ", err);
    table_free(&rows);
    return status;
}

static clshard_status print_device(const json_t *device, const terminal *screen, clshard_error *err)
{
    table rows = table_of(3, screen);
    size_t i;
    json_t *finding;
    clshard_status status;

    printf("\n%sdevice %s ", screen->bold, text_of(device, "id"));
    print_clean(stdout, text_of(device, "name"));
    printf("%s (", screen->normal);
    print_clean(stdout, text_of(device, "platform"));
    printf(", driver ");
    print_clean(stdout, text_of(device, "driver"));
    puts(")");
    table_add(&rows, "test");
    table_add(&rows, "verdict");
    table_add(&rows, "%s", "");
    json_array_foreach(json_object_get(device, "findings"), i, finding)
    {
        table_add(&rows, "%s", text_of(finding, "test"));
        table_add(&rows, "%s", text_of(finding, "verdict"));
        table_add(&rows, "%s", has_verdict(finding, "passed") ? "" : text_of(finding, "sentence"));
    }
    status = table_print(&rows, screen, "  ", err);
    table_free(&rows);
    return status;
}

/* The first finding of a pair that did not pass; NULL: all did. */
static const json_t *trouble_of(const json_t *pair)
{
    size_t i;
    json_t *finding;

    json_array_foreach(json_object_get(pair, "findings"), i, finding)
    {
        if (!has_verdict(finding, "passed"))
            return finding;
    }
    return NULL;
}

/* What the test of a pair says that tells its contexts. */
static const char *contexts_of(const json_t *pair)
{
    size_t i;
    json_t *finding;

    json_array_foreach(json_object_get(pair, "findings"), i, finding)
    {
        if (strcmp(text_of(finding, "test"), "contexts") == 0)
            return text_of(finding, "sentence");
    }
    return "";
}

static clshard_status print_pairs(const json_t *pairs, const terminal *screen, clshard_error *err)
{
    const size_t count = json_array_size(pairs);
    table rows = table_of(4, screen);
    size_t hidden = 0;
    size_t i;
    json_t *pair;
    clshard_status status;

    table_add(&rows, "pair");
    table_add(&rows, "verdict");
    table_add(&rows, "contexts");
    table_add(&rows, "%s", "");
    json_array_foreach(pairs, i, pair)
    {
        const json_t *trouble = trouble_of(pair);
        if (trouble == NULL && count > PAIRS_MOST) {
            hidden++;
            continue;
        }
        table_add(&rows, "%s to %s", text_of(pair, "from"), text_of(pair, "to"));
        table_add(&rows, "%s", trouble == NULL ? "passed" : text_of(trouble, "verdict"));
        table_add(&rows, "%s", contexts_of(pair));
        if (trouble == NULL)
            table_add(&rows, "%s", "");
        else
            table_add(&rows, "%s: %s", text_of(trouble, "test"), text_of(trouble, "sentence"));
    }
    puts("\npairs of devices");
    status = hidden < count ? table_print(&rows, screen, "  ", err) : CLSHARD_OK;
    table_free(&rows);
    if (status == CLSHARD_OK && hidden > 0)
        printf("  %zu pairs passed and are not shown; --json shows all\n", hidden);
    return status;
}

static void print_summary(size_t devices, size_t pairs, const check_count *count)
{
    printf("\n%zu device%s, %zu pair%s: %zu passed, %zu unsupported, %zu disabled, %zu failed",
           devices, devices == 1 ? "" : "s", pairs, pairs == 1 ? "" : "s", count->passed,
           count->unsupported, count->disabled, count->failed);
    if (count->broken_entries > 0)
        printf(", %zu entr%s broken", count->broken_entries,
               count->broken_entries == 1 ? "y" : "ies");
    putchar('\n');
}

clshard_status check_print(const json_t *document, const char *folder, const check_count *count,
                           clshard_error *err)
{
    const terminal screen = terminal_of_stdout();
    const json_t *pairs = json_object_get(document, "pairs");
    const size_t pair_count = json_array_size(pairs);
    size_t i;
    json_t *device;
    clshard_status status =
        print_entries(json_object_get(document, "entries"), folder, &screen, err);

    json_array_foreach(json_object_get(document, "devices"), i, device)
    {
        if (status == CLSHARD_OK)
            status = print_device(device, &screen, err);
    }
    if (status == CLSHARD_OK && pair_count > 0)
        status = print_pairs(pairs, &screen, err);
    if (status == CLSHARD_OK)
        print_summary(i, pair_count, count);
    return status;
}
