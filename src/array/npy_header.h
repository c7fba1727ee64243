/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_ARRAY_NPY_HEADER_H
#define CLSHARD_ARRAY_NPY_HEADER_H

/* The header of a .npy file as bytes: magic, version, length, and a Python dict literal. Pure; the
 * bytes are not trusted. `name` is the file's, for messages. */

#include <clshard/tensor.h>

enum {
    CLSHARD__NPY_START_BYTES = 12,       /* enough to tell how long the header is */
    CLSHARD__NPY_HEADER_LIMIT = 1 << 20, /* longest dict literal that is read */
    CLSHARD__NPY_MADE_BYTES = 512        /* longest header that is made */
};

/* What a header says. */
typedef struct clshard__npy_header {
    clshard_dtype dtype;
    clshard_shape shape;
    size_t data_bytes; /* of all elements */
} clshard__npy_header;

/* Bytes before the first element, from the first CLSHARD__NPY_START_BYTES (or fewer, when the file
 * is shorter) of a file of file_bytes. FORMAT also when they exceed the file or the limit. */
clshard_status clshard__npy_header_bytes(const char *name, const unsigned char *start,
                                         size_t start_bytes, size_t file_bytes, size_t *out_bytes,
                                         clshard_error *err);

/* Reads all those bytes. FORMAT, DTYPE, RANK, OVERFLOW. */
clshard_status clshard__npy_header_parse(const char *name, const unsigned char *bytes,
                                         size_t byte_count, clshard__npy_header *out_header,
                                         clshard_error *err);

/* Writes a version 1.0 header, byte for byte as NumPy does; *out_bytes is a multiple of 64. DTYPE
 * for what NumPy has no type for. */
clshard_status clshard__npy_header_make(const char *name, clshard_dtype dtype, clshard_shape shape,
                                        char buffer[CLSHARD__NPY_MADE_BYTES], size_t *out_bytes,
                                        clshard_error *err);

#endif
