/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/npy_header.h"
#include "support/random.h"

#define NAME "a.npy"

/* Parses a copy that ends where the header ends, so that a sanitizer sees every read past it. */
static clshard_status parse_bytes(const char *bytes, size_t count, clshard__npy_header *out_header,
                                  clshard_error *err)
{
    unsigned char *copy = malloc(count == 0 ? 1 : count);
    clshard_status status;

    cr_assert(copy != NULL);
    memcpy(copy, bytes, count);
    status = clshard__npy_header_parse(NAME, copy, count, out_header, err);
    free(copy);
    return status;
}

/* Puts what comes before the text into buffer; returns the bytes of all. */
static size_t wrap(char *buffer, size_t capacity, int version, const char *text, size_t text_bytes)
{
    const size_t prefix = version == 1 ? 10 : 12;

    cr_assert(prefix + text_bytes <= capacity);
    memcpy(buffer, "\x93NUMPY", 6);
    buffer[6] = (char)version;
    buffer[7] = 0;
    for (size_t i = 8; i < prefix; i++)
        buffer[i] = (char)(text_bytes >> 8 * (i - 8) & 0xff);
    memcpy(buffer + prefix, text, text_bytes);
    return prefix + text_bytes;
}

static clshard_status parse(int version, const char *text, clshard__npy_header *out_header,
                            clshard_error *err)
{
    char buffer[4096];
    return parse_bytes(buffer, wrap(buffer, sizeof buffer, version, text, strlen(text)), out_header,
                       err);
}

#define DICT(descr, order, shape)                                                                  \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"
#define TYPED(descr) DICT("'" descr "'", "False", "(3, 4)")
#define SHAPED(shape) DICT("'<f4'", "False", shape)

static const struct accepted {
    const char *text;
    const char *shape;
    clshard_dtype dtype;
    int version;
} accepted[] = {
    {TYPED("|b1") "   \n", "3x4", CLSHARD_BOOL, 1},
    {TYPED("|u1"), "3x4", CLSHARD_U8, 1},
    {TYPED("<u1"), "3x4", CLSHARD_U8, 1},
    {TYPED(">i1"), "3x4", CLSHARD_I8, 1}, /* one byte has no order */
    {TYPED("<u2"), "3x4", CLSHARD_U16, 2},
    {TYPED("<i2"), "3x4", CLSHARD_I16, 2},
    {TYPED("=u4"), "3x4", CLSHARD_U32, 2},
    {TYPED("|i4"), "3x4", CLSHARD_I32, 2},
    {TYPED("<u8"), "3x4", CLSHARD_U64, 3},
    {TYPED("<i8"), "3x4", CLSHARD_I64, 3},
    {TYPED("<f2"), "3x4", CLSHARD_F16, 3},
    {TYPED("<f4"), "3x4", CLSHARD_F32, 3},
    {TYPED("<f8"), "3x4", CLSHARD_F64, 3},
    {SHAPED("()"), "scalar", CLSHARD_F32, 1},
    {SHAPED("(0,)"), "0", CLSHARD_F32, 1},
    {SHAPED("(7 ,)"), "7", CLSHARD_F32, 1},
    {SHAPED("(2, 3,)"), "2x3", CLSHARD_F32, 1},
    {SHAPED("(3L, 4L)"), "3x4", CLSHARD_F32, 1},
    {SHAPED("(3L,)"), "3", CLSHARD_F32, 2},
    {SHAPED("(1,2,3,4,5,6,7,8)"), "1x2x3x4x5x6x7x8", CLSHARD_F32, 1},
    {DICT("'|u1'", "False", "(18446744073709551615, 0)"), "18446744073709551615x0", CLSHARD_U8, 1},
    {DICT("'<f4'", "True", "(5,)"), "5", CLSHARD_F32, 1},
    {DICT("'<f4'", "True", "()"), "scalar", CLSHARD_F32, 1},
    {"{'shape': (2,), 'fortran_order': False, 'descr': '<i4'}", "2", CLSHARD_I32, 1},
    {"{\"shape\":(2,),\"descr\":\"<i4\",\"fortran_order\":False}", "2", CLSHARD_I32, 1},
    {" \t{\n'shape' :\t( 2 , 3 ),\r\n'descr':'<i4' ,'fortran_order':False\f}\n", "2x3", CLSHARD_I32,
     1},
};

Test(npy_header, what_numpy_writes_in_any_order_is_read)
{
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++) {
        const struct accepted *row = &accepted[i];
        clshard__npy_header header;
        clshard_error err = {0};
        char shape[200];
        const clshard_status status = parse(row->version, row->text, &header, &err);

        cr_assert_eq(status, CLSHARD_OK, "%s: %s", row->text, err.message);
        clshard_shape_format(header.shape, shape, sizeof shape);
        cr_assert_str_eq(shape, row->shape, "%s", row->text);
        cr_assert_eq(header.dtype, row->dtype, "%s", row->text);
    }
}

static const struct refused {
    const char *text;
    const char *words; /* in the message */
    clshard_status status;
    int version;
} refused[] = {
    {TYPED(">f4"), "numpy.ascontiguousarray(a).astype('<f4')", CLSHARD_ERR_FORMAT, 1},
    {TYPED(">i8"), "big-endian", CLSHARD_ERR_FORMAT, 1},
    {TYPED("f4"), "without a byte order; '<f4' is right", CLSHARD_ERR_FORMAT, 1},
    {TYPED("|O"), "'|O', Python objects", CLSHARD_ERR_DTYPE, 1},
    {TYPED("O"), "Python objects", CLSHARD_ERR_DTYPE, 1},
    {TYPED("|S5"), "byte strings", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<U7"), "text", CLSHARD_ERR_DTYPE, 1},
    {TYPED("|V2"), "bfloat16", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<c8"), "a.real and a.imag", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<M8[ns]"), "dates", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<m8[s]"), "time spans", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<f16"), "a.astype('<f8')", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<f3"), "'<f3'", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<i16"), "no type of clshard", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<b2"), "|b1", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<"), "'<'", CLSHARD_ERR_DTYPE, 1},
    {TYPED(""), "''", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<f4 "), "'<f4 '", CLSHARD_ERR_DTYPE, 1},
    {TYPED("<<f4"), "'<<f4'", CLSHARD_ERR_DTYPE, 1},
    {DICT("[('x', '<f4')]", "False", "(2,)"), "records", CLSHARD_ERR_DTYPE, 1},
    {DICT("('<f4', (2,))", "False", "(2,)"), "arrays", CLSHARD_ERR_DTYPE, 1},
    {DICT("'<f\\x34'", "False", "(2,)"), "a type such as '<f4'", CLSHARD_ERR_FORMAT, 1},
    {DICT("u'<f4'", "False", "(2,)"), "a type", CLSHARD_ERR_FORMAT, 1},
    {DICT("None", "False", "(2,)"), "a type", CLSHARD_ERR_FORMAT, 1},
    {DICT("'<f4'", "True", "(2, 3)"), "Fortran order", CLSHARD_ERR_FORMAT, 1},
    {DICT("'<f4'", "1", "(2,)"), "True or False", CLSHARD_ERR_FORMAT, 1},
    {DICT("'<f4'", "Falsey", "(2,)"), "',' or '}'", CLSHARD_ERR_FORMAT, 1},
    {DICT("'<f4'", "false", "(2,)"), "True or False", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(3)"), "(3,)", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("3"), "a shape such as (3, 4)", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("[3, 4]"), "a shape such as (3, 4)", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(3 4)"), "',' or ')'", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(,)"), "an extent", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(3,,4)"), "an extent", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(-3, 4)"), "'-3, 4)", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(-3, 4)"), "an extent of 0 or more", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(+3, 4)"), "an extent in decimal", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(3.0, 4)"), "',' or ')'", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(0x3, 4)"), "',' or ')'", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(03, 4)"), "an extent in decimal", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(1_0, 4)"), "',' or ')'", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(True, 4)"), "an extent", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(3LL, 4)"), "',' or ')'", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(3L,)"), "',' or ')'", CLSHARD_ERR_FORMAT, 3}, /* Python 3 has no longs */
    {SHAPED("(1,1,1,1,1,1,1,1,1)"), "9 dimensions; at most 8", CLSHARD_ERR_RANK, 1},
    {SHAPED("(18446744073709551616,)"), "18446744073709551616", CLSHARD_ERR_OVERFLOW, 1},
    {SHAPED("(0, 99999999999999999999999999999999999999999)"), "64 bits", CLSHARD_ERR_OVERFLOW, 1},
    {SHAPED("(4611686018427387904,)"), "63 bits", CLSHARD_ERR_OVERFLOW, 1},
    {SHAPED("(2305843009213693952,)"), "63 bits", CLSHARD_ERR_OVERFLOW, 1},
    {SHAPED("(4294967296, 1, 4294967296)"), "63 bits", CLSHARD_ERR_OVERFLOW, 1},
    {"{'descr': '<f4', 'fortran_order': False}", "lacks the key 'shape'", CLSHARD_ERR_FORMAT, 1},
    {"{'descr': '<f4', 'shape': (2,)}", "lacks the key 'fortran_order'", CLSHARD_ERR_FORMAT, 1},
    {"{}", "lacks the key 'descr'", CLSHARD_ERR_FORMAT, 1},
    {"{'descr': '<f4', 'descr': '<f4'}", "the key 'descr' twice", CLSHARD_ERR_FORMAT, 1},
    {"{'descr': '<f4', 'order': 'C'}", "'order': 'C'", CLSHARD_ERR_FORMAT, 1},
    {"{descr: '<f4'}", "a key in quotes", CLSHARD_ERR_FORMAT, 1},
    {"{'descr'; '<f4'}", "':'", CLSHARD_ERR_FORMAT, 1},
    {"{'descr\": '<f4'}", "one of the keys", CLSHARD_ERR_FORMAT, 1},
    {"{'descr", "a key in quotes", CLSHARD_ERR_FORMAT, 1},
    {"{'descr': '<f4' 'shape': (2,)}", "',' or '}'", CLSHARD_ERR_FORMAT, 1},
    {"{'descr': '<f4',, 'shape': (2,)}", "a key", CLSHARD_ERR_FORMAT, 1},
    {"{,}", "a key", CLSHARD_ERR_FORMAT, 1},
    {"", "'{'", CLSHARD_ERR_FORMAT, 1},
    {"   ", "'{'", CLSHARD_ERR_FORMAT, 1},
    {"[]", "'{'", CLSHARD_ERR_FORMAT, 1},
    {"{", "a key", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(2,)") " 1", "nothing after '}'", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(2,)") "}", "nothing after '}'", CLSHARD_ERR_FORMAT, 1},
    {SHAPED("(2,)") " # comment", "nothing after '}'", CLSHARD_ERR_FORMAT, 1},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", "'}'", CLSHARD_ERR_FORMAT, 1},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2", "','", CLSHARD_ERR_FORMAT, 1},
};

Test(npy_header, nothing_else_is_read)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const struct refused *row = &refused[i];
        clshard__npy_header header = {CLSHARD_I8, {7, {7}}, 77};
        clshard_error err = {0};

        cr_assert_eq(parse(row->version, row->text, &header, &err), row->status, "%s: %s",
                     row->text, err.message);
        cr_assert_eq(err.status, row->status);
        cr_assert(strstr(err.message, row->words) != NULL, "%s: %s", row->text, err.message);
        cr_assert(strstr(err.message, "'" NAME "'") != NULL, "%s", err.message);
        cr_assert(header.dtype == CLSHARD_I8 && header.shape.rank == 7 &&
                      header.shape.extent[0] == 7 && header.data_bytes == 77,
                  "%s", row->text);
        cr_assert_eq(parse(row->version, row->text, &header, NULL), row->status);
    }
}

Test(npy_header, a_nul_inside_the_header_is_no_end_of_it)
{
    static const char text[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\0\0";
    static const char inside[] = "{'descr': '<f4\0', 'fortran_order': False, 'shape': (2,)}";
    char buffer[256];
    clshard__npy_header header;
    clshard_error err = {0};

    cr_assert_eq(
        parse_bytes(buffer, wrap(buffer, sizeof buffer, 1, text, sizeof text - 1), &header, &err),
        CLSHARD_ERR_FORMAT);
    cr_assert(strstr(err.message, "nothing after '}'") != NULL, "%s", err.message);
    cr_assert_eq(parse_bytes(buffer, wrap(buffer, sizeof buffer, 1, inside, sizeof inside - 1),
                             &header, &err),
                 CLSHARD_ERR_FORMAT);
}

static void check_start(const char *bytes, size_t count, size_t file_bytes, const char *words)
{
    clshard_error err = {0};
    size_t header_bytes = 77;

    cr_assert_eq(clshard__npy_header_bytes(NAME, (const unsigned char *)bytes, count, file_bytes,
                                           &header_bytes, &err),
                 CLSHARD_ERR_FORMAT);
    cr_assert(strstr(err.message, words) != NULL, "%s", err.message);
    cr_assert_eq(header_bytes, 77);
}

Test(npy_header, a_start_that_lies_is_refused)
{
    check_start("", 0, 0, "no .npy file");
    check_start("\x93NUMP", 5, 5, "no .npy file");
    check_start("PK\x03\x04........", 12, 500, "'PK\\x03\\x04........'");
    check_start("\x93NUMPX\x01\x00\x10\x00{}", 12, 500, "no .npy file");
    check_start("\x93NUMPY", 6, 6, "truncated");
    check_start("\x93NUMPY\x01\x00\x10", 9, 9, "truncated");
    check_start("\x93NUMPY\x02\x00\x10\x00\x00", 11, 11, "truncated");
    check_start("\x93NUMPY\x00\x00\x10\x00{}", 12, 500, "version 0.0");
    check_start("\x93NUMPY\x04\x00\x10\x00{}", 12, 500, "version 4.0; versions 1.0, 2.0 and 3.0");
    check_start("\x93NUMPY\x01\x01\x10\x00{}", 12, 500, "version 1.1");
    check_start("\x93NUMPY\x01\x00\xff\xff{}", 12, 500, "claims 65535 bytes, but only 490 follow");
    check_start("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12, 500, "claims 4294967295 bytes, but only");
    check_start("\x93NUMPY\x03\x00\xff\xff\xff\x7f", 12, (size_t)1 << 40, "at most 1048576");
}

Test(npy_header, what_is_made_reads_back)
{
    random_source source = {20240601};
    for (int round = 0; round < 20000; round++) {
        const clshard_dtype dtype = (clshard_dtype)uniform_between(&source, 1, 13);
        clshard_shape shape = {uniform(&source, CLSHARD_RANK_MAX + 1), {0}};
        char buffer[CLSHARD__NPY_MADE_BYTES];
        clshard__npy_header header;
        clshard_error err = {0};
        size_t bytes = 0;

        for (size_t i = 0; i < shape.rank; i++)
            shape.extent[i] = uniform(&source, (size_t)1 << uniform(&source, 60 / shape.rank));
        if (dtype == CLSHARD_BF16)
            continue;
        cr_assert_eq(clshard__npy_header_make(NAME, dtype, shape, buffer, &bytes, &err),
                     CLSHARD_OK);
        cr_assert(bytes % 64 == 0 && bytes <= sizeof buffer && buffer[bytes - 1] == '\n');
        cr_assert_eq(parse_bytes(buffer, bytes, &header, &err), CLSHARD_OK, "%s", err.message);
        cr_assert_eq(header.dtype, dtype);
        cr_assert(memcmp(&header.shape, &shape, sizeof shape) == 0);
    }
}

Test(npy_header, the_longest_shape_fits)
{
    clshard_shape shape = {CLSHARD_RANK_MAX, {0}};
    char buffer[CLSHARD__NPY_MADE_BYTES];
    size_t bytes;

    for (size_t i = 0; i < CLSHARD_RANK_MAX; i++)
        shape.extent[i] = SIZE_MAX;
    cr_assert_eq(clshard__npy_header_make(NAME, CLSHARD_F32, shape, buffer, &bytes, NULL),
                 CLSHARD_OK);
    cr_assert(bytes < sizeof buffer);
    cr_assert(memchr(buffer, '}', bytes) != NULL);
}

Test(npy_header, an_aligned_header_is_padded_once_more)
{
    /* NumPy 2.4.6 makes 192 bytes of this one, whose text and growth room end at 128. */
    const clshard_shape shape = {4, {760, 8449103790, 3420029502170442, 305113796}};
    char buffer[CLSHARD__NPY_MADE_BYTES];
    size_t bytes;

    cr_assert_eq(clshard__npy_header_make(NAME, CLSHARD_F16, shape, buffer, &bytes, NULL),
                 CLSHARD_OK);
    cr_assert_eq(bytes, 192);
}

Test(npy_header, types_that_numpy_lacks_are_refused)
{
    char buffer[CLSHARD__NPY_MADE_BYTES];
    const clshard_shape scalar = {0, {0}};
    clshard_error err = {0};
    size_t bytes = 77;

    cr_assert_eq(clshard__npy_header_make(NAME, CLSHARD_BF16, scalar, buffer, &bytes, &err),
                 CLSHARD_ERR_DTYPE);
    cr_assert(strstr(err.message, "bf16") != NULL && strstr(err.message, "f32") != NULL);
    cr_assert_eq(clshard__npy_header_make(NAME, CLSHARD_DTYPE_NONE, scalar, buffer, &bytes, &err),
                 CLSHARD_ERR_DTYPE);
    cr_assert_eq(bytes, 77);
}

static void mutate(random_source *source, char *bytes, size_t *count, size_t capacity)
{
    static const char alphabet[] = "{}()[]'\",:;<>=|0123456789LTFbuifOSVcM \n\t\\-_";
    const size_t at = uniform(source, *count);

    switch (uniform(source, 5)) {
    case 0:
        bytes[at] = (char)uniform(source, 256);
        break;
    case 1:
        bytes[at] = uniform_char(source, alphabet);
        break;
    case 2:
        memmove(bytes + at, bytes + at + 1, *count - at - 1);
        --*count;
        break;
    case 3:
        if (*count < capacity) {
            memmove(bytes + at + 1, bytes + at, *count - at);
            bytes[at] = uniform_char(source, alphabet);
            ++*count;
        }
        break;
    default:
        if (*count < capacity)
            memcpy(bytes + at, "9999999999999999999", *count - at < 19 ? *count - at : 19);
        break;
    }
    if (*count < 16)
        *count = 16;
}

/* A header of the table, changed: its text before the length is set, or any byte after. */
static size_t make_mutant(random_source *source, char *buffer, size_t capacity)
{
    const struct accepted *row = &accepted[uniform(source, sizeof accepted / sizeof *accepted)];
    const bool keep_start = uniform(source, 2) == 0;
    char text[400];
    size_t text_bytes = strlen(row->text);
    size_t count;

    memcpy(text, row->text, text_bytes);
    for (size_t i = uniform_between(source, 1, 4); keep_start && i > 0; i--)
        mutate(source, text, &text_bytes, sizeof text);
    count = wrap(buffer, capacity, row->version, text, text_bytes);
    for (size_t i = uniform_between(source, 1, 4); !keep_start && i > 0; i--)
        mutate(source, buffer, &count, capacity);
    return count;
}

Test(npy_header, any_bytes_give_an_answer)
{
    random_source source = {7};
    size_t read = 0;

    for (int round = 0; round < 200000; round++) {
        char buffer[512] = {0};
        const size_t count = make_mutant(&source, buffer, sizeof buffer);
        clshard__npy_header header;
        clshard_error err = {0};
        const clshard_status status = parse_bytes(buffer, count, &header, &err);

        if (status == CLSHARD_OK) {
            read++;
            cr_assert(header.shape.rank <= CLSHARD_RANK_MAX);
            cr_assert(clshard_dtype_bytes(header.dtype) > 0);
            continue;
        }
        cr_assert(status == CLSHARD_ERR_FORMAT || status == CLSHARD_ERR_DTYPE ||
                      status == CLSHARD_ERR_RANK || status == CLSHARD_ERR_OVERFLOW,
                  "status %d", (int)status);
        cr_assert(err.status == status && err.message[0] != '\0');
    }
    cr_assert(read > 1000, "only %zu mutants were readable: the mutations are too coarse", read);
}
