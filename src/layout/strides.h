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

/* Number of elements; the caller knows that it fits. */
size_t clshard__element_count(clshard_shape shape);

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
