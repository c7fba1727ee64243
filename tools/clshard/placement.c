/* SPDX-License-Identifier: Apache-2.0 */
#include "placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "splits.h"

/* How many devices '*' takes: of those that are left out some can never be used. */
static size_t count_usable(void)
{
    clshard_runtime *all = NULL;
    size_t count = 0;

    if (clshard_runtime_open("*", NULL, &all, NULL) == CLSHARD_OK)
        count = clshard_runtime_device_count(all);
    clshard_runtime_release(all);
    return count;
}

clshard_status runtime_from_options(const options *read, clshard_runtime **out_runtime,
                                    clshard_error *err)
{
    const clshard_status status =
        clshard_runtime_open(option_text(read, OPTION_DEVICES), NULL, out_runtime, err);

    if (status == CLSHARD_ERR_NO_DEVICES && count_usable() == 0)
        fail_add(err, "; 'clshard check' tells which entries of the loader are broken");
    return status;
}

/* The library speaks of its own options; here those of the tool belong. */
static clshard_status say_no_devices(clshard_error *err)
{
    const size_t left_out = count_usable();

    if (left_out > 0)
        return fail(err, CLSHARD_ERR_NO_DEVICES,
                    "mesh: no device is in use; --devices '*' takes the %zu that %s left out",
                    left_out, left_out == 1 ? "is" : "are");
    return fail(err, CLSHARD_ERR_NO_DEVICES,
                "mesh: this machine has no OpenCL device; 'clshard list' says what to install, "
                "'clshard check' which entries of the loader are broken");
}

static clshard_status say_too_many(const char *axes, size_t positions,
                                   const clshard_runtime *runtime, clshard_error *err)
{
    const size_t in_use = clshard_runtime_device_count(runtime);
    const size_t usable = count_usable();
    const size_t left_out = usable > in_use ? usable - in_use : 0;

    fail(err, CLSHARD_ERR_MESH_SIZE,
         "mesh '%s' has %zu positions, but %zu device%s in use; make it smaller, or let positions "
         "share devices with --repeat",
         axes, positions, in_use, in_use == 1 ? " is" : "s are");
    if (left_out > 0)
        fail_add(err, "; --devices '*' takes the %zu that %s left out", left_out,
                 left_out == 1 ? "is" : "are");
    return err->status;
}

static clshard_status explain_mesh(const char *axes, const clshard_runtime *runtime,
                                   clshard_error *err)
{
    clshard_mesh *abstract = NULL;
    size_t positions;

    if (err->status == CLSHARD_ERR_NO_DEVICES)
        return say_no_devices(err);
    if (err->status != CLSHARD_ERR_MESH_SIZE ||
        clshard_mesh_parse(NULL, axes, NULL, &abstract, NULL) != CLSHARD_OK)
        return err->status;
    positions = clshard_mesh_position_count(abstract);
    clshard_mesh_release(abstract);
    return positions > clshard_runtime_device_count(runtime)
               ? say_too_many(axes, positions, runtime, err)
               : err->status;
}

clshard_status mesh_from_options(const options *read, const clshard_runtime *runtime,
                                 const char *axes, clshard_mesh **out_mesh, clshard_error *err)
{
    clshard_mesh_options how = {.size = sizeof how,
                                .repeat_devices = option_given(read, OPTION_REPEAT)};

    if (option_number(read, OPTION_PROCESSES, &how.processes, err))
        return err->status;
    if (option_given(read, OPTION_PROCESSES) && how.processes == 0)
        return fail(err, CLSHARD_ERR_MESH_SIZE, "--processes 0: a mesh has at least one");
    if (axes == NULL)
        axes = option_text(read, OPTION_MESH);
    if (clshard_mesh_parse(runtime, axes, &how, out_mesh, err) == CLSHARD_OK)
        return CLSHARD_OK;
    return runtime == NULL ? err->status : explain_mesh(axes, runtime, err);
}

static clshard_status read_lookup(const options *read, clshard_lookup *out_lookup,
                                  clshard_error *err)
{
    const char *text = option_text(read, OPTION_LOOKUP);
    const char *name = "";

    *out_lookup = CLSHARD_LOOKUP_EXACT;
    if (text == NULL)
        return CLSHARD_OK;
    for (int i = 0; (name = clshard_lookup_name((clshard_lookup)i)) != NULL; i++) {
        if (strcmp(name, text) == 0) {
            *out_lookup = (clshard_lookup)i;
            return CLSHARD_OK;
        }
    }
    return fail(err, CLSHARD_ERR_ARGUMENT,
                "--lookup '%s' is no lookup: exact, first_match, priority and strict are", text);
}

/* Cuts text at its commas and passes the pieces on; the empty text has none. */
static clshard_status spec_for_names(const clshard_rules *rules, clshard_lookup lookup,
                                     const char *text, clshard_spec *out_spec, clshard_error *err)
{
    char *copy = strdup(text);
    const char **names = calloc(strlen(text) + 1, sizeof *names);
    size_t count = 0;
    clshard_status status;

    if (copy != NULL && names != NULL) {
        for (char *piece = copy; piece != NULL && text[0] != '\0'; count++) {
            char *comma = strchr(piece, ',');
            names[count] = piece;
            if (comma != NULL)
                *comma++ = '\0';
            piece = comma;
        }
        status = clshard_spec_for_names(rules, lookup, names, count, out_spec, err);
    } else {
        status = fail_memory(err, "--names");
    }
    free(names);
    free(copy);
    return status;
}

static clshard_status read_rules(const options *read, clshard_spec *out_spec, clshard_error *err)
{
    clshard_rules rules;
    clshard_lookup lookup;

    if (option_needed(read, OPTION_NAMES, err) || read_lookup(read, &lookup, err) ||
        clshard_rules_parse(option_text(read, OPTION_RULES), &rules, err))
        return err->status;
    return spec_for_names(&rules, lookup, option_text(read, OPTION_NAMES), out_spec, err);
}

static clshard_status read_spec(const options *read, clshard_spec *out_spec, clshard_error *err)
{
    if (options_exclude(read, OPTION_SPEC, OPTION_RULES, err) ||
        options_exclude(read, OPTION_SPEC, OPTION_NAMES, err) ||
        options_exclude(read, OPTION_SPEC, OPTION_LOOKUP, err))
        return err->status;
    if (option_given(read, OPTION_SPEC))
        return clshard_spec_parse(option_text(read, OPTION_SPEC), out_spec, err);
    if (option_given(read, OPTION_RULES))
        return read_rules(read, out_spec, err);
    return fail(err, CLSHARD_ERR_ARGUMENT,
                "%s: --spec, or --rules with --names, is missing; '%s --help' shows an example",
                read->owner->name, read->owner->usage);
}

static clshard_status read_uneven(const options *read, enum option_id id,
                                  clshard_policy *out_policy, clshard_error *err)
{
    const char *text = option_text(read, id);

    *out_policy = CLSHARD_EVEN;
    if (text == NULL)
        return CLSHARD_OK;
    for (int i = CLSHARD_EVEN; i <= CLSHARD_DROP; i++) {
        if (strcmp(clshard_policy_name((clshard_policy)i), text) == 0) {
            *out_policy = (clshard_policy)i;
            return CLSHARD_OK;
        }
    }
    return fail(err, CLSHARD_ERR_ARGUMENT,
                "--%s '%s' is no policy for it: even, balanced, ceil, pad and drop are%s",
                option_name(read, id), text,
                id == OPTION_UNEVEN ? " (--weights and --sizes give the others)" : "");
}

static clshard_status make_sharding(const options *read, const clshard_mesh *mesh,
                                    clshard_sharding **out_sharding, clshard_error *err)
{
    clshard_sharding_options how = {.size = sizeof how};
    clshard_spec spec;
    splits made;
    clshard_status status;

    if (read_spec(read, &spec, err) || read_uneven(read, OPTION_UNEVEN, &how.uneven, err) ||
        splits_read(read, &made, err))
        return err->status;
    how.splits = made.split;
    how.split_count = made.count;
    status = clshard_sharding_create(mesh, &spec, &how, out_sharding, err);
    splits_free(&made);
    return status;
}

clshard_status placement_from_options(const options *read, const clshard_runtime *runtime,
                                      clshard_shape shape, placement *out, clshard_error *err)
{
    placement made = {NULL, NULL};
    clshard_sharding *sharding = NULL;
    clshard_status status;

    status = option_needed(read, OPTION_MESH, err) ||
                     mesh_from_options(read, runtime, NULL, &made.mesh, err) ||
                     make_sharding(read, made.mesh, &sharding, err) ||
                     clshard_layout_create(sharding, shape, &made.layout, err)
                 ? err->status
                 : CLSHARD_OK;
    clshard_sharding_release(sharding);
    if (status == CLSHARD_OK)
        *out = made;
    else
        placement_free(&made);
    return status;
}

void placement_free(placement *made)
{
    clshard_layout_release(made->layout);
    clshard_mesh_release(made->mesh);
}

static clshard_status parse_target(const options *read, const placement *from,
                                   const clshard_mesh *mesh, clshard_policy uneven,
                                   clshard_layout **out_layout, clshard_error *err)
{
    const clshard_sharding_options how = {.size = sizeof how, .uneven = uneven};
    clshard_sharding *sharding = NULL;
    clshard_status status =
        clshard_sharding_parse(mesh, option_text(read, OPTION_TO), &how, &sharding, err);

    if (status == CLSHARD_OK)
        status =
            clshard_layout_create(sharding, clshard_layout_shape(from->layout), out_layout, err);
    clshard_sharding_release(sharding);
    if (status == CLSHARD_ERR_INDIVISIBLE)
        fail_add(err, " (--to-uneven takes the first four; a target has no weights or sizes)");
    return status == CLSHARD_OK ? CLSHARD_OK : fail_in(err, "--to");
}

clshard_status target_from_options(const options *read, const clshard_runtime *runtime,
                                   const placement *from, clshard_layout **out_layout,
                                   clshard_error *err)
{
    const enum option_id uneven =
        option_given(read, OPTION_TO_UNEVEN) ? OPTION_TO_UNEVEN : OPTION_UNEVEN;
    const char *axes = option_text(read, OPTION_TO_MESH);
    clshard_policy policy;
    clshard_mesh *mesh = NULL;
    clshard_status status = read_uneven(read, uneven, &policy, err);

    if (status == CLSHARD_OK && axes != NULL &&
        mesh_from_options(read, runtime, axes, &mesh, err) != CLSHARD_OK)
        status = fail_in(err, "--to-mesh");
    if (status == CLSHARD_OK)
        status =
            parse_target(read, from, axes == NULL ? from->mesh : mesh, policy, out_layout, err);
    clshard_mesh_release(mesh);
    return status;
}

const clshard_mesh *layout_mesh(const clshard_layout *layout)
{
    return clshard_sharding_mesh(clshard_layout_sharding(layout));
}
