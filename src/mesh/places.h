/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_MESH_PLACES_H
#define CLSHARD_MESH_PLACES_H

/* Where the positions of two meshes are, in numbers that mean the same for both. */

#include "layout/nearest.h"
#include "mesh/mesh_internal.h"

/* The tables behind two clshard__places; all NULL for abstract meshes of one process. */
typedef struct clshard__place_tables {
    size_t *process[2], *context[2], *device[2];
} clshard__place_tables;

/* ABSTRACT when one mesh has devices and the other has none; MEMORY. Makes no context. */
clshard_status clshard__places_create(const clshard_mesh *const meshes[2],
                                      clshard__place_tables *out_tables, clshard_error *err);
void clshard__places_end(clshard__place_tables *tables);

/* Those of one of the two; borrowed. */
clshard__places clshard__places_of(const clshard__place_tables *tables, size_t mesh);

#endif
