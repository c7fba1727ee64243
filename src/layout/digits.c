/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/digits.h"

#include <string.h>

/* Whether a digit of this size and stride continues the last one downwards. */
static bool continues(const clshard__digits *digits, size_t stride, size_t size)
{
    return digits->count > 0 && digits->stride[digits->count - 1] == stride * size;
}

clshard__digits clshard__digits_of(const clshard__axes *axes, const size_t *axis, size_t axis_count)
{
    clshard__digits digits;
    memset(&digits, 0, sizeof digits);
    for (size_t i = 0; i < axis_count; i++) {
        const size_t size = axes->size[axis[i]];
        const size_t stride = axes->stride[axis[i]];
        if (size == 1)
            continue;
        if (continues(&digits, stride, size)) {
            digits.size[digits.count - 1] *= size;
            digits.stride[digits.count - 1] = stride;
        } else {
            digits.size[digits.count] = size;
            digits.stride[digits.count++] = stride;
        }
    }
    return digits;
}

bool clshard__digits_equal(const clshard__digits *a, const clshard__digits *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->size[i] != b->size[i] || a->stride[i] != b->stride[i])
            return false;
    return true;
}

size_t clshard__digits_read(const clshard__digits *digits, size_t position)
{
    size_t number = 0;
    for (size_t i = 0; i < digits->count; i++)
        number = number * digits->size[i] + position / digits->stride[i] % digits->size[i];
    return number;
}

size_t clshard__digits_write(const clshard__digits *digits, size_t number)
{
    size_t position = 0;
    for (size_t i = digits->count; i-- > 0;) {
        position += number % digits->size[i] * digits->stride[i];
        number /= digits->size[i];
    }
    return position;
}
