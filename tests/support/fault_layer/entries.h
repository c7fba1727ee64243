/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_FAULT_ENTRIES_H
#define CLSHARD_TESTS_FAULT_ENTRIES_H

/* The entry points that the fault layer stands before: all that the library calls, which
 * tests/fault/symbols.sh checks. A new one is one line.
 *
 * X(kind, type, name, code, other code, (parameters), (arguments)): the codes are what a driver may
 * answer, in turns. What the layer itself needs has a fixed name: `object` that is retained or
 * released, `queue`, `event` and `code` where commands and objects are made. kind says where a
 * failure strikes, and what is counted:
 *
 *   QUERY    before the call
 *   CREATE   before the call; an object of the type comes to life
 *   RETAIN   before the call; one claim more
 *   RELEASE  after it: the claim is gone, whatever the code says
 *   WAIT     with the code after it: what was waited for is done; with the other code instead of it
 *   ENQUEUE  before it; an event comes to life
 *   MAP      before it; an event comes to life
 */

#include <CL/cl.h>

/* clang-format off */
#define FAULT_ENTRIES(X) \
    X(QUERY, cl_int, clGetPlatformIDs, CL_OUT_OF_HOST_MEMORY, CL_INVALID_VALUE, \
      (cl_uint a, cl_platform_id *b, cl_uint *c), (a, b, c)) \
    X(QUERY, cl_int, clGetPlatformInfo, CL_OUT_OF_HOST_MEMORY, CL_INVALID_PLATFORM, \
      (cl_platform_id a, cl_platform_info b, size_t c, void *d, size_t *e), (a, b, c, d, e)) \
    X(QUERY, cl_int, clGetDeviceIDs, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, \
      (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id *d, cl_uint *e), (a, b, c, d, e)) \
    X(QUERY, cl_int, clGetDeviceInfo, CL_OUT_OF_RESOURCES, CL_INVALID_DEVICE, \
      (cl_device_id a, cl_device_info b, size_t c, void *d, size_t *e), (a, b, c, d, e)) \
    X(CREATE, cl_context, clCreateContext, CL_OUT_OF_HOST_MEMORY, CL_DEVICE_NOT_AVAILABLE, \
      (const cl_context_properties *a, cl_uint b, const cl_device_id *c, \
       void (CL_CALLBACK *d)(const char *, const void *, size_t, void *), void *e, cl_int *code), (a, b, c, d, e, code)) \
    X(RETAIN, cl_context, clRetainContext, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_context object), (object)) \
    X(RELEASE, cl_context, clReleaseContext, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_context object), (object)) \
    X(CREATE, cl_command_queue, clCreateCommandQueue, CL_OUT_OF_RESOURCES, CL_INVALID_QUEUE_PROPERTIES, \
      (cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int *code), (a, b, c, code)) \
    X(RETAIN, cl_command_queue, clRetainCommandQueue, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, \
      (cl_command_queue object), (object)) \
    X(RELEASE, cl_command_queue, clReleaseCommandQueue, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, \
      (cl_command_queue object), (object)) \
    X(CREATE, cl_mem, clCreateBuffer, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, \
      (cl_context a, cl_mem_flags b, size_t c, void *d, cl_int *code), (a, b, c, d, code)) \
    X(RETAIN, cl_mem, clRetainMemObject, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_mem object), (object)) \
    X(RELEASE, cl_mem, clReleaseMemObject, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_mem object), (object)) \
    X(CREATE, cl_program, clCreateProgramWithSource, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, \
      (cl_context a, cl_uint b, const char **c, const size_t *d, cl_int *code), (a, b, c, d, code)) \
    X(CREATE, cl_program, clCreateProgramWithBinary, CL_INVALID_BINARY, CL_OUT_OF_HOST_MEMORY, \
      (cl_context a, cl_uint b, const cl_device_id *c, const size_t *d, const unsigned char **e, cl_int *f, cl_int *code), \
      (a, b, c, d, e, f, code)) \
    X(RETAIN, cl_program, clRetainProgram, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_program object), (object)) \
    X(RELEASE, cl_program, clReleaseProgram, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_program object), (object)) \
    X(QUERY, cl_int, clBuildProgram, CL_BUILD_PROGRAM_FAILURE, CL_COMPILER_NOT_AVAILABLE, \
      (cl_program a, cl_uint b, const cl_device_id *c, const char *d, void (CL_CALLBACK *e)(cl_program, void *), void *f), \
      (a, b, c, d, e, f)) \
    X(QUERY, cl_int, clGetProgramInfo, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, \
      (cl_program a, cl_program_info b, size_t c, void *d, size_t *e), (a, b, c, d, e)) \
    X(QUERY, cl_int, clGetProgramBuildInfo, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, \
      (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void *e, size_t *f), (a, b, c, d, e, f)) \
    X(CREATE, cl_kernel, clCreateKernel, CL_OUT_OF_RESOURCES, CL_INVALID_KERNEL_DEFINITION, \
      (cl_program a, const char *b, cl_int *code), (a, b, code)) \
    X(RETAIN, cl_kernel, clRetainKernel, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_kernel object), (object)) \
    X(RELEASE, cl_kernel, clReleaseKernel, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_kernel object), (object)) \
    X(QUERY, cl_int, clSetKernelArg, CL_OUT_OF_RESOURCES, CL_INVALID_ARG_VALUE, \
      (cl_kernel a, cl_uint b, size_t c, const void *d), (a, b, c, d)) \
    X(WAIT, cl_int, clWaitForEvents, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_OUT_OF_RESOURCES, \
      (cl_uint a, const cl_event *b), (a, b)) \
    X(QUERY, cl_int, clGetEventInfo, CL_OUT_OF_RESOURCES, CL_INVALID_EVENT, \
      (cl_event a, cl_event_info b, size_t c, void *d, size_t *e), (a, b, c, d, e)) \
    X(RETAIN, cl_event, clRetainEvent, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_event object), (object)) \
    X(RELEASE, cl_event, clReleaseEvent, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, (cl_event object), (object)) \
    X(QUERY, cl_int, clGetEventProfilingInfo, CL_PROFILING_INFO_NOT_AVAILABLE, CL_OUT_OF_RESOURCES, \
      (cl_event a, cl_profiling_info b, size_t c, void *d, size_t *e), (a, b, c, d, e)) \
    X(WAIT, cl_int, clFlush, CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE, (cl_command_queue a), (a)) \
    X(WAIT, cl_int, clFinish, CL_OUT_OF_RESOURCES, CL_INVALID_COMMAND_QUEUE, (cl_command_queue a), (a)) \
    X(ENQUEUE, cl_int, clEnqueueReadBuffer, CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, \
      (cl_command_queue queue, cl_mem a, cl_bool b, size_t c, size_t d, void *e, cl_uint f, const cl_event *g, \
       cl_event *event), (queue, a, b, c, d, e, f, g, event)) \
    X(ENQUEUE, cl_int, clEnqueueWriteBuffer, CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, \
      (cl_command_queue queue, cl_mem a, cl_bool b, size_t c, size_t d, const void *e, cl_uint f, const cl_event *g, \
       cl_event *event), (queue, a, b, c, d, e, f, g, event)) \
    X(ENQUEUE, cl_int, clEnqueueCopyBuffer, CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, \
      (cl_command_queue queue, cl_mem a, cl_mem b, size_t c, size_t d, size_t e, cl_uint f, const cl_event *g, \
       cl_event *event), (queue, a, b, c, d, e, f, g, event)) \
    X(ENQUEUE, cl_int, clEnqueueFillBuffer, CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE, \
      (cl_command_queue queue, cl_mem a, const void *b, size_t c, size_t d, size_t e, cl_uint f, const cl_event *g, \
       cl_event *event), (queue, a, b, c, d, e, f, g, event)) \
    X(ENQUEUE, cl_int, clEnqueueNDRangeKernel, CL_OUT_OF_RESOURCES, CL_INVALID_WORK_GROUP_SIZE, \
      (cl_command_queue queue, cl_kernel a, cl_uint b, const size_t *c, const size_t *d, const size_t *e, cl_uint f, \
       const cl_event *g, cl_event *event), (queue, a, b, c, d, e, f, g, event)) \
    X(MAP, void *, clEnqueueMapBuffer, CL_MAP_FAILURE, CL_OUT_OF_RESOURCES, \
      (cl_command_queue queue, cl_mem a, cl_bool b, cl_map_flags c, size_t d, size_t e, cl_uint f, const cl_event *g, \
       cl_event *event, cl_int *code), (queue, a, b, c, d, e, f, g, event, code)) \
    X(ENQUEUE, cl_int, clEnqueueUnmapMemObject, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY, \
      (cl_command_queue queue, cl_mem a, void *b, cl_uint c, const cl_event *d, cl_event *event), \
      (queue, a, b, c, d, event))
/* clang-format on */

#endif
