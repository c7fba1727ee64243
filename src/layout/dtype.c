/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <clshard/dtype.h>

#include "base/error.h"

#define BYTES_CASE(name, value, text, bytes)                                                       \
    case CLSHARD_##name:                                                                           \
        return bytes;
#define NAME_CASE(name, value, text, bytes)                                                        \
    case CLSHARD_##name:                                                                           \
        return text;
#define PARSE_ROW(name, value, text, bytes) {text, CLSHARD_##name},
#define LIST_ITEM(name, value, text, bytes) " " text

size_t clshard_dtype_bytes(clshard_dtype dtype)
{
    switch (dtype) {
        CLSHARD_DTYPE_MAP(BYTES_CASE)
    case CLSHARD_DTYPE_NONE:
    case CLSHARD_DTYPE_FORCE_INT:
        break;
    }
    return 0;
}

const char *clshard_dtype_name(clshard_dtype dtype)
{
    switch (dtype) {
        CLSHARD_DTYPE_MAP(NAME_CASE)
    case CLSHARD_DTYPE_NONE:
    case CLSHARD_DTYPE_FORCE_INT:
        break;
    }
    return "none";
}

clshard_status clshard_dtype_parse(const char *text, clshard_dtype *out_dtype, clshard_error *err)
{
    static const struct {
        const char *text;
        clshard_dtype dtype;
    } rows[] = {CLSHARD_DTYPE_MAP(PARSE_ROW)};

    if (text == NULL || out_dtype == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "dtype: text and out_dtype must be given");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(text, rows[i].text) == 0) {
            *out_dtype = rows[i].dtype;
            return CLSHARD_OK;
        }
    }
    return clshard__fail(err, CLSHARD_ERR_DTYPE,
                         "dtype '%s' is not one of:" CLSHARD_DTYPE_MAP(LIST_ITEM),
                         clshard__quote(text).text);
}
