/* SPDX-License-Identifier: Apache-2.0 */
#include "array/operation_report.h"

#include <string.h>

static bool device_time(cl_event event, cl_profiling_info what, cl_ulong *out_nanoseconds)
{
    return clGetEventProfilingInfo(event, what, sizeof *out_nanoseconds, out_nanoseconds, NULL) ==
           CL_SUCCESS;
}

/* Seconds between the first command's start and the last one's end by the device's clock. What no
 * memory of today can do, or is longer than the host saw, is a clock that does not work: then 0. */
static double device_seconds(const clshard__step *step, double host_seconds)
{
    const double fastest = 1e12; /* bytes per second */
    cl_ulong start = 0;
    cl_ulong end = 0;
    double seconds;

    if (!step->worker.device_times || step->last == NULL ||
        !device_time(step->first != NULL ? step->first : step->last, CL_PROFILING_COMMAND_START,
                     &start) ||
        !device_time(step->last, CL_PROFILING_COMMAND_END, &end) || end <= start)
        return 0.0;
    seconds = 1e-9 * (double)(end - start);
    return seconds > host_seconds || seconds * fastest < (double)step->bytes ? 0.0 : seconds;
}

void clshard__report_fill(clshard_report *report, const clshard__step *step, double ended)
{
    const double host_seconds = step->last == NULL ? 0.0 : ended - step->issued;
    const double on_device = device_seconds(step, host_seconds);

    report->position = step->position;
    report->route = step->route;
    report->bytes = step->bytes;
    report->seconds = on_device > 0.0 ? on_device : host_seconds;
}
