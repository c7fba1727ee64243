/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/info.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "opencl/code.h"

static cl_int ask(const clshard__subject *subject, cl_uint parameter, void *value, size_t bytes,
                  size_t *out_bytes)
{
    return subject->device != NULL
               ? clGetDeviceInfo(subject->device, parameter, bytes, value, out_bytes)
               : clGetPlatformInfo(subject->platform, parameter, bytes, value, out_bytes);
}

static const char *function_of(const clshard__subject *subject)
{
    return subject->device != NULL ? "clGetDeviceInfo" : "clGetPlatformInfo";
}

static clshard_status refused(const clshard__subject *subject, clshard__query query, cl_int code,
                              clshard_error *err)
{
    char operation[128];
    (void)snprintf(operation, sizeof operation, "%s(%s)", function_of(subject), query.name);
    return clshard__fail_code(err, code, operation, subject->label);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static clshard_status keep_trimmed(char *text, clshard__arena *arena, const char **out,
                                   clshard_error *err)
{
    size_t length = strlen(text);
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    while (length > 0 && is_blank(text[0])) {
        text++;
        length--;
    }
    return clshard__arena_copy(arena, out, text, length, err);
}

clshard_status clshard__info_text(const clshard__subject *subject, clshard__query query,
                                  clshard__arena *arena, const char **out, clshard_error *err)
{
    size_t bytes = 0;
    cl_int code = ask(subject, query.parameter, NULL, 0, &bytes);
    clshard_status status;
    char *text;

    if (code != CL_SUCCESS)
        return refused(subject, query, code, err);
    if (bytes == SIZE_MAX || (text = clshard__alloc(bytes + 1, 1)) == NULL)
        return clshard__no_memory(err, query.name);
    /* Some drivers refuse a buffer of no bytes, and the allocation ends with a NUL in any case. */
    if (bytes > 0)
        code = ask(subject, query.parameter, text, bytes, NULL);
    status = code == CL_SUCCESS ? keep_trimmed(text, arena, out, err)
                                : refused(subject, query, code, err);
    clshard__free(text);
    return status;
}

static clshard_status ask_number(const clshard__subject *subject, clshard__query query, void *value,
                                 size_t bytes, clshard_error *err)
{
    size_t answered = 0;
    const cl_int code = ask(subject, query.parameter, value, bytes, &answered);

    if (code != CL_SUCCESS)
        return refused(subject, query, code, err);
    if (answered != bytes)
        return clshard__fail(err, CLSHARD_ERR_OPENCL,
                             "%s(%s) on %s: the driver answered %zu bytes, not %zu",
                             function_of(subject), query.name, subject->label, answered, bytes);
    return CLSHARD_OK;
}

clshard_status clshard__info_u32(const clshard__subject *subject, clshard__query query,
                                 uint32_t *out, clshard_error *err)
{
    cl_uint value = 0;
    const clshard_status status = ask_number(subject, query, &value, sizeof value, err);
    if (status == CLSHARD_OK)
        *out = value;
    return status;
}

clshard_status clshard__info_u64(const clshard__subject *subject, clshard__query query,
                                 uint64_t *out, clshard_error *err)
{
    cl_ulong value = 0;
    const clshard_status status = ask_number(subject, query, &value, sizeof value, err);
    if (status == CLSHARD_OK)
        *out = value;
    return status;
}

clshard_status clshard__info_bool(const clshard__subject *subject, clshard__query query, bool *out,
                                  clshard_error *err)
{
    cl_bool value = CL_FALSE;
    const clshard_status status = ask_number(subject, query, &value, sizeof value, err);
    if (status == CLSHARD_OK)
        *out = value != CL_FALSE;
    return status;
}

bool clshard__info_optional(const clshard__subject *subject, cl_uint parameter, void *value,
                            size_t bytes)
{
    size_t answered = 0;
    return ask(subject, parameter, NULL, 0, &answered) == CL_SUCCESS && answered == bytes &&
           ask(subject, parameter, value, bytes, NULL) == CL_SUCCESS;
}
