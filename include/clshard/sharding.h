/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_SHARDING_H
#define CLSHARD_SHARDING_H

/**
 * @file
 * A sharding is a mesh, a spec and how each axis splits: a template (JAX's NamedSharding). A layout
 * is a sharding that met a shape: the only object with geometry.
 *
 * Both are opaque and shared: whoever stores one keeps it alive; release in any order.
 *
 * Thread class: immutable.
 */

#include <clshard/mesh.h>
#include <clshard/spec.h>
#include <clshard/split.h>
#include <clshard/tensor.h>

/** Mesh, spec and splits. */
typedef struct clshard_sharding clshard_sharding;
/** A sharding that met a shape. */
typedef struct clshard_layout clshard_layout;

/** Options of clshard_sharding_create() and clshard_sharding_parse(). */
typedef struct clshard_sharding_options {
    size_t size; /**< of this struct */
    clshard_policy
        uneven; /**< for every dimension without a split of its own; not WEIGHTED, not SIZES */
    const clshard_split *splits; /**< copied */
    size_t split_count;          /**< entries of `splits` */
} clshard_sharding_options;

CLSHARD_BEGIN_DECLS

/**
 * Makes a sharding.
 * @param mesh kept alive.
 * @param spec copied.
 * @param options may be NULL: every dimension splits `even`.
 * @param out_sharding receives the sharding; end with clshard_sharding_release().
 * @param err may be NULL.
 * @return OK; `duplicate_axis` for an axis used twice, or split twice; `unknown_axis` for one that
 * the mesh lacks (in the spec or in a split); `split` for weights or sizes that do not fit, two
 * policies on one dimension, or a split of an axis that the spec does not use; `overflow` for
 * weights whose product exceeds 64 bits; `argument`; `memory`.
 */
CLSHARD_CHECKED clshard_status clshard_sharding_create(const clshard_mesh *mesh,
                                                       const clshard_spec *spec,
                                                       const clshard_sharding_options *options,
                                                       clshard_sharding **out_sharding,
                                                       clshard_error *err);

/** The same from a spec's text; also fails as clshard_spec_parse(). */
CLSHARD_CHECKED clshard_status clshard_sharding_parse(const clshard_mesh *mesh, const char *spec,
                                                      const clshard_sharding_options *options,
                                                      clshard_sharding **out_sharding,
                                                      clshard_error *err);

/** Gives up the caller's claim. NULL is allowed. */
CLSHARD_API void clshard_sharding_release(clshard_sharding *sharding);

/** The mesh; lives as long as the sharding. */
CLSHARD_API const clshard_mesh *clshard_sharding_mesh(const clshard_sharding *sharding);

/** The spec; lives as long as the sharding. */
CLSHARD_API const clshard_spec *clshard_sharding_spec(const clshard_sharding *sharding);

/** Whether mesh, spec and splits are equal. NULL equals nothing. */
CLSHARD_API bool clshard_sharding_equal(const clshard_sharding *a, const clshard_sharding *b);

/**
 * Whether two shardings place every array of this rank alike: the same devices in the same order,
 * and the same parts at every position (JAX's is_equivalent_to). Axes of size 1 do not count.
 */
CLSHARD_API bool clshard_sharding_equivalent(const clshard_sharding *a, const clshard_sharding *b,
                                             size_t rank);

/** Whether every position holds the whole array: no axis of a size above 1 cuts anything. */
CLSHARD_API bool clshard_sharding_fully_replicated(const clshard_sharding *sharding);

/**
 * Makes the layout of a shape.
 * @param sharding kept alive.
 * @param shape rank 0 is a scalar.
 * @param out_layout receives the layout; end with clshard_layout_release().
 * @param err may be NULL.
 * @return OK; `rank` for a spec longer than the shape, or a rank above CLSHARD_RANK_MAX;
 * `indivisible` (the message names the axes, the extent and the policies that would accept);
 * `split` for sizes that do not sum to the extent; `overflow`; `argument` for NULL; `memory`.
 */
CLSHARD_CHECKED clshard_status clshard_layout_create(const clshard_sharding *sharding,
                                                     clshard_shape shape,
                                                     clshard_layout **out_layout,
                                                     clshard_error *err);

/** Gives up the caller's claim. NULL is allowed. */
CLSHARD_API void clshard_layout_release(clshard_layout *layout);

/** The sharding; lives as long as the layout. */
CLSHARD_API const clshard_sharding *clshard_layout_sharding(const clshard_layout *layout);

/** The shape of the whole array. */
CLSHARD_API clshard_shape clshard_layout_shape(const clshard_layout *layout);

/** The largest box extent of any position, per dimension; what every position stores unless a
 * policy is uneven. */
CLSHARD_API clshard_shape clshard_layout_shard_shape(const clshard_layout *layout);

/** What a position holds. O(rank), no memory. Past the last position: a part of rank 0 whose
 * replica is SIZE_MAX. */
CLSHARD_API clshard_part clshard_layout_part(const clshard_layout *layout, size_t position);

/** Number of positions that hold the same slice: the product of the sizes of the axes that cut
 * nothing. */
CLSHARD_API size_t clshard_layout_replica_count(const clshard_layout *layout);

/** Whether shape and sharding are equal. */
CLSHARD_API bool clshard_layout_equal(const clshard_layout *a, const clshard_layout *b);

/** Whether every position has the same box and valid range, and the devices are the same in the
 * same order. */
CLSHARD_API bool clshard_layout_equivalent(const clshard_layout *a, const clshard_layout *b);

/** Whether every position holds the whole array. */
CLSHARD_API bool clshard_layout_fully_replicated(const clshard_layout *layout);

CLSHARD_END_DECLS

#endif
