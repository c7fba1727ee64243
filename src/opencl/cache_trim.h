/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_CACHE_TRIM_H
#define CLSHARD_OPENCL_CACHE_TRIM_H

/* Keeping the folder of the kernel cache small. Only files that have the cache's names are ever
 * deleted: the folder may hold others. */

#include <stdint.h>

enum { CLSHARD__TEMPORARY_CHARS = 64 };

/* The name of a file that is being written. */
void clshard__temporary_name(char name[CLSHARD__TEMPORARY_CHARS], long process, long number);

/* Deletes the files modified longest ago until all take at most limit_bytes, never `keep`; and what
 * writers left behind that never ended, an hour later. */
void clshard__cache_trim(int folder, uint64_t limit_bytes, const char *keep);

#endif
