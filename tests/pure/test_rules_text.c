/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <clshard/spec.h>

#include "support/refusal.h"
#include "support/texts.h"

static size_t print(const void *rules, char *buffer, size_t buffer_bytes)
{
    return clshard_rules_format(rules, buffer, buffer_bytes);
}

static clshard_rules parsed(const char *text)
{
    clshard_rules rules;
    clshard_error err = {0};
    cr_assert_eq(clshard_rules_parse(text, &rules, &err), CLSHARD_OK, "%s", err.message);
    return rules;
}

static clshard_rules random_rules(random_source *source)
{
    clshard_rules rules = {0};
    rules.count = uniform(source, uniform(source, 8) == 0 ? CLSHARD_RULE_MAX + 1 : 8);
    for (size_t i = 0; i < rules.count; i++) {
        random_name(source, rules.rule[i].name);
        random_entry(source, uniform(source, 8) == 0 ? CLSHARD_RANK_MAX : 2, &rules.rule[i].axes);
    }
    return rules;
}

/* Parsed, and filled by hand, rules have the same bytes, as neither leaves any unset. */
static bool same(const clshard_rules *a, const clshard_rules *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

Test(rules_text, what_is_printed_reads_back_equal)
{
    random_source source = {61};
    static char text[TEXT_BYTES];
    for (size_t i = 0; i < 3000; i++) {
        const clshard_rules rules = random_rules(&source);
        clshard_rules again;
        cr_assert(clshard_rules_format(&rules, text, sizeof text) < sizeof text);
        again = parsed(text);
        cr_assert(same(&rules, &again), "%s", text);
    }
}

Test(rules_text, printing_never_leaves_the_buffer)
{
    random_source source = {62};
    static char text[TEXT_BYTES];
    for (size_t i = 0; i < 20; i++) {
        clshard_rules rules = random_rules(&source);
        rules.count = rules.count > 8 ? 8 : rules.count;
        (void)clshard_rules_format(&rules, text, sizeof text);
        assert_prints(print, &rules, text);
    }
}

Test(rules_text, order_and_recurring_names_are_kept)
{
    const clshard_rules rules = parsed("batch=data,hidden=data+model,feature=None,batch=_");
    cr_assert_eq(rules.count, 4);
    cr_assert_str_eq(rules.rule[1].name, "hidden");
    cr_assert_str_eq(rules.rule[1].axes.axis[1], "model");
    assert_prints(print, &rules, "batch=data,hidden=data+model,feature=_,batch=_");
}

Test(rules_text, the_empty_text_has_no_rules)
{
    const clshard_rules rules = parsed(""), none = {0};
    cr_assert(same(&rules, &none));
    assert_prints(print, &rules, "");
}

static const struct {
    const char *preset, *text;
} presets[] = {
    {"data_parallel", "data=data"},
    {"data_parallel:dp", "data=dp"},
    {"fsdp", "data=data,embed=model,mlp=model,heads=model"},
    {"fsdp:dp,mp", "data=dp,embed=mp,mlp=mp,heads=mp"},
    {"fsdp:data_parallel,fsdp", "data=data_parallel,embed=fsdp,mlp=fsdp,heads=fsdp"},
    /* With '=' the same words are names like any other. */
    {"fsdp=model,data_parallel=data", "fsdp=model,data_parallel=data"},
    {"fsdp2=model", "fsdp2=model"},
};

Test(rules_text, presets_stand_for_their_rules)
{
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        const clshard_rules rules = parsed(presets[i].preset);
        assert_prints(print, &rules, presets[i].text);
    }
}

Test(rules_text, presets_are_made_without_text_too)
{
    const clshard_rules data_parallel = parsed("data_parallel"), fsdp = parsed("fsdp");
    clshard_rules rules;
    memset(&rules, 0xa5, sizeof rules);
    cr_assert_eq(clshard_rules_data_parallel(NULL, &rules, NULL), CLSHARD_OK);
    cr_assert(same(&rules, &data_parallel));
    cr_assert_eq(clshard_rules_data_parallel("dp", &rules, NULL), CLSHARD_OK);
    assert_prints(print, &rules, "data=dp");
    cr_assert_eq(clshard_rules_fsdp(NULL, NULL, &rules, NULL), CLSHARD_OK);
    cr_assert(same(&rules, &fsdp));
    cr_assert_eq(clshard_rules_fsdp("dp", NULL, &rules, NULL), CLSHARD_OK);
    assert_prints(print, &rules, "data=dp,embed=model,mlp=model,heads=model");
    cr_assert_eq(clshard_rules_fsdp(NULL, "mp", &rules, NULL), CLSHARD_OK);
    assert_prints(print, &rules, "data=data,embed=mp,mlp=mp,heads=mp");
}

Test(rules_text, presets_refuse_malformed_axes)
{
    static const char *const malformed[] = {"", "_", "None", "9", "a+b", "a b"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        clshard_rules rules = {.count = 77};
        clshard_error err = {0};
        refusal(clshard_rules_data_parallel(malformed[i], &rules, &err), CLSHARD_ERR_NAME, &err,
                "data axis");
        refusal(clshard_rules_fsdp(malformed[i], "m", &rules, &err), CLSHARD_ERR_NAME, &err,
                "data axis");
        refusal(clshard_rules_fsdp("d", malformed[i], &rules, &err), CLSHARD_ERR_NAME, &err,
                "model axis");
        cr_assert_eq(rules.count, 77);
    }
}

static const struct {
    const char *text;
    clshard_status status;
    const char *words;
} refused[] = {
    {"batch", CLSHARD_ERR_TEXT, "the presets data_parallel and fsdp"},
    {"batch=", CLSHARD_ERR_TEXT, "'batch=>>>'"},
    {"=data", CLSHARD_ERR_TEXT, "'>>>=data'"},
    {",", CLSHARD_ERR_TEXT, "'>>>,'"},
    {"batch=data,", CLSHARD_ERR_TEXT, "'batch=data,>>>'"},
    {"batch=data,,x=_", CLSHARD_ERR_TEXT, "'batch=data,>>>,x=_'"},
    {"batch=data+", CLSHARD_ERR_TEXT, "'batch=data+>>>'"},
    {"batch==data", CLSHARD_ERR_TEXT, "'batch=>>>=data'"},
    {"batch=data=x", CLSHARD_ERR_TEXT, "'batch=data>>>=x'"},
    {"batch=_+data", CLSHARD_ERR_TEXT, "'batch=_>>>+data'"},
    {"batch+x=data", CLSHARD_ERR_TEXT, "'batch>>>+x=data'"},
    {"batch =data", CLSHARD_ERR_TEXT, "'batch>>> =data'"},
    {"batch=data, x=_", CLSHARD_ERR_TEXT, "'batch=data,>>> x=_'"},
    {"batch:data", CLSHARD_ERR_TEXT, "'batch>>>:data'"},
    {"fsdp,x=data", CLSHARD_ERR_TEXT, "'fsdp>>>,x=data'"},
    {"x=data,fsdp", CLSHARD_ERR_TEXT, "'x=data,fsdp>>>'"},
    {"fsdp:", CLSHARD_ERR_TEXT, "'fsdp:>>>'"},
    {"fsdp:d", CLSHARD_ERR_TEXT, "'fsdp:d>>>'"},
    {"fsdp:d,", CLSHARD_ERR_TEXT, "'fsdp:d,>>>'"},
    {"fsdp:,m", CLSHARD_ERR_TEXT, "'fsdp:>>>,m'"},
    {"fsdp:d,m,x", CLSHARD_ERR_TEXT, "'fsdp:d,m>>>,x'"},
    {"fsdp:d+m,x", CLSHARD_ERR_TEXT, "'fsdp:d>>>+m,x'"},
    {"data_parallel:", CLSHARD_ERR_TEXT, "'data_parallel:>>>'"},
    {"data_parallel:d,m", CLSHARD_ERR_TEXT, "'data_parallel:d>>>,m'"},
    {"data_parallel:d=m", CLSHARD_ERR_TEXT, "'data_parallel:d>>>=m'"},
    {"_=data", CLSHARD_ERR_NAME, "'>>>_=data'"},
    {"None=data", CLSHARD_ERR_NAME, "'>>>None=data'"},
    {"batch=9", CLSHARD_ERR_NAME, "'batch=>>>9'"},
    {"a2345678901234567890123456789012=data", CLSHARD_ERR_NAME, "32 characters"},
    {"fsdp:d,None", CLSHARD_ERR_NAME, "'fsdp:d,>>>None'"},
    {"x=a+b+c+d+e+f+g+h+i", CLSHARD_ERR_RANK, "'x=a+b+c+d+e+f+g+h+>>>i'"},
};

Test(rules_text, what_is_no_rules_is_refused_and_the_place_marked)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        clshard_error err = {0};
        clshard_rules rules = {.count = 77};
        refusal(clshard_rules_parse(refused[i].text, &rules, &err), refused[i].status, &err,
                refused[i].words);
        cr_assert_eq(rules.count, 77);
    }
}

Test(rules_text, sixty_four_rules_fit_and_no_more)
{
    char text[CLSHARD_RULE_MAX * 8];
    size_t used = 0;
    clshard_rules rules;
    clshard_error err = {0};
    for (size_t i = 0; i < CLSHARD_RULE_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%sn%zu=a", i == 0 ? "" : ",", i);
    cr_assert_eq(clshard_rules_parse(text, &rules, NULL), CLSHARD_OK);
    cr_assert_eq(rules.count, CLSHARD_RULE_MAX);
    (void)snprintf(text + used, sizeof text - used, ",z=a");
    refusal(clshard_rules_parse(text, &rules, &err), CLSHARD_ERR_RANK, &err, "64 rules");
}

Test(rules_text, null_is_refused)
{
    clshard_error err = {0};
    clshard_rules rules;
    refusal(clshard_rules_parse(NULL, &rules, &err), CLSHARD_ERR_ARGUMENT, &err, "text");
    refusal(clshard_rules_parse("", NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_rules");
    refusal(clshard_rules_data_parallel("d", NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_rules");
    refusal(clshard_rules_fsdp("d", "m", NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_rules");
}

Test(rules_text, counts_that_no_parser_made_are_not_followed)
{
    static clshard_rules rules;
    static char text[TEXT_BYTES];
    memset(&rules, 'a', sizeof rules);
    cr_assert(clshard_rules_format(&rules, text, sizeof text) < sizeof text);
}

Test(rules_text, damaged_texts_parse_or_say_why_not)
{
    random_source source = {63};
    static char good[TEXT_BYTES], text[TEXT_BYTES];
    static clshard_rules got, again;
    size_t accepted = 0;
    for (size_t i = 0; i < 10000; i++) {
        const clshard_rules rules = random_rules(&source);
        const size_t preset = uniform(&source, 2 * sizeof presets / sizeof presets[0]);
        const bool from_preset = preset < sizeof presets / sizeof presets[0];
        clshard_error err = {0};
        clshard_status status;
        (void)clshard_rules_format(&rules, good, sizeof good);
        damaged_text(&source, from_preset ? presets[preset].preset : good, text);
        memset(&got, 0xa5, sizeof got);
        again = got;
        status = clshard_rules_parse(text, &got, &err);
        if (status != CLSHARD_OK) {
            assert_says_why(status, &err, text);
            cr_assert(same(&got, &again));
            continue;
        }
        accepted++;
        (void)clshard_rules_format(&got, good, sizeof good);
        again = parsed(good);
        cr_assert(same(&got, &again), "%s became %s", text, good);
    }
    cr_assert(accepted > 1000, "%zu of the damaged texts still parse", accepted);
}
