/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_ARRAY_H
#define CLSHARD_ARRAY_H

/**
 * @file
 * An array: a layout, a dtype, and one device buffer per position that holds anything.
 *
 * An array has a single owner, and keeps its layout alive. Shard i is what position i holds.
 *
 * Thread class: externally synchronised; a mapped shard's memory belongs to the array.
 */

#include <clshard/sharding.h>

/** A sharded array. */
typedef struct clshard_array clshard_array;

/** One position's share of an array. Frozen. */
typedef struct clshard_shard {
    size_t position;   /**< in the mesh */
    size_t device;     /**< in the runtime */
    clshard_part part; /**< what it holds */
    size_t bytes;      /**< of its buffer: the box, dense, C order; 0: empty, no buffer */
} clshard_shard;

CLSHARD_BEGIN_DECLS

/**
 * Makes an array; its contents are unspecified until something is written.
 * @param layout of a mesh with devices; kept alive.
 * @param dtype of the elements.
 * @param out_array receives the array; end with clshard_array_release().
 * @param err may be NULL.
 * @return OK; `abstract` for a layout on an abstract mesh; `dtype`; `limit` for a shard larger than
 *         its device takes (found before anything is allocated; the message names axis, bytes,
 * device and limit); `overflow`; `device_memory`; `opencl`; `forked`; `memory`; `argument`.
 */
CLSHARD_CHECKED clshard_status clshard_array_create(const clshard_layout *layout,
                                                    clshard_dtype dtype, clshard_array **out_array,
                                                    clshard_error *err);

/** Layout and array in one call; also fails as clshard_layout_create(). */
CLSHARD_CHECKED clshard_status clshard_array_create_sharded(const clshard_sharding *sharding,
                                                            clshard_dtype dtype,
                                                            clshard_shape shape,
                                                            clshard_array **out_array,
                                                            clshard_error *err);

/** Ends the array after whatever is still running on it. NULL is allowed. */
CLSHARD_API void clshard_array_release(clshard_array *array);

/** The layout; lives as long as the array. */
CLSHARD_API const clshard_layout *clshard_array_layout(const clshard_array *array);

/** The dtype of the elements. */
CLSHARD_API clshard_dtype clshard_array_dtype(const clshard_array *array);

/** Number of shards: the mesh's positions. */
CLSHARD_API size_t clshard_array_shard_count(const clshard_array *array);

/** A shard by value; bytes 0 and device SIZE_MAX past the last. */
CLSHARD_API clshard_shard clshard_array_shard(const clshard_array *array, size_t index);

/**
 * Maps a shard into host memory, to read and write in place. Waits for earlier calls on the array.
 * Several shards may be mapped at once; while any is, transfers of the array are `busy`.
 * @param array that holds it.
 * @param index of the shard.
 * @param out_tensor receives a dense view of the shard's box; valid until unmapped. An empty shard
 * gives one without data, and is not mapped.
 * @param err may be NULL.
 * @return OK; `index`; `busy` when it is mapped already; `opencl`; `forked`; what an earlier call
 * on the array left unreported.
 */
CLSHARD_CHECKED clshard_status clshard_array_map(clshard_array *array, size_t index,
                                                 clshard_tensor *out_tensor, clshard_error *err);

/**
 * Ends a mapping; what was written is then the shard's content.
 * @return OK, also for an empty shard; `index`; `argument` for a shard that is not mapped;
 * `opencl`; `forked`.
 */
CLSHARD_CHECKED clshard_status clshard_array_unmap(clshard_array *array, size_t index,
                                                   clshard_error *err);

/**
 * Waits for everything that was issued on the array.
 * @return OK, or the first failure that nobody has been told of; telling it clears it. `forked`;
 * `argument` for NULL.
 */
CLSHARD_CHECKED clshard_status clshard_array_wait(clshard_array *array, clshard_error *err);

CLSHARD_END_DECLS

#endif
