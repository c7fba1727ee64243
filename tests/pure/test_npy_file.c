/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clshard/npy.h>

#include "support/files.h"
#include "support/random.h"

TestSuite(npy_file, .init = folder_make, .fini = folder_remove);

/* An element that is not negative; of f16 only normal numbers. */
static double element(const clshard_tensor *tensor, size_t index)
{
    const size_t size = clshard_dtype_bytes(tensor->dtype);
    uint64_t bits = 0;
    float f32;
    double f64;

    memcpy(&bits, (const char *)tensor->data + index * size, size);
    memcpy(&f32, &bits, sizeof f32);
    memcpy(&f64, &bits, sizeof f64);
    if (tensor->dtype == CLSHARD_F32)
        return (double)f32;
    if (tensor->dtype == CLSHARD_F64)
        return f64;
    if (tensor->dtype == CLSHARD_F16 && bits != 0)
        return (double)(1024 + (bits & 1023)) / 33554432.0 * (double)(UINT64_C(1) << (bits >> 10));
    return (double)bits;
}

static size_t element_count(clshard_shape shape)
{
    size_t count = 1;
    for (size_t i = 0; i < shape.rank; i++)
        count *= shape.extent[i];
    return count;
}

static const struct reference {
    const char *name;
    const char *shape;
    clshard_dtype dtype;
    bool rewritten; /* as the same bytes */
} references[] = {
    {"dtype_b1", "3x4", CLSHARD_BOOL, true},
    {"dtype_u1", "3x4", CLSHARD_U8, true},
    {"dtype_i1", "3x4", CLSHARD_I8, true},
    {"dtype_u2", "3x4", CLSHARD_U16, true},
    {"dtype_i2", "3x4", CLSHARD_I16, true},
    {"dtype_u4", "3x4", CLSHARD_U32, true},
    {"dtype_i4", "3x4", CLSHARD_I32, true},
    {"dtype_u8", "3x4", CLSHARD_U64, true},
    {"dtype_i8", "3x4", CLSHARD_I64, true},
    {"dtype_f2", "3x4", CLSHARD_F16, true},
    {"dtype_f4", "3x4", CLSHARD_F32, true},
    {"dtype_f8", "3x4", CLSHARD_F64, true},
    {"rank_scalar", "scalar", CLSHARD_I16, true},
    {"rank_1", "5", CLSHARD_I16, true},
    {"rank_2", "3x4", CLSHARD_I16, true},
    {"rank_3_empty", "2x0x3", CLSHARD_I16, true},
    {"rank_8", "1x2x1x3x1x2x1x2", CLSHARD_I16, true},
    {"rank_long", "1234567x0x0", CLSHARD_I16, true},
    {"version_2", "3x4", CLSHARD_F32, false},
    {"version_3", "3x4", CLSHARD_F32, false},
    {"transposed_vector", "5x1", CLSHARD_I32, true},
};

static void check_rewritten(const char *path, const clshard_tensor *tensor)
{
    const char *copy = folder_file("copy.npy");
    size_t expected_bytes;
    size_t bytes;
    unsigned char *expected = read_bytes(path, &expected_bytes);
    unsigned char *written;

    cr_assert_eq(clshard_npy_write(copy, tensor, NULL), CLSHARD_OK);
    written = read_bytes(copy, &bytes);
    cr_assert(bytes == expected_bytes && memcmp(written, expected, bytes) == 0, "%s", path);
    free(expected);
    free(written);
}

Test(npy_file, numpys_files_read_and_are_rewritten_byte_for_byte)
{
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        const struct reference *row = &references[i];
        clshard_tensor tensor = {0};
        clshard_error err = {0};
        char name[64];
        char shape[200];

        (void)snprintf(name, sizeof name, "data/npy/%s.npy", row->name);
        cr_assert_eq(clshard_npy_read(tests_file(name), &tensor, &err), CLSHARD_OK, "%s",
                     err.message);
        clshard_shape_format(tensor.shape, shape, sizeof shape);
        cr_assert_str_eq(shape, row->shape);
        cr_assert_eq(tensor.dtype, row->dtype, "%s", name);
        cr_assert_eq(tensor.bytes, element_count(tensor.shape) * clshard_dtype_bytes(tensor.dtype));
        cr_assert_eq((uintptr_t)tensor.data % 4096, 0);
        for (size_t k = 0; k < element_count(tensor.shape); k++) {
            const size_t value = (7 * k + 3) % 101;
            cr_assert_eq(element(&tensor, k),
                         (double)(tensor.dtype == CLSHARD_BOOL ? value % 2 : value), "%s[%zu]",
                         name, k);
        }
        if (row->rewritten)
            check_rewritten(tests_file(name), &tensor);
        clshard_npy_free(&tensor);
    }
}

Test(npy_file, strided_tensors_are_written_as_numpy_writes_them)
{
    int32_t numbers[4][6];
    const clshard_tensor reversed = {&numbers[3][5], CLSHARD_I32, {2, {4, 3}}, {-24, -8}, 0};

    for (int i = 0; i < 24; i++)
        numbers[i / 6][i % 6] = (7 * i + 3) % 101;
    check_rewritten(tests_file("data/npy/reversed.npy"), &reversed);
}

Test(npy_file, the_digits_read_with_their_checksums)
{
    clshard_tensor tensor = {0};
    uint64_t sum = 0;
    char shape[200];

    cr_assert_eq(clshard_npy_read(tests_file("data/digits_images.npy"), &tensor, NULL), CLSHARD_OK);
    clshard_shape_format(tensor.shape, shape, sizeof shape);
    cr_assert_str_eq(shape, "1797x8x8");
    cr_assert_eq(tensor.dtype, CLSHARD_U8);
    for (size_t i = 0; i < element_count(tensor.shape); i++)
        sum += (i % 97 + 1) * ((const uint8_t *)tensor.data)[i];
    cr_assert_eq(sum, 27561536);
    clshard_npy_free(&tensor);

    cr_assert_eq(clshard_npy_read(tests_file("data/digits_labels.npy"), &tensor, NULL), CLSHARD_OK);
    clshard_shape_format(tensor.shape, shape, sizeof shape);
    cr_assert_str_eq(shape, "1797");
    cr_assert_eq(tensor.dtype, CLSHARD_I32);
    sum = 0;
    for (size_t i = 0; i < element_count(tensor.shape); i++)
        sum += (i % 97 + 1) * (uint64_t)((const int32_t *)tensor.data)[i];
    cr_assert_eq(sum, 392360);
    clshard_npy_free(&tensor);
}

/* Some strides over memory that is large enough: dimensions in any order of memory, some reversed,
 * some spread out, some that stand still. */
static void choose_strides(random_source *source, clshard_tensor *tensor, char *memory)
{
    size_t order[CLSHARD_RANK_MAX] = {0};
    ptrdiff_t step = (ptrdiff_t)clshard_dtype_bytes(tensor->dtype);
    const size_t spread = tensor->shape.rank < 5 ? 2 : 1;
    ptrdiff_t start = 0;

    for (size_t i = 0; i < tensor->shape.rank; i++) {
        const size_t other = uniform(source, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < tensor->shape.rank; i++) {
        ptrdiff_t *stride = &tensor->strides[order[i]];
        const ptrdiff_t steps = (ptrdiff_t)tensor->shape.extent[order[i]] - 1;
        *stride = step;
        step *= (steps + 1) * (ptrdiff_t)uniform_between(source, 1, spread) + (steps < 0);
        if (uniform(source, 4) == 0)
            *stride = 0;
        if (uniform(source, 3) == 0) {
            *stride = -*stride;
            start -= *stride * (steps < 0 ? 0 : steps);
        }
    }
    tensor->data = memory + start;
}

/* The bytes in C order by the definition of strides. */
static size_t gather_bytes(const clshard_tensor *tensor, char *out)
{
    const size_t count = element_count(tensor->shape);
    const size_t size = clshard_dtype_bytes(tensor->dtype);
    bool implied = true;

    for (size_t i = 0; i < tensor->shape.rank; i++)
        implied = implied && tensor->strides[i] == 0;
    for (size_t k = 0; k < count; k++) {
        ptrdiff_t offset = implied ? (ptrdiff_t)(k * size) : 0;
        size_t rest = k;
        for (size_t i = tensor->shape.rank; i-- > 0;) {
            offset += (ptrdiff_t)(rest % tensor->shape.extent[i]) * tensor->strides[i];
            rest /= tensor->shape.extent[i];
        }
        memcpy(out + k * size, (const char *)tensor->data + offset, size);
    }
    return count * size;
}

static void check_round_trip(const clshard_tensor *tensor, char *expected)
{
    const char *path = folder_file("a.npy");
    const size_t bytes = gather_bytes(tensor, expected);
    clshard_tensor back = {0};
    clshard_error err = {0};

    cr_assert_eq(clshard_npy_write(path, tensor, &err), CLSHARD_OK, "%s", err.message);
    cr_assert_eq(clshard_npy_read(path, &back, &err), CLSHARD_OK, "%s", err.message);
    cr_assert(back.dtype == tensor->dtype && back.bytes == bytes);
    cr_assert(memcmp(&back.shape, &tensor->shape, sizeof back.shape) == 0);
    cr_assert(memcmp(back.data, expected, bytes) == 0);
    cr_assert(remove(path) == 0); /* replacing a file makes some file systems wait for the disk */
    clshard_npy_free(&back);
    cr_assert(back.data == NULL && back.dtype == CLSHARD_DTYPE_NONE);
}

Test(npy_file, every_dtype_rank_and_stride_comes_back)
{
    enum { MEMORY = 1 << 20 };
    random_source source = {11};
    char *memory = malloc(MEMORY);
    char *expected = malloc(MEMORY);

    cr_assert(memory != NULL && expected != NULL);
    for (size_t i = 0; i < MEMORY; i++)
        memory[i] = (char)random_u64(&source);
    for (int dtype = CLSHARD_BOOL; dtype <= CLSHARD_F64; dtype++) {
        for (size_t round = 0; round < 180 && dtype != CLSHARD_BF16; round++) {
            clshard_tensor tensor = {memory, (clshard_dtype)dtype, {round % 9, {0}}, {0}, 0};
            const size_t most = tensor.shape.rank < 4 ? 9 : 3;
            for (size_t i = 0; i < tensor.shape.rank; i++)
                tensor.shape.extent[i] = uniform(&source, 40) == 0 ? 0 : 1 + uniform(&source, most);
            if (round >= 36)
                choose_strides(&source, &tensor, memory);
            check_round_trip(&tensor, expected);
        }
    }
    cr_assert_eq(folder_count(), 0);
    free(memory);
    free(expected);
}

Test(npy_file, rows_longer_than_the_buffer_come_back)
{
    const size_t row = 700001;
    const size_t rows = 5;
    char *memory = malloc(2 * rows * row);
    char *expected = malloc(rows * row);
    const clshard_tensor tensor = {
        memory, CLSHARD_U8, {2, {rows, row}}, {2 * (ptrdiff_t)row, 1}, 0};
    const clshard_tensor columns = {
        memory, CLSHARD_U8, {2, {row, rows}}, {1, (ptrdiff_t)row}, rows * row};

    cr_assert(memory != NULL && expected != NULL);
    for (size_t i = 0; i < 2 * rows * row; i++)
        memory[i] = (char)(i * i >> 7);
    check_round_trip(&tensor, expected);
    check_round_trip(&columns, expected);
    free(memory);
    free(expected);
}
