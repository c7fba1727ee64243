/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_BINARY_FILE_H
#define CLSHARD_OPENCL_BINARY_FILE_H

/* A file of the kernel cache, in memory: a header, the key that the binary was built for, the
 * binary. Numbers are in the machine's byte order: a file of another order has another format. */

#include <stdbool.h>
#include <stddef.h>

typedef struct clshard__bytes {
    unsigned char *data;
    size_t count;
} clshard__bytes;

enum {
    CLSHARD__BINARY_FILE_MAX_BYTES = 64 << 20, /* larger ones are neither written nor read */
    CLSHARD__BINARY_NAME_CHARS = 39            /* 32 digits, ".clbin", and the NUL */
};

/* The file's name: a hash of the key. */
void clshard__binary_file_name(clshard__bytes key, char name[CLSHARD__BINARY_NAME_CHARS]);

/* Whether a name has that form. */
bool clshard__binary_file_is_name(const char *name);

/* The file's bytes, which the caller frees; false without memory, and where they are too many. */
bool clshard__binary_file_pack(clshard__bytes key, clshard__bytes binary, clshard__bytes *out_file);

/* NULL for a whole file of this key: *out_binary is then the binary, inside the file's bytes. Else
 * what is wrong. The checksum covers every byte, since drivers end the process on a damaged binary:
 * PoCL 3.1 by a segmentation fault or an assertion (cut short, or bytes changed in its middle),
 * rusticl of Mesa 22.3.6 by a panic (cut short), Oclgrind 21.10 by LLVM's fatal error (changed). */
const char *clshard__binary_file_check(clshard__bytes file, clshard__bytes key,
                                       clshard__bytes *out_binary);

#endif
