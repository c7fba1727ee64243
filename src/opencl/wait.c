/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/wait.h"

#include <time.h>

/* What the driver says of an event; queued, where it does not answer. */
static cl_int state_of(cl_event event)
{
    cl_int state = CL_QUEUED;
    if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) !=
        CL_SUCCESS)
        return CL_QUEUED;
    return state;
}

/* The wait failed, not the command, which still runs on memory of the caller's. The queue's end is
 * no proof: rusticl of Mesa 22.3.6 returns from clFinish before a write is done. */
static void outlast(cl_command_queue queue, cl_event event)
{
    const struct timespec little = {0, 1000000};
    const int most = 2000;

    (void)clFinish(queue);
    for (int i = 0; i < most && state_of(event) > CL_COMPLETE; i++)
        (void)nanosleep(&little, NULL);
}

cl_int clshard__wait(cl_command_queue queue, cl_event event)
{
    const cl_int waited = clWaitForEvents(1, &event);
    cl_int state;

    if (waited == CL_SUCCESS)
        return CL_SUCCESS;
    /* A wait that fails says only that something did; the event says what. */
    state = state_of(event);
    if (state > CL_COMPLETE)
        outlast(queue, event);
    return state < CL_COMPLETE ? state : waited;
}
