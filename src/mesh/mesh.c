/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/mesh.h>

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/options.h"
#include "base/refcount.h"
#include "mesh/mesh_internal.h"

_Static_assert(CLSHARD_INFER == CLSHARD__AXES_INFER, "one value stands for an inferred size");

struct clshard_mesh {
    clshard__refcount claims;
    clshard__axes axes;
    clshard_runtime *runtime; /* NULL: abstract */
    size_t *list;             /* runtime indices; position p has device p % period */
    size_t period;            /* entries of list, at most one per position */
    size_t processes;         /* of an abstract mesh; divides the positions */
};

/* The devices that a mesh may use, before its size is known. */
typedef struct choice {
    const size_t *devices; /* NULL: 0, 1, 2, ... */
    size_t count;
    bool repeat;
} choice;

static size_t choice_at(const choice *from, size_t index)
{
    return from->devices == NULL ? index : from->devices[index];
}

/* ---- checks ---- */

static clshard_status fail_index(const clshard_runtime *runtime, size_t entry, size_t device,
                                 clshard_error *err)
{
    const size_t used = clshard_runtime_device_count(runtime);
    const clshard_device_info *info = clshard_runtime_device(runtime, device);

    if (info != NULL)
        return clshard__fail(err, CLSHARD_ERR_INDEX,
                             "mesh: entry %zu of the device list is %zu (%s), which is left out "
                             "(%s); devices 0 to %zu are in use",
                             entry, device, info->id, info->excluded, used - 1);
    return clshard__fail(err, CLSHARD_ERR_INDEX,
                         "mesh: entry %zu of the device list is %zu, but the runtime has %zu "
                         "devices (0 to %zu)",
                         entry, device, used, used - 1);
}

static clshard_status check_list(const clshard_runtime *runtime, const choice *from,
                                 clshard_error *err)
{
    const size_t used = clshard_runtime_device_count(runtime);
    bool *seen = clshard__alloc(used, sizeof *seen);
    clshard_status status = CLSHARD_OK;

    if (seen == NULL)
        return clshard__no_memory(err, "a mesh's devices");
    for (size_t i = 0; i < from->count && status == CLSHARD_OK; i++) {
        const size_t device = choice_at(from, i);
        if (device >= used)
            status = fail_index(runtime, i, device, err);
        else if (seen[device] && !from->repeat)
            status = clshard__fail(err, CLSHARD_ERR_DUPLICATE_DEVICE,
                                   "mesh: the device list names %zu (%s) twice; positions may "
                                   "share a device only with repeat_devices",
                                   device, clshard_runtime_device(runtime, device)->id);
        else
            seen[device] = true;
    }
    clshard__free(seen);
    return status;
}

static clshard_status choose(const clshard_runtime *runtime, const clshard_mesh_options *options,
                             choice *out, clshard_error *err)
{
    if ((options->devices == NULL) != (options->device_count == 0))
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "mesh: devices is %s but device_count is %zu; a device list needs "
                             "both, all devices neither",
                             options->devices == NULL ? "NULL" : "given", options->device_count);
    if (runtime == NULL && options->devices != NULL)
        return clshard__fail(
            err, CLSHARD_ERR_ARGUMENT,
            "mesh: a device list needs a runtime; an abstract mesh has no devices");
    if (runtime == NULL)
        return CLSHARD_OK;
    if (clshard_runtime_device_count(runtime) == 0)
        return clshard__fail(err, CLSHARD_ERR_NO_DEVICES,
                             "mesh: the runtime has no devices in use (%zu are left out); without "
                             "a runtime the mesh would be abstract",
                             clshard_runtime_excluded_count(runtime));
    out->devices = options->devices;
    out->count =
        options->devices != NULL ? options->device_count : clshard_runtime_device_count(runtime);
    out->repeat = options->repeat_devices;
    return check_list(runtime, out, err);
}

static clshard_status check_size(const clshard__axes *axes, const choice *from, clshard_error *err)
{
    char text[256];

    if (axes->positions <= from->count || from->repeat)
        return CLSHARD_OK;
    (void)clshard__axes_format(axes, text, sizeof text);
    return clshard__fail(err, CLSHARD_ERR_MESH_SIZE,
                         "mesh '%s' has %zu positions, but %s %zu device%s; make it smaller, or "
                         "let positions share devices with repeat_devices",
                         text, axes->positions,
                         from->devices == NULL ? "the runtime has" : "the device list has",
                         from->count, from->count == 1 ? "" : "s");
}

static clshard_status check_processes(const clshard_runtime *runtime, const clshard__axes *axes,
                                      size_t processes, clshard_error *err)
{
    char text[256];

    if (processes <= 1)
        return CLSHARD_OK;
    if (runtime != NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "mesh: %zu processes for a mesh with devices; only an abstract mesh "
                             "is dealt to processes",
                             processes);
    if (axes->positions % processes == 0)
        return CLSHARD_OK;
    (void)clshard__axes_format(axes, text, sizeof text);
    return clshard__fail(err, CLSHARD_ERR_MESH_SIZE,
                         "mesh '%s': its %zu positions cannot be dealt to %zu processes; their "
                         "number must divide the positions",
                         text, axes->positions, processes);
}

/* ---- making ---- */

static void destroy(clshard_mesh *mesh)
{
    clshard__free(mesh->list);
    clshard_runtime_release(mesh->runtime);
    clshard__free(mesh);
}

/* Copies the devices that positions take. */
static clshard_status take_devices(clshard_mesh *mesh, const choice *from, clshard_error *err)
{
    mesh->period = from->count < mesh->axes.positions ? from->count : mesh->axes.positions;
    mesh->list = clshard__alloc(mesh->period, sizeof *mesh->list);
    if (mesh->list == NULL)
        return clshard__no_memory(err, "a mesh's devices");
    for (size_t i = 0; i < mesh->period; i++)
        mesh->list[i] = choice_at(from, i);
    return CLSHARD_OK;
}

/* The axes are complete but for an inferred size. */
static clshard_status make(const clshard_runtime *runtime, clshard__axes *axes,
                           const clshard_mesh_options *options, clshard_mesh **out_mesh,
                           clshard_error *err)
{
    choice from = {NULL, SIZE_MAX, false};
    clshard_mesh *mesh;
    clshard_status status = choose(runtime, options, &from, err);

    if (status == CLSHARD_OK)
        status = clshard__axes_finish(axes, from.count, err);
    if (status == CLSHARD_OK)
        status = check_size(axes, &from, err);
    if (status == CLSHARD_OK)
        status = check_processes(runtime, axes, options->processes, err);
    if (status != CLSHARD_OK)
        return status;
    mesh = clshard__alloc(1, sizeof *mesh);
    if (mesh == NULL)
        return clshard__no_memory(err, "a mesh");
    clshard__refcount_init(&mesh->claims);
    mesh->axes = *axes;
    mesh->processes = options->processes == 0 ? 1 : options->processes;
    if (runtime != NULL) {
        mesh->runtime = clshard__runtime_retain(runtime);
        status = take_devices(mesh, &from, err);
    }
    if (status != CLSHARD_OK) {
        destroy(mesh);
        return status;
    }
    *out_mesh = mesh;
    return CLSHARD_OK;
}

static clshard_status read_arguments(const char *function, const void *axes, const void *out_mesh,
                                     const clshard_mesh_options *from, clshard_mesh_options *to,
                                     clshard_error *err)
{
    if (axes == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "%s: axes is NULL", function);
    if (out_mesh == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "%s: out_mesh is NULL", function);
    return clshard__options_read(to, sizeof *to, from, "clshard_mesh_options", err);
}

clshard_status clshard_mesh_create(const clshard_runtime *runtime, const clshard_axis *axes,
                                   size_t axis_count, const clshard_mesh_options *options,
                                   clshard_mesh **out_mesh, clshard_error *err)
{
    static const clshard_axis none = {NULL, 0};
    clshard__axes collected = {0};
    clshard_mesh_options known = {0};
    clshard_status status = read_arguments("clshard_mesh_create", axis_count == 0 ? &none : axes,
                                           out_mesh, options, &known, err);

    for (size_t i = 0; i < axis_count && status == CLSHARD_OK; i++)
        status = clshard__axes_add(&collected, axes[i].name, axes[i].size, err);
    if (status != CLSHARD_OK)
        return status;
    return make(runtime, &collected, &known, out_mesh, err);
}

clshard_status clshard_mesh_parse(const clshard_runtime *runtime, const char *axes,
                                  const clshard_mesh_options *options, clshard_mesh **out_mesh,
                                  clshard_error *err)
{
    clshard__axes parsed = {0};
    clshard_mesh_options known = {0};
    clshard_status status =
        read_arguments("clshard_mesh_parse", axes, out_mesh, options, &known, err);

    if (status == CLSHARD_OK)
        status = clshard__axes_parse(axes, &parsed, err);
    if (status != CLSHARD_OK)
        return status;
    return make(runtime, &parsed, &known, out_mesh, err);
}

clshard_mesh *clshard__mesh_retain(const clshard_mesh *mesh)
{
    clshard_mesh *claimed = (clshard_mesh *)mesh;

    clshard__refcount_retain(&claimed->claims);
    return claimed;
}

void clshard_mesh_release(clshard_mesh *mesh)
{
    if (mesh != NULL && clshard__refcount_release(&mesh->claims))
        destroy(mesh);
}

/* ---- queries ---- */

size_t clshard_mesh_axis_count(const clshard_mesh *mesh)
{
    return mesh == NULL ? 0 : mesh->axes.count;
}

clshard_axis clshard_mesh_axis(const clshard_mesh *mesh, size_t index)
{
    if (index >= clshard_mesh_axis_count(mesh))
        return (clshard_axis){NULL, 0};
    return (clshard_axis){mesh->axes.name[index], mesh->axes.size[index]};
}

size_t clshard_mesh_position_count(const clshard_mesh *mesh)
{
    return mesh == NULL ? 0 : mesh->axes.positions;
}

clshard_status clshard_mesh_coordinates(const clshard_mesh *mesh, size_t position,
                                        size_t *out_coordinates, clshard_error *err)
{
    if (mesh == NULL || out_coordinates == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_mesh_coordinates: %s is NULL",
                             mesh == NULL ? "mesh" : "out_coordinates");
    if (position >= mesh->axes.positions)
        return clshard__fail(err, CLSHARD_ERR_INDEX,
                             "clshard_mesh_coordinates: position %zu is past the last; the mesh "
                             "has %zu (0 to %zu)",
                             position, mesh->axes.positions, mesh->axes.positions - 1);
    for (size_t axis = 0; axis < mesh->axes.count; axis++)
        out_coordinates[axis] = clshard__axes_coordinate(&mesh->axes, axis, position);
    return CLSHARD_OK;
}

clshard_status clshard_mesh_position(const clshard_mesh *mesh, const size_t *coordinates,
                                     size_t *out_position, clshard_error *err)
{
    if (mesh == NULL || coordinates == NULL || out_position == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "clshard_mesh_position: %s is NULL",
                             mesh == NULL          ? "mesh"
                             : coordinates == NULL ? "coordinates"
                                                   : "out_position");
    return clshard__axes_position(&mesh->axes, coordinates, out_position, err);
}

const clshard_device_info *clshard_mesh_device(const clshard_mesh *mesh, size_t position)
{
    if (position >= clshard_mesh_position_count(mesh) || mesh->runtime == NULL)
        return NULL;
    return clshard_runtime_device(mesh->runtime, clshard__mesh_device_index(mesh, position));
}

size_t clshard_mesh_owner(const clshard_mesh *mesh, size_t position)
{
    if (position >= clshard_mesh_position_count(mesh))
        return SIZE_MAX;
    return position / (mesh->axes.positions / mesh->processes);
}

size_t clshard_mesh_format(const clshard_mesh *mesh, char *buffer, size_t buffer_bytes)
{
    if (mesh != NULL)
        return clshard__axes_format(&mesh->axes, buffer, buffer_bytes);
    if (buffer != NULL && buffer_bytes > 0)
        buffer[0] = '\0';
    return 0;
}

bool clshard_mesh_equal(const clshard_mesh *a, const clshard_mesh *b)
{
    if (a == NULL || b == NULL)
        return false;
    return a == b || (clshard__axes_equal(&a->axes, &b->axes) && clshard__mesh_same_devices(a, b));
}

/* ---- for the layers above ---- */

const clshard__axes *clshard__mesh_axes(const clshard_mesh *mesh)
{
    return &mesh->axes;
}

const clshard_runtime *clshard__mesh_runtime(const clshard_mesh *mesh)
{
    return mesh->runtime;
}

size_t clshard__mesh_device_index(const clshard_mesh *mesh, size_t position)
{
    return mesh->list[position % mesh->period];
}

size_t clshard__mesh_period(const clshard_mesh *mesh)
{
    return mesh->period;
}

size_t clshard__mesh_processes(const clshard_mesh *mesh)
{
    return mesh->processes;
}

static bool same_device(const clshard_mesh *a, const clshard_mesh *b, size_t position)
{
    const size_t in_a = clshard__mesh_device_index(a, position);
    const size_t in_b = clshard__mesh_device_index(b, position);

    if (a->runtime == b->runtime)
        return in_a == in_b;
    return clshard__runtime_device(a->runtime, in_a)->id ==
           clshard__runtime_device(b->runtime, in_b)->id;
}

bool clshard__mesh_same_devices(const clshard_mesh *a, const clshard_mesh *b)
{
    const size_t positions = a->axes.positions;
    size_t enough;

    if (a == b)
        return true;
    if (positions != b->axes.positions || (a->runtime == NULL) != (b->runtime == NULL))
        return false;
    if (a->runtime == NULL)
        return a->processes == b->processes;
    /* Two periodic lists that agree over the sum of their periods agree everywhere (Fine and Wilf),
     * so positions in plenty cost nothing. */
    enough = positions - a->period < b->period ? positions : a->period + b->period;
    for (size_t position = 0; position < enough; position++)
        if (!same_device(a, b, position))
            return false;
    return true;
}
