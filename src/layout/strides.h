/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_STRIDES_H
#define CLSHARD_LAYOUT_STRIDES_H

/* Byte strides of host tensors and of dense buffers. */

#include <clshard/tensor.h>

/* A tensor whose strides are spelt out, and the bytes it touches relative to its data. */
typedef struct clshard__view {
    ptrdiff_t stride[CLSHARD_RANK_MAX];
    ptrdiff_t low;  /* first byte touched, 0 or less */
    ptrdiff_t high; /* end of the last; equal to low when there are no elements */
} clshard__view;

typedef enum clshard__use {
    CLSHARD__USE_SOURCE,
    CLSHARD__USE_DESTINATION /* elements may not overlap */
} clshard__use;

/* Number of elements; false when it does not fit. An extent of 0 makes it 0, however large the
 * others. A rank beyond the largest counts as the largest: a shape comes from a caller. */
bool clshard__count_elements(clshard_shape shape, size_t *out_count);

/* The same where the caller knows that it fits. */
size_t clshard__element_count(clshard_shape shape);

bool clshard__same_shape(clshard_shape a, clshard_shape b);

/* The extents of a box. */
clshard_shape clshard__box_shape(clshard_box box);

/* Elements times item_bytes; false when it does not fit. */
bool clshard__byte_count(clshard_shape shape, size_t item_bytes, size_t *out_bytes);

/* The strides of a dense buffer in C order; its byte count must fit. */
void clshard__dense_strides(clshard_shape shape, size_t item_bytes, ptrdiff_t *out_strides);

/* Checks a host tensor. operation names the call in messages. DTYPE, RANK, OVERFLOW; ARGUMENT for
 * strides that leave the memory given, elements that overlap in a destination, or missing data. */
clshard_status clshard__tensor_view(const clshard_tensor *tensor, clshard__use use,
                                    const char *operation, clshard__view *out_view,
                                    clshard_error *err);

#endif
