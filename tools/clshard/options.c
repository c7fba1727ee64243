/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "number.h"

const struct poptOption options_of_placement[] = {
    {"mesh", '\0', POPT_ARG_STRING, NULL, OPTION_MESH, "named axes of the mesh: data=4,model=2",
     "AXES"},
    {"spec", '\0', POPT_ARG_STRING, NULL, OPTION_SPEC,
     "mesh axes of each dimension: data,model; _ for none, + joins several", "SPEC"},
    {"rules", '\0', POPT_ARG_STRING, NULL, OPTION_RULES,
     "instead of --spec: fsdp[:D,M], data_parallel[:D], or NAME=AXES,...", "RULES"},
    {"names", '\0', POPT_ARG_STRING, NULL, OPTION_NAMES,
     "logical name of each dimension, for --rules: data,embed", "NAMES"},
    {"lookup", '\0', POPT_ARG_STRING, NULL, OPTION_LOOKUP,
     "how --rules are searched: exact (default), first_match, priority, strict", "LOOKUP"},
    {"uneven", '\0', POPT_ARG_STRING, NULL, OPTION_UNEVEN,
     "how extents that do not divide are cut: even (default: refused), balanced, ceil, pad, drop",
     "POLICY"},
    {"weights", '\0', POPT_ARG_STRING, NULL, OPTION_WEIGHTS,
     "cut the dimension of an axis by weights; may be repeated", "AXIS=3,1"},
    {"sizes", '\0', POPT_ARG_STRING, NULL, OPTION_SIZES,
     "cut the dimension of an axis into these sizes; may be repeated", "AXIS=5,3"},
    {"granule", '\0', POPT_ARG_STRING, NULL, OPTION_GRANULE,
     "boundaries by --weights are multiples of this; may be repeated", "AXIS=N"},
    POPT_TABLEEND};

const struct poptOption options_of_devices[] = {
    {"devices", '\0', POPT_ARG_STRING, NULL, OPTION_DEVICES,
     "devices to use: *, ids as P.D or P.*, cpu, gpu, accelerator, parts of names, -TERM to leave "
     "out",
     "SELECTOR"},
    {"repeat", '\0', POPT_ARG_NONE, NULL, OPTION_REPEAT, "let mesh positions share devices", NULL},
    POPT_TABLEEND};

const struct poptOption options_of_output[] = {
    {"json", '\0', POPT_ARG_NONE, NULL, OPTION_JSON, "print one JSON document", NULL},
    {"help", 'h', POPT_ARG_NONE, NULL, OPTION_HELP, "print this help", NULL},
    POPT_TABLEEND};

static bool is_repeatable(int id)
{
    return id == OPTION_WEIGHTS || id == OPTION_SIZES || id == OPTION_GRANULE;
}

static const char *name_in(const struct poptOption *table, int id)
{
    for (; table->longName != NULL || table->arg != NULL; table++) {
        const char *name = NULL;
        if ((table->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE)
            name = name_in(table->arg, id);
        else if (table->val == id)
            name = table->longName;
        if (name != NULL)
            return name;
    }
    return NULL;
}

const char *option_name(const options *read, enum option_id id)
{
    const char *name = name_in(read->owner->table, (int)id);
    return name == NULL ? "" : name;
}

/* Takes over text. */
static clshard_status keep(options *read, int id, char *text, clshard_error *err)
{
    if (!is_repeatable(id) && option_given(read, (enum option_id)id)) {
        free(text);
        return fail(err, CLSHARD_ERR_ARGUMENT, "%s: --%s is given twice", read->owner->name,
                    option_name(read, (enum option_id)id));
    }
    read->values[read->count].id = id;
    read->values[read->count].text = text;
    read->count++;
    return CLSHARD_OK;
}

static clshard_status read_argument(options *read, clshard_error *err)
{
    const command *owner = read->owner;
    const char *first = poptGetArg(read->context);
    const char *surplus = owner->argument == NULL ? first : poptGetArg(read->context);

    if (owner->argument != NULL && first == NULL)
        return fail(err, CLSHARD_ERR_ARGUMENT,
                    "%s: %s is missing; '%s --help' shows how it is used", owner->name,
                    owner->argument, owner->usage);
    if (surplus != NULL)
        return fail(err, CLSHARD_ERR_ARGUMENT,
                    "%s: '%s' is one argument too many; '%s --help' shows how it is used",
                    owner->name, surplus, owner->usage);
    read->argument = first;
    return CLSHARD_OK;
}

static clshard_status read_words(options *read, clshard_error *err)
{
    int id = poptGetNextOpt(read->context);

    for (; id > 0; id = poptGetNextOpt(read->context)) {
        if (keep(read, id, poptGetOptArg(read->context), err))
            return err->status;
        if (id == OPTION_HELP)
            return CLSHARD_OK;
    }
    if (id < -1)
        return fail(err, CLSHARD_ERR_ARGUMENT, "%s: %s: %s; '%s --help' lists the options",
                    read->owner->name, poptBadOption(read->context, 0), poptStrerror(id),
                    read->owner->usage);
    return read_argument(read, err);
}

clshard_status options_read(options *read, const command *owner, int count, const char **words,
                            clshard_error *err)
{
    const size_t most = (size_t)count + 1;
    const options none = {.owner = owner};

    *read = none;
    read->words = calloc(most + 1, sizeof *read->words);
    /* The only short option ends the reading, so that a word holds at most one. */
    read->values = calloc(most, sizeof *read->values);
    if (read->words == NULL || read->values == NULL)
        return fail_memory(err, "options");
    read->words[0] = owner->usage;
    for (int i = 0; i < count; i++)
        read->words[i + 1] = words[i];
    read->context = poptGetContext(NULL, (int)most, read->words, owner->table, 0);
    if (read->context == NULL)
        return fail_memory(err, "options");
    poptSetOtherOptionHelp(read->context, owner->arguments);
    return read_words(read, err);
}

void options_free(options *read)
{
    for (size_t i = 0; i < read->count; i++)
        free(read->values[i].text);
    free(read->values);
    if (read->context != NULL)
        poptFreeContext(read->context);
    free(read->words);
}

bool option_given(const options *read, enum option_id id)
{
    for (size_t i = 0; i < read->count; i++)
        if (read->values[i].id == (int)id)
            return true;
    return false;
}

const char *option_text(const options *read, enum option_id id)
{
    for (size_t i = 0; i < read->count; i++)
        if (read->values[i].id == (int)id)
            return read->values[i].text;
    return NULL;
}

bool option_is_stdout(const options *read, enum option_id id)
{
    const char *text = option_text(read, id);
    return text != NULL && strcmp(text, "-") == 0;
}

clshard_status option_number(const options *read, enum option_id id, size_t *out_value,
                             clshard_error *err)
{
    const char *text = option_text(read, id);

    if (text == NULL || read_number(text, strlen(text), out_value))
        return CLSHARD_OK;
    return fail(err, CLSHARD_ERR_ARGUMENT, "%s: --%s '%s' is not a whole number", read->owner->name,
                option_name(read, id), text);
}

clshard_status options_exclude(const options *read, enum option_id a, enum option_id b,
                               clshard_error *err)
{
    if (!option_given(read, a) || !option_given(read, b))
        return CLSHARD_OK;
    return fail(err, CLSHARD_ERR_ARGUMENT, "%s: --%s and --%s exclude each other",
                read->owner->name, option_name(read, a), option_name(read, b));
}

clshard_status options_need(const options *read, enum option_id a, enum option_id b,
                            clshard_error *err)
{
    if (!option_given(read, a) || option_given(read, b))
        return CLSHARD_OK;
    return fail(err, CLSHARD_ERR_ARGUMENT, "%s: --%s needs --%s", read->owner->name,
                option_name(read, a), option_name(read, b));
}

clshard_status option_needed(const options *read, enum option_id id, clshard_error *err)
{
    if (option_given(read, id))
        return CLSHARD_OK;
    return fail(err, CLSHARD_ERR_ARGUMENT, "%s: --%s is missing; '%s --help' shows an example",
                read->owner->name, option_name(read, id), read->owner->usage);
}

void options_help(const options *read)
{
    printf("%s\n\n", read->owner->description);
    poptPrintHelp(read->context, stdout, 0);
    printf("\nExample:\n%s\n", read->owner->example);
}
