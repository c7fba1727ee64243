/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_DESCRIPTOR_H
#define CLSHARD_BASE_DESCRIPTOR_H

/* Whole reads and writes of open files, whatever signals and short counts come between. */

#include <stddef.h>

enum { CLSHARD__READ_ENDED = -1 };

/* 0 when all count bytes from offset are read; CLSHARD__READ_ENDED when the file ends before; else
 * the system's code. */
int clshard__descriptor_read(int descriptor, size_t offset, void *out_bytes, size_t count);

/* 0 when all are written, after what was written before; else the system's code. */
int clshard__descriptor_write(int descriptor, const void *bytes, size_t count);

#endif
