/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_DTYPE_H
#define CLSHARD_DTYPE_H

/**
 * @file
 * Element types: whole bytes only, little endian.
 *
 * Thread class: immutable.
 */

#include <clshard/status.h>

/* clang-format off */
/** Every dtype: X(NAME, value, text, bytes). */
#define CLSHARD_DTYPE_MAP(X)                                                                           \
    X(BOOL, 1, "bool", 1) X(U8, 2, "u8", 1) X(I8, 3, "i8", 1) X(U16, 4, "u16", 2) X(I16, 5, "i16", 2)  \
    X(U32, 6, "u32", 4) X(I32, 7, "i32", 4) X(U64, 8, "u64", 8) X(I64, 9, "i64", 8)                    \
    X(F16, 10, "f16", 2) X(BF16, 11, "bf16", 2) X(F32, 12, "f32", 4) X(F64, 13, "f64", 8)

#define CLSHARD__DTYPE_ENUM(name, value, text, bytes) CLSHARD_##name = (value),
/** An element type; values are pinned. CLSHARD_DTYPE_MAP() lists them. */
typedef enum clshard_dtype {
    CLSHARD_DTYPE_NONE = 0, /**< no dtype */
    CLSHARD_DTYPE_MAP(CLSHARD__DTYPE_ENUM)
    CLSHARD_DTYPE_FORCE_INT = 0x7fffffff /**< keeps the enum as wide as an int */
} clshard_dtype;
/* clang-format on */

CLSHARD_BEGIN_DECLS

/** Bytes of one element, 1 to 8; 0 for no dtype of ours. */
CLSHARD_API size_t clshard_dtype_bytes(clshard_dtype dtype);

/** The text of a dtype, such as "f32"; "none" for no dtype of ours, never NULL. */
CLSHARD_API const char *clshard_dtype_name(clshard_dtype dtype);

/**
 * Finds a dtype by its text ("f32").
 * @param text NUL-terminated.
 * @param out_dtype receives the dtype.
 * @param err may be NULL.
 * @return OK; `dtype` when no dtype has that text (the message lists them); `argument` for NULL.
 */
CLSHARD_CHECKED clshard_status clshard_dtype_parse(const char *text, clshard_dtype *out_dtype,
                                                   clshard_error *err);

CLSHARD_END_DECLS

#endif
