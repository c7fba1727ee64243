/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_OUT_FILE_H
#define TOOL_OUT_FILE_H

/* A file that is written whole or not at all. */

#include <clshard/status.h>

/* Writes text as the file, which is replaced only once all is written; "-" is standard output.
 * option is named in the message. `io`: also for what exists and is no regular file. */
clshard_status out_file_write(const char *option, const char *path, const char *text,
                              clshard_error *err);

#endif
