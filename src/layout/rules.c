/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <clshard/spec.h>

#include "base/error.h"
#include "base/text.h"
#include "layout/scan.h"

/* The names that datarax's MeshRules has fields for. */
static const char *const mesh_rules_names[] = {"data", "embed", "mlp", "heads"};
enum { MESH_RULES_NAMES = sizeof mesh_rules_names / sizeof mesh_rules_names[0] };

/* A question to the rules, and the answer as far as it is known. */
typedef struct query {
    const clshard_rules *rules;
    clshard_lookup lookup;
    const char *name[CLSHARD_RANK_MAX]; /* NULL: replicated */
    clshard_spec spec;                  /* rank: the number of names */
} query;

const char *clshard_lookup_name(clshard_lookup lookup)
{
    switch (lookup) {
    case CLSHARD_LOOKUP_EXACT:
        return "exact";
    case CLSHARD_LOOKUP_FIRST_MATCH:
        return "first_match";
    case CLSHARD_LOOKUP_PRIORITY:
        return "priority";
    case CLSHARD_LOOKUP_STRICT:
        return "strict";
    }
    return NULL;
}

/* Both strings fit: callers have checked them. */
static void add_rule(clshard_rules *rules, const char *name, const char *axis)
{
    clshard_rule *rule = &rules->rule[rules->count++];
    memcpy(rule->name, name, strlen(name) + 1);
    memcpy(rule->axes.axis[0], axis, strlen(axis) + 1);
}

static clshard_status check_preset(const char *data_axis, const char *model_axis,
                                   const clshard_rules *out_rules, clshard_error *err)
{
    clshard_status status;
    if (out_rules == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "rules: out_rules must be given");
    status = clshard__name_check(data_axis, "rules: data axis", err);
    return status == CLSHARD_OK ? clshard__name_check(model_axis, "rules: model axis", err)
                                : status;
}

clshard_status clshard_rules_data_parallel(const char *data_axis, clshard_rules *out_rules,
                                           clshard_error *err)
{
    const char *data = data_axis == NULL ? "data" : data_axis;
    const clshard_status status = check_preset(data, "model", out_rules, err);
    if (status != CLSHARD_OK)
        return status;
    memset(out_rules, 0, sizeof *out_rules);
    add_rule(out_rules, "data", data);
    return CLSHARD_OK;
}

clshard_status clshard_rules_fsdp(const char *data_axis, const char *model_axis,
                                  clshard_rules *out_rules, clshard_error *err)
{
    const char *data = data_axis == NULL ? "data" : data_axis;
    const char *model = model_axis == NULL ? "model" : model_axis;
    const clshard_status status = check_preset(data, model, out_rules, err);
    if (status != CLSHARD_OK)
        return status;
    memset(out_rules, 0, sizeof *out_rules);
    add_rule(out_rules, "data", data);
    add_rule(out_rules, "embed", model);
    add_rule(out_rules, "mlp", model);
    add_rule(out_rules, "heads", model);
    return CLSHARD_OK;
}

/* The first rule of that name; NULL: none. */
static const clshard_rule *find_rule(const clshard_rules *rules, const char *name)
{
    for (size_t i = 0; i < rules->count; i++)
        if (strcmp(rules->rule[i].name, name) == 0)
            return &rules->rule[i];
    return NULL;
}

/* The dimension that has one of these axes; SIZE_MAX: none. */
static size_t find_taken(const query *q, const clshard_spec_entry *axes, const char **out_axis)
{
    const size_t count = clshard__entry_axes(axes);
    for (size_t d = 0; d < q->spec.rank; d++) {
        const size_t used = clshard__entry_axes(&q->spec.entry[d]);
        for (size_t i = 0; i < used * count; i++) {
            *out_axis = axes->axis[i % count];
            if (strcmp(*out_axis, q->spec.entry[d].axis[i / count]) == 0)
                return d;
        }
    }
    return SIZE_MAX;
}

static bool is_mesh_rules_name(const char *name)
{
    for (size_t i = 0; i < MESH_RULES_NAMES; i++)
        if (strcmp(mesh_rules_names[i], name) == 0)
            return true;
    return false;
}

/* What would have been right, for a name that has no rule. */
static clshard_status fail_unknown(const query *q, size_t dimension, clshard_error *err)
{
    char known[256];
    clshard__writer writer = clshard__writer_of(known, sizeof known);

    for (size_t i = 0; q->lookup == CLSHARD_LOOKUP_EXACT && i < MESH_RULES_NAMES; i++)
        clshard__write(&writer, "%s%s", i == 0 ? "" : ", ", mesh_rules_names[i]);
    for (size_t i = 0; i < q->rules->count; i++) {
        const char *name = q->rules->rule[i].name;
        const bool listed = q->lookup == CLSHARD_LOOKUP_EXACT && is_mesh_rules_name(name);
        if (!listed && find_rule(q->rules, name) == &q->rules->rule[i])
            clshard__write(&writer, "%s%s", writer.needed == 0 ? "" : ", ", name);
    }
    return clshard__fail(err, CLSHARD_ERR_UNKNOWN_NAME,
                         "dimension %zu: the name '%s' is unknown under the lookup '%s' "
                         "(known: %s%s); the lookup 'priority' would replicate it",
                         dimension, q->name[dimension], clshard_lookup_name(q->lookup),
                         writer.needed == 0 ? "none" : known,
                         writer.needed < sizeof known ? "" : "...");
}

/* A dimension's name is not NULL in the functions that answer for one dimension. */
static clshard_status answer_exact(query *q, size_t dimension, clshard_error *err)
{
    const clshard_rule *rule = find_rule(q->rules, q->name[dimension]);
    if (rule != NULL)
        q->spec.entry[dimension] = rule->axes;
    else if (!is_mesh_rules_name(q->name[dimension]))
        return fail_unknown(q, dimension, err);
    return CLSHARD_OK;
}

static void answer_first_match(query *q, size_t dimension)
{
    const char *name = q->name[dimension];
    const clshard_rule *rule = find_rule(q->rules, name);
    if (rule != NULL)
        q->spec.entry[dimension] = rule->axes;
    else
        memcpy(q->spec.entry[dimension].axis[0], name, strlen(name) + 1);
}

/* The name of an axis that stands twice among these; NULL: none. */
static const char *find_repeated(const clshard_spec_entry *axes)
{
    const size_t count = clshard__entry_axes(axes);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (strcmp(axes->axis[i], axes->axis[j]) == 0)
                return axes->axis[i];
    return NULL;
}

static clshard_status answer_strict(query *q, size_t dimension, clshard_error *err)
{
    const clshard_rule *rule = find_rule(q->rules, q->name[dimension]);
    const char *axis;
    size_t holder;

    if (rule == NULL)
        return fail_unknown(q, dimension, err);
    axis = find_repeated(&rule->axes);
    if (axis != NULL)
        return clshard__fail(err, CLSHARD_ERR_RULE_CONFLICT,
                             "dimension %zu: the rule of '%s' has the axis '%s' twice", dimension,
                             rule->name, axis);
    holder = find_taken(q, &rule->axes, &axis);
    if (holder != SIZE_MAX)
        return clshard__fail(err, CLSHARD_ERR_RULE_CONFLICT,
                             "dimension %zu: '%s' needs the axis '%s', which dimension %zu ('%s') "
                             "has%s",
                             dimension, rule->name, axis, holder, q->name[holder],
                             strcmp(rule->name, q->name[holder]) == 0
                                 ? ""
                                 : "; the lookup 'priority' would look further");
    q->spec.entry[dimension] = rule->axes;
    return CLSHARD_OK;
}

static clshard_status answer_each(query *q, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    for (size_t d = 0; d < q->spec.rank && status == CLSHARD_OK; d++) {
        if (q->name[d] == NULL)
            continue;
        if (q->lookup == CLSHARD_LOOKUP_EXACT)
            status = answer_exact(q, d, err);
        else if (q->lookup == CLSHARD_LOOKUP_FIRST_MATCH)
            answer_first_match(q, d);
        else
            status = answer_strict(q, d, err);
    }
    return status;
}

/* The first dimension of that name, from dimension `from` on; SIZE_MAX: none. */
static size_t find_dimension(const query *q, size_t from, const char *name)
{
    for (size_t d = from; d < q->spec.rank; d++)
        if (q->name[d] != NULL && strcmp(q->name[d], name) == 0)
            return d;
    return SIZE_MAX;
}

/* Flax asks the rules, not the dimensions, in order: an early rule takes its axes first. A rule
 * without axes settles its name for good. */
static clshard_status answer_priority(query *q, clshard_error *err)
{
    bool settled[CLSHARD_RANK_MAX] = {false};
    const char *axis;

    for (size_t d = 0; d < q->spec.rank; d++)
        if (q->name[d] != NULL && find_dimension(q, d + 1, q->name[d]) != SIZE_MAX)
            return clshard__fail(err, CLSHARD_ERR_RULE_CONFLICT,
                                 "the name '%s' stands twice, for dimensions %zu and %zu; the "
                                 "lookup 'priority' needs names that differ",
                                 q->name[d], d, find_dimension(q, d + 1, q->name[d]));
    for (size_t i = 0; i < q->rules->count; i++) {
        const clshard_rule *rule = &q->rules->rule[i];
        const size_t d = find_dimension(q, 0, rule->name);
        if (d == SIZE_MAX || settled[d] || find_taken(q, &rule->axes, &axis) != SIZE_MAX)
            continue;
        q->spec.entry[d] = rule->axes;
        settled[d] = true;
    }
    return CLSHARD_OK;
}

static clshard_status check_stored(const char name[CLSHARD_NAME_MAX], const char *what, size_t rule,
                                   clshard_error *err)
{
    clshard_error inner = {0};
    if (memchr(name, '\0', CLSHARD_NAME_MAX) == NULL)
        return clshard__fail(err, CLSHARD_ERR_NAME, "rule %zu: the %s does not end", rule, what);
    if (clshard__name_check(name, what, &inner) != CLSHARD_OK)
        return clshard__fail(err, inner.status, "rule %zu: %s", rule, inner.message);
    return CLSHARD_OK;
}

/* Rules are plain values that a caller may have filled by hand. */
static clshard_status check_rules(const clshard_rules *rules, clshard_error *err)
{
    if (rules->count > CLSHARD_RULE_MAX)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "rules: a count of %zu; at most %d fit",
                             rules->count, CLSHARD_RULE_MAX);
    for (size_t i = 0; i < rules->count; i++) {
        const clshard_spec_entry *axes = &rules->rule[i].axes;
        const size_t count = clshard__entry_axes(axes);
        clshard_status status = check_stored(rules->rule[i].name, "logical name", i, err);
        for (size_t k = 0; k < count && status == CLSHARD_OK; k++)
            status = check_stored(axes->axis[k], "axis name", i, err);
        if (status != CLSHARD_OK)
            return status;
    }
    return CLSHARD_OK;
}

static bool is_replicated(const char *name)
{
    return name == NULL || strcmp(name, "_") == 0 || strcmp(name, "None") == 0;
}

static clshard_status set_names(query *q, const char *const *names, size_t count,
                                clshard_error *err)
{
    for (size_t d = 0; d < count; d++) {
        clshard_status status;
        if (is_replicated(names[d]))
            continue;
        status = clshard__name_check(names[d], "logical name", err);
        if (status != CLSHARD_OK)
            return status;
        q->name[d] = names[d];
    }
    q->spec.rank = count;
    return CLSHARD_OK;
}

clshard_status clshard_spec_for_names(const clshard_rules *rules, clshard_lookup lookup,
                                      const char *const *names, size_t name_count,
                                      clshard_spec *out_spec, clshard_error *err)
{
    query q = {rules, lookup, {NULL}, {0}};
    clshard_status status;

    if (rules == NULL || out_spec == NULL || (names == NULL && name_count > 0))
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "spec for names: rules, names and out_spec must be given");
    if (clshard_lookup_name(lookup) == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "spec for names: %d is no lookup",
                             (int)lookup);
    if (name_count > CLSHARD_RANK_MAX)
        return clshard__fail(err, CLSHARD_ERR_RANK, "spec for names: %zu names; at most %d fit",
                             name_count, CLSHARD_RANK_MAX);
    status = check_rules(rules, err);
    if (status == CLSHARD_OK)
        status = set_names(&q, names, name_count, err);
    if (status == CLSHARD_OK)
        status =
            lookup == CLSHARD_LOOKUP_PRIORITY ? answer_priority(&q, err) : answer_each(&q, err);
    if (status == CLSHARD_OK)
        *out_spec = q.spec;
    return status;
}
