/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include <clshard/tensor.h>

#include "support/refusal.h"
#include "support/texts.h"

/* Frozen: programs compiled against one version run with another. */
_Static_assert(sizeof(size_t) != 8 || sizeof(clshard_shape) == 72, "clshard_shape has grown");
_Static_assert(sizeof(size_t) != 8 || sizeof(clshard_box) == 136, "clshard_box has grown");
_Static_assert(sizeof(size_t) != 8 || sizeof(clshard_part) == 280, "clshard_part has grown");
_Static_assert(sizeof(size_t) != 8 || sizeof(clshard_tensor) == 160, "clshard_tensor has grown");

static size_t print(const void *shape, char *buffer, size_t buffer_bytes)
{
    return clshard_shape_format(*(const clshard_shape *)shape, buffer, buffer_bytes);
}

static bool equal(const clshard_shape *a, const clshard_shape *b)
{
    return a->rank == b->rank && memcmp(a->extent, b->extent, a->rank * sizeof a->extent[0]) == 0;
}

/* Extents whose product fits: 8 * 7 bits. */
static clshard_shape random_shape(random_source *source)
{
    clshard_shape shape = {uniform(source, CLSHARD_RANK_MAX + 1), {0}};
    for (size_t i = 0; i < shape.rank; i++)
        shape.extent[i] = uniform(source, 128);
    if (shape.rank == 1)
        shape.extent[0] = (size_t)random_u64(source);
    return shape;
}

Test(shape, what_is_printed_reads_back_equal)
{
    random_source source = {21};
    char text[256];
    for (size_t i = 0; i < 5000; i++) {
        const clshard_shape shape = random_shape(&source);
        clshard_shape again;
        cr_assert(clshard_shape_format(shape, text, sizeof text) < sizeof text);
        cr_assert_eq(clshard_shape_parse(text, &again, NULL), CLSHARD_OK, "%s", text);
        cr_assert(equal(&shape, &again), "%s", text);
    }
}

Test(shape, texts_have_the_documented_form)
{
    clshard_shape shape;
    cr_assert_eq(clshard_shape_parse("256x1024", &shape, NULL), CLSHARD_OK);
    cr_assert(equal(&shape, &CLSHARD_SHAPE(256, 1024)));
    assert_prints(print, &shape, "256x1024");
    cr_assert_eq(clshard_shape_parse("scalar", &shape, NULL), CLSHARD_OK);
    cr_assert_eq(shape.rank, 0);
    assert_prints(print, &shape, "scalar");
    cr_assert_eq(clshard_shape_parse("0x10", &shape, NULL), CLSHARD_OK);
    cr_assert(equal(&shape, &CLSHARD_SHAPE(0, 10)));
    assert_prints(print, &shape, "0x10");
}

Test(shape, printing_never_leaves_the_buffer)
{
    random_source source = {22};
    char text[256];
    for (size_t i = 0; i < 200; i++) {
        const clshard_shape shape = random_shape(&source);
        (void)clshard_shape_format(shape, text, sizeof text);
        assert_prints(print, &shape, text);
    }
}

Test(shape, a_rank_beyond_the_most_is_not_followed)
{
    clshard_shape shape = {SIZE_MAX, {1, 2, 3, 4, 5, 6, 7, 8}};
    assert_prints(print, &shape, "1x2x3x4x5x6x7x8");
    cr_assert_eq(clshard_tensor_of(NULL, CLSHARD_U8, shape).bytes, 40320);
}

static const struct {
    const char *text;
    clshard_status status;
    const char *words;
} refused[] = {
    {"", CLSHARD_ERR_TEXT, "'>>>'"},
    {"x", CLSHARD_ERR_TEXT, "'>>>x'"},
    {"2x", CLSHARD_ERR_TEXT, "'2x>>>'"},
    {"x2", CLSHARD_ERR_TEXT, "'>>>x2'"},
    {"2xx3", CLSHARD_ERR_TEXT, "'2x>>>x3'"},
    {"2X3", CLSHARD_ERR_TEXT, "'2>>>X3'"},
    {"2,3", CLSHARD_ERR_TEXT, "'2>>>,3'"},
    {"2 x3", CLSHARD_ERR_TEXT, "'2>>> x3'"},
    {"2x 3", CLSHARD_ERR_TEXT, "'2x>>> 3'"},
    {"2x3 ", CLSHARD_ERR_TEXT, "'2x3>>> '"},
    {"-2x3", CLSHARD_ERR_TEXT, "'>>>-2x3'"},
    {"2x+3", CLSHARD_ERR_TEXT, "'2x>>>+3'"},
    {"2x0xff", CLSHARD_ERR_TEXT, "'2x0x>>>ff'"},
    {"1e3", CLSHARD_ERR_TEXT, "'1>>>e3'"},
    {"scalarx2", CLSHARD_ERR_TEXT, "'>>>scalarx2'"},
    {"Scalar", CLSHARD_ERR_TEXT, "'>>>Scalar'"},
    {"1x2x3x4x5x6x7x8x9", CLSHARD_ERR_RANK, "'1x2x3x4x5x6x7x8x>>>9'"},
    {"2x18446744073709551616", CLSHARD_ERR_OVERFLOW, "'2x>>>18446744073709551616'"},
    {"4294967296x4294967296", CLSHARD_ERR_OVERFLOW, "number of elements"},
    {"18446744073709551615x2", CLSHARD_ERR_OVERFLOW, "number of elements"},
};

Test(shape, what_is_no_shape_is_refused_and_the_place_marked)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        clshard_error err = {0};
        clshard_shape shape = {7, {0}};
        refusal(clshard_shape_parse(refused[i].text, &shape, &err), refused[i].status, &err,
                refused[i].words);
        cr_assert_eq(shape.rank, 7);
    }
}

Test(shape, null_is_refused)
{
    clshard_error err = {0};
    clshard_shape shape;
    refusal(clshard_shape_parse(NULL, &shape, &err), CLSHARD_ERR_ARGUMENT, &err, "text");
    refusal(clshard_shape_parse("2", NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_shape");
}

Test(shape, an_empty_array_has_no_elements_however_large_the_other_extents)
{
    clshard_shape shape;
    cr_assert_eq(clshard_shape_parse("4294967296x4294967296x0", &shape, NULL), CLSHARD_OK);
    cr_assert_eq(shape.rank, 3);
    cr_assert_eq(clshard_tensor_of(NULL, CLSHARD_F64, shape).bytes, 0);
}

Test(shape, damaged_texts_parse_or_say_why_not)
{
    random_source source = {23};
    char good[256];
    static char text[TEXT_BYTES];
    for (size_t i = 0; i < 20000; i++) {
        clshard_error err = {0};
        clshard_shape shape, again;
        clshard_status status;
        (void)clshard_shape_format(random_shape(&source), good, sizeof good);
        damaged_text(&source, good, text);
        status = clshard_shape_parse(text, &shape, &err);
        if (status != CLSHARD_OK) {
            assert_says_why(status, &err, text);
            continue;
        }
        (void)clshard_shape_format(shape, good, sizeof good);
        cr_assert_eq(clshard_shape_parse(good, &again, NULL), CLSHARD_OK);
        cr_assert(equal(&shape, &again), "%s became %s", text, good);
    }
}

Test(tensor, is_dense_over_the_memory_that_its_shape_needs)
{
    static const float data[6] = {0};
    const clshard_tensor tensor = clshard_tensor_of(data, CLSHARD_F32, CLSHARD_SHAPE(2, 3));
    cr_assert_eq(tensor.data, (const void *)data);
    cr_assert_eq(tensor.dtype, CLSHARD_F32);
    cr_assert(equal(&tensor.shape, &CLSHARD_SHAPE(2, 3)));
    cr_assert_eq(tensor.bytes, sizeof data);
    for (size_t i = 0; i < CLSHARD_RANK_MAX; i++)
        cr_assert_eq(tensor.strides[i], 0);
}

Test(tensor, a_scalar_has_one_element)
{
    cr_assert_eq(clshard_tensor_of(NULL, CLSHARD_F64, (clshard_shape){0}).bytes, 8);
}

Test(tensor, bytes_beyond_64_bits_are_not_taken_for_unchecked)
{
    cr_assert_eq(clshard_tensor_of(NULL, CLSHARD_F64, CLSHARD_SHAPE(SIZE_MAX / 4)).bytes, SIZE_MAX);
    cr_assert_eq(clshard_tensor_of(NULL, CLSHARD_U8, CLSHARD_SHAPE(SIZE_MAX, 3)).bytes, SIZE_MAX);
}
