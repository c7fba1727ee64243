/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "clshard/svg.h"

/* The document of a sheet with one text; to be freed. */
static char *document_of(const char *text)
{
    const svg_text how = {10, 20, 12, SVG_START, "#000000", false, false};
    clshard_error err;
    char *document = NULL;
    svg sheet;

    cr_assert_eq(svg_open(&sheet, &err), CLSHARD_OK);
    svg_write(&sheet, how, text);
    cr_assert_eq(svg_close(&sheet, "title", &document, &err), CLSHARD_OK, "%s", err.message);
    return document;
}

static void expect_drawn(const char *text, const char *drawn)
{
    char *document = document_of(text);
    char wanted[256];

    (void)snprintf(wanted, sizeof wanted, ">%s</text>\n</svg>\n", drawn);
    cr_expect_not_null(strstr(document, wanted), "'%s' is not in %s", wanted, document);
    free(document);
}

Test(svg, characters_of_markup_are_escaped)
{
    expect_drawn("</text><script>", "&lt;/text&gt;&lt;script&gt;");
    expect_drawn("a & b &amp; \"c\" 'd'", "a &amp; b &amp;amp; &quot;c&quot; &apos;d&apos;");
    expect_drawn("]]>", "]]&gt;");
}

Test(svg, what_xml_cannot_hold_is_replaced)
{
    expect_drawn("a\033[31m\001\tb", "a\\x1b[31m\\x01\\x09b");
    expect_drawn("\xff\xc0\x80", "\\xff\\xc0\\x80");
    expect_drawn("\xed\xa0\x80", "\\xed\\xa0\\x80");
    expect_drawn("\xef\xbf\xbe\xef\xbf\xbf", "??");
    expect_drawn("\xef\xbf\xbd \u00e4\u4e2d\U0001f600", "\xef\xbf\xbd \u00e4\u4e2d\U0001f600");
}

Test(svg, a_tooltip_and_the_title_are_escaped)
{
    clshard_error err;
    char *document = NULL;
    svg sheet;

    cr_assert_eq(svg_open(&sheet, &err), CLSHARD_OK);
    svg_group(&sheet, "block", "<tip>");
    svg_group_end(&sheet);
    cr_assert_eq(svg_close(&sheet, "<&>", &document, &err), CLSHARD_OK);
    cr_expect_not_null(strstr(document, "<title>&lt;tip&gt;</title>"), "%s", document);
    cr_expect_not_null(strstr(document, "<title>&lt;&amp;&gt;</title>"), "%s", document);
    free(document);
}

Test(svg, the_sheet_holds_all_that_is_drawn_and_a_margin)
{
    clshard_error err;
    char *document = NULL;
    svg sheet;

    cr_assert_eq(svg_open(&sheet, &err), CLSHARD_OK);
    svg_rect(&sheet, (svg_box){30, 40, 500, 200}, "none", "#000000");
    svg_rect(&sheet, (svg_box){30, 40, 50, 300}, "none", "#000000");
    cr_assert_eq(svg_close(&sheet, "", &document, &err), CLSHARD_OK);
    cr_expect_not_null(strstr(document, "width=\"554\" height=\"364\""), "%s", document);
    free(document);
}

Test(svg, text_that_does_not_fit_ends_in_an_ellipsis)
{
    char buffer[SVG_LINE];

    cr_expect_str_eq(svg_fit("short", 10, 1000, buffer), "short");
    cr_expect_str_eq(svg_fit("0123456789", 10, 40, buffer), "01234\u2026");
    cr_expect_str_eq(svg_fit("\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", 10, 40, buffer),
                     "\u00e4\u00e4\u00e4\u00e4\u00e4\u2026");
    cr_expect_str_eq(svg_fit("anything", 10, 0, buffer), "\u2026");
}

Test(svg, a_fitted_text_is_as_wide_as_allowed)
{
    for (size_t width = 8; width < 400; width++) {
        char buffer[SVG_LINE];
        svg_fit("a text that is longer than most of these widths allow", 12, width, buffer);
        cr_expect_leq(svg_text_width(buffer, 12, false), width, "%zu: %s", width, buffer);
    }
}

Test(svg, a_text_longer_than_a_line_is_cut_at_a_character)
{
    const size_t count = SVG_LINE;
    char *text = calloc(2 * count + 1, 1);
    char buffer[SVG_LINE];

    cr_assert_not_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + 2 * i, "\u00e4", 2);
    svg_fit(text, 1, SIZE_MAX / 200, buffer);
    cr_expect_lt(strlen(buffer), (size_t)SVG_LINE);
    cr_expect_str_eq(buffer + strlen(buffer) - 5, "\u00e4\u2026", "%s", buffer);
    free(text);
}
