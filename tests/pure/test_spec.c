/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include <clshard/spec.h>

#include "support/refusal.h"
#include "support/texts.h"

/* Frozen: programs compiled against one version run with another. */
_Static_assert(sizeof(size_t) != 8 || sizeof(clshard_spec) == 2056, "clshard_spec has grown");

static size_t print(const void *spec, char *buffer, size_t buffer_bytes)
{
    return clshard_spec_format(spec, buffer, buffer_bytes);
}

static clshard_spec random_spec(random_source *source)
{
    clshard_spec spec = {.rank = uniform(source, CLSHARD_RANK_MAX + 1)};
    for (size_t i = 0; i < spec.rank; i++)
        random_entry(source, uniform(source, 4) == 0 ? CLSHARD_RANK_MAX : 2, &spec.entry[i]);
    return spec;
}

static clshard_spec parsed(const char *text)
{
    clshard_spec spec;
    clshard_error err = {0};
    cr_assert_eq(clshard_spec_parse(text, &spec, &err), CLSHARD_OK, "%s", err.message);
    return spec;
}

Test(spec, what_is_printed_reads_back_equal)
{
    random_source source = {41};
    char text[4096];
    for (size_t i = 0; i < 5000; i++) {
        const clshard_spec spec = random_spec(&source);
        clshard_spec again;
        cr_assert(clshard_spec_format(&spec, text, sizeof text) < sizeof text);
        again = parsed(text);
        cr_assert(clshard_spec_equal(&spec, &again), "%s", text);
        cr_assert(memcmp(&spec, &again, sizeof spec) == 0, "%s", text);
    }
}

Test(spec, printing_never_leaves_the_buffer)
{
    random_source source = {42};
    char text[4096];
    for (size_t i = 0; i < 100; i++) {
        const clshard_spec spec = random_spec(&source);
        (void)clshard_spec_format(&spec, text, sizeof text);
        assert_prints(print, &spec, text);
    }
}

Test(spec, texts_have_the_documented_form)
{
    const clshard_spec spec = parsed("data+model,_,heads");
    cr_assert_eq(spec.rank, 3);
    cr_assert_str_eq(spec.entry[0].axis[0], "data");
    cr_assert_str_eq(spec.entry[0].axis[1], "model");
    cr_assert_str_eq(spec.entry[0].axis[2], "");
    cr_assert_str_eq(spec.entry[1].axis[0], "");
    cr_assert_str_eq(spec.entry[2].axis[0], "heads");
    assert_prints(print, &spec, "data+model,_,heads");
}

Test(spec, the_empty_text_has_no_entries)
{
    const clshard_spec spec = parsed("");
    const clshard_spec zeroed = {0};
    cr_assert_eq(spec.rank, 0);
    assert_prints(print, &spec, "");
    cr_assert(clshard_spec_equal(&spec, &zeroed));
}

Test(spec, none_and_underscore_are_replicated_and_print_as_underscore)
{
    const clshard_spec spec = parsed("None,_,data,None");
    assert_prints(print, &spec, "_,_,data,_");
    /* Only the whole word is "None". */
    cr_assert_str_eq(parsed("Nonesuch").entry[0].axis[0], "Nonesuch");
    cr_assert_str_eq(parsed("none").entry[0].axis[0], "none");
}

Test(spec, an_axis_used_twice_is_no_error_of_the_text)
{
    const clshard_spec twice = parsed("data,data"), joined = parsed("data+data");
    assert_prints(print, &twice, "data,data");
    assert_prints(print, &joined, "data+data");
}

/* As JAX's ==: P('data') != P('data', None), although they place alike. */
Test(spec, specs_are_equal_entry_by_entry_trailing_ones_too)
{
    static const char *const texts[] = {"",           "_",        "_,_",    "data",     "data,_",
                                        "_,data",     "model",    "data+a", "a+data",   "data,a",
                                        "data+a,_,b", "data+a,b", "dat",    "data+data"};
    enum { TEXTS = sizeof texts / sizeof texts[0] };
    clshard_spec specs[TEXTS];
    for (size_t i = 0; i < TEXTS; i++)
        specs[i] = parsed(texts[i]);
    for (size_t i = 0; i < TEXTS; i++)
        for (size_t k = 0; k < TEXTS; k++)
            cr_assert_eq(clshard_spec_equal(&specs[i], &specs[k]), i == k, "%s, %s", texts[i],
                         texts[k]);
}

Test(spec, what_follows_the_last_axis_does_not_count)
{
    clshard_spec a = parsed("data"), b = a;
    strcpy(b.entry[0].axis[2], "left.over");
    strcpy(b.entry[1].axis[0], "left.over");
    memset(b.entry[0].axis[0] + sizeof "data", 'x', 5);
    cr_assert(clshard_spec_equal(&a, &b));
    assert_prints(print, &b, "data");
}

Test(spec, values_that_no_parser_made_are_not_followed_past_their_end)
{
    clshard_spec spec, same;
    char text[4096];
    memset(&spec, 'a', sizeof spec);
    same = spec;
    cr_assert_eq(clshard_spec_format(&spec, text, sizeof text),
                 CLSHARD_RANK_MAX * CLSHARD_RANK_MAX * CLSHARD_NAME_MAX - 1);
    cr_assert(clshard_spec_equal(&spec, &same));
}

static const struct {
    const char *text;
    clshard_status status;
    const char *words;
} refused[] = {
    {",", CLSHARD_ERR_TEXT, "'>>>,'"},
    {"data,", CLSHARD_ERR_TEXT, "'data,>>>'"},
    {",data", CLSHARD_ERR_TEXT, "'>>>,data'"},
    {"data,,model", CLSHARD_ERR_TEXT, "'data,>>>,model'"},
    {"+", CLSHARD_ERR_TEXT, "'>>>+'"},
    {"data+", CLSHARD_ERR_TEXT, "'data+>>>'"},
    {"+data", CLSHARD_ERR_TEXT, "'>>>+data'"},
    {"data++model", CLSHARD_ERR_TEXT, "'data+>>>+model'"},
    {"data+,model", CLSHARD_ERR_TEXT, "'data+>>>,model'"},
    {"_+data", CLSHARD_ERR_TEXT, "'_>>>+data': at character 2: a replicated dimension"},
    {"None+data", CLSHARD_ERR_TEXT, "no axes to join"},
    {" ", CLSHARD_ERR_TEXT, "'>>> '"},
    {" data", CLSHARD_ERR_TEXT, "'>>> data'"},
    {"data ", CLSHARD_ERR_TEXT, "'data>>> '"},
    {"data, model", CLSHARD_ERR_TEXT, "'data,>>> model'"},
    {"data=2", CLSHARD_ERR_TEXT, "'data>>>=2'"},
    {"data/model", CLSHARD_ERR_TEXT, "'data>>>/model'"},
    {"data\t", CLSHARD_ERR_TEXT, "'data>>>\\x09'"},
    {"d\xc3\xa4ta", CLSHARD_ERR_TEXT, "'d>>>\\xc3\\xa4ta'"},
    {"data+_", CLSHARD_ERR_NAME, "'data+>>>_'"},
    {"data+None", CLSHARD_ERR_NAME, "reserved"},
    {"__", CLSHARD_ERR_NAME, "'>>>__'"},
    {"9a", CLSHARD_ERR_NAME, "'>>>9a'"},
    {"data,-1", CLSHARD_ERR_NAME, "'data,>>>-1'"},
    {"a2345678901234567890123456789012", CLSHARD_ERR_NAME, "32 characters"},
    {"a,b,c,d,e,f,g,h,i", CLSHARD_ERR_RANK, "'a,b,c,d,e,f,g,h,>>>i'"},
    {"a+b+c+d+e+f+g+h+i", CLSHARD_ERR_RANK, "'a+b+c+d+e+f+g+h+>>>i'"},
};

Test(spec, what_is_no_spec_is_refused_and_the_place_marked)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        clshard_error err = {0};
        clshard_spec spec = {.rank = 77};
        refusal(clshard_spec_parse(refused[i].text, &spec, &err), refused[i].status, &err,
                refused[i].words);
        cr_assert_eq(spec.rank, 77);
    }
}

Test(spec, null_is_refused)
{
    clshard_error err = {0};
    clshard_spec spec;
    refusal(clshard_spec_parse(NULL, &spec, &err), CLSHARD_ERR_ARGUMENT, &err, "text");
    refusal(clshard_spec_parse("", NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_spec");
    cr_assert_eq(clshard_spec_parse(NULL, NULL, NULL), CLSHARD_ERR_ARGUMENT);
}

Test(spec, damaged_texts_parse_or_say_why_not)
{
    random_source source = {43};
    char good[4096];
    static char text[TEXT_BYTES];
    size_t accepted = 0;
    for (size_t i = 0; i < 20000; i++) {
        const clshard_spec spec = random_spec(&source);
        clshard_error err = {0};
        clshard_spec got, again;
        clshard_status status;
        (void)clshard_spec_format(&spec, good, sizeof good);
        damaged_text(&source, good, text);
        memset(&got, 0xa5, sizeof got);
        again = got;
        status = clshard_spec_parse(text, &got, &err);
        if (status != CLSHARD_OK) {
            assert_says_why(status, &err, text);
            cr_assert(memcmp(&got, &again, sizeof got) == 0);
            continue;
        }
        accepted++;
        (void)clshard_spec_format(&got, good, sizeof good);
        again = parsed(good);
        cr_assert(clshard_spec_equal(&got, &again), "%s became %s", text, good);
    }
    cr_assert(accepted > 1000, "%zu of the damaged texts still parse", accepted);
}
