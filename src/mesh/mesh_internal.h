/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_MESH_MESH_INTERNAL_H
#define CLSHARD_MESH_MESH_INTERNAL_H

/* What the layers above need of a mesh. */

#include <clshard/mesh.h>

#include "layout/axes.h"
#include "mesh/runtime_internal.h"

/* Another claim. A mesh is immutable, so claims can be taken on a const one. */
clshard_mesh *clshard__mesh_retain(const clshard_mesh *mesh);

/* Borrowed. */
const clshard__axes *clshard__mesh_axes(const clshard_mesh *mesh);

/* NULL: abstract. Borrowed. */
const clshard_runtime *clshard__mesh_runtime(const clshard_mesh *mesh);

/* The runtime's index of a position's device. Not for an abstract mesh; position must be below the
 * mesh's. */
size_t clshard__mesh_device_index(const clshard_mesh *mesh, size_t position);

/* Position p has the device of position p % period. Not for an abstract mesh. */
size_t clshard__mesh_period(const clshard_mesh *mesh);

/* The number of processes that the positions are dealt to; at least 1. */
size_t clshard__mesh_processes(const clshard_mesh *mesh);

/* Whether both have as many positions, each with the same device of the driver (two runtimes may
 * share it, in contexts of their own). Of two abstract meshes the counts of positions and
 * processes decide. */
bool clshard__mesh_same_devices(const clshard_mesh *a, const clshard_mesh *b);

#endif
