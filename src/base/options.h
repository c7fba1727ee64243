/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_OPTIONS_H
#define CLSHARD_BASE_OPTIONS_H

/* Reading an options struct whose caller may be older or newer than this library. */

#include <clshard/status.h>

/* Copies *from (its first member is its size) into the zeroed *to of to_bytes. from NULL: all
 * defaults. what names the struct in the message. ARGUMENT for a size too small to hold itself, or
 * for bytes that this version does not know and that are not zero. */
clshard_status clshard__options_read(void *to, size_t to_bytes, const void *from, const char *what,
                                     clshard_error *err);

#endif
