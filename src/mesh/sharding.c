/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/sharding.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/options.h"
#include "base/refcount.h"
#include "mesh/mesh_internal.h"
#include "mesh/sharding_internal.h"

struct clshard_sharding {
    clshard__refcount claims;
    clshard_mesh *mesh;
    clshard__tiling *tiling;
};

static void destroy(clshard_sharding *sharding)
{
    clshard__tiling_release(sharding->tiling);
    clshard_mesh_release(sharding->mesh);
    clshard__free(sharding);
}

clshard_status clshard_sharding_create(const clshard_mesh *mesh, const clshard_spec *spec,
                                       const clshard_sharding_options *options,
                                       clshard_sharding **out_sharding, clshard_error *err)
{
    clshard_sharding_options known;
    clshard__tiling *tiling = NULL;
    clshard_sharding *sharding;
    clshard_status status;

    if (mesh == NULL || spec == NULL || out_sharding == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_sharding_create: %s is NULL",
                             mesh == NULL   ? "mesh"
                             : spec == NULL ? "spec"
                                            : "out_sharding");
    status = clshard__options_read(&known, sizeof known, options, "clshard_sharding_options", err);
    if (status == CLSHARD_OK)
        status = clshard__tiling_create(clshard__mesh_axes(mesh), spec, known.uneven, known.splits,
                                        known.split_count, &tiling, err);
    if (status != CLSHARD_OK)
        return status;
    sharding = clshard__alloc(1, sizeof *sharding);
    if (sharding == NULL) {
        clshard__tiling_release(tiling);
        return clshard__no_memory(err, "a sharding");
    }
    clshard__refcount_init(&sharding->claims);
    sharding->mesh = clshard__mesh_retain(mesh);
    sharding->tiling = tiling;
    *out_sharding = sharding;
    return CLSHARD_OK;
}

clshard_status clshard_sharding_parse(const clshard_mesh *mesh, const char *spec,
                                      const clshard_sharding_options *options,
                                      clshard_sharding **out_sharding, clshard_error *err)
{
    clshard_spec parsed;
    clshard_status status;

    if (mesh == NULL || spec == NULL || out_sharding == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_sharding_parse: %s is NULL",
                             mesh == NULL   ? "mesh"
                             : spec == NULL ? "spec"
                                            : "out_sharding");
    status = clshard_spec_parse(spec, &parsed, err);
    if (status != CLSHARD_OK)
        return status;
    return clshard_sharding_create(mesh, &parsed, options, out_sharding, err);
}

clshard_sharding *clshard__sharding_retain(const clshard_sharding *sharding)
{
    clshard_sharding *claimed = (clshard_sharding *)sharding;

    clshard__refcount_retain(&claimed->claims);
    return claimed;
}

void clshard_sharding_release(clshard_sharding *sharding)
{
    if (sharding != NULL && clshard__refcount_release(&sharding->claims))
        destroy(sharding);
}

const clshard_mesh *clshard_sharding_mesh(const clshard_sharding *sharding)
{
    return sharding == NULL ? NULL : sharding->mesh;
}

const clshard_spec *clshard_sharding_spec(const clshard_sharding *sharding)
{
    return sharding == NULL ? NULL : &sharding->tiling->spec;
}

const clshard__tiling *clshard__sharding_tiling(const clshard_sharding *sharding)
{
    return sharding->tiling;
}

bool clshard_sharding_equal(const clshard_sharding *a, const clshard_sharding *b)
{
    if (a == NULL || b == NULL)
        return false;
    return a == b ||
           (clshard_mesh_equal(a->mesh, b->mesh) && clshard__tiling_equal(a->tiling, b->tiling));
}

bool clshard_sharding_equivalent(const clshard_sharding *a, const clshard_sharding *b, size_t rank)
{
    if (a == NULL || b == NULL)
        return false;
    return clshard__mesh_same_devices(a->mesh, b->mesh) &&
           clshard__tiling_equivalent(a->tiling, b->tiling, rank);
}

bool clshard_sharding_fully_replicated(const clshard_sharding *sharding)
{
    return sharding != NULL && clshard__tiling_fully_replicated(sharding->tiling);
}
