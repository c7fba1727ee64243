/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/sharding.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/refcount.h"
#include "layout/strides.h"
#include "mesh/layout_internal.h"
#include "mesh/mesh_internal.h"
#include "mesh/sharding_internal.h"

struct clshard_layout {
    clshard__refcount claims;
    clshard_sharding *sharding;
    clshard__geometry *geometry;
};

clshard_status clshard_layout_create(const clshard_sharding *sharding, clshard_shape shape,
                                     clshard_layout **out_layout, clshard_error *err)
{
    clshard__geometry *geometry = NULL;
    clshard_layout *layout;
    clshard_status status;

    if (sharding == NULL || out_layout == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_layout_create: %s is NULL",
                             sharding == NULL ? "sharding" : "out_layout");
    status = clshard__geometry_create(clshard__sharding_tiling(sharding), shape, &geometry, err);
    if (status != CLSHARD_OK)
        return status;
    layout = clshard__alloc(1, sizeof *layout);
    if (layout == NULL) {
        clshard__geometry_release(geometry);
        return clshard__no_memory(err, "a layout");
    }
    clshard__refcount_init(&layout->claims);
    layout->sharding = clshard__sharding_retain(sharding);
    layout->geometry = geometry;
    *out_layout = layout;
    return CLSHARD_OK;
}

clshard_layout *clshard__layout_retain(const clshard_layout *layout)
{
    clshard_layout *claimed = (clshard_layout *)layout;

    clshard__refcount_retain(&claimed->claims);
    return claimed;
}

void clshard_layout_release(clshard_layout *layout)
{
    if (layout == NULL || !clshard__refcount_release(&layout->claims))
        return;
    clshard__geometry_release(layout->geometry);
    clshard_sharding_release(layout->sharding);
    clshard__free(layout);
}

const clshard__geometry *clshard__layout_geometry(const clshard_layout *layout)
{
    return layout->geometry;
}

const clshard_mesh *clshard__layout_mesh(const clshard_layout *layout)
{
    return clshard_sharding_mesh(layout->sharding);
}

const clshard_sharding *clshard_layout_sharding(const clshard_layout *layout)
{
    return layout == NULL ? NULL : layout->sharding;
}

clshard_shape clshard_layout_shape(const clshard_layout *layout)
{
    return layout == NULL ? (clshard_shape){0} : clshard__geometry_shape(layout->geometry);
}

clshard_shape clshard_layout_shard_shape(const clshard_layout *layout)
{
    return layout == NULL ? (clshard_shape){0} : clshard__geometry_shard_shape(layout->geometry);
}

clshard_part clshard_layout_part(const clshard_layout *layout, size_t position)
{
    if (layout == NULL)
        return (clshard_part){.replica = SIZE_MAX};
    return clshard__geometry_part(layout->geometry, position);
}

size_t clshard_layout_replica_count(const clshard_layout *layout)
{
    return layout == NULL ? 0 : clshard__geometry_replica_count(layout->geometry);
}

bool clshard_layout_equal(const clshard_layout *a, const clshard_layout *b)
{
    if (a == NULL || b == NULL)
        return false;
    return a == b || (clshard__same_shape(clshard_layout_shape(a), clshard_layout_shape(b)) &&
                      clshard_sharding_equal(a->sharding, b->sharding));
}

bool clshard_layout_equivalent(const clshard_layout *a, const clshard_layout *b)
{
    if (a == NULL || b == NULL)
        return false;
    return a == b ||
           (clshard__mesh_same_devices(clshard__layout_mesh(a), clshard__layout_mesh(b)) &&
            clshard__geometry_equivalent(a->geometry, b->geometry));
}

bool clshard_layout_fully_replicated(const clshard_layout *layout)
{
    return layout != NULL && clshard__geometry_fully_replicated(layout->geometry);
}
