/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_NPY_H
#define CLSHARD_NPY_H

/**
 * @file
 * Files in NumPy's .npy format: header versions 1.0 to 3.0, C order, little endian, the dtypes of
 * dtype.h but bf16, for which NumPy has no type.
 *
 * Thread class: immutable. Of two files written to one place at once one appears, whole.
 */

#include <clshard/tensor.h>

CLSHARD_BEGIN_DECLS

/**
 * Reads a whole file. Only regular files are read.
 * @param path of the file.
 * @param out_tensor receives a dense tensor that owns its memory; end with clshard_npy_free().
 * @param err may be NULL.
 * @return OK; `io` for a file that is missing, unreadable, or not a regular file; `format` for one
 * that is not .npy, is truncated or longer than its header says, or has a malformed header, Fortran
 *         order, big-endian elements; `dtype` for elements that are none of ours (objects, strings,
 *         records); `rank`; `overflow`; `memory`; `argument`.
 */
CLSHARD_CHECKED clshard_status clshard_npy_read(const char *path, clshard_tensor *out_tensor,
                                                clshard_error *err);

/**
 * Writes a tensor of any strides as a version 1.0 file. The file appears complete or not at all: it
 * is written beside its place under another name, then renamed. An existing regular file is
 * replaced, a symbolic link itself, not what it points to; anything else there is `io`.
 * @param path of the file.
 * @param tensor to write.
 * @param err may be NULL.
 * @return OK; `io`; `dtype` for bf16; `rank` for more than CLSHARD_RANK_MAX dimensions; `overflow`
 *         for a size or strides beyond 63 bits; `argument` for strides that leave the memory given
 *         or missing data; `memory`.
 */
CLSHARD_CHECKED clshard_status clshard_npy_write(const char *path, const clshard_tensor *tensor,
                                                 clshard_error *err);

/** Frees what clshard_npy_read() allocated, and zeroes the tensor. NULL and zeroed tensors are
 * allowed. */
CLSHARD_API void clshard_npy_free(clshard_tensor *tensor);

CLSHARD_END_DECLS

#endif
