/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_WAIT_H
#define CLSHARD_OPENCL_WAIT_H

/* Waiting for a command, such that what it worked on may be freed afterwards. */

#include <CL/cl.h>

/* CL_SUCCESS, or why the command, or the wait for it, failed. Its queue was flushed. */
cl_int clshard__wait(cl_command_queue queue, cl_event event);

#endif
