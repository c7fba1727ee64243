/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_ARRAY_NPY_FILE_H
#define CLSHARD_ARRAY_NPY_FILE_H

/* Files by descriptor: whole reads and writes, and the sentence about a system call that failed. */

#include <sys/stat.h>

#include <clshard/status.h>

/* IO: "OPERATION 'PATH': the system's text for code". */
clshard_status clshard__fail_errno(clshard_error *err, const char *operation, const char *path,
                                   int code);

/* What a file is, such as "a directory"; NULL for a regular file. */
const char *clshard__file_kind(const struct stat *facts);

/* Opens a regular file to read without waiting for anything. *out_fd is the caller's to close. */
clshard_status clshard__file_open(const char *path, int *out_fd, size_t *out_bytes,
                                  clshard_error *err);

/* Reads exactly count bytes from offset; IO when the file ends before. */
clshard_status clshard__file_read(int fd, const char *path, size_t offset, void *out_bytes,
                                  size_t count, clshard_error *err);

/* Writes at the end of what was written. */
clshard_status clshard__file_write(int fd, const char *path, const void *bytes, size_t count,
                                   clshard_error *err);

#endif
