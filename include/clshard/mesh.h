/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_MESH_H
#define CLSHARD_MESH_H

/**
 * @file
 * Devices on named axes. A mesh has positions, numbered row-major (the last axis fastest), each
 * with a device of a runtime. A mesh made without a runtime is abstract: it plans, nothing runs on
 * it, and it takes no memory per position.
 *
 * Opaque and shared: whoever stores one keeps it alive; release in any order.
 *
 * Thread class: immutable.
 */

#include <clshard/runtime.h>

/** Devices on named axes. */
typedef struct clshard_mesh clshard_mesh;

/** The size of at most one axis: whatever makes the mesh use all devices; written -1 in text. */
#define CLSHARD_INFER SIZE_MAX

/** An axis by value. */
typedef struct clshard_axis {
    const char *name; /**< a letter, then letters, digits and any of "_.-"; at most 31 characters;
                         not "None" */
    size_t size;      /**< 1 or more, or CLSHARD_INFER */
} clshard_axis;

/** Options of clshard_mesh_create() and clshard_mesh_parse(). */
typedef struct clshard_mesh_options {
    size_t size;           /**< of this struct */
    const size_t *devices; /**< runtime indices, kept in this order; NULL: all in use, in the
                              runtime's order */
    size_t device_count;   /**< entries of `devices` */
    bool repeat_devices;   /**< positions may share a device: the list is reused from its start as
                              often as needed; an inferred size still counts it once */
    size_t processes;      /**< only for an abstract mesh: its positions are dealt to so many, the
                              first ones to process 0; 0: 1 */
} clshard_mesh_options;

CLSHARD_BEGIN_DECLS

/**
 * Makes a mesh from axes. Positions take the first devices of the list; the rest stays unused.
 * @param runtime NULL: an abstract mesh.
 * @param axes the first is the most significant; copied.
 * @param axis_count 1 to CLSHARD_RANK_MAX.
 * @param options may be NULL.
 * @param out_mesh receives the mesh; end with clshard_mesh_release().
 * @param err may be NULL.
 * @return OK; `mesh_size` for no axes, a size of 0, two inferred sizes, an inferred size that does
 * not divide the devices, more positions than devices, or processes that do not divide the
 * positions; `rank` for too many axes; `name`; `duplicate_axis`; `duplicate_device` and `index`
 * (not a device in use) for the device list; `no_devices` for a runtime without devices; `abstract`
 * for an inferred size without a runtime; `overflow`; `argument`, also for a device list without a
 * runtime, or processes with one; `memory`.
 */
CLSHARD_CHECKED clshard_status clshard_mesh_create(const clshard_runtime *runtime,
                                                   const clshard_axis *axes, size_t axis_count,
                                                   const clshard_mesh_options *options,
                                                   clshard_mesh **out_mesh, clshard_error *err);

/**
 * The same from text: `data=2,model=-1`.
 * @return as clshard_mesh_create(), and `text`, with the place marked, for text that does not
 * parse.
 */
CLSHARD_CHECKED clshard_status clshard_mesh_parse(const clshard_runtime *runtime, const char *axes,
                                                  const clshard_mesh_options *options,
                                                  clshard_mesh **out_mesh, clshard_error *err);

/** Gives up the caller's claim. NULL is allowed. */
CLSHARD_API void clshard_mesh_release(clshard_mesh *mesh);

/** Number of axes, 1 to CLSHARD_RANK_MAX. */
CLSHARD_API size_t clshard_mesh_axis_count(const clshard_mesh *mesh);

/** An axis; name NULL and size 0 past the last. The name lives as long as the mesh. */
CLSHARD_API clshard_axis clshard_mesh_axis(const clshard_mesh *mesh, size_t index);

/** Number of positions: the product of the sizes. */
CLSHARD_API size_t clshard_mesh_position_count(const clshard_mesh *mesh);

/**
 * The coordinates of a position.
 * @param mesh of any kind.
 * @param position of the mesh.
 * @param out_coordinates receives one per axis.
 * @param err may be NULL.
 * @return OK; `index` past the last position; `argument` for NULL.
 */
CLSHARD_CHECKED clshard_status clshard_mesh_coordinates(const clshard_mesh *mesh, size_t position,
                                                        size_t *out_coordinates,
                                                        clshard_error *err);

/**
 * The position at coordinates, one per axis.
 * @return OK; `index` for a coordinate past its axis; `argument` for NULL.
 */
CLSHARD_CHECKED clshard_status clshard_mesh_position(const clshard_mesh *mesh,
                                                     const size_t *coordinates,
                                                     size_t *out_position, clshard_error *err);

/** The device of a position; NULL on an abstract mesh or past the last position. Lives as long as
 * the mesh. */
CLSHARD_API const clshard_device_info *clshard_mesh_device(const clshard_mesh *mesh,
                                                           size_t position);

/** The process of a position; SIZE_MAX past the last position. */
CLSHARD_API size_t clshard_mesh_owner(const clshard_mesh *mesh, size_t position);

/**
 * Prints the axes so that clshard_mesh_parse() reads them back.
 * @return the bytes needed without the NUL, as snprintf(); at most `buffer_bytes` are written.
 */
CLSHARD_API size_t clshard_mesh_format(const clshard_mesh *mesh, char *buffer, size_t buffer_bytes);

/**
 * Whether two meshes have the same axes, and the same devices and processes at the same positions.
 * Runtimes may differ. NULL equals nothing.
 */
CLSHARD_API bool clshard_mesh_equal(const clshard_mesh *a, const clshard_mesh *b);

CLSHARD_END_DECLS

#endif
