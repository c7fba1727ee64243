/* SPDX-License-Identifier: Apache-2.0 */

/* The newest names that the installed headers know, so that the table is compared with them. */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <criterion/criterion.h>
#include <string.h>

#include "opencl/code.h"

#define EXPECT_NAME(code) cr_expect_str_eq(clshard__code_name(code), #code)

Test(code, the_names_are_those_of_the_headers)
{
    EXPECT_NAME(CL_SUCCESS);
    EXPECT_NAME(CL_DEVICE_NOT_FOUND);
    EXPECT_NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    EXPECT_NAME(CL_OUT_OF_RESOURCES);
    EXPECT_NAME(CL_OUT_OF_HOST_MEMORY);
    EXPECT_NAME(CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NAME(CL_MAP_FAILURE);
    EXPECT_NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    EXPECT_NAME(CL_INVALID_VALUE);
    EXPECT_NAME(CL_INVALID_CONTEXT);
    EXPECT_NAME(CL_INVALID_KERNEL_ARGS);
    EXPECT_NAME(CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_NAME(CL_INVALID_BUFFER_SIZE);
    EXPECT_NAME(CL_INVALID_DEVICE_PARTITION_COUNT);
    EXPECT_NAME(CL_INVALID_PIPE_SIZE);
    EXPECT_NAME(CL_INVALID_DEVICE_QUEUE);
    EXPECT_NAME(CL_INVALID_SPEC_ID);
    EXPECT_NAME(CL_MAX_SIZE_RESTRICTION_EXCEEDED);
    EXPECT_NAME(CL_PLATFORM_NOT_FOUND_KHR);
    EXPECT_NAME(CL_CONTEXT_TERMINATED_KHR);
}

Test(code, every_code_of_the_specification_has_a_name_of_its_own)
{
    for (cl_int code = 0; code >= -72; code--) {
        const bool named = code >= -19 || code <= -30;
        cr_expect_eq(strncmp(clshard__code_name(code), "CL_", 3) == 0, named, "code %d", code);
        for (cl_int other = 0; named && other > code; other--)
            cr_expect_str_neq(clshard__code_name(code), clshard__code_name(other));
    }
}

Test(code, other_codes_are_unknown)
{
    const cl_int others[] = {1, -20, -29, -73, -9999, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_expect_str_eq(clshard__code_name(others[i]), "unknown code");
}

Test(code, a_failure_names_operation_device_and_code)
{
    clshard_error err = {0};

    cr_assert_eq(clshard__fail_code(&err, CL_INVALID_VALUE, "clEnqueueCopyBuffer", "1.0 llvmpipe"),
                 CLSHARD_ERR_OPENCL);
    cr_assert_eq(err.native, CL_INVALID_VALUE);
    cr_assert_eq(err.position, -1);
    cr_assert_str_eq(err.message, "clEnqueueCopyBuffer on 1.0 llvmpipe: CL_INVALID_VALUE (-30)");
    cr_assert_eq(clshard__fail_code(&err, -9999, "clFinish", NULL), CLSHARD_ERR_OPENCL);
    cr_assert_str_eq(err.message, "clFinish: unknown code (-9999)");
}

Test(code, a_full_device_has_a_status_of_its_own)
{
    clshard_error err = {0};
    cr_assert_eq(
        clshard__fail_code(&err, CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreateBuffer", "0.0"),
        CLSHARD_ERR_DEVICE_MEMORY);
    cr_assert_eq(clshard__fail_code(NULL, CL_OUT_OF_RESOURCES, "clCreateBuffer", "0.0"),
                 CLSHARD_ERR_OPENCL);
}
