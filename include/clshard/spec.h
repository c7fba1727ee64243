/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_SPEC_H
#define CLSHARD_SPEC_H

/**
 * @file
 * A spec says which mesh axes cut each dimension of an array (JAX's PartitionSpec); rules turn
 * logical names of dimensions into one (datarax's MeshRules and SharderModule, Flax's logical
 * rules).
 *
 * Both are values: no handle, no memory behind them, nothing to release.
 *
 * Thread class: immutable.
 */

#include <clshard/status.h>

/** The axes that cut one dimension, the first most significant, up to the first ""; none:
 * replicated. */
typedef struct clshard_spec_entry {
    char axis[CLSHARD_RANK_MAX][CLSHARD_NAME_MAX]; /**< NUL-terminated names */
} clshard_spec_entry;

/** One entry per array dimension; dimensions past `rank` are replicated. Zeroed: replicates all. */
typedef struct clshard_spec {
    size_t rank;                                /**< 0 to CLSHARD_RANK_MAX */
    clshard_spec_entry entry[CLSHARD_RANK_MAX]; /**< the first `rank` count */
} clshard_spec;

/** How a logical name finds its axes. A NULL or "_" name is a replicated dimension in each. */
typedef enum clshard_lookup {
    /** datarax's MeshRules: data, embed, mlp, heads and the rules' own names are known, any other
     * is `unknown_name`; a known name without a rule is replicated. */
    CLSHARD_LOOKUP_EXACT = 0,
    /** datarax's SharderModule: the first rule of the name; a name without a rule is itself an
       axis. */
    CLSHARD_LOOKUP_FIRST_MATCH = 1,
    /** Flax's logical_to_mesh_axes: rules in order, each applied unless one of its axes is taken; a
     * name that stands twice is `rule_conflict`; a name without a rule is replicated. */
    CLSHARD_LOOKUP_PRIORITY = 2,
    /** The first rule of the name; a taken axis is `rule_conflict`, no rule `unknown_name`. */
    CLSHARD_LOOKUP_STRICT = 3
} clshard_lookup;

/** Most rules of a set. */
#define CLSHARD_RULE_MAX 64

/** One rule: a logical name and the axes for it. */
typedef struct clshard_rule {
    char name[CLSHARD_NAME_MAX]; /**< NUL-terminated */
    clshard_spec_entry axes;     /**< none: replicated */
} clshard_rule;

/** Rules in order; a name may recur. */
typedef struct clshard_rules {
    size_t count;                        /**< 0 to CLSHARD_RULE_MAX */
    clshard_rule rule[CLSHARD_RULE_MAX]; /**< the first `count` count */
} clshard_rules;

CLSHARD_BEGIN_DECLS

/**
 * Reads a spec: one entry per dimension, separated by commas; an axis, several joined by `+`, or
 * `_` (also `None`) for replicated: `data+model,_,heads`. The empty text has no entries.
 *
 * Whether an axis exists, or is used twice, is found out when a sharding is made.
 * @param text NUL-terminated.
 * @param out_spec receives the spec.
 * @param err may be NULL; the message marks where the text goes wrong.
 * @return OK; `text`; `name`; `rank` for too many entries or too many axes in one; `argument` for
 * NULL.
 */
CLSHARD_CHECKED clshard_status clshard_spec_parse(const char *text, clshard_spec *out_spec,
                                                  clshard_error *err);

/**
 * Prints a spec so that clshard_spec_parse() reads it back equal.
 * @return the bytes needed without the NUL, as snprintf(); at most `buffer_bytes` are written.
 */
CLSHARD_API size_t clshard_spec_format(const clshard_spec *spec, char *buffer, size_t buffer_bytes);

/** Whether two specs have the same entries, trailing replicated ones included (as JAX's ==). */
CLSHARD_API bool clshard_spec_equal(const clshard_spec *a, const clshard_spec *b);

/**
 * Reads rules: `NAME=ENTRY` separated by commas, ENTRY as in a spec (`batch=data,hidden=data+model,
 * feature=_`), or a preset: `data_parallel[:D]`, `fsdp[:D,M]`. The empty text has no rules.
 * @return OK; `text`; `name`; `rank` for too many rules; `argument` for NULL.
 */
CLSHARD_CHECKED clshard_status clshard_rules_parse(const char *text, clshard_rules *out_rules,
                                                   clshard_error *err);

/** Prints rules so that clshard_rules_parse() reads them back; returns the bytes needed, as
 * snprintf(). */
CLSHARD_API size_t clshard_rules_format(const clshard_rules *rules, char *buffer,
                                        size_t buffer_bytes);

/**
 * datarax's data_parallel_rules: data -> the axis.
 * @param data_axis NULL: "data".
 * @param out_rules receives the rules.
 * @param err may be NULL.
 * @return OK; `name` for a malformed axis.
 */
CLSHARD_CHECKED clshard_status clshard_rules_data_parallel(const char *data_axis,
                                                           clshard_rules *out_rules,
                                                           clshard_error *err);

/**
 * datarax's fsdp_rules: data -> the data axis; embed, mlp, heads -> the model axis.
 * @param data_axis NULL: "data".
 * @param model_axis NULL: "model".
 * @param out_rules receives the rules.
 * @param err may be NULL.
 * @return OK; `name` for a malformed axis.
 */
CLSHARD_CHECKED clshard_status clshard_rules_fsdp(const char *data_axis, const char *model_axis,
                                                  clshard_rules *out_rules, clshard_error *err);

/**
 * The spec of an array whose dimensions have these names.
 * @param rules in order.
 * @param lookup how names are found; see docs/rules.md for the four side by side.
 * @param names `name_count` names; NULL, "_" or "None" for a replicated dimension.
 * @param name_count 0 to CLSHARD_RANK_MAX.
 * @param out_spec receives the spec.
 * @param err may be NULL.
 * @return OK; `unknown_name`; `rule_conflict`; `name` for a malformed name; `rank`; `argument`.
 */
CLSHARD_CHECKED clshard_status clshard_spec_for_names(const clshard_rules *rules,
                                                      clshard_lookup lookup,
                                                      const char *const *names, size_t name_count,
                                                      clshard_spec *out_spec, clshard_error *err);

/** The text of a lookup ("exact", "first_match", "priority", "strict"); NULL past the last. */
CLSHARD_API const char *clshard_lookup_name(clshard_lookup lookup);

CLSHARD_END_DECLS

#endif
