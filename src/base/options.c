/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include <string.h>

#include "base/error.h"

clshard_status clshard__options_read(void *to, size_t to_bytes, const void *from, const char *what,
                                     clshard_error *err)
{
    const unsigned char *bytes = from;
    size_t size;

    memset(to, 0, to_bytes);
    if (from == NULL)
        return CLSHARD_OK;
    memcpy(&size, from, sizeof size);
    if (size < sizeof size || size > 65536)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "%s: its size is %zu; set it to sizeof (%s), which is %zu", what, size,
                             what, to_bytes);
    for (size_t i = to_bytes; i < size; i++)
        if (bytes[i] != 0)
            return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                                 "%s: byte %zu is set, but this version knows only %zu bytes; the "
                                 "option needs a newer clshard",
                                 what, i, to_bytes);
    memcpy(to, from, size < to_bytes ? size : to_bytes);
    return CLSHARD_OK;
}
