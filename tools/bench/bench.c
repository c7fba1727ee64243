/* SPDX-License-Identifier: Apache-2.0 */

/* clshard-bench: what the library's figures are on this machine. */

#include <jansson.h>
#include <popt.h>
#include <stdio.h>
#include <string.h>

#include <clshard/version.h>

#include "first_scatter.h"
#include "measure.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static const measurement *const measurements[] = {
    &measure_layout_part, &measure_reshard_plan, &measure_first_scatter,
    &measure_first_scatter_warm, &measure_first_kernel_warm};
enum { MEASUREMENTS = sizeof measurements / sizeof measurements[0] };

/* What the command line asks for. */
typedef struct request {
    int json, list, version;
    int repeats;
    bool chosen[MEASUREMENTS];
} request;

static int fail(clshard_status status, const char *message, int exit_status)
{
    fprintf(stderr, "clshard-bench: error: %s: %s\n", clshard_status_name(status), message);
    return exit_status;
}

static bool choose(request *asked, const char *name)
{
    for (size_t i = 0; i < MEASUREMENTS; i++)
        if (strcmp(measurements[i]->name, name) == 0) {
            asked->chosen[i] = true;
            return true;
        }
    return false;
}

static bool meets(const measurement *kind, double value)
{
    return kind->lower_is_better ? value <= kind->goal : value >= kind->goal;
}

static void print_text(const measurement *kind, double value)
{
    printf("%-20s %10.4g %-6s goal %s %-8.4g %-4s %s\n", kind->name, value, kind->unit,
           kind->lower_is_better ? "<=" : ">=", kind->goal, meets(kind, value) ? "met" : "NOT",
           kind->what);
    (void)fflush(stdout);
}

static void add_json(json_t *results, const measurement *kind, double value)
{
    (void)json_array_append_new(results, json_pack("{s:s, s:s, s:s, s:f, s:f, s:b, s:b}", "name",
                                                   kind->name, "what", kind->what, "unit",
                                                   kind->unit, "median", value, "goal", kind->goal,
                                                   "lower_is_better", (int)kind->lower_is_better,
                                                   "met", (int)meets(kind, value)));
}

static int print_json(json_t *results, int repeats)
{
    json_t *document = json_pack("{s:s, s:i, s:O}", "version", clshard_version(), "repeats",
                                 repeats, "results", results);
    const int written = document == NULL ? -1 : json_dumpf(document, stdout, JSON_INDENT(2));

    json_decref(document);
    if (written != 0)
        return fail(CLSHARD_ERR_MEMORY, "the document could not be written", EXIT_FAILED);
    putchar('\n');
    return EXIT_DONE;
}

static int measure(const request *asked)
{
    json_t *results = json_array();
    int result = EXIT_DONE;

    for (size_t i = 0; i < MEASUREMENTS && result == EXIT_DONE; i++) {
        clshard_error err = {.position = -1};
        double median = 0;
        clshard_status status;
        if (!asked->chosen[i])
            continue;
        status = measurements[i]->run((size_t)asked->repeats, &median, &err);
        if (status != CLSHARD_OK)
            result = fail(status, err.message, EXIT_FAILED);
        else if (asked->json)
            add_json(results, measurements[i], median);
        else
            print_text(measurements[i], median);
    }
    if (asked->json && result == EXIT_DONE)
        result = print_json(results, asked->repeats);
    json_decref(results);
    return result;
}

static void print_list(void)
{
    for (size_t i = 0; i < MEASUREMENTS; i++)
        printf("%-20s %s\n", measurements[i]->name, measurements[i]->what);
}

/* Reads the options and the names of measurements; without names all are chosen. */
static int read_request(poptContext context, request *asked)
{
    const int code = poptGetNextOpt(context);
    const char *name;
    char message[256];
    bool all = true;

    if (code != -1) {
        (void)snprintf(message, sizeof message, "%s: %s",
                       poptBadOption(context, POPT_BADOPTION_NOALIAS), poptStrerror(code));
        return fail(CLSHARD_ERR_ARGUMENT, message, EXIT_USAGE);
    }
    while ((name = poptGetArg(context)) != NULL) {
        if (!choose(asked, name)) {
            (void)snprintf(message, sizeof message, "'%.100s' is no measurement; --list shows them",
                           name);
            return fail(CLSHARD_ERR_ARGUMENT, message, EXIT_USAGE);
        }
        all = false;
    }
    for (size_t i = 0; i < MEASUREMENTS && all; i++)
        asked->chosen[i] = true;
    if (asked->repeats < 1 || asked->repeats > REPEATS_MAX) {
        (void)snprintf(message, sizeof message, "--repeats %d: 1 to %d are possible",
                       asked->repeats, REPEATS_MAX);
        return fail(CLSHARD_ERR_ARGUMENT, message, EXIT_USAGE);
    }
    return EXIT_DONE;
}

static int run(const request *asked)
{
    if (asked->version) {
        printf("clshard-bench %s\n", clshard_version());
        return EXIT_DONE;
    }
    if (asked->list) {
        print_list();
        return EXIT_DONE;
    }
    return measure(asked);
}

int main(int argc, const char **argv)
{
    request asked = {.repeats = 11};
    const struct poptOption table[] = {
        {"json", '\0', POPT_ARG_NONE, &asked.json, 0, "print one JSON document", NULL},
        {"list", '\0', POPT_ARG_NONE, &asked.list, 0, "list the measurements", NULL},
        {"repeats", '\0', POPT_ARG_INT | POPT_ARGFLAG_SHOW_DEFAULT, &asked.repeats, 0,
         "repeats of each, of which the median counts", "N"},
        {"version", '\0', POPT_ARG_NONE, &asked.version, 0, "print the version", NULL},
        POPT_AUTOHELP POPT_TABLEEND};
    poptContext context;
    int result;

    if (argc == 4 && strcmp(argv[1], FIRST_SCATTER_CHILD) == 0)
        return first_scatter_child(argv[2], argv[3]);
    context = poptGetContext("clshard-bench", argc, argv, table, 0);
    if (context == NULL)
        return fail(CLSHARD_ERR_MEMORY, "no memory left for the options", EXIT_FAILED);
    poptSetOtherOptionHelp(context, "[OPTION...] [MEASUREMENT...]");
    result = read_request(context, &asked);
    poptFreeContext(context);
    if (result == EXIT_DONE)
        result = run(&asked);
    if ((fflush(stdout) != 0 || ferror(stdout) != 0) && result == EXIT_DONE)
        result = fail(CLSHARD_ERR_IO, "standard output: not all was written", EXIT_FAILED);
    return result;
}
