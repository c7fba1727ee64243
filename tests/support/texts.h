/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_TEXTS_H
#define CLSHARD_TESTS_TEXTS_H

/* What the tests of texts share: random values, damaged texts, and checks of printers. */

#include <clshard/spec.h>

#include "support/random.h"

enum { TEXT_BYTES = 32768 };

/* A valid name: mostly one of few, so that names meet, else any of 1 to 31 characters. */
void random_name(random_source *source, char name[CLSHARD_NAME_MAX]);

/* No axis, or up to `axes`. */
void random_entry(random_source *source, size_t axes, clshard_spec_entry *out_entry);

/* A text near `good`, some characters changed, inserted, removed or cut, or random bytes. */
void damaged_text(random_source *source, const char *good, char text[TEXT_BYTES]);

/* What every failing call owes: an error that says something. */
void assert_says_why(clshard_status status, const clshard_error *err, const char *text);

/* The printer gives the expected text, its length for every size of buffer, and never writes past
 * the buffer. */
typedef size_t (*text_printer)(const void *value, char *buffer, size_t buffer_bytes);
void assert_prints(text_printer print, const void *value, const char *expected);

#endif
