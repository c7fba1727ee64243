/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_ERROR_H
#define CLSHARD_BASE_ERROR_H

/* Filling a clshard_error. Every failure in the library is born in one of these calls. */

#include <clshard/status.h>

#define CLSHARD__PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))

/* Sets *err (when not NULL) and returns status, so that "return clshard__fail(...)" reads well. */
clshard_status clshard__fail(clshard_error *err, clshard_status status, const char *format, ...)
    CLSHARD__PRINTF(3, 4);

/* The same with the native code behind the failure. */
clshard_status clshard__fail_native(clshard_error *err, clshard_status status, int32_t native,
                                    const char *format, ...) CLSHARD__PRINTF(4, 5);

/* Says at which mesh position the failure that is in *err happened. */
void clshard__error_at(clshard_error *err, size_t position);

/* Text that a user gave, made fit for a message: control and non-ASCII bytes escaped, cut when
 * long. Use as clshard__quote(text).text inside the call that prints it. NULL gives "(null)". */
typedef struct clshard__quoted {
    char text[96];
} clshard__quoted;
clshard__quoted clshard__quote(const char *text);
clshard__quoted clshard__quote_span(const char *text, size_t length);

/* A failure to parse: "SUBJECT 'TEXT': WHAT at character N" with the place marked as in
 * 'data=2,>>>modle<<<'. offset and length are in bytes of text. */
clshard_status clshard__fail_text(clshard_error *err, clshard_status status, const char *subject,
                                  const char *text, size_t offset, const char *format, ...)
    CLSHARD__PRINTF(6, 7);

#ifdef __clang_analyzer__
/* The analyser sees one file at a time, and must be told that a failure returns its status: that it
 * is never OK. */
static inline clshard_status clshard__failed(clshard_status returned, clshard_status status)
{
    (void)returned;
    return status;
}
#define clshard__fail(err, status, ...)                                                            \
    clshard__failed(clshard__fail(err, status, __VA_ARGS__), status)
#define clshard__fail_native(err, status, ...)                                                     \
    clshard__failed(clshard__fail_native(err, status, __VA_ARGS__), status)
#define clshard__fail_text(err, status, ...)                                                       \
    clshard__failed(clshard__fail_text(err, status, __VA_ARGS__), status)
#endif

#endif
