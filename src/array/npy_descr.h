/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_ARRAY_NPY_DESCR_H
#define CLSHARD_ARRAY_NPY_DESCR_H

/* NumPy's names of element types, such as '<f4'. Pure. */

#include <clshard/dtype.h>

/* Reads the text between the quotes. FORMAT for big-endian elements; DTYPE for what is none of
 * ours, with how to save it instead. */
clshard_status clshard__npy_descr_read(const char *name, const char *text, size_t length,
                                       clshard_dtype *out_dtype, clshard_error *err);

/* Writes the name; DTYPE when NumPy has none. */
clshard_status clshard__npy_descr_make(const char *name, clshard_dtype dtype, char out_text[4],
                                       clshard_error *err);

#endif
