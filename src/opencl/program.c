/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/program.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "opencl/code.h"
#include "opencl/kernel_sources.h"
#include "opencl/program_binary.h"

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

static clshard_status build_source(const clshard__program_request *request, const char *text,
                                   cl_program *out_program, clshard_error *err)
{
    const clshard__device *device = request->device;
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(request->context, 1, &text, NULL, &code);

    if (code != CL_SUCCESS)
        return clshard__fail_code(err, code, "clCreateProgramWithSource", device->info.name);
    code = clBuildProgram(program, 1, &device->id, request->options, NULL, NULL);
    if (code != CL_SUCCESS) {
        const clshard_status status = build_failure(err, code, program, device, request->name);
        (void)clReleaseProgram(program);
        return status;
    }
    *out_program = program;
    return CLSHARD_OK;
}

/* Some drivers build what they cannot run; a program whose kernel cannot be made is neither stored
 * nor believed. */
static bool has_kernel(const clshard__program_request *request, cl_program program)
{
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, request->name, &code);

    if (code != CL_SUCCESS)
        return false;
    (void)clReleaseKernel(kernel);
    return true;
}

/* NULL where the cache does not have it, or the driver does not take it. */
static cl_program load(const clshard__program_request *request, clshard__bytes key)
{
    clshard__bytes binary = {NULL, 0};
    cl_program program;

    if (!clshard__binary_cache_load(request->cache, key, &binary))
        return NULL;
    program =
        clshard__program_from_binary(request->context, request->device, request->options, binary);
    clshard__free(binary.data);
    if (program != NULL && !has_kernel(request, program)) {
        (void)clReleaseProgram(program);
        program = NULL;
    }
    if (program == NULL)
        clshard__log_line(clshard__binary_cache_log(request->cache),
                          "kernel cache: device %s does not take its binary of '%s'",
                          request->device->info.id, request->name);
    return program;
}

static void store(const clshard__program_request *request, clshard__bytes key, cl_program program)
{
    clshard__bytes binary = {NULL, 0};

    if (!has_kernel(request, program) ||
        !clshard__program_to_binary(program, request->device, &binary))
        return;
    clshard__binary_cache_store(request->cache, key, binary);
    clshard__free(binary.data);
}

static void log_program(const clshard__program_request *request, const char *how, double start)
{
    clshard__log_line(clshard__binary_cache_log(request->cache),
                      "kernel '%s' (%s) for device %s %s in %.1f ms", request->name,
                      request->options, request->device->info.id, how,
                      (clshard__seconds() - start) * 1e3);
}

clshard_status clshard__program_build(const clshard__program_request *request,
                                      cl_program *out_program, clshard_error *err)
{
    const char *text = find_source(request->name);
    const double start = clshard__seconds();
    clshard__bytes key = {NULL, 0};
    clshard_status status = CLSHARD_OK;
    cl_program program = NULL;
    bool cached;

    if (text == NULL)
        return clshard__fail(err, CLSHARD_ERR_INTERNAL, "no kernel source is named '%s'",
                             request->name);
    cached = clshard__binary_cache_is_on(request->cache) &&
             clshard__program_key(request->device, request->options, text, &key);
    if (cached)
        program = load(request, key);
    if (program != NULL) {
        log_program(request, "read from the cache", start);
    } else {
        status = build_source(request, text, &program, err);
        if (status == CLSHARD_OK)
            log_program(request, "built from source", start);
        if (status == CLSHARD_OK && cached)
            store(request, key, program);
    }
    clshard__free(key.data);
    if (status == CLSHARD_OK)
        *out_program = program;
    return status;
}
