/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include <clshard/dtype.h>

#include "support/refusal.h"
#include "support/texts.h"

/* Written out here again, so that a changed line of the header is seen. */
static const struct {
    const char *text;
    int value;
    size_t bytes;
} expected[] = {{"bool", 1, 1},  {"u8", 2, 1},   {"i8", 3, 1},  {"u16", 4, 2}, {"i16", 5, 2},
                {"u32", 6, 4},   {"i32", 7, 4},  {"u64", 8, 8}, {"i64", 9, 8}, {"f16", 10, 2},
                {"bf16", 11, 2}, {"f32", 12, 4}, {"f64", 13, 8}};
enum { EXPECTED = sizeof expected / sizeof expected[0] };

Test(dtype, each_has_its_pinned_value_text_and_bytes)
{
    for (size_t i = 0; i < EXPECTED; i++) {
        const clshard_dtype dtype = (clshard_dtype)expected[i].value;
        clshard_dtype parsed = CLSHARD_DTYPE_NONE;
        cr_assert_str_eq(clshard_dtype_name(dtype), expected[i].text);
        cr_assert_eq(clshard_dtype_bytes(dtype), expected[i].bytes);
        cr_assert_eq(clshard_dtype_parse(expected[i].text, &parsed, NULL), CLSHARD_OK);
        cr_assert_eq(parsed, dtype);
    }
}

Test(dtype, any_other_value_is_none_of_no_bytes)
{
    for (int value = -1000; value < 1000; value++) {
        const bool ours = value >= 1 && value <= EXPECTED;
        cr_assert_eq(strcmp(clshard_dtype_name((clshard_dtype)value), "none") != 0, ours);
        cr_assert_eq(clshard_dtype_bytes((clshard_dtype)value) > 0, ours);
    }
    cr_assert_eq(clshard_dtype_bytes(CLSHARD_DTYPE_FORCE_INT), 0);
    cr_assert_str_eq(clshard_dtype_name(CLSHARD_DTYPE_FORCE_INT), "none");
}

Test(dtype, another_text_is_refused_with_the_list)
{
    static const char *const texts[] = {"",      "none", "F32",     "f32 ", " f32",
                                        "float", "f3",   "float32", "f322", "<f4"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        clshard_error err = {0};
        clshard_dtype dtype = CLSHARD_I64;
        refusal(clshard_dtype_parse(texts[i], &dtype, &err), CLSHARD_ERR_DTYPE, &err, texts[i]);
        for (size_t k = 0; k < EXPECTED; k++)
            cr_assert(strstr(err.message, expected[k].text) != NULL);
        cr_assert_eq(dtype, CLSHARD_I64);
    }
}

Test(dtype, null_is_refused)
{
    clshard_error err = {0};
    clshard_dtype dtype = CLSHARD_I64;
    refusal(clshard_dtype_parse(NULL, &dtype, &err), CLSHARD_ERR_ARGUMENT, &err, "text");
    refusal(clshard_dtype_parse("f32", NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_dtype");
    cr_assert_eq(dtype, CLSHARD_I64);
}

Test(dtype, damaged_texts_parse_only_when_they_are_a_dtypes_text)
{
    random_source source = {11};
    static char text[TEXT_BYTES];
    for (size_t i = 0; i < 5000; i++) {
        clshard_error err = {0};
        clshard_dtype dtype = CLSHARD_DTYPE_NONE;
        clshard_status status;
        damaged_text(&source, expected[uniform(&source, EXPECTED)].text, text);
        status = clshard_dtype_parse(text, &dtype, &err);
        if (status == CLSHARD_OK)
            cr_assert_str_eq(clshard_dtype_name(dtype), text);
        else
            assert_says_why(status, &err, text);
    }
}
