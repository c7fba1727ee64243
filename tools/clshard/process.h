/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_PROCESS_H
#define TOOL_PROCESS_H

/* This program again, as a child that may crash or hang. */

#include <stdio.h>

#include <clshard/status.h>

typedef struct process {
    const char *const *words; /* of its command line, after the program's name; ends with NULL */
    const char *vendors;      /* its OCL_ICD_VENDORS; NULL: ours */
    bool silent;              /* its standard error is thrown away */
    double seconds;           /* the longest that it may be silent on standard output */
} process;

/* How it ended. */
typedef struct process_end {
    bool timed_out; /* and was killed */
    int signal;     /* that ended it; 0: none */
    int exit;       /* its exit status, where no signal did */
} process_end;

/* Runs it to its end; its standard output goes to `out`, which must be a file. `io` when it cannot
 * be started. */
clshard_status process_run(const process *child, FILE *out, process_end *out_end,
                           clshard_error *err);

#endif
