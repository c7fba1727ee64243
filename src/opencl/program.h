/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_PROGRAM_H
#define CLSHARD_OPENCL_PROGRAM_H

/* Building the files of cl/ for one device. */

#include <CL/cl.h>

#include <clshard/status.h>

#include "opencl/device.h"

/* Builds cl/NAME.cl. The log goes to *err, its end when it is long. The caller releases the
 * program. */
clshard_status clshard__program_build(cl_context context, const clshard__device *device,
                                      const char *name, const char *options,
                                      cl_program *out_program, clshard_error *err);

#endif
