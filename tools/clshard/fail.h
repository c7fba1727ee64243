/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_FAIL_H
#define TOOL_FAIL_H

/* Failures of the tool itself take the same form as the library's, and one place prints both. */

#include <clshard/status.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD_USAGE = 2 };

/* Fills *err and returns status. User text may go in raw: report_error() cleans the message. */
clshard_status fail(clshard_error *err, clshard_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a system call on a path; the reason is errno's. */
clshard_status fail_io(clshard_error *err, const char *what, const char *path);

/* No memory for what is named. */
clshard_status fail_memory(clshard_error *err, const char *what);

/* Adds to the message of a failure what the tool knows more than the library. */
void fail_add(clshard_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts the option that a failure belongs to before its message; returns its status. */
clshard_status fail_in(clshard_error *err, const char *where);

/* Prints "clshard: error: STATUS: sentence" on stderr; returns the exit status that belongs to it.
 */
int report_error(const clshard_error *err);

#endif
