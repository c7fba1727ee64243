/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_INFO_H
#define CLSHARD_OPENCL_INFO_H

/* Typed questions to platforms and devices. A driver that fails, or that answers with another
 * size than the specification's, is OPENCL; the message names the query, whom it asked and the
 * code. */

#include <CL/cl.h>

#include "opencl/arena.h"

/* Whom to ask. */
typedef struct clshard__subject {
    cl_platform_id platform;
    cl_device_id device; /* NULL: the platform itself */
    const char *label;   /* for people, as "device 1.0" */
} clshard__subject;

/* What to ask: CLSHARD__QUERY(CL_DEVICE_NAME). */
typedef struct clshard__query {
    cl_uint parameter;
    const char *name;
} clshard__query;
#define CLSHARD__QUERY(name) ((clshard__query){name, #name})

/* A string of any length, without blanks at its ends; it lives as long as the arena. */
clshard_status clshard__info_text(const clshard__subject *subject, clshard__query query,
                                  clshard__arena *arena, const char **out, clshard_error *err);
clshard_status clshard__info_u32(const clshard__subject *subject, clshard__query query,
                                 uint32_t *out, clshard_error *err);
clshard_status clshard__info_u64(const clshard__subject *subject, clshard__query query,
                                 uint64_t *out, clshard_error *err);
clshard_status clshard__info_bool(const clshard__subject *subject, clshard__query query, bool *out,
                                  clshard_error *err);

/* For what a driver need not know: whether it answered with exactly these many bytes. */
bool clshard__info_optional(const clshard__subject *subject, cl_uint parameter, void *value,
                            size_t bytes);

#endif
