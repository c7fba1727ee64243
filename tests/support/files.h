/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_FILES_H
#define CLSHARD_TESTS_FILES_H

/* A folder of the test's own, and files as bytes. Every function fails the test on trouble. */

#include <stddef.h>

/* For TestSuite(..., .init = folder_make, .fini = folder_remove). */
void folder_make(void);
void folder_remove(void);

/* The folder. */
const char *folder_path(void);

/* The path of a file in it; valid until eight more are asked for. */
const char *folder_file(const char *name);

/* Entries in it, hidden ones too. */
size_t folder_count(void);

/* The path of tests/NAME; valid until the next call. */
const char *tests_file(const char *name);

void write_bytes(const char *path, const void *bytes, size_t count);

/* The whole file; end with free(). */
unsigned char *read_bytes(const char *path, size_t *out_count);

#endif
