/* SPDX-License-Identifier: Apache-2.0 */
#include "array/npy_header.h"

#include <string.h>

#include "array/npy_descr.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/text.h"
#include "layout/strides.h"

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

enum {
    MAGIC_BYTES = sizeof magic,
    ALIGNMENT = 64,    /* of the first element, in files that are made */
    GROWTH_DIGITS = 21 /* NumPy keeps this much room for the first extent */
};

static size_t length_field_bytes(unsigned char version)
{
    return version == 1 ? 2 : 4;
}

static clshard_status check_start(const char *name, const unsigned char *start, size_t start_bytes,
                                  clshard_error *err)
{
    if (start_bytes < MAGIC_BYTES || memcmp(start, magic, MAGIC_BYTES) != 0)
        return clshard__fail(err, CLSHARD_ERR_FORMAT,
                             "'%s' is no .npy file: it starts with '%s', not with '\\x93NUMPY'",
                             clshard__quote(name).text,
                             clshard__quote_span((const char *)start, start_bytes).text);
    if (start_bytes < MAGIC_BYTES + 2)
        return clshard__fail(err, CLSHARD_ERR_FORMAT, "'%s' is truncated: it ends in its magic",
                             clshard__quote(name).text);
    if (start[MAGIC_BYTES] < 1 || start[MAGIC_BYTES] > 3 || start[MAGIC_BYTES + 1] != 0)
        return clshard__fail(err, CLSHARD_ERR_FORMAT,
                             "'%s' is of .npy version %u.%u; versions 1.0, 2.0 and 3.0 are known",
                             clshard__quote(name).text, (unsigned)start[MAGIC_BYTES],
                             (unsigned)start[MAGIC_BYTES + 1]);
    return CLSHARD_OK;
}

clshard_status clshard__npy_header_bytes(const char *name, const unsigned char *start,
                                         size_t start_bytes, size_t file_bytes, size_t *out_bytes,
                                         clshard_error *err)
{
    const clshard_status status = check_start(name, start, start_bytes, err);
    uint32_t length = 0;
    size_t prefix;

    if (status != CLSHARD_OK)
        return status;
    prefix = MAGIC_BYTES + 2 + length_field_bytes(start[MAGIC_BYTES]);
    if (start_bytes < prefix)
        return clshard__fail(err, CLSHARD_ERR_FORMAT,
                             "'%s' is truncated: it ends in the length of its header",
                             clshard__quote(name).text);
    for (size_t i = prefix; i-- > MAGIC_BYTES + 2;)
        length = length << 8 | start[i];
    if (length > file_bytes - prefix)
        return clshard__fail(err, CLSHARD_ERR_FORMAT,
                             "'%s': the header claims %lu bytes, but only %zu follow",
                             clshard__quote(name).text, (unsigned long)length, file_bytes - prefix);
    if (length > CLSHARD__NPY_HEADER_LIMIT)
        return clshard__fail(
            err, CLSHARD_ERR_FORMAT, "'%s': the header claims %lu bytes; at most %d are read",
            clshard__quote(name).text, (unsigned long)length, CLSHARD__NPY_HEADER_LIMIT);
    *out_bytes = prefix + length;
    return CLSHARD_OK;
}

/* The dict literal while it is read. */
typedef struct cursor {
    const char *name;
    const char *text; /* not NUL-terminated */
    size_t length;
    size_t at;
    bool longs;   /* as Python 2 wrote them: 3L */
    size_t start; /* of the text in the file */
} cursor;

/* What the literal says. */
typedef struct fields {
    unsigned seen; /* a bit per entry of keys[] */
    clshard_dtype dtype;
    bool fortran_order;
    size_t rank; /* may exceed what a shape holds */
    size_t extent[CLSHARD_RANK_MAX];
} fields;

static clshard_status malformed(const cursor *c, const char *expected, clshard_error *err)
{
    const size_t left = c->length - c->at;
    return clshard__fail(
        err, CLSHARD_ERR_FORMAT, "'%s': the header is malformed at byte %zu, '%s': expected %s",
        clshard__quote(c->name).text, c->start + c->at,
        clshard__quote_span(c->text + c->at, left < 24 ? left : 24).text, expected);
}

static char peek(cursor *c)
{
    while (c->at < c->length && c->text[c->at] != '\0' &&
           strchr(" \t\n\r\f", c->text[c->at]) != NULL)
        c->at++;
    if (c->at == c->length)
        return '\0';
    return c->text[c->at];
}

static bool take(cursor *c, char wanted)
{
    if (peek(c) != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    const size_t length = strlen(word);
    (void)peek(c);
    if (c->length - c->at < length || memcmp(c->text + c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* A string without escapes; what is between its quotes. */
static bool take_string(cursor *c, const char **out_text, size_t *out_length)
{
    const char quote = peek(c);
    size_t end = c->at + 1;

    if (quote != '\'' && quote != '"')
        return false;
    while (end < c->length && strchr("\\\n", c->text[end]) == NULL && c->text[end] != quote)
        end++;
    if (end >= c->length || c->text[end] != quote)
        return false;
    *out_text = c->text + c->at + 1;
    *out_length = end - c->at - 1;
    c->at = end + 1;
    return true;
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/* Digits from the cursor on; false when they exceed 64 bits. */
static bool take_digits(cursor *c, size_t *out_value)
{
    size_t value = 0;
    bool fits = true;

    for (; c->at < c->length && is_digit(c->text[c->at]); c->at++)
        fits = fits && clshard__mul(value, 10, &value) &&
               clshard__add(value, (size_t)(c->text[c->at] - '0'), &value);
    *out_value = value;
    return fits;
}

static clshard_status read_extent(cursor *c, size_t *out_extent, clshard_error *err)
{
    const char first = peek(c);
    const size_t start = c->at;
    const bool fits = take_digits(c, out_extent);

    if (!is_digit(first) || (first == '0' && c->at > start + 1)) {
        c->at = start;
        return malformed(c, first == '-' ? "an extent of 0 or more" : "an extent in decimal", err);
    }
    if (!fits)
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW, "'%s': the extent %s exceeds 64 bits",
                             clshard__quote(c->name).text,
                             clshard__quote_span(c->text + start, c->at - start).text);
    if (c->longs && c->at < c->length && c->text[c->at] == 'L')
        c->at++;
    return CLSHARD_OK;
}

static clshard_status read_shape(cursor *c, fields *out, clshard_error *err)
{
    bool comma = true;
    size_t rank = 0;

    if (!take(c, '('))
        return malformed(c, "a shape such as (3, 4)", err);
    while (!take(c, ')')) {
        size_t extent = 0;
        const clshard_status status =
            comma ? read_extent(c, &extent, err) : malformed(c, "',' or ')'", err);
        if (status != CLSHARD_OK)
            return status;
        if (rank < CLSHARD_RANK_MAX)
            out->extent[rank] = extent;
        rank++;
        comma = take(c, ',');
    }
    if (rank == 1 && !comma)
        return malformed(c, "',' before ')', as in (3,)", err);
    out->rank = rank;
    return CLSHARD_OK;
}

static clshard_status read_descr(cursor *c, fields *out, clshard_error *err)
{
    const char first = peek(c);
    const char *text;
    size_t length;

    if (first == '[' || first == '(')
        return clshard__fail(err, CLSHARD_ERR_DTYPE,
                             "'%s': the elements are %s; save each field by itself, as by "
                             "numpy.ascontiguousarray(a['NAME'])",
                             clshard__quote(c->name).text,
                             first == '[' ? "records" : "arrays themselves");
    if (!take_string(c, &text, &length))
        return malformed(c, "a type such as '<f4'", err);
    return clshard__npy_descr_read(c->name, text, length, &out->dtype, err);
}

static clshard_status read_order(cursor *c, fields *out, clshard_error *err)
{
    out->fortran_order = take_word(c, "True");
    if (!out->fortran_order && !take_word(c, "False"))
        return malformed(c, "True or False", err);
    return CLSHARD_OK;
}

static const struct key {
    const char *name;
    clshard_status (*read)(cursor *c, fields *out, clshard_error *err);
} keys[] = {{"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};
static const unsigned key_count = sizeof keys / sizeof keys[0];

static unsigned find_key(const char *text, size_t length)
{
    unsigned i = 0;
    while (i < key_count &&
           (strlen(keys[i].name) != length || memcmp(keys[i].name, text, length) != 0))
        i++;
    return i;
}

static clshard_status read_entry(cursor *c, fields *out, clshard_error *err)
{
    const cursor start = *c;
    const char *text;
    size_t length;
    unsigned key;

    if (!take_string(c, &text, &length))
        return malformed(c, "a key in quotes", err);
    key = find_key(text, length);
    if (key == key_count)
        return malformed(&start, "one of the keys 'descr', 'fortran_order', 'shape'", err);
    if (out->seen & (1u << key))
        return clshard__fail(err, CLSHARD_ERR_FORMAT, "'%s': the header has the key '%s' twice",
                             clshard__quote(c->name).text, keys[key].name);
    out->seen |= 1u << key;
    return take(c, ':') ? keys[key].read(c, out, err) : malformed(c, "':'", err);
}

static clshard_status read_dict(cursor *c, fields *out, clshard_error *err)
{
    bool more = true;

    if (!take(c, '{'))
        return malformed(c, "'{'", err);
    while (!take(c, '}')) {
        const clshard_status status =
            more ? read_entry(c, out, err) : malformed(c, "',' or '}'", err);
        if (status != CLSHARD_OK)
            return status;
        more = take(c, ',');
    }
    (void)peek(c);
    if (c->at < c->length)
        return malformed(c, "nothing after '}'", err);
    for (unsigned i = 0; i < key_count; i++)
        if (!(out->seen & (1u << i)))
            return clshard__fail(err, CLSHARD_ERR_FORMAT, "'%s': the header lacks the key '%s'",
                                 clshard__quote(c->name).text, keys[i].name);
    return CLSHARD_OK;
}

static clshard_status check_fields(const char *name, const fields *read, clshard_error *err)
{
    if (read->rank > CLSHARD_RANK_MAX)
        return clshard__fail(err, CLSHARD_ERR_RANK,
                             "'%s': the array has %zu dimensions; at most %d are supported",
                             clshard__quote(name).text, read->rank, CLSHARD_RANK_MAX);
    if (read->fortran_order && read->rank > 1)
        return clshard__fail(err, CLSHARD_ERR_FORMAT,
                             "'%s': the array is in Fortran order; save "
                             "numpy.ascontiguousarray(a) instead",
                             clshard__quote(name).text);
    return CLSHARD_OK;
}

clshard_status clshard__npy_header_parse(const char *name, const unsigned char *bytes,
                                         size_t byte_count, clshard__npy_header *out_header,
                                         clshard_error *err)
{
    cursor c = {name, NULL, 0, 0, false, 0};
    clshard__npy_header header = {CLSHARD_DTYPE_NONE, {0, {0}}, 0};
    fields read = {0, CLSHARD_DTYPE_NONE, false, 0, {0}};
    size_t end = 0;
    clshard_status status;

    status = clshard__npy_header_bytes(name, bytes, byte_count, byte_count, &end, err);
    if (status != CLSHARD_OK)
        return status;
    c.start = MAGIC_BYTES + 2 + length_field_bytes(bytes[MAGIC_BYTES]);
    c.text = (const char *)bytes + c.start;
    c.length = end - c.start;
    c.longs = bytes[MAGIC_BYTES] < 3;
    if ((status = read_dict(&c, &read, err)) || (status = check_fields(name, &read, err)))
        return status;
    header.dtype = read.dtype;
    header.shape.rank = read.rank;
    memcpy(header.shape.extent, read.extent, sizeof read.extent);
    if (!clshard__byte_count(header.shape, clshard_dtype_bytes(header.dtype), &header.data_bytes))
        return clshard__fail(err, CLSHARD_ERR_OVERFLOW,
                             "'%s': the array's size in bytes exceeds 63 bits",
                             clshard__quote(name).text);
    *out_header = header;
    return CLSHARD_OK;
}

static size_t digits(size_t value)
{
    size_t count = 1;
    for (; value >= 10; value /= 10)
        count++;
    return count;
}

clshard_status clshard__npy_header_make(const char *name, clshard_dtype dtype, clshard_shape shape,
                                        char buffer[CLSHARD__NPY_MADE_BYTES], size_t *out_bytes,
                                        clshard_error *err)
{
    const size_t prefix = MAGIC_BYTES + 4;
    clshard__writer writer = clshard__writer_of(buffer + prefix, CLSHARD__NPY_MADE_BYTES - prefix);
    char descr[4];
    size_t total;
    const clshard_status status = clshard__npy_descr_make(name, dtype, descr, err);

    if (status != CLSHARD_OK)
        return status;
    clshard__write(&writer, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (size_t i = 0; i < shape.rank; i++)
        clshard__write(&writer, "%s%zu%s", i == 0 ? "" : ", ", shape.extent[i],
                       shape.rank == 1 ? "," : "");
    clshard__write(&writer, "), }");
    /* NumPy leaves room for the first extent to grow, then pads: by a whole alignment at most. */
    total = prefix + writer.needed + 1;
    if (shape.rank > 0)
        total += GROWTH_DIGITS - digits(shape.extent[0]);
    total += ALIGNMENT - total % ALIGNMENT;
    memset(buffer + prefix + writer.needed, ' ', total - prefix - writer.needed);
    buffer[total - 1] = '\n';
    memcpy(buffer, magic, MAGIC_BYTES);
    buffer[MAGIC_BYTES] = 1;
    buffer[MAGIC_BYTES + 1] = 0;
    buffer[MAGIC_BYTES + 2] = (char)((total - prefix) & 0xff);
    buffer[MAGIC_BYTES + 3] = (char)((total - prefix) >> 8);
    *out_bytes = total;
    return CLSHARD_OK;
}
