/* SPDX-License-Identifier: Apache-2.0 */
#include "array/npy_descr.h"

#include <string.h>

#include "base/error.h"

static const struct descr {
    char code[3];
    clshard_dtype dtype;
} descrs[] = {
    {"b1", CLSHARD_BOOL}, {"u1", CLSHARD_U8},  {"i1", CLSHARD_I8},  {"u2", CLSHARD_U16},
    {"i2", CLSHARD_I16},  {"u4", CLSHARD_U32}, {"i4", CLSHARD_I32}, {"u8", CLSHARD_U64},
    {"i8", CLSHARD_I64},  {"f2", CLSHARD_F16}, {"f4", CLSHARD_F32}, {"f8", CLSHARD_F64},
};
static const size_t descr_count = sizeof descrs / sizeof descrs[0];

/* Types that NumPy has and clshard has not, by their letter. */
static const struct foreign {
    char letter;
    const char *what;
    const char *remedy;
} foreigns[] = {
    {'O', "Python objects", "numbers, as by a.astype('<f4')"},
    {'S', "byte strings", "numbers, as by a.astype('<f4')"},
    {'a', "byte strings", "numbers, as by a.astype('<f4')"},
    {'U', "text", "numbers, as by a.astype('<f4')"},
    {'V', "records or raw bytes (as bfloat16 is saved)", "numbers, as by a.astype('<f4')"},
    {'c', "complex numbers", "their parts, as by a.real and a.imag"},
    {'M', "dates", "numbers, as by a.astype('<i8')"},
    {'m', "time spans", "numbers, as by a.astype('<i8')"},
    {'f', "floating-point numbers of a width that clshard lacks", "a.astype('<f8')"},
};

static clshard_status refuse(const char *name, const char *text, size_t length, size_t order_bytes,
                             clshard_error *err)
{
    for (size_t i = 0; i < sizeof foreigns / sizeof foreigns[0]; i++)
        if (length > order_bytes && foreigns[i].letter == text[order_bytes])
            return clshard__fail(err, CLSHARD_ERR_DTYPE,
                                 "'%s': the elements are '%s', %s; save %s instead",
                                 clshard__quote(name).text, clshard__quote_span(text, length).text,
                                 foreigns[i].what, foreigns[i].remedy);
    return clshard__fail(err, CLSHARD_ERR_DTYPE,
                         "'%s': the elements are '%s', which is no type of clshard; it has |b1, "
                         "|u1, |i1, <u2, <i2, <u4, <i4, <u8, <i8, <f2, <f4 and <f8",
                         clshard__quote(name).text, clshard__quote_span(text, length).text);
}

static const struct descr *find_code(const char *text, size_t length)
{
    for (size_t i = 0; i < descr_count; i++)
        if (length == 2 && memcmp(text, descrs[i].code, 2) == 0)
            return &descrs[i];
    return NULL;
}

/* As NumPy: '=' and '|' are the machine's own order, and one byte has no order. */
static bool is_big_endian(char order, const char *code)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return code[1] != '1' && order != '<';
#else
    return code[1] != '1' && order == '>';
#endif
}

clshard_status clshard__npy_descr_read(const char *name, const char *text, size_t length,
                                       clshard_dtype *out_dtype, clshard_error *err)
{
    const size_t order_bytes = length > 0 && strchr("<>=|", text[0]) != NULL && text[0] != '\0';
    const struct descr *descr = find_code(text + order_bytes, length - order_bytes);

    if (descr == NULL)
        return refuse(name, text, length, order_bytes, err);
    if (order_bytes == 0)
        return clshard__fail(err, CLSHARD_ERR_FORMAT,
                             "'%s': the elements are '%s', without a byte order; '%c%s' is right",
                             clshard__quote(name).text, descr->code,
                             descr->code[1] == '1' ? '|' : '<', descr->code);
    if (is_big_endian(text[0], descr->code))
        return clshard__fail(
            err, CLSHARD_ERR_FORMAT,
            "'%s': the elements are '%s', big-endian; save numpy.ascontiguousarray(a).astype('<%s')"
            " instead",
            clshard__quote(name).text, clshard__quote_span(text, length).text, descr->code);
    *out_dtype = descr->dtype;
    return CLSHARD_OK;
}

clshard_status clshard__npy_descr_make(const char *name, clshard_dtype dtype, char out_text[4],
                                       clshard_error *err)
{
    for (size_t i = 0; i < descr_count; i++) {
        if (descrs[i].dtype != dtype)
            continue;
        out_text[0] = descrs[i].code[1] == '1' ? '|' : '<';
        memcpy(out_text + 1, descrs[i].code, sizeof descrs[i].code);
        return CLSHARD_OK;
    }
    if (dtype == CLSHARD_BF16)
        return clshard__fail(err, CLSHARD_ERR_DTYPE,
                             "write '%s': NumPy has no type for bf16; convert the elements to f32",
                             clshard__quote(name).text);
    return clshard__fail(err, CLSHARD_ERR_DTYPE, "write '%s': %d is no dtype",
                         clshard__quote(name).text, (int)dtype);
}
