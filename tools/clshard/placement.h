/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_PLACEMENT_H
#define TOOL_PLACEMENT_H

/* How an array lies on a mesh, as the options --mesh, --spec, --rules and the rest say. */

#include <clshard/sharding.h>

#include "options.h"

typedef struct placement {
    clshard_mesh *mesh;
    clshard_layout *layout;
} placement;

/* Opens the devices that --devices or CLSHARD_DEVICES names. */
clshard_status runtime_from_options(const options *read, clshard_runtime **out_runtime,
                                    clshard_error *err);

/* runtime NULL: an abstract mesh, dealt to --processes. axes NULL: --mesh. */
clshard_status mesh_from_options(const options *read, const clshard_runtime *runtime,
                                 const char *axes, clshard_mesh **out_mesh, clshard_error *err);

/* `argument` for options that are missing or exclude each other; else as the library's calls. */
clshard_status placement_from_options(const options *read, const clshard_runtime *runtime,
                                      clshard_shape shape, placement *out, clshard_error *err);
void placement_free(placement *made);

/* The layout that --to, --to-mesh and --to-uneven describe; without --to-mesh on the mesh of the
 * other. */
clshard_status target_from_options(const options *read, const clshard_runtime *runtime,
                                   const placement *from, clshard_layout **out_layout,
                                   clshard_error *err);
const clshard_mesh *layout_mesh(const clshard_layout *layout);

/* Text of a mesh, a spec, a shape; each ends in a NUL. */
typedef struct short_text {
    char text[2400]; /* a spec of 8 entries with 8 axes each is the longest */
} short_text;
short_text mesh_text(const clshard_mesh *mesh);
short_text spec_text(const clshard_layout *layout);
short_text shape_text(clshard_shape shape);
short_text extent_text(const clshard_box *box); /* "64x512", "scalar" */
short_text ranges_text(const clshard_box *box); /* "0:64,0:512", "" */
short_text coordinates_text(const clshard_mesh *mesh, size_t position);

/* Bytes of a box; 0 without a dtype. The whole array must have passed array_bytes(). */
uint64_t box_bytes(const clshard_box *box, clshard_dtype dtype);

/* Bytes of an array; `overflow` past 64 bits. */
clshard_status array_bytes(clshard_shape shape, clshard_dtype dtype, uint64_t *out_bytes,
                           clshard_error *err);

#endif
