/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_TEXT_H
#define CLSHARD_BASE_TEXT_H

/* Writing text into a bounded buffer, and reading names and numbers from text. */

#include <clshard/status.h>

#include "base/error.h"

/* Writes as snprintf does: never past the buffer, and counts what would have been written. */
typedef struct clshard__writer {
    char *buffer;
    size_t capacity;
    size_t needed; /* bytes so far, without the NUL */
} clshard__writer;

/* buffer may be NULL when buffer_bytes is 0. */
clshard__writer clshard__writer_of(char *buffer, size_t buffer_bytes);
void clshard__write(clshard__writer *writer, const char *format, ...) CLSHARD__PRINTF(2, 3);

/* Bytes of the longest name that text starts with: [A-Za-z][A-Za-z0-9_.-]*; 0: none. */
size_t clshard__name_span(const char *text);

/* Checks a whole name; what says what it names ("axis name"). NULL is malformed. */
clshard_status clshard__name_check(const char *name, const char *what, clshard_error *err);

/* Reads a decimal number without sign; *end is set past it. OK, TEXT when there is no digit,
 * OVERFLOW. Sets no error: the caller knows the text around it. */
clshard_status clshard__read_size(const char *text, const char **end, size_t *out_value);

#endif
