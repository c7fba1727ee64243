/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "array/array_internal.h"
#include "mesh/runtime_internal.h"
#include "support/devices.h"
#include "support/refusal.h"

static clshard_runtime *open_with_pool(size_t pool_bytes)
{
    clshard_runtime *runtime = NULL;
    must(clshard_runtime_open(devices_selector(),
                              CLSHARD_WITH(clshard_runtime_options, .pool_bytes = pool_bytes),
                              &runtime, error));
    cr_assert(clshard_runtime_device_count(runtime) > 0, "no OpenCL device");
    return runtime;
}

static size_t kept(const clshard_runtime *runtime)
{
    size_t bytes = 0;
    for (size_t i = 0; i < clshard_runtime_device_count(runtime); i++)
        bytes += clshard__memory_kept(clshard__engine_memory(clshard__runtime_engine(runtime)), i);
    return bytes;
}

static clshard_array *make_array(const clshard_runtime *runtime, clshard_shape shape)
{
    clshard_mesh *mesh = devices_mesh(runtime, "data=4");
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;

    must(clshard_sharding_parse(mesh, "data", NULL, &sharding, error));
    must(clshard_array_create_sharded(sharding, CLSHARD_U8, shape, &array, error));
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    return array;
}

Test(pool_devices, buffers_of_a_released_array_serve_the_next)
{
    const clshard_shape shape = CLSHARD_SHAPE(64, 1000);
    clshard_runtime *runtime = open_with_pool(0);
    clshard_array *array = make_array(runtime, shape);
    cl_mem first = array->shard[0].memory;

    cr_assert_eq(kept(runtime), 0);
    clshard_array_release(array);
    cr_assert(kept(runtime) >= 64 * 1000);
    array = make_array(runtime, shape);
    cr_assert_eq(kept(runtime), 0);
    for (size_t i = 0; i < 4; i++)
        if (array->shard[i].memory == first)
            first = NULL;
    cr_assert(first == NULL, "the first buffer is in use again");
    clshard_array_release(array);
    must(clshard_runtime_trim(runtime, error));
    cr_assert_eq(kept(runtime), 0);
    clshard_runtime_release(runtime);
}

/* Results of one array must never show in the next: each step reads back what it wrote. */
Test(pool_devices, arrays_that_follow_each_other_hold_their_own_data)
{
    clshard_runtime *runtime = open_with_pool(0);
    clshard_tensor from = devices_tensor(CLSHARD_U8, CLSHARD_SHAPE(64, 1000));
    clshard_tensor back = devices_tensor(CLSHARD_U8, from.shape);

    for (int step = 0; step < 60; step++) {
        const size_t rows = 4 * (size_t)(1 + step % 16);
        clshard_event *event = NULL;
        clshard_array *array = make_array(runtime, CLSHARD_SHAPE(rows, 1000));
        from.shape.extent[0] = back.shape.extent[0] = rows;
        memset(from.data, step, rows * 1000);
        must(clshard_scatter(
            array, &from,
            CLSHARD_WITH(clshard_transfer_options,
                         .route = step % 2 == 0 ? CLSHARD_ROUTE_LINEAR : CLSHARD_ROUTE_KERNEL),
            &event, error));
        if (step % 3 == 0) {
            must(clshard_gather(&back, array, NULL, NULL, error));
            cr_assert(memcmp(from.data, back.data, rows * 1000) == 0, "step %d", step);
        }
        clshard_event_release(event); /* perhaps before it is done */
        clshard_array_release(array);
    }
    free(from.data);
    free(back.data);
    clshard_runtime_release(runtime);
}

Test(pool_devices, keeps_its_limit)
{
    clshard_runtime *runtime = open_with_pool(1);

    clshard_array_release(make_array(runtime, CLSHARD_SHAPE(64, 1000)));
    cr_assert_eq(kept(runtime), 0);
    clshard_runtime_release(runtime);
    runtime = open_with_pool(20000);
    for (size_t columns = 1000; columns < 1400; columns += 100)
        clshard_array_release(make_array(runtime, CLSHARD_SHAPE(64, columns)));
    cr_assert(kept(runtime) > 0 && kept(runtime) <= 20000 * clshard_runtime_device_count(runtime));
    clshard_runtime_release(runtime);
}

Test(pool_devices, a_shard_that_is_mapped_does_not_enter)
{
    clshard_runtime *runtime = open_with_pool(0);
    clshard_array *array = make_array(runtime, CLSHARD_SHAPE(64, 1000));
    clshard_tensor mapped;

    for (size_t i = 0; i < 4; i++)
        must(clshard_array_map(array, i, &mapped, error));
    clshard_array_release(array);
    cr_assert_eq(kept(runtime), 0);
    clshard_runtime_release(runtime);
}

Test(pool_devices, trim_names_what_is_wrong)
{
    clshard_error err = {0};
    refusal(clshard_runtime_trim(NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "NULL");
}
