/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_MESH_LAYOUT_INTERNAL_H
#define CLSHARD_MESH_LAYOUT_INTERNAL_H

/* What the layers above need of a layout. */

#include <clshard/sharding.h>

#include "layout/geometry.h"

/* Another claim. A layout is immutable, so claims can be taken on a const one. */
clshard_layout *clshard__layout_retain(const clshard_layout *layout);

/* Borrowed. */
const clshard__geometry *clshard__layout_geometry(const clshard_layout *layout);
const clshard_mesh *clshard__layout_mesh(const clshard_layout *layout);

#endif
