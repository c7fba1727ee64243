/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_MESH_SHARDING_INTERNAL_H
#define CLSHARD_MESH_SHARDING_INTERNAL_H

/* What the layers above need of a sharding. */

#include <clshard/sharding.h>

#include "layout/tiling.h"

/* Another claim. A sharding is immutable, so claims can be taken on a const one. */
clshard_sharding *clshard__sharding_retain(const clshard_sharding *sharding);

/* The pure half; borrowed. */
const clshard__tiling *clshard__sharding_tiling(const clshard_sharding *sharding);

#endif
