/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *fuzz_text(const uint8_t *data, size_t bytes)
{
    char *text = malloc(bytes + 1);
    if (text == NULL)
        abort();
    if (bytes > 0)
        memcpy(text, data, bytes);
    text[bytes] = '\0';
    return text;
}

void fuzz_require(bool condition, const char *what)
{
    if (condition)
        return;
    (void)fprintf(stderr, "promise broken: %s\n", what);
    abort();
}

void fuzz_check_failure(clshard_status status, const clshard_error *err)
{
    fuzz_require(status != CLSHARD_ERR_INTERNAL, "no input is an internal error");
    fuzz_require(err->status == status, "the error has the status that was returned");
    fuzz_require(err->message[0] != '\0', "a failure has a message");
    for (const char *c = err->message; *c != '\0'; c++)
        fuzz_require(*c >= 0x20 && *c < 0x7f, "a message is printable");
}
