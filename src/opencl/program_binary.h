/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_PROGRAM_BINARY_H
#define CLSHARD_OPENCL_PROGRAM_BINARY_H

/* A program as its driver's binary, for the kernel cache. None of these fails with an error: a
 * program can always be built from source. */

#include <CL/cl.h>

#include "opencl/binary_file.h"
#include "opencl/device.h"

/* All that a binary depends on: this library's version, platform, device, driver, options, source.
 * The caller frees it; false without memory. */
bool clshard__program_key(const clshard__device *device, const char *options, const char *source,
                          clshard__bytes *out_key);

/* The built program of a binary, which the caller releases; NULL where the driver takes it not. */
cl_program clshard__program_from_binary(cl_context context, const clshard__device *device,
                                        const char *options, clshard__bytes binary);

/* The binary of a program that was built for this device alone, whatever devices its context has.
 * The caller frees it. */
bool clshard__program_to_binary(cl_program program, const clshard__device *device,
                                clshard__bytes *out_binary);

#endif
