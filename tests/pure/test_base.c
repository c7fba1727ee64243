/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/options.h"
#include "base/text.h"
#include <clshard/version.h>

Test(base, status_names_are_the_short_ones)
{
    cr_assert_str_eq(clshard_status_name(CLSHARD_OK), "ok");
    cr_assert_str_eq(clshard_status_name(CLSHARD_ERR_INDIVISIBLE), "indivisible");
    cr_assert_str_eq(clshard_status_name((clshard_status)12345), "unknown");
}

Test(base, version_is_three_numbers)
{
    unsigned major, minor, patch;
    cr_assert(sscanf(clshard_version(), "%u.%u.%u", &major, &minor, &patch) == 3);
    cr_assert(major == CLSHARD_VERSION_MAJOR && minor == CLSHARD_VERSION_MINOR);
}

Test(base, quotes_escape_what_a_terminal_would_obey)
{
    cr_assert_str_eq(clshard__quote("a\x1b[2J\n").text, "a\\x1b[2J\\x0a");
    cr_assert_str_eq(clshard__quote(NULL).text, "(null)");
}

Test(base, quotes_stay_inside_their_buffer)
{
    char text[4096];
    for (int byte = 1; byte < 256; byte++) {
        memset(text, byte, sizeof text);
        text[sizeof text - 1] = '\0';
        cr_assert(strlen(clshard__quote(text).text) < sizeof(clshard__quoted));
    }
}

Test(base, a_writer_counts_what_did_not_fit)
{
    char buffer[5];
    clshard__writer writer = clshard__writer_of(buffer, sizeof buffer);
    clshard__write(&writer, "%s", "abc");
    clshard__write(&writer, "%s", "def");
    cr_assert_str_eq(buffer, "abcd");
    cr_assert_eq(writer.needed, 6);
    writer = clshard__writer_of(NULL, 0);
    clshard__write(&writer, "%d", 12);
    cr_assert_eq(writer.needed, 2);
}

Test(base, names_follow_their_grammar)
{
    cr_assert_eq(clshard__name_check("data", "axis", NULL), CLSHARD_OK);
    cr_assert_eq(clshard__name_check("a.b-c_9", "axis", NULL), CLSHARD_OK);
    cr_assert_eq(clshard__name_check("a234567890123456789012345678901", "axis", NULL), CLSHARD_OK);
    cr_assert_eq(clshard__name_check("a2345678901234567890123456789012", "axis", NULL),
                 CLSHARD_ERR_NAME);
    cr_assert_eq(clshard__name_check("9a", "axis", NULL), CLSHARD_ERR_NAME);
    cr_assert_eq(clshard__name_check("", "axis", NULL), CLSHARD_ERR_NAME);
    cr_assert_eq(clshard__name_check(NULL, "axis", NULL), CLSHARD_ERR_NAME);
    cr_assert_eq(clshard__name_check("None", "axis", NULL), CLSHARD_ERR_NAME);
    cr_assert_eq(clshard__name_check("a b", "axis", NULL), CLSHARD_ERR_NAME);
}

typedef struct newer_options {
    size_t size;
    int known;
    int unknown;
} newer_options;
typedef struct older_options {
    size_t size;
    int known;
} older_options;

Test(base, options_of_other_versions_are_read)
{
    const newer_options newer = {sizeof newer, 7, 0};
    const newer_options used = {sizeof used, 7, 1};
    const size_t tiny = 1;
    older_options older;
    newer_options ours;
    clshard_error err = {0};

    cr_assert_eq(clshard__options_read(&older, sizeof older, &newer, "older_options", &err),
                 CLSHARD_OK);
    cr_assert_eq(older.known, 7);
    older.size = sizeof older;
    cr_assert_eq(clshard__options_read(&ours, sizeof ours, &older, "newer_options", &err),
                 CLSHARD_OK);
    cr_assert(ours.known == 7 && ours.unknown == 0);
    cr_assert_eq(clshard__options_read(&ours, sizeof ours, NULL, "newer_options", &err),
                 CLSHARD_OK);
    cr_assert_eq(ours.known, 0);
    older.size = sizeof older;
    cr_assert_eq(clshard__options_read(&older, 8, &used, "older_options", &err),
                 CLSHARD_ERR_ARGUMENT);
    cr_assert_eq(clshard__options_read(&older, sizeof older, &tiny, "older_options", &err),
                 CLSHARD_ERR_ARGUMENT);
}
