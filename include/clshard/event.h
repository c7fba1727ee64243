/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_EVENT_H
#define CLSHARD_EVENT_H

/**
 * @file
 * Completion of what one call issued on many devices, and a report per position.
 *
 * An event has a single owner. Releasing one that is not done cancels nothing: the arrays that the
 * call worked on wait for it, and remember its failure.
 *
 * Thread class: externally synchronised. The event and the arrays that the call worked on are
 * different objects: one thread may wait for the event while another uses or releases the arrays.
 */

#include <clshard/status.h>

/** What one call issued. */
typedef struct clshard_event clshard_event;

/** How data moves between the host and a shard. */
typedef enum clshard_route {
    CLSHARD_ROUTE_AUTO = 0, /**< chosen per device */
    CLSHARD_ROUTE_KERNEL =
        1, /**< a kernel packs or unpacks the box, beside one transfer of a slab */
    CLSHARD_ROUTE_LINEAR =
        2 /**< one write or read; a box with gaps on the host side is packed or unpacked there */
} clshard_route;

/** What was done for one position. Owned by the event; may grow at its end. */
typedef struct clshard_report {
    size_t position;     /**< in the mesh */
    clshard_route route; /**< that was taken */
    uint64_t
        bytes; /**< of the array's elements that were moved; 0: an empty shard, or nothing to do */
    double seconds; /**< from issue to completion, as the device's clock or else the host saw it */
} clshard_report;

CLSHARD_BEGIN_DECLS

/**
 * Waits until all is done. May be called again, and answers the same.
 * @return OK, or the first failure, with position and native code in `err`; `forked`; `argument`
 * for NULL.
 */
CLSHARD_CHECKED clshard_status clshard_event_wait(clshard_event *event, clshard_error *err);

/** Whether clshard_event_wait() would return at once. Does not wait for a thread that does: while
 * one uses the arrays the answer may be false a little longer than is so. */
CLSHARD_API bool clshard_event_done(const clshard_event *event);

/** Gives the event up. NULL is allowed. */
CLSHARD_API void clshard_event_release(clshard_event *event);

/** Number of reports, one per position that took part; 0 until clshard_event_wait() has succeeded.
 */
CLSHARD_API size_t clshard_event_report_count(const clshard_event *event);

/** A report, by rising position; NULL past the last. Lives as long as the event. */
CLSHARD_API const clshard_report *clshard_event_report(const clshard_event *event, size_t index);

/** The text of a route ("auto", "kernel", ...); NULL past the last, so a tool can search by name.
 */
CLSHARD_API const char *clshard_route_name(clshard_route route);

CLSHARD_END_DECLS

#endif
