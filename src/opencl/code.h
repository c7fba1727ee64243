/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_CODE_H
#define CLSHARD_OPENCL_CODE_H

/* OpenCL's codes: their names, and failures made of them. */

#include <CL/cl.h>

#include <clshard/status.h>

#include "base/error.h"

/* "CL_OUT_OF_RESOURCES"; "unknown code" for what the specification does not name; never NULL. */
const char *clshard__code_name(cl_int code);

/* Sets *err to OPENCL, or DEVICE_MEMORY where the code says so: "OPERATION on DEVICE: NAME (code)".
 * device is a name for people, or NULL. */
clshard_status clshard__fail_code(clshard_error *err, cl_int code, const char *operation,
                                  const char *device);

#ifdef __clang_analyzer__ /* as in base/error.h */
#define clshard__fail_code(err, code, ...)                                                         \
    clshard__failed(clshard__fail_code(err, code, __VA_ARGS__), CLSHARD_ERR_OPENCL)
#endif

#endif
