/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel of a self-test, its data there and back. */

#include <string.h>

#include "base/error.h"
#include "opencl/code.h"
#include "opencl/wait.h"
#include "transfer/self_test.h"

enum { BUFFERS = CLSHARD__TRIAL_INPUTS + 1 };

static clshard_status failed(const clshard__check *check, cl_int code, const char *call,
                             clshard_error *err)
{
    return clshard__fail_code(err, code, call, check->worker.device->info.name);
}

cl_int clshard__check_settle(const clshard__check *check, cl_event event)
{
    const cl_int flushed = clFlush(check->worker.queue);
    const cl_int waited = clshard__wait(check->worker.queue, event);

    (void)clReleaseEvent(event);
    return flushed != CL_SUCCESS ? flushed : waited;
}

clshard_status clshard__trial_enqueue(const clshard__check *check, const clshard__trial *trial,
                                      const cl_mem *buffers, size_t buffer_count,
                                      cl_event *out_event, clshard_error *err)
{
    const cl_uint count = (cl_uint)trial->items;
    clshard__kernel *kernel = NULL;
    cl_int code = CL_SUCCESS;
    const clshard_status status = clshard__engine_kernel_take(
        check->engine, &check->worker, trial->kernel, trial->build_options, &kernel, err);

    if (status != CLSHARD_OK)
        return status;
    for (cl_uint i = 0; code == CL_SUCCESS && i < buffer_count; i++)
        code = clSetKernelArg(kernel->handle, i, sizeof buffers[i], &buffers[i]);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel->handle, (cl_uint)buffer_count, sizeof count, &count);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(check->worker.queue, kernel->handle, 1, NULL, &trial->items,
                                      NULL, 0, NULL, out_event);
    clshard__engine_kernel_give(check->engine, kernel);
    return code == CL_SUCCESS ? CLSHARD_OK : failed(check, code, trial->kernel, err);
}

static clshard_status take_buffers(const clshard__check *check, const clshard__trial *trial,
                                   clshard__pool_block block[BUFFERS], size_t *out_count,
                                   clshard_error *err)
{
    clshard__memory *memory = clshard__engine_memory(check->engine);
    clshard_status status = CLSHARD_OK;
    size_t count = 0;

    for (;
         status == CLSHARD_OK && count < CLSHARD__TRIAL_INPUTS && trial->input[count].data != NULL;
         count++)
        status = clshard__memory_take(memory, &check->worker, trial->input[count].bytes,
                                      &block[count], err);
    if (status == CLSHARD_OK)
        status =
            clshard__memory_take(memory, &check->worker, trial->output_bytes, &block[count], err);
    *out_count = count + 1;
    return status;
}

static clshard_status write_inputs(const clshard__check *check, const clshard__trial *trial,
                                   const cl_mem *buffers, size_t buffer_count, clshard_error *err)
{
    cl_int code = CL_SUCCESS;

    for (size_t i = 0; code == CL_SUCCESS && i + 1 < buffer_count; i++) {
        cl_event event = NULL;
        code = clEnqueueWriteBuffer(check->worker.queue, buffers[i], CL_FALSE, 0,
                                    trial->input[i].bytes, trial->input[i].data, 0, NULL, &event);
        if (code == CL_SUCCESS)
            code = clshard__check_settle(check, event);
    }
    return code == CL_SUCCESS ? CLSHARD_OK : failed(check, code, "clEnqueueWriteBuffer", err);
}

static clshard_status read_output(const clshard__check *check, const clshard__trial *trial,
                                  cl_mem buffer, clshard_error *err)
{
    cl_event event = NULL;
    cl_int code = clEnqueueReadBuffer(check->worker.queue, buffer, CL_FALSE, 0, trial->output_bytes,
                                      trial->output, 0, NULL, &event);

    if (code != CL_SUCCESS)
        return failed(check, code, "clEnqueueReadBuffer", err);
    code = clshard__check_settle(check, event);
    return code == CL_SUCCESS ? CLSHARD_OK : failed(check, code, trial->kernel, err);
}

/* The kernel is waited for by itself, so that a failure after it leaves nothing that runs. */
static clshard_status run_on(const clshard__check *check, const clshard__trial *trial,
                             const cl_mem *buffers, size_t buffer_count, clshard_error *err)
{
    cl_event event = NULL;
    cl_int code = CL_SUCCESS;
    clshard_status status = write_inputs(check, trial, buffers, buffer_count, err);

    if (status == CLSHARD_OK)
        status = clshard__trial_enqueue(check, trial, buffers, buffer_count, &event, err);
    if (status == CLSHARD_OK)
        code = clshard__check_settle(check, event);
    if (code != CL_SUCCESS)
        status = failed(check, code, trial->kernel, err);
    if (status == CLSHARD_OK)
        status = read_output(check, trial, buffers[buffer_count - 1], err);
    return status;
}

clshard_status clshard__trial_run(const clshard__check *check, const clshard__trial *trial,
                                  clshard_error *err)
{
    clshard__memory *memory = clshard__engine_memory(check->engine);
    clshard__pool_block block[BUFFERS] = {{NULL, 0}};
    cl_mem buffers[BUFFERS];
    size_t count = 0;
    clshard_status status;

    clshard__worker_enter(&check->worker);
    status = take_buffers(check, trial, block, &count, err);
    for (size_t i = 0; i < BUFFERS; i++)
        buffers[i] = block[i].handle;
    if (status == CLSHARD_OK)
        status = run_on(check, trial, buffers, count, err);
    for (size_t i = 0; i < BUFFERS; i++)
        if (block[i].handle != NULL)
            clshard__memory_give(memory, &check->worker, block[i], status == CLSHARD_OK);
    clshard__worker_leave(&check->worker);
    return status;
}
