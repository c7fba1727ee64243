/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/event.h>

#include "array/operation.h"
#include "array/operation_report.h"
#include "base/alloc.h"
#include "base/error.h"

struct clshard_event {
    clshard__operation *operation;
};

clshard_status clshard__event_create(clshard__operation *operation, clshard_event **out_event,
                                     clshard_error *err)
{
    clshard_event *event = clshard__alloc(1, sizeof *event);
    if (event == NULL)
        return clshard__no_memory(err, "an event");
    event->operation = operation;
    *out_event = event;
    return CLSHARD_OK;
}

clshard_status clshard_event_wait(clshard_event *event, clshard_error *err)
{
    if (event == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_event_wait: event is NULL");
    return clshard__operation_wait(event->operation, true, err);
}

bool clshard_event_done(const clshard_event *event)
{
    return event == NULL || clshard__operation_done(event->operation);
}

void clshard_event_release(clshard_event *event)
{
    if (event == NULL)
        return;
    clshard__operation_release(event->operation);
    clshard__free(event);
}

size_t clshard_event_report_count(const clshard_event *event)
{
    const clshard_report *report;
    return event == NULL ? 0 : clshard__operation_reports(event->operation, &report);
}

const clshard_report *clshard_event_report(const clshard_event *event, size_t index)
{
    const clshard_report *report;
    if (event == NULL || index >= clshard__operation_reports(event->operation, &report))
        return NULL;
    return &report[index];
}

const char *clshard_route_name(clshard_route route)
{
    switch (route) {
    case CLSHARD_ROUTE_AUTO:
        return "auto";
    case CLSHARD_ROUTE_KERNEL:
        return "kernel";
    case CLSHARD_ROUTE_LINEAR:
        return "linear";
    default:
        return NULL;
    }
}
