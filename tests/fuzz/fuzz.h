/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_FUZZ_H
#define CLSHARD_TESTS_FUZZ_H

/* What the fuzz targets share. libFuzzer calls LLVMFuzzerTestOneInput; replay.c does so with the
 * files of corpus/, as a plain test. A target stops the program when the library breaks a promise.
 */

#include <clshard/status.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* The input as text, in memory that ends right behind its NUL; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t bytes);

/* Aborts with a line on stderr unless the condition holds. */
void fuzz_require(bool condition, const char *what);

/* A failure must say something, in characters that a terminal prints. */
void fuzz_check_failure(clshard_status status, const clshard_error *err);

#endif
