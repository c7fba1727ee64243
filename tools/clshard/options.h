/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

/* The options and arguments of one command. */

#include <stdbool.h>

#include <popt.h>

#include <clshard/status.h>

/* What an option is called inside; popt hands it back. */
enum option_id {
    OPTION_HELP = 1,
    OPTION_JSON,
    OPTION_DEVICES,
    OPTION_REPEAT,
    OPTION_MESH,
    OPTION_SPEC,
    OPTION_RULES,
    OPTION_NAMES,
    OPTION_LOOKUP,
    OPTION_UNEVEN,
    OPTION_WEIGHTS, /* this and the next two may be repeated */
    OPTION_SIZES,
    OPTION_GRANULE,
    OPTION_RAW,
    OPTION_REQUIRE,
    OPTION_SHAPE,
    OPTION_DTYPE,
    OPTION_POSITION,
    OPTION_TSV,
    OPTION_SVG,
    OPTION_TO,
    OPTION_TO_MESH,
    OPTION_TO_UNEVEN,
    OPTION_PROCESSES,
    OPTION_ROUTE,
    OPTION_OUT,
    OPTION_QUICK,
    OPTION_TIMEOUT,
    OPTION_ENTRY, /* this and the next are for children of `check` */
    OPTION_JOB
};

struct options;

typedef struct command {
    const char *name;
    const char *summary;     /* one line, for the list of commands */
    const char *usage;       /* "clshard NAME" */
    const char *arguments;   /* what follows in the usage line */
    const char *description; /* paragraphs */
    const char *example;
    const struct poptOption *table;
    const char
        *argument; /* the one argument it needs, as the usage names it; NULL: it takes none */
    clshard_status (*run)(const struct options *options, clshard_error *err);
} command;

typedef struct option_value {
    int id;
    char *text; /* NULL for one that takes no value */
} option_value;

typedef struct options {
    const command *owner;
    poptContext context;
    const char **words; /* what popt reads */
    size_t count;
    option_value *values; /* in the order given */
    const char *argument; /* NULL for a command that takes none */
} options;

/* Groups of options that several commands share. */
extern const struct poptOption options_of_placement[];
extern const struct poptOption options_of_devices[];
extern const struct poptOption options_of_output[];
#define OPTION_GROUP(table, title)                                                                 \
    {                                                                                              \
        NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)(table), 0, title, NULL                        \
    }

/* Reads the words after the command's name. With --help among them nothing else is checked. */
clshard_status options_read(options *read, const command *owner, int count, const char **words,
                            clshard_error *err);
void options_free(options *read);

bool option_given(const options *read, enum option_id id);

/* The value of an option; NULL when it is not given. */
const char *option_text(const options *read, enum option_id id);

/* The name that an option has on the command line, such as "--mesh". */
const char *option_name(const options *read, enum option_id id);

/* Whether an option's file is "-": standard output. */
bool option_is_stdout(const options *read, enum option_id id);

/* A whole number, decimal digits only; out_value is untouched when the option is not given. */
clshard_status option_number(const options *read, enum option_id id, size_t *out_value,
                             clshard_error *err);

/* `argument` when both are given. */
clshard_status options_exclude(const options *read, enum option_id a, enum option_id b,
                               clshard_error *err);

/* `argument` when the first is given without the second. */
clshard_status options_need(const options *read, enum option_id a, enum option_id b,
                            clshard_error *err);

/* `argument` when it is not given. */
clshard_status option_needed(const options *read, enum option_id id, clshard_error *err);

/* Prints what --help shows. */
void options_help(const options *read);

#endif
