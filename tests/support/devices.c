/* SPDX-License-Identifier: Apache-2.0 */
#include "support/devices.h"

#include <criterion/criterion.h>
#include <stdlib.h>

const char *devices_selector(void)
{
    const char *chosen = getenv("CLSHARD_DEVICES");
    return chosen != NULL && chosen[0] != '\0' ? NULL : "*";
}

clshard_runtime *devices_open(void)
{
    clshard_runtime *runtime = NULL;

    must(clshard_runtime_open(devices_selector(), NULL, &runtime, error));
    cr_assert(clshard_runtime_device_count(runtime) > 0,
              "no OpenCL device: install one (tools/drivers), a test of devices needs it");
    return runtime;
}

clshard_mesh *devices_mesh(const clshard_runtime *runtime, const char *axes)
{
    clshard_mesh *mesh = NULL;
    must(clshard_mesh_parse(
        runtime, axes, CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true), &mesh, error));
    return mesh;
}

clshard_tensor devices_tensor(clshard_dtype dtype, clshard_shape shape)
{
    size_t bytes = clshard_dtype_bytes(dtype);
    unsigned char *data;

    for (size_t d = 0; d < shape.rank; d++)
        bytes *= shape.extent[d];
    data = malloc(bytes > 0 ? bytes : 1);
    cr_assert(data != NULL);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)((i * 2654435761u) >> 11);
    return clshard_tensor_of(data, dtype, shape);
}
