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
    int version;
    const char *text;
    clshard_dtype dtype;
    const char *shape;
} accepted[] = {
    {1, TYPED("|b1") "   \n", CLSHARD_BOOL, "3x4"},
    {1, TYPED("|u1"), CLSHARD_U8, "3x4"},
    {1, TYPED("<u1"), CLSHARD_U8, "3x4"},
    {1, TYPED(">i1"), CLSHARD_I8, "3x4"}, /* one byte has no order */
    {2, TYPED("<u2"), CLSHARD_U16, "3x4"},
    {2, TYPED("<i2"), CLSHARD_I16, "3x4"},
    {2, TYPED("=u4"), CLSHARD_U32, "3x4"},
    {2, TYPED("|i4"), CLSHARD_I32, "3x4"},
    {3, TYPED("<u8"), CLSHARD_U64, "3x4"},
    {3, TYPED("<i8"), CLSHARD_I64, "3x4"},
    {3, TYPED("<f2"), CLSHARD_F16, "3x4"},
    {3, TYPED("<f4"), CLSHARD_F32, "3x4"},
    {3, TYPED("<f8"), CLSHARD_F64, "3x4"},
    {1, SHAPED("()"), CLSHARD_F32, "scalar"},
    {1, SHAPED("(0,)"), CLSHARD_F32, "0"},
    {1, SHAPED("(7 ,)"), CLSHARD_F32, "7"},
    {1, SHAPED("(2, 3,)"), CLSHARD_F32, "2x3"},
    {1, SHAPED("(3L, 4L)"), CLSHARD_F32, "3x4"},
    {2, SHAPED("(3L,)"), CLSHARD_F32, "3"},
    {1, SHAPED("(1,2,3,4,5,6,7,8)"), CLSHARD_F32, "1x2x3x4x5x6x7x8"},
    {1, DICT("'|u1'", "False", "(18446744073709551615, 0)"), CLSHARD_U8, "18446744073709551615x0"},
    {1, DICT("'<f4'", "True", "(5,)"), CLSHARD_F32, "5"},
    {1, DICT("'<f4'", "True", "()"), CLSHARD_F32, "scalar"},
    {1, "{'shape': (2,), 'fortran_order': False, 'descr': '<i4'}", CLSHARD_I32, "2"},
    {1, "{\"shape\":(2,),\"descr\":\"<i4\",\"fortran_order\":False}", CLSHARD_I32, "2"},
    {1, " \t{\n'shape' :\t( 2 , 3 ),\r\n'descr':'<i4' ,'fortran_order':False\f}\n", CLSHARD_I32,
     "2x3"},
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
    int version;
    const char *text;
    clshard_status status;
    const char *words; /* in the message */
} refused[] = {
    {1, TYPED(">f4"), CLSHARD_ERR_FORMAT, "numpy.ascontiguousarray(a).astype('<f4')"},
    {1, TYPED(">i8"), CLSHARD_ERR_FORMAT, "big-endian"},
    {1, TYPED("f4"), CLSHARD_ERR_FORMAT, "without a byte order; '<f4' is right"},
    {1, TYPED("|O"), CLSHARD_ERR_DTYPE, "'|O', Python objects"},
    {1, TYPED("O"), CLSHARD_ERR_DTYPE, "Python objects"},
    {1, TYPED("|S5"), CLSHARD_ERR_DTYPE, "byte strings"},
    {1, TYPED("<U7"), CLSHARD_ERR_DTYPE, "text"},
    {1, TYPED("|V2"), CLSHARD_ERR_DTYPE, "bfloat16"},
    {1, TYPED("<c8"), CLSHARD_ERR_DTYPE, "a.real and a.imag"},
    {1, TYPED("<M8[ns]"), CLSHARD_ERR_DTYPE, "dates"},
    {1, TYPED("<m8[s]"), CLSHARD_ERR_DTYPE, "time spans"},
    {1, TYPED("<f16"), CLSHARD_ERR_DTYPE, "a.astype('<f8')"},
    {1, TYPED("<f3"), CLSHARD_ERR_DTYPE, "'<f3'"},
    {1, TYPED("<i16"), CLSHARD_ERR_DTYPE, "no type of clshard"},
    {1, TYPED("<b2"), CLSHARD_ERR_DTYPE, "|b1"},
    {1, TYPED("<"), CLSHARD_ERR_DTYPE, "'<'"},
    {1, TYPED(""), CLSHARD_ERR_DTYPE, "''"},
    {1, TYPED("<f4 "), CLSHARD_ERR_DTYPE, "'<f4 '"},
    {1, TYPED("<<f4"), CLSHARD_ERR_DTYPE, "'<<f4'"},
    {1, DICT("[('x', '<f4')]", "False", "(2,)"), CLSHARD_ERR_DTYPE, "records"},
    {1, DICT("('<f4', (2,))", "False", "(2,)"), CLSHARD_ERR_DTYPE, "arrays"},
    {1, DICT("'<f\\x34'", "False", "(2,)"), CLSHARD_ERR_FORMAT, "a type such as '<f4'"},
    {1, DICT("u'<f4'", "False", "(2,)"), CLSHARD_ERR_FORMAT, "a type"},
    {1, DICT("None", "False", "(2,)"), CLSHARD_ERR_FORMAT, "a type"},
    {1, DICT("'<f4'", "True", "(2, 3)"), CLSHARD_ERR_FORMAT, "Fortran order"},
    {1, DICT("'<f4'", "1", "(2,)"), CLSHARD_ERR_FORMAT, "True or False"},
    {1, DICT("'<f4'", "Falsey", "(2,)"), CLSHARD_ERR_FORMAT, "',' or '}'"},
    {1, DICT("'<f4'", "false", "(2,)"), CLSHARD_ERR_FORMAT, "True or False"},
    {1, SHAPED("(3)"), CLSHARD_ERR_FORMAT, "(3,)"},
    {1, SHAPED("3"), CLSHARD_ERR_FORMAT, "a shape such as (3, 4)"},
    {1, SHAPED("[3, 4]"), CLSHARD_ERR_FORMAT, "a shape such as (3, 4)"},
    {1, SHAPED("(3 4)"), CLSHARD_ERR_FORMAT, "',' or ')'"},
    {1, SHAPED("(,)"), CLSHARD_ERR_FORMAT, "an extent"},
    {1, SHAPED("(3,,4)"), CLSHARD_ERR_FORMAT, "an extent"},
    {1, SHAPED("(-3, 4)"), CLSHARD_ERR_FORMAT, "'-3, 4)"},
    {1, SHAPED("(-3, 4)"), CLSHARD_ERR_FORMAT, "an extent of 0 or more"},
    {1, SHAPED("(+3, 4)"), CLSHARD_ERR_FORMAT, "an extent in decimal"},
    {1, SHAPED("(3.0, 4)"), CLSHARD_ERR_FORMAT, "',' or ')'"},
    {1, SHAPED("(0x3, 4)"), CLSHARD_ERR_FORMAT, "',' or ')'"},
    {1, SHAPED("(03, 4)"), CLSHARD_ERR_FORMAT, "an extent in decimal"},
    {1, SHAPED("(1_0, 4)"), CLSHARD_ERR_FORMAT, "',' or ')'"},
    {1, SHAPED("(True, 4)"), CLSHARD_ERR_FORMAT, "an extent"},
    {1, SHAPED("(3LL, 4)"), CLSHARD_ERR_FORMAT, "',' or ')'"},
    {3, SHAPED("(3L,)"), CLSHARD_ERR_FORMAT, "',' or ')'"}, /* Python 3 has no longs */
    {1, SHAPED("(1,1,1,1,1,1,1,1,1)"), CLSHARD_ERR_RANK, "9 dimensions; at most 8"},
    {1, SHAPED("(18446744073709551616,)"), CLSHARD_ERR_OVERFLOW, "18446744073709551616"},
    {1, SHAPED("(0, 99999999999999999999999999999999999999999)"), CLSHARD_ERR_OVERFLOW, "64 bits"},
    {1, SHAPED("(4611686018427387904,)"), CLSHARD_ERR_OVERFLOW, "63 bits"},
    {1, SHAPED("(2305843009213693952,)"), CLSHARD_ERR_OVERFLOW, "63 bits"},
    {1, SHAPED("(4294967296, 1, 4294967296)"), CLSHARD_ERR_OVERFLOW, "63 bits"},
    {1, "{'descr': '<f4', 'fortran_order': False}", CLSHARD_ERR_FORMAT, "lacks the key 'shape'"},
    {1, "{'descr': '<f4', 'shape': (2,)}", CLSHARD_ERR_FORMAT, "lacks the key 'fortran_order'"},
    {1, "{}", CLSHARD_ERR_FORMAT, "lacks the key 'descr'"},
    {1, "{'descr': '<f4', 'descr': '<f4'}", CLSHARD_ERR_FORMAT, "the key 'descr' twice"},
    {1, "{'descr': '<f4', 'order': 'C'}", CLSHARD_ERR_FORMAT, "'order': 'C'"},
    {1, "{descr: '<f4'}", CLSHARD_ERR_FORMAT, "a key in quotes"},
    {1, "{'descr'; '<f4'}", CLSHARD_ERR_FORMAT, "':'"},
    {1, "{'descr\": '<f4'}", CLSHARD_ERR_FORMAT, "one of the keys"},
    {1, "{'descr", CLSHARD_ERR_FORMAT, "a key in quotes"},
    {1, "{'descr': '<f4' 'shape': (2,)}", CLSHARD_ERR_FORMAT, "',' or '}'"},
    {1, "{'descr': '<f4',, 'shape': (2,)}", CLSHARD_ERR_FORMAT, "a key"},
    {1, "{,}", CLSHARD_ERR_FORMAT, "a key"},
    {1, "", CLSHARD_ERR_FORMAT, "'{'"},
    {1, "   ", CLSHARD_ERR_FORMAT, "'{'"},
    {1, "[]", CLSHARD_ERR_FORMAT, "'{'"},
    {1, "{", CLSHARD_ERR_FORMAT, "a key"},
    {1, SHAPED("(2,)") " 1", CLSHARD_ERR_FORMAT, "nothing after '}'"},
    {1, SHAPED("(2,)") "}", CLSHARD_ERR_FORMAT, "nothing after '}'"},
    {1, SHAPED("(2,)") " # comment", CLSHARD_ERR_FORMAT, "nothing after '}'"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)", CLSHARD_ERR_FORMAT, "'}'"},
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2", CLSHARD_ERR_FORMAT, "','"},
};

Test(npy_header, nothing_else_is_read)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const struct refused *row = &refused[i];
        clshard__npy_header header;
        clshard__npy_header untouched;
        clshard_error err = {0};

        memset(&header, 0x5a, sizeof header);
        untouched = header;
        cr_assert_eq(parse(row->version, row->text, &header, &err), row->status, "%s: %s",
                     row->text, err.message);
        cr_assert_eq(err.status, row->status);
        cr_assert(strstr(err.message, row->words) != NULL, "%s: %s", row->text, err.message);
        cr_assert(strstr(err.message, "'" NAME "'") != NULL, "%s", err.message);
        cr_assert(memcmp(&header, &untouched, sizeof header) == 0, "%s", row->text);
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
