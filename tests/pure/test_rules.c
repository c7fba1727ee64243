/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include <clshard/spec.h>

#include "layout/axes.h"
#include "layout/tiling.h"
#include "support/refusal.h"
#include "support/texts.h"
#include "support/tsv.h"

/* Frozen: programs compiled against one version run with another. */
_Static_assert(sizeof(size_t) != 8 || sizeof(clshard_rules) == 18440, "clshard_rules has grown");

enum { LOOKUPS = 4 };

/* Names of dimensions, as "batch,_,feature" cut up. */
typedef struct names {
    size_t count;
    char storage[CLSHARD_RANK_MAX][CLSHARD_NAME_MAX];
    const char *name[CLSHARD_RANK_MAX];
} names;

static void read_names(const char *text, names *out)
{
    memset(out, 0, sizeof *out);
    while (*text != '\0') {
        const size_t length = strcspn(text, ",");
        cr_assert(out->count < CLSHARD_RANK_MAX && length < CLSHARD_NAME_MAX);
        memcpy(out->storage[out->count], text, length);
        out->name[out->count] = out->storage[out->count];
        out->count++;
        text += length + (text[length] == ',');
    }
}

static clshard_rules parsed(const char *text)
{
    clshard_rules rules;
    clshard_error err = {0};
    cr_assert_eq(clshard_rules_parse(text, &rules, &err), CLSHARD_OK, "%s", err.message);
    return rules;
}

static clshard_status look(const clshard_rules *rules, clshard_lookup lookup, const char *text,
                           clshard_spec *out_spec, clshard_error *err)
{
    names asked;
    read_names(text, &asked);
    return clshard_spec_for_names(rules, lookup, asked.name, asked.count, out_spec, err);
}

static void expect_spec(const char *rules_text, clshard_lookup lookup, const char *names_text,
                        const char *expected)
{
    const clshard_rules rules = parsed(rules_text);
    clshard_spec spec;
    clshard_error err = {0};
    char text[4096];
    cr_assert_eq(look(&rules, lookup, names_text, &spec, &err), CLSHARD_OK, "%s", err.message);
    (void)clshard_spec_format(&spec, text, sizeof text);
    cr_assert_str_eq(text, expected, "%s under %s: %s, not %s", names_text, rules_text, text,
                     expected);
}

static clshard_lookup lookup_of(const char *name)
{
    for (int lookup = 0; clshard_lookup_name((clshard_lookup)lookup) != NULL; lookup++)
        if (strcmp(clshard_lookup_name((clshard_lookup)lookup), name) == 0)
            return (clshard_lookup)lookup;
    cr_assert_fail("'%s' is no lookup", name);
    return CLSHARD_LOOKUP_EXACT;
}

static const char *said_by_mesh(const char *mesh, const clshard_spec *spec, clshard_error *err)
{
    clshard__axes axes;
    clshard__tiling *tiling = NULL;
    clshard_status status;
    cr_assert_eq(clshard__axes_parse(mesh, &axes, NULL), CLSHARD_OK);
    cr_assert_eq(clshard__axes_finish(&axes, SIZE_MAX, NULL), CLSHARD_OK);
    status = clshard__tiling_create(&axes, spec, CLSHARD_EVEN, NULL, 0, &tiling, err);
    cr_assert_eq(tiling != NULL, status == CLSHARD_OK);
    clshard__tiling_release(tiling);
    return clshard_status_name(status);
}

static void check_row(const struct tsv_row *row)
{
    const char *const *field = row->field;
    const clshard_rules rules = parsed(field[1]);
    clshard_spec spec = {.rank = 77};
    clshard_error err = {0};
    char text[4096];
    const clshard_status status = look(&rules, lookup_of(field[0]), field[2], &spec, &err);

    cr_assert_str_eq(clshard_status_name(status), field[3], "line %zu: %s", row->line, err.message);
    if (status != CLSHARD_OK) {
        assert_says_why(status, &err, field[2]);
        cr_assert_eq(spec.rank, 77);
        return;
    }
    (void)clshard_spec_format(&spec, text, sizeof text);
    cr_assert_str_eq(text, field[4], "line %zu: %s, not %s", row->line, text, field[4]);
    cr_assert_str_eq(said_by_mesh(field[5], &spec, &err), field[6], "line %zu: %s", row->line,
                     err.message);
}

Test(rules, give_the_specs_that_datarax_and_flax_give)
{
    tsv table = tsv_read("acceptance/03_rules.tsv");
    for (size_t i = 0; i < table.row_count; i++)
        check_row(&table.row[i]);
    cr_assert_eq(table.row_count, 122);
    tsv_free(&table);
}

/* The examples measured on flax.linen.logical_to_mesh_axes. */
Test(rules, priority_gives_what_flax_gives)
{
    const clshard_lookup priority = CLSHARD_LOOKUP_PRIORITY;
    expect_spec("batch=X,features=X,heads=Y,batch=Z", priority, "batch,length,heads,features",
                "X,_,Y,_");
    expect_spec("features=X,batch=X,batch=Z", priority, "features,batch", "X,Z");
    expect_spec("a=m+d,b=d", priority, "a,b", "m+d,_");
    expect_spec("a=_,a=m", priority, "a", "_");
    expect_spec("foo=m,bar=m", priority, "bar,foo", "_,m");
}

/* datarax's SharderModule removes no axis that stands twice. */
Test(rules, first_match_gives_what_datarax_gives)
{
    expect_spec("batch=data,sequence=data,hidden=_,heads=model", CLSHARD_LOOKUP_FIRST_MATCH,
                "batch,sequence,hidden,heads", "data,data,_,model");
}

Test(rules, a_name_may_recur_and_the_first_rule_counts)
{
    expect_spec("a=x,a=y", CLSHARD_LOOKUP_EXACT, "a,a", "x,x");
    expect_spec("a=x,a=y", CLSHARD_LOOKUP_FIRST_MATCH, "a,a", "x,x");
    expect_spec("a=x,a=y", CLSHARD_LOOKUP_STRICT, "a", "x");
    expect_spec("a=x,a=y", CLSHARD_LOOKUP_PRIORITY, "a", "x");
}

Test(rules, null_underscore_and_none_are_replicated_under_every_lookup)
{
    const clshard_rules rules = parsed("fsdp");
    const char *const replicated[] = {NULL, "_", "None", "data", NULL, "_"};
    for (int lookup = 0; lookup < LOOKUPS; lookup++) {
        clshard_spec spec;
        clshard_error err = {0};
        char text[256];
        cr_assert_eq(
            clshard_spec_for_names(&rules, (clshard_lookup)lookup, replicated, 6, &spec, &err),
            CLSHARD_OK, "%s", err.message);
        (void)clshard_spec_format(&spec, text, sizeof text);
        cr_assert_str_eq(text, "_,_,_,data,_,_");
    }
}

Test(rules, no_names_give_the_empty_spec)
{
    const clshard_rules none = {0};
    for (int lookup = 0; lookup < LOOKUPS; lookup++) {
        clshard_spec spec = {.rank = 77};
        cr_assert_eq(clshard_spec_for_names(&none, (clshard_lookup)lookup, NULL, 0, &spec, NULL),
                     CLSHARD_OK);
        cr_assert_eq(spec.rank, 0);
    }
}

Test(rules, without_rules_each_lookup_keeps_to_its_word)
{
    expect_spec("", CLSHARD_LOOKUP_EXACT, "data,embed,mlp,heads", "_,_,_,_");
    expect_spec("", CLSHARD_LOOKUP_FIRST_MATCH, "data,other", "data,other");
    expect_spec("", CLSHARD_LOOKUP_PRIORITY, "data,other", "_,_");
}

Test(rules, an_unknown_name_is_refused_with_those_known)
{
    const clshard_rules fsdp = parsed("fsdp"), few = parsed("batch=data,batch=model,x=_");
    const clshard_rules none = parsed("");
    clshard_spec spec = {.rank = 77};
    clshard_error err = {0};
    refusal(look(&fsdp, CLSHARD_LOOKUP_EXACT, "data,vocab", &spec, &err), CLSHARD_ERR_UNKNOWN_NAME,
            &err,
            "dimension 1: the name 'vocab' is unknown under the lookup 'exact' (known: data, "
            "embed, mlp, heads)");
    refusal(look(&few, CLSHARD_LOOKUP_EXACT, "vocab", &spec, &err), CLSHARD_ERR_UNKNOWN_NAME, &err,
            "(known: data, embed, mlp, heads, batch, x)");
    refusal(look(&few, CLSHARD_LOOKUP_STRICT, "vocab", &spec, &err), CLSHARD_ERR_UNKNOWN_NAME, &err,
            "(known: batch, x)");
    refusal(look(&none, CLSHARD_LOOKUP_STRICT, "data", &spec, &err), CLSHARD_ERR_UNKNOWN_NAME, &err,
            "(known: none)");
    cr_assert_eq(spec.rank, 77);
}

Test(rules, a_conflict_names_both_dimensions_and_the_axis)
{
    const clshard_rules fsdp = parsed("fsdp"), twice = parsed("a=x+x");
    clshard_spec spec = {.rank = 77};
    clshard_error err = {0};
    refusal(look(&fsdp, CLSHARD_LOOKUP_STRICT, "embed,_,mlp", &spec, &err),
            CLSHARD_ERR_RULE_CONFLICT, &err,
            "dimension 2: 'mlp' needs the axis 'model', which dimension 0 ('embed') has; the "
            "lookup 'priority'");
    refusal(look(&fsdp, CLSHARD_LOOKUP_PRIORITY, "embed,_,embed", &spec, &err),
            CLSHARD_ERR_RULE_CONFLICT, &err, "'embed' stands twice, for dimensions 0 and 2");
    refusal(look(&twice, CLSHARD_LOOKUP_STRICT, "a", &spec, &err), CLSHARD_ERR_RULE_CONFLICT, &err,
            "'x' twice");
    cr_assert_eq(spec.rank, 77);
}

Test(rules, malformed_names_are_refused_under_every_lookup)
{
    static const char *const malformed[] = {"",    "9a", "a b",
                                            "a+b", "__", "a2345678901234567890123456789012"};
    const clshard_rules rules = parsed("fsdp");
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        for (int lookup = 0; lookup < LOOKUPS; lookup++) {
            const char *const asked[] = {"data", malformed[i]};
            clshard_spec spec = {.rank = 77};
            clshard_error err = {0};
            refusal(clshard_spec_for_names(&rules, (clshard_lookup)lookup, asked, 2, &spec, &err),
                    CLSHARD_ERR_NAME, &err, malformed[i]);
            cr_assert_eq(spec.rank, 77);
        }
    }
}

Test(rules, values_that_no_parser_made_are_checked)
{
    clshard_rules rules = parsed("fsdp");
    clshard_spec spec = {.rank = 77};
    clshard_error err = {0};
    memset(rules.rule[1].name, 'a', sizeof rules.rule[1].name);
    refusal(look(&rules, CLSHARD_LOOKUP_EXACT, "data", &spec, &err), CLSHARD_ERR_NAME, &err,
            "rule 1: the logical name does not end");
    rules = parsed("fsdp");
    memset(rules.rule[2].axes.axis, 'a', sizeof rules.rule[2].axes.axis);
    refusal(look(&rules, CLSHARD_LOOKUP_EXACT, "data", &spec, &err), CLSHARD_ERR_NAME, &err,
            "rule 2: the axis name does not end");
    rules = parsed("fsdp");
    strcpy(rules.rule[3].axes.axis[0], "None");
    refusal(look(&rules, CLSHARD_LOOKUP_EXACT, "data", &spec, &err), CLSHARD_ERR_NAME, &err,
            "rule 3");
    rules.count = CLSHARD_RULE_MAX + 1;
    refusal(look(&rules, CLSHARD_LOOKUP_EXACT, "data", &spec, &err), CLSHARD_ERR_ARGUMENT, &err,
            "65");
    cr_assert_eq(spec.rank, 77);
}

Test(rules, arguments_that_no_lookup_takes_are_refused)
{
    const clshard_rules rules = parsed("fsdp");
    const char *const nine[9] = {NULL};
    clshard_spec spec = {.rank = 77};
    clshard_error err = {0};
    refusal(clshard_spec_for_names(NULL, CLSHARD_LOOKUP_EXACT, nine, 1, &spec, &err),
            CLSHARD_ERR_ARGUMENT, &err, "rules");
    refusal(clshard_spec_for_names(&rules, CLSHARD_LOOKUP_EXACT, NULL, 1, &spec, &err),
            CLSHARD_ERR_ARGUMENT, &err, "names");
    refusal(clshard_spec_for_names(&rules, CLSHARD_LOOKUP_EXACT, nine, 1, NULL, &err),
            CLSHARD_ERR_ARGUMENT, &err, "out_spec");
    refusal(clshard_spec_for_names(&rules, (clshard_lookup)LOOKUPS, nine, 1, &spec, &err),
            CLSHARD_ERR_ARGUMENT, &err, "4 is no lookup");
    refusal(clshard_spec_for_names(&rules, CLSHARD_LOOKUP_EXACT, nine, 9, &spec, &err),
            CLSHARD_ERR_RANK, &err, "9 names");
    cr_assert_eq(spec.rank, 77);
}

Test(rules, lookups_have_their_names)
{
    static const char *const expected[LOOKUPS] = {"exact", "first_match", "priority", "strict"};
    for (int lookup = 0; lookup < LOOKUPS; lookup++)
        cr_assert_str_eq(clshard_lookup_name((clshard_lookup)lookup), expected[lookup]);
    cr_assert(clshard_lookup_name((clshard_lookup)LOOKUPS) == NULL);
    cr_assert(clshard_lookup_name((clshard_lookup)-1) == NULL);
}

static clshard_rules random_rules(random_source *source, size_t most)
{
    clshard_rules rules = {.count = uniform(source, most + 1)};
    for (size_t i = 0; i < rules.count; i++) {
        random_name(source, rules.rule[i].name);
        random_entry(source, 2, &rules.rule[i].axes);
    }
    return rules;
}

static void random_names(random_source *source, names *out)
{
    memset(out, 0, sizeof *out);
    out->count = uniform(source, CLSHARD_RANK_MAX + 1);
    for (size_t i = 0; i < out->count; i++) {
        random_name(source, out->storage[i]);
        out->name[i] = uniform(source, 5) == 0 ? NULL : out->storage[i];
    }
}

static bool has_axis(const clshard_spec_entry *entry, const char *axis)
{
    for (size_t i = 0; i < CLSHARD_RANK_MAX && entry->axis[i][0] != '\0'; i++)
        if (strcmp(entry->axis[i], axis) == 0)
            return true;
    return false;
}

/* Whether a dimension other than `self` has one of the axes. */
static bool taken(const clshard_spec *spec, size_t self, const clshard_spec_entry *axes)
{
    for (size_t d = 0; d < spec->rank; d++)
        for (size_t i = 0; d != self && i < CLSHARD_RANK_MAX && axes->axis[i][0] != '\0'; i++)
            if (has_axis(&spec->entry[d], axes->axis[i]))
                return true;
    return false;
}

static bool has_twice(const names *asked)
{
    for (size_t i = 0; i < asked->count; i++)
        for (size_t k = i + 1; k < asked->count; k++)
            if (asked->name[i] != NULL && asked->name[k] != NULL &&
                strcmp(asked->name[i], asked->name[k]) == 0)
                return true;
    return false;
}

/* A dimension gets a rule of its own name, or stays replicated because each of them wants an axis
 * that another dimension has, or because one of them says so. */
static void check_priority_dimension(const clshard_rules *rules, const char *name,
                                     const clshard_spec *spec, size_t dimension)
{
    const bool replicated = spec->entry[dimension].axis[0][0] == '\0';
    bool explained = replicated;
    cr_assert(!taken(spec, dimension, &spec->entry[dimension]), "one axis, two dimensions");
    for (size_t i = 0; i < rules->count; i++) {
        const clshard_rule *rule = &rules->rule[i];
        if (name == NULL || strcmp(rule->name, name) != 0)
            continue;
        if (rule->axes.axis[0][0] == '\0' && replicated)
            return;
        if (!replicated)
            explained =
                explained || memcmp(&rule->axes, &spec->entry[dimension], sizeof rule->axes) == 0;
        else
            cr_assert(taken(spec, dimension, &rule->axes), "'%s' could have had rule %zu", name, i);
    }
    cr_assert(explained, "no rule of the name gives these axes");
}

Test(rules, priority_uses_an_axis_once_and_leaves_none_that_is_free)
{
    random_source source = {51};
    for (size_t i = 0; i < 5000; i++) {
        const clshard_rules rules = random_rules(&source, 12);
        names asked;
        clshard_spec spec;
        clshard_error err = {0};
        clshard_status status;
        random_names(&source, &asked);
        status = clshard_spec_for_names(&rules, CLSHARD_LOOKUP_PRIORITY, asked.name, asked.count,
                                        &spec, &err);
        cr_assert_eq(status, has_twice(&asked) ? CLSHARD_ERR_RULE_CONFLICT : CLSHARD_OK);
        for (size_t d = 0; status == CLSHARD_OK && d < spec.rank; d++)
            check_priority_dimension(&rules, asked.name[d], &spec, d);
    }
}

/* Where nothing is in doubt, all four say the same. */
Test(rules, what_strict_accepts_the_other_lookups_give_too)
{
    random_source source = {52};
    size_t accepted = 0;
    for (size_t i = 0; i < 20000; i++) {
        const clshard_rules rules = random_rules(&source, 12);
        names asked;
        clshard_spec strict, other;
        random_names(&source, &asked);
        if (clshard_spec_for_names(&rules, CLSHARD_LOOKUP_STRICT, asked.name, asked.count, &strict,
                                   NULL) != CLSHARD_OK)
            continue;
        accepted++;
        for (int lookup = 0; lookup < LOOKUPS; lookup++) {
            if (lookup == CLSHARD_LOOKUP_PRIORITY && has_twice(&asked))
                continue;
            cr_assert_eq(clshard_spec_for_names(&rules, (clshard_lookup)lookup, asked.name,
                                                asked.count, &other, NULL),
                         CLSHARD_OK);
            cr_assert(clshard_spec_equal(&strict, &other), "under %s",
                      clshard_lookup_name((clshard_lookup)lookup));
        }
    }
    cr_assert(accepted > 1000, "%zu were accepted", accepted);
}

Test(rules, dimensions_in_another_order_get_the_same_axes)
{
    random_source source = {53};
    for (size_t i = 0; i < 5000; i++) {
        const clshard_rules rules = random_rules(&source, 12);
        const clshard_lookup lookup = (clshard_lookup)uniform(&source, LOOKUPS);
        const char *reversed[CLSHARD_RANK_MAX];
        names asked;
        clshard_spec spec, other;
        clshard_status status;
        random_names(&source, &asked);
        for (size_t d = 0; d < asked.count; d++)
            reversed[d] = asked.name[asked.count - 1 - d];
        status = clshard_spec_for_names(&rules, lookup, asked.name, asked.count, &spec, NULL);
        /* Which failure comes first depends on the order; whether there is one does not. */
        cr_assert_eq(clshard_spec_for_names(&rules, lookup, reversed, asked.count, &other, NULL) ==
                         CLSHARD_OK,
                     status == CLSHARD_OK);
        for (size_t d = 0; status == CLSHARD_OK && d < spec.rank; d++)
            cr_assert(
                memcmp(&spec.entry[d], &other.entry[spec.rank - 1 - d], sizeof spec.entry[d]) == 0);
    }
}
