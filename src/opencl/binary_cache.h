/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_BINARY_CACHE_H
#define CLSHARD_OPENCL_BINARY_CACHE_H

/* Binaries of kernels in a folder that processes share. Whatever goes wrong costs a line of log and
 * a build from source, never a failure. Not locked: the engine's lock is held around each call. */

#include <stdint.h>

#include "base/log.h"
#include "opencl/binary_file.h"

typedef struct clshard__binary_cache clshard__binary_cache;

/* Touches no file yet. option: as for clshard__cache_folder_find(). Borrows the log. */
clshard_status clshard__binary_cache_create(const char *option, clshard__log *log,
                                            clshard__binary_cache **out_cache, clshard_error *err);
void clshard__binary_cache_release(clshard__binary_cache *cache);

/* The log that it was made with. */
clshard__log *clshard__binary_cache_log(const clshard__binary_cache *cache);

/* Whether there is a folder, as far as is known. */
bool clshard__binary_cache_is_on(const clshard__binary_cache *cache);

/* The binary stored for the key, which the caller frees; false: none. */
bool clshard__binary_cache_load(clshard__binary_cache *cache, clshard__bytes key,
                                clshard__bytes *out_binary);

/* Stores or replaces; then deletes the oldest files while all take more than the limit. */
void clshard__binary_cache_store(clshard__binary_cache *cache, clshard__bytes key,
                                 clshard__bytes binary);

/* Bytes of the folder's files; 256 MiB unless set. */
void clshard__binary_cache_set_limit(clshard__binary_cache *cache, uint64_t bytes);

#endif
