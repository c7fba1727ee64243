/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TRANSFER_H
#define CLSHARD_TRANSFER_H

/**
 * @file
 * Moving data between host tensors and arrays. The destination comes first.
 *
 * Every call is ordered after earlier calls on the same array. With out_event NULL the call returns
 * when the caller's host memory is settled: a scatter has read it, a gather has filled it. Else the
 * caller gets an event, the host memory must live and stay unchanged until it is done, and a
 * failure nobody waited for is reported by the next call on the array. After a failed transfer the
 * destination's contents are unspecified.
 *
 * Thread class: externally synchronised, a gather's array too. Several calls may read one host
 * tensor.
 */

#include <clshard/array.h>
#include <clshard/event.h>

/** Options of clshard_scatter() and clshard_gather(). */
typedef struct clshard_transfer_options {
    size_t size; /**< of this struct */
    clshard_route
        route; /**< forced; AUTO: `CLSHARD_ROUTE` from the environment, else chosen per device */
    const void *fill;      /**< scatter: one element that is written to padding; NULL: zero bytes */
    bool compare_replicas; /**< gather: read every replica and compare it with the one that was
                              taken */
} clshard_transfer_options;

CLSHARD_BEGIN_DECLS

/**
 * Copies a host tensor into an array: each position receives the valid range of its part.
 *
 * `pad` fills the rest of a box with the fill element; `drop` ignores the tail of the tensor.
 * @param to the array.
 * @param from of the array's shape and dtype, with any strides.
 * @param options may be NULL.
 * @param out_event NULL: wait until `from` has been read. Else receives an event to release.
 * @param err may be NULL.
 * @return OK; `shape`; `dtype`; `argument` for strides that leave the memory given, missing data,
 * or unknown options; `busy`; `unsupported` for a route that a device lacks; `build`;
 *         `device_memory`; `opencl`; `forked`; `memory`; what an earlier call left unreported.
 */
CLSHARD_CHECKED clshard_status clshard_scatter(clshard_array *to, const clshard_tensor *from,
                                               const clshard_transfer_options *options,
                                               clshard_event **out_event, clshard_error *err);

/**
 * Copies an array into a host tensor. Each distinct slice is read once, from its first replica.
 *
 * Under `drop` the tail of the tensor is left alone.
 * @param to of the array's shape and dtype; no two elements may share memory.
 * @param from the array.
 * @param options may be NULL.
 * @param out_event NULL: wait until `to` is filled. Else receives an event to release.
 * @param err may be NULL.
 * @return as clshard_scatter(); `argument` also for strides by which elements overlap; `replicas`
 * (from the wait) when replicas are compared and differ.
 */
CLSHARD_CHECKED clshard_status clshard_gather(const clshard_tensor *to, const clshard_array *from,
                                              const clshard_transfer_options *options,
                                              clshard_event **out_event, clshard_error *err);

CLSHARD_END_DECLS

#endif
