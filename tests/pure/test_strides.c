/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "layout/strides.h"
#include "support/random.h"

static unsigned char memory[4096];

static clshard_status view_of(const clshard_tensor *tensor, clshard__use use, clshard__view *view,
                              clshard_error *err)
{
    return clshard__tensor_view(tensor, use, "scatter", view, err);
}

Test(strides, zeros_mean_dense_in_c_order)
{
    const clshard_tensor tensor = clshard_tensor_of(memory, CLSHARD_F32, CLSHARD_SHAPE(4, 3, 2));
    clshard__view view;

    cr_assert_eq(view_of(&tensor, CLSHARD__USE_DESTINATION, &view, NULL), CLSHARD_OK);
    cr_assert(view.stride[0] == 24 && view.stride[1] == 8 && view.stride[2] == 4);
    cr_assert(view.low == 0 && view.high == 96);
}

Test(strides, memory_that_is_left_is_refused_with_the_numbers)
{
    clshard_tensor tensor = clshard_tensor_of(memory, CLSHARD_F32, CLSHARD_SHAPE(4, 3));
    clshard__view view = {{0}, 7, 7};
    clshard_error err = {0};

    tensor.bytes = 47;
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, &err), CLSHARD_ERR_ARGUMENT);
    cr_assert(strstr(err.message, "48") != NULL && strstr(err.message, "47") != NULL, "%s",
              err.message);
    cr_assert(view.low == 7 && view.high == 7, "outputs of a failure are untouched");
    tensor.bytes = 48;
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, &err), CLSHARD_OK);
    tensor.strides[0] = -12;
    tensor.strides[1] = 4;
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, &err), CLSHARD_ERR_ARGUMENT);
    tensor.bytes = 0; /* the caller vouches for what lies before the data */
    tensor.data = memory + 36;
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, &err), CLSHARD_OK);
    cr_assert(view.low == -36 && view.high == 12);
}

Test(strides, huge_sizes_overflow_instead_of_wrapping)
{
    clshard_tensor tensor = {.data = memory, .dtype = CLSHARD_F64};
    clshard__view view;

    tensor.shape = CLSHARD_SHAPE(SIZE_MAX / 8, 2);
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, NULL), CLSHARD_ERR_OVERFLOW);
    tensor.shape = CLSHARD_SHAPE(SIZE_MAX, 0);
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, NULL), CLSHARD_OK);
    tensor.shape = CLSHARD_SHAPE(3, 3);
    tensor.strides[0] = PTRDIFF_MAX;
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, NULL), CLSHARD_ERR_OVERFLOW);
    tensor.strides[0] = PTRDIFF_MIN / 2;
    tensor.strides[1] = PTRDIFF_MAX / 2;
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, NULL), CLSHARD_ERR_OVERFLOW);
}

Test(strides, bad_values_are_named)
{
    clshard_tensor tensor = {.data = memory, .dtype = (clshard_dtype)99};
    clshard__view view;
    clshard_error err = {0};

    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, &err), CLSHARD_ERR_DTYPE);
    cr_assert(strstr(err.message, "99") != NULL);
    tensor.dtype = CLSHARD_U8;
    tensor.shape.rank = 9;
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, &err), CLSHARD_ERR_RANK);
    tensor.shape = CLSHARD_SHAPE(2);
    tensor.data = NULL;
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, &err), CLSHARD_ERR_ARGUMENT);
    tensor.shape = CLSHARD_SHAPE(0);
    cr_assert_eq(view_of(&tensor, CLSHARD__USE_SOURCE, &view, &err), CLSHARD_OK);
}

/* Whether any two elements share a byte, by trying all. */
static bool overlaps(const clshard_tensor *tensor, size_t item_bytes)
{
    bool taken[sizeof memory] = {false};
    const size_t count = clshard__element_count(tensor->shape);

    for (size_t i = 0; i < count; i++) {
        ptrdiff_t at = sizeof memory / 2;
        size_t left = i;
        for (size_t d = tensor->shape.rank; d-- > 0;) {
            at += (ptrdiff_t)(left % tensor->shape.extent[d]) * tensor->strides[d];
            left /= tensor->shape.extent[d];
        }
        for (size_t b = 0; b < item_bytes; b++) {
            if (taken[at + (ptrdiff_t)b])
                return true;
            taken[at + (ptrdiff_t)b] = true;
        }
    }
    return false;
}

Test(strides, a_destination_whose_elements_overlap_is_always_refused)
{
    random_source random = {6};
    size_t accepted = 0;
    size_t refused = 0;

    for (int round = 0; round < 20000; round++) {
        clshard_tensor tensor = {.data = memory + sizeof memory / 2, .dtype = CLSHARD_U16};
        clshard__view view;
        clshard_status status;
        tensor.shape.rank = uniform_between(&random, 1, 3);
        for (size_t d = 0; d < tensor.shape.rank; d++) {
            tensor.shape.extent[d] = uniform_between(&random, 1, 4);
            tensor.strides[d] = (ptrdiff_t)uniform(&random, 81) - 40;
        }
        tensor.strides[0] |= 1; /* not all zero, which would mean dense */
        status = view_of(&tensor, CLSHARD__USE_DESTINATION, &view, NULL);
        if (status == CLSHARD_OK) {
            accepted++;
            cr_assert_not(overlaps(&tensor, 2));
        } else {
            refused++;
            cr_assert_eq(status, CLSHARD_ERR_ARGUMENT);
        }
    }
    cr_assert(accepted > 1000 && refused > 1000);
}
