/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_PROGRAM_H
#define CLSHARD_OPENCL_PROGRAM_H

/* Building the files of cl/ for one device. */

#include <CL/cl.h>

#include <clshard/status.h>

#include "opencl/binary_cache.h"
#include "opencl/device.h"

typedef struct clshard__program_request {
    cl_context context;
    const clshard__device *device;
    const char *name;    /* of the file in cl/, and of a kernel in it */
    const char *options; /* for the compiler */
    clshard__binary_cache *cache;
} clshard__program_request;

/* Takes the binary from the cache, or builds cl/NAME.cl and stores it there. The build log goes to
 * *err, its end when it is long. The caller releases the program. */
clshard_status clshard__program_build(const clshard__program_request *request,
                                      cl_program *out_program, clshard_error *err);

#endif
