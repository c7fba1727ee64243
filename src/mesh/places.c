/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/places.h"

#include "base/alloc.h"
#include "base/error.h"
#include "opencl/engine.h"

static clshard_status check_kinds(const clshard_mesh *const meshes[2], clshard_error *err)
{
    const bool first = clshard__mesh_runtime(meshes[0]) != NULL;
    const bool second = clshard__mesh_runtime(meshes[1]) != NULL;

    if (first == second)
        return CLSHARD_OK;
    return clshard__fail(err, CLSHARD_ERR_ABSTRACT,
                         "plan: the %s is abstract but the %s has devices; both need them, or "
                         "neither",
                         first ? "source" : "target", first ? "target" : "source");
}

/* The number of a device of the second runtime: that of the first runtime's where both have it,
 * else one that the first does not use. */
static size_t device_number(const clshard_runtime *first, const clshard_runtime *second,
                            size_t device)
{
    const size_t known = clshard_runtime_device_count(first);

    if (first == second)
        return device;
    for (size_t i = 0; i < known; i++)
        if (clshard__runtime_device(first, i)->id == clshard__runtime_device(second, device)->id)
            return i;
    return known + device;
}

static size_t context_number(const clshard_runtime *first, const clshard_runtime *second,
                             size_t device)
{
    const size_t number = clshard__engine_context_number(clshard__runtime_engine(second), device);
    return first == second ? number : clshard_runtime_device_count(first) + number;
}

static clshard_status add_devices(const clshard_mesh *const meshes[2], size_t which,
                                  clshard__place_tables *made, clshard_error *err)
{
    const clshard_runtime *first = clshard__mesh_runtime(meshes[0]);
    const clshard_mesh *mesh = meshes[which];
    const clshard_runtime *runtime = clshard__mesh_runtime(mesh);
    const size_t positions = clshard_mesh_position_count(mesh);
    const size_t period = clshard__mesh_period(mesh);

    made->device[which] = clshard__alloc(positions, sizeof *made->device[which]);
    made->context[which] = clshard__alloc(positions, sizeof *made->context[which]);
    if (made->device[which] == NULL || made->context[which] == NULL)
        return clshard__no_memory(err, "a plan's devices");
    for (size_t p = 0; p < period; p++) {
        const size_t device = clshard__mesh_device_index(mesh, p);
        made->device[which][p] = device_number(first, runtime, device);
        made->context[which][p] = context_number(first, runtime, device);
    }
    for (size_t p = period; p < positions; p++) {
        made->device[which][p] = made->device[which][p - period];
        made->context[which][p] = made->context[which][p - period];
    }
    return CLSHARD_OK;
}

static clshard_status add_processes(const clshard_mesh *mesh, size_t which,
                                    clshard__place_tables *made, clshard_error *err)
{
    const size_t positions = clshard_mesh_position_count(mesh);

    made->process[which] = clshard__alloc(positions, sizeof *made->process[which]);
    if (made->process[which] == NULL)
        return clshard__no_memory(err, "a plan's processes");
    for (size_t p = 0; p < positions; p++)
        made->process[which][p] = clshard_mesh_owner(mesh, p);
    return CLSHARD_OK;
}

clshard_status clshard__places_create(const clshard_mesh *const meshes[2],
                                      clshard__place_tables *out_tables, clshard_error *err)
{
    const bool devices = clshard__mesh_runtime(meshes[0]) != NULL;
    clshard__place_tables made = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
    clshard_status status = check_kinds(meshes, err);

    for (size_t i = 0; i < 2 && status == CLSHARD_OK; i++) {
        if (devices)
            status = add_devices(meshes, i, &made, err);
        if (status == CLSHARD_OK && clshard__mesh_processes(meshes[i]) > 1)
            status = add_processes(meshes[i], i, &made, err);
    }
    if (status == CLSHARD_OK)
        *out_tables = made;
    else
        clshard__places_end(&made);
    return status;
}

void clshard__places_end(clshard__place_tables *tables)
{
    for (size_t i = 0; i < 2; i++) {
        clshard__free(tables->process[i]);
        clshard__free(tables->context[i]);
        clshard__free(tables->device[i]);
    }
}

clshard__places clshard__places_of(const clshard__place_tables *tables, size_t mesh)
{
    return (clshard__places){tables->process[mesh], tables->context[mesh], tables->device[mesh]};
}
