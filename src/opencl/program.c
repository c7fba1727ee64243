/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/program.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "opencl/code.h"
#include "opencl/kernel_sources.h"

static const char *find_source(const char *name)
{
    for (const clshard__kernel_source *source = clshard__kernel_sources; source->name != NULL;
         source++)
        if (strcmp(source->name, name) == 0)
            return source->text;
    return NULL;
}

/* The log that explains a failed build; the caller frees it. NULL when there is none to be had. */
static char *build_log(cl_program program, cl_device_id device)
{
    size_t bytes = 0;
    char *log;

    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) !=
            CL_SUCCESS ||
        bytes == 0)
        return NULL;
    log = clshard__alloc(bytes + 1, 1);
    if (log != NULL && clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log,
                                             NULL) != CL_SUCCESS) {
        clshard__free(log);
        return NULL;
    }
    return log;
}

static clshard_status build_failure(clshard_error *err, cl_int code, cl_program program,
                                    const clshard__device *device, const char *name)
{
    const size_t room = 300; /* of the message, for the log's end, where the error stands */
    char *log = build_log(program, device->id);
    const size_t length = log == NULL ? 0 : strlen(log);
    clshard_status status;

    if (length == 0)
        status = clshard__fail_native(
            err, CLSHARD_ERR_BUILD, code,
            "building kernel '%s' for device %s '%s': %s (%d) without a build log%s", name,
            device->info.id, device->info.name, clshard__code_name(code), (int)code,
            code == CL_INVALID_PROGRAM ? "; is the driver's cache folder writable?" : "");
    else
        status = clshard__fail_native(err, CLSHARD_ERR_BUILD, code,
                                      "building kernel '%s' for device %s: %s (%d): %s", name,
                                      device->info.id, clshard__code_name(code), (int)code,
                                      log + (length > room ? length - room : 0));
    clshard__free(log);
    return status;
}

clshard_status clshard__program_build(cl_context context, const clshard__device *device,
                                      const char *name, const char *options,
                                      cl_program *out_program, clshard_error *err)
{
    const char *text = find_source(name);
    cl_int code = CL_SUCCESS;
    cl_program program;

    if (text == NULL)
        return clshard__fail(err, CLSHARD_ERR_INTERNAL, "no kernel source is named '%s'", name);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    if (code != CL_SUCCESS)
        return clshard__fail_code(err, code, "clCreateProgramWithSource", device->info.name);
    code = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        const clshard_status status = build_failure(err, code, program, device, name);
        (void)clReleaseProgram(program);
        return status;
    }
    *out_program = program;
    return CLSHARD_OK;
}
