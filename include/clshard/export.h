/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_EXPORT_H
#define CLSHARD_EXPORT_H

/**
 * @file
 * Visibility, checked results and option literals; included by every public header.
 *
 * Rules that hold for the whole library:
 * - A function that can fail returns #clshard_status (0 is success, so calls chain with ||) and
 * takes a nullable #clshard_error as its last argument. On failure its outputs are untouched.
 * - `create` takes values, `parse` the same as text, `open` asks the machine; what they hand out is
 *   ended by `release`, which takes NULL and never fails. A query that cannot fail returns its
 * value.
 * - Options structs start with `size` (see CLSHARD_WITH); a zero member means the default; NULL
 * means all defaults; bytes that this version does not know must be zero, else `argument`.
 * - Each header names one of three thread classes; a function that differs says so. *Immutable*:
 *   any number of threads may use one object at once. *Internally locked*: likewise, and calls wait
 *   for each other where they must. *Externally synchronised*: one thread at a time uses an object,
 *   const or not, and a lock or a join stands between two of them; different objects may be used at
 *   once. Making an object uses those that it is made from. A claim is given up once, in any
 * thread, when no thread uses it any more. docs/threads.md has the table, and what holds after
 * fork() and at exit.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
/** An exported function. */
#define CLSHARD_API __attribute__((visibility("default")))
/** An exported function whose result must be looked at. */
#define CLSHARD_CHECKED CLSHARD_API __attribute__((warn_unused_result))
#else
#define CLSHARD_API
#define CLSHARD_CHECKED CLSHARD_API
#endif

#ifdef __cplusplus
#define CLSHARD_BEGIN_DECLS extern "C" {
#define CLSHARD_END_DECLS }
#else
/** What follows is C, in C++ too. */
#define CLSHARD_BEGIN_DECLS
/** Ends CLSHARD_BEGIN_DECLS. */
#define CLSHARD_END_DECLS
/**
 * Options at the call: CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true). `size` is filled
 * in, the rest is default. In C++: `clshard_mesh_options o = {}; o.size = sizeof o;`.
 */
#define CLSHARD_WITH(type, ...) (&(type){.size = sizeof(type), __VA_ARGS__})
#endif

/** Most dimensions of an array, and most axes of a mesh. */
#define CLSHARD_RANK_MAX 8
/** Bytes of an axis name or a logical name with its NUL: a letter, then letters, digits and any of
 * "_.-"; never "None". */
#define CLSHARD_NAME_MAX 32

#endif
