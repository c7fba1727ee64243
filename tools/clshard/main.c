/* SPDX-License-Identifier: Apache-2.0 */

/* clshard: devices, plans and transfers from the command line. */

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <clshard/version.h>

#include "commands.h"
#include "fail.h"

static const command *const commands[] = {&command_list, &command_plan, &command_scatter,
                                          &command_check};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    puts("Usage: clshard [COMMAND] [OPTION...]\n\n"
         "Arrays spread over OpenCL devices of any vendor.\n\n"
         "Commands:");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
    puts("\nOptions:\n"
         "  -h, --help   print this help; 'clshard COMMAND --help' that of a command\n"
         "  --version    print the version\n\n"
         "Environment: CLSHARD_DEVICES, CLSHARD_ROUTE, CLSHARD_CACHE_DIR, CLSHARD_LOG,\n"
         "OCL_ICD_VENDORS, NO_COLOR.\n"
         "Exit status: 0 done; 1 a check, a device or a transfer failed; 2 bad usage or input.\n\n"
         "Example:\n"
         "  clshard plan --mesh data=4,model=2 --shape 256x1024 --spec data,model");
}

static clshard_status run(const command *chosen, int count, const char **words, clshard_error *err)
{
    options read;
    clshard_status status = options_read(&read, chosen, count, words, err);

    if (status == CLSHARD_OK && option_given(&read, OPTION_HELP))
        options_help(&read);
    else if (status == CLSHARD_OK)
        status = chosen->run(&read, err);
    options_free(&read);
    return status;
}

static const command *find_command(const char *name, clshard_error *err)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    fail(err, CLSHARD_ERR_ARGUMENT, "'%s' is no command; 'clshard --help' lists them", name);
    return NULL;
}

static clshard_status dispatch(int count, const char **words, clshard_error *err)
{
    const char *first = count > 1 ? words[1] : "--";
    const command *chosen = &command_list;

    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        print_help();
        return CLSHARD_OK;
    }
    if (strcmp(first, "--version") == 0) {
        printf("clshard %s\n", clshard_version());
        return CLSHARD_OK;
    }
    if (first[0] == '-')
        return run(chosen, count > 0 ? count - 1 : 0, words + 1, err);
    chosen = find_command(first, err);
    return chosen == NULL ? err->status : run(chosen, count - 2, words + 2, err);
}

int main(int argc, char **argv)
{
    clshard_error err = {.position = -1};
    int result = EXIT_DONE;

    (void)setlocale(LC_CTYPE, "");
    if (dispatch(argc, (const char **)argv, &err))
        result = report_error(&err);
    /* Output that was lost, on a full disk say, must not look like success. */
    if ((fflush(stdout) != 0 || ferror(stdout) != 0) && result == EXIT_DONE) {
        fail(&err, CLSHARD_ERR_IO, "standard output: %s",
             errno == 0 ? "not all was written" : strerror(errno));
        report_error(&err);
        result = EXIT_FAILED;
    }
    return result;
}
