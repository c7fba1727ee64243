/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_REFUSAL_H
#define CLSHARD_TESTS_REFUSAL_H

/* Asserting that a call failed as it should. */

#include <clshard/status.h>
#include <criterion/criterion.h>
#include <string.h>

/* The call's status, the error that it filled, and a word that its message must have. */
static inline void refusal(clshard_status got, clshard_status wanted, const clshard_error *err,
                           const char *word)
{
    cr_assert_eq(got, wanted, "status '%s', not '%s'; message: %s", clshard_status_name(got),
                 clshard_status_name(wanted), err->message);
    cr_assert_eq(err->status, wanted, "the error object says '%s'",
                 clshard_status_name(err->status));
    cr_assert(strstr(err->message, word) != NULL, "'%s' is not in: %s", word, err->message);
}

#endif
