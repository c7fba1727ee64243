/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TENSOR_H
#define CLSHARD_TENSOR_H

/**
 * @file
 * Values: a shape, a box [offset, offset + extent), a part, and a view of host memory.
 *
 * The structs are frozen and hold no ownership.
 *
 * Thread class: immutable.
 */

#include <clshard/dtype.h>

/** Extents in elements, the slowest-varying dimension first. Rank 0 is a scalar of one element. */
typedef struct clshard_shape {
    size_t rank;                     /**< 0 to CLSHARD_RANK_MAX */
    size_t extent[CLSHARD_RANK_MAX]; /**< the first `rank` count */
} clshard_shape;

/** An n-dimensional range: [offset, offset + extent) in each dimension, in elements. */
typedef struct clshard_box {
    size_t rank;                     /**< 0 to CLSHARD_RANK_MAX */
    size_t offset[CLSHARD_RANK_MAX]; /**< first index */
    size_t extent[CLSHARD_RANK_MAX]; /**< number of indices */
} clshard_box;

/** What one position holds, in global indices. Frozen. */
typedef struct clshard_part {
    clshard_box box;   /**< what its buffer stores; reaches past the shape only under `pad` */
    clshard_box valid; /**< the box cut to the shape: what transfers touch */
    size_t replica;    /**< row-major over the mesh axes that cut no dimension of this shape */
} clshard_part;

/** A view of host memory. Borrowed; as a source it is never written through. */
typedef struct clshard_tensor {
    void *data;          /**< the element at index 0, 0, ...; may be NULL when empty */
    clshard_dtype dtype; /**< of each element */
    clshard_shape shape; /**< in elements */
    ptrdiff_t strides[CLSHARD_RANK_MAX]; /**< in bytes per dimension; all zero: dense, C order */
    size_t bytes; /**< memory that starts at `data`; no index may leave it. 0: not checked */
} clshard_tensor;

#ifndef __cplusplus
/** A shape from its extents: CLSHARD_SHAPE(256, 1024). */
#define CLSHARD_SHAPE(...)                                                                         \
    ((clshard_shape){sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), {__VA_ARGS__}})
#endif

CLSHARD_BEGIN_DECLS

/**
 * A dense tensor in C order over `data`, which holds as many elements as the shape (`bytes` is set
 * so). The constness of `data` is dropped: use the result as a source only where `data` is const.
 */
CLSHARD_API clshard_tensor clshard_tensor_of(const void *data, clshard_dtype dtype,
                                             clshard_shape shape);

/**
 * Reads a shape: extents joined by `x` ("256x1024"), or "scalar" for rank 0.
 * @param text NUL-terminated.
 * @param out_shape receives the shape.
 * @param err may be NULL; the message marks where the text goes wrong.
 * @return OK; `text`; `rank` for more than CLSHARD_RANK_MAX extents; `overflow` when an extent or
 * the number of elements exceeds 64 bits; `argument` for NULL.
 */
CLSHARD_CHECKED clshard_status clshard_shape_parse(const char *text, clshard_shape *out_shape,
                                                   clshard_error *err);

/**
 * Prints a shape so that clshard_shape_parse() reads it back.
 * @return the bytes needed without the NUL, as snprintf(); at most `buffer_bytes` are written.
 */
CLSHARD_API size_t clshard_shape_format(clshard_shape shape, char *buffer, size_t buffer_bytes);

CLSHARD_END_DECLS

#endif
