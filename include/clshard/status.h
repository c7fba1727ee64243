/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_STATUS_H
#define CLSHARD_STATUS_H

/**
 * @file
 * What a call returns, and the error object that says why.
 *
 * Values are pinned, in groups: 100 the caller's arguments, 200 the host, 300 devices, 900
 * ourselves.
 *
 * Thread class: immutable; an error object belongs to one call at a time.
 */

#include <clshard/export.h>

/* clang-format off */
/** Every status: X(NAME, value, short name). The tool prints the short name. */
#define CLSHARD_STATUS_MAP(X)                                                                          \
    X(OK, 0, "ok")                             /* done */                                              \
    X(ERR_ARGUMENT, 100, "argument")           /* a value that no call accepts */                      \
    X(ERR_TEXT, 101, "text")                   /* text that does not parse; the position is named */   \
    X(ERR_NAME, 102, "name")                   /* a malformed axis or logical name */                  \
    X(ERR_RANK, 103, "rank")                   /* too many dimensions, or not the number needed */     \
    X(ERR_SHAPE, 104, "shape")                 /* a host tensor of another shape than the array */     \
    X(ERR_DTYPE, 105, "dtype")                 /* not a dtype, or not the one needed */                \
    X(ERR_INDIVISIBLE, 106, "indivisible")     /* an extent that the policy `even` cannot cut */       \
    X(ERR_UNKNOWN_AXIS, 107, "unknown_axis")   /* an axis that the mesh does not have */               \
    X(ERR_DUPLICATE_AXIS, 108, "duplicate_axis") /* an axis named or used twice */                     \
    X(ERR_UNKNOWN_NAME, 109, "unknown_name")   /* a logical name without a rule */                     \
    X(ERR_RULE_CONFLICT, 110, "rule_conflict") /* rules that want one axis for two dimensions */       \
    X(ERR_MESH_SIZE, 111, "mesh_size")         /* sizes below 1, no axes, more positions than devices */ \
    X(ERR_DUPLICATE_DEVICE, 112, "duplicate_device") /* a device named twice */                        \
    X(ERR_SPLIT, 113, "split")                 /* weights, sizes or policies that fit no extent */     \
    X(ERR_LAYOUT, 114, "layout")               /* layouts that do not fit each other */                \
    X(ERR_INDEX, 116, "index")                 /* an index past the end */                             \
    X(ERR_ABSTRACT, 117, "abstract")           /* a mesh without devices where devices are needed */   \
    X(ERR_BUSY, 118, "busy")                   /* a shard that is mapped */                            \
    X(ERR_MEMORY, 200, "memory")               /* the host has no memory left */                       \
    X(ERR_OVERFLOW, 201, "overflow")           /* a size beyond 64 bits */                             \
    X(ERR_IO, 202, "io")                       /* a file that cannot be opened, read or written */     \
    X(ERR_FORMAT, 203, "format")               /* a file that is not what it says */                   \
    X(ERR_THREAD, 204, "thread")               /* the system gave no thread or lock */                 \
    X(ERR_FORKED, 205, "forked")               /* a runtime used in a child of the process that opened it */ \
    X(ERR_NO_DEVICES, 300, "no_devices")       /* no device where one is needed */                     \
    X(ERR_OPENCL, 301, "opencl")               /* an OpenCL call failed; the code is in `native` */    \
    X(ERR_DEVICE_MEMORY, 302, "device_memory") /* the device has no memory left */                     \
    X(ERR_LIMIT, 303, "limit")                 /* a shard larger than the device takes */              \
    X(ERR_UNSUPPORTED, 304, "unsupported")     /* a route or type that the device does not have */     \
    X(ERR_BUILD, 305, "build")                 /* a kernel that does not build; its log is in the message */ \
    X(ERR_REPLICAS, 306, "replicas")           /* replicas that were compared and differ */            \
    X(ERR_INTERNAL, 900, "internal")           /* a fault of clshard itself */

#define CLSHARD__STATUS_ENUM(name, value, text) CLSHARD_##name = (value),
/** What a call came to; CLSHARD_STATUS_MAP() lists the values. */
typedef enum clshard_status {
    CLSHARD_STATUS_MAP(CLSHARD__STATUS_ENUM)
    CLSHARD_STATUS_FORCE_INT = 0x7fffffff /**< keeps the enum as wide as an int */
} clshard_status;
/* clang-format on */

/** Why a call failed. The caller owns it, usually on the stack; it needs no release. Zero it to
 * start. */
typedef struct clshard_error {
    clshard_status status; /**< the status that the call returned */
    int32_t native;        /**< the OpenCL code behind it; 0: none */
    int64_t position;      /**< the mesh position that failed; -1: none */
    char message[496]; /**< one sentence: the operation, the offending value, what would be right */
} clshard_error;

CLSHARD_BEGIN_DECLS

/** The short name of a status, such as "indivisible"; "unknown" for no status of ours, never NULL.
 */
CLSHARD_API const char *clshard_status_name(clshard_status status);

CLSHARD_END_DECLS

#endif
