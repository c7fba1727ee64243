/* SPDX-License-Identifier: Apache-2.0 */
/* Self-tests of two devices together. */

#include <string.h>

#include "base/error.h"
#include "transfer/self_test.h"

enum { ROWS = 33, COLUMNS = 7, COUNT = ROWS * COLUMNS };

/* Every route, since the two devices may take different ones. */
static clshard_status cross(clshard_array *array, clshard_route route, clshard__found *found,
                            clshard_error *err)
{
    const clshard_transfer_options options = {.size = sizeof options, .route = route};
    uint32_t from[COUNT] = {0};
    uint32_t back[COUNT] = {0};
    const clshard_shape shape = CLSHARD_SHAPE(ROWS, COLUMNS);
    const clshard_tensor source = clshard_tensor_of(from, CLSHARD_U32, shape);
    const clshard_tensor target = clshard_tensor_of(back, CLSHARD_U32, shape);
    clshard_status status;

    clshard__check_fill(from, sizeof from, (uint32_t)route + 1);
    status = clshard_scatter(array, &source, &options, NULL, err);
    if (status == CLSHARD_OK)
        status = clshard_gather(&target, array, &options, NULL, err);
    if (status == CLSHARD_OK && memcmp(from, back, sizeof from) != 0)
        clshard__found_set(found, CLSHARD_FAILED,
                           "an array over both came back wrong by the route %s",
                           clshard_route_name(route));
    return status;
}

clshard_status clshard__test_pair_array(const clshard__check *check, clshard__found *found,
                                        clshard_error *err)
{
    const size_t devices[] = {check->device, check->other};
    clshard_mesh *mesh = NULL;
    clshard_array *array = NULL;
    clshard_status status = clshard__check_mesh(check, devices, 2, 2, &mesh, err);

    clshard__found_set(found, CLSHARD_PASSED, "scattered and gathered by each route");
    if (status == CLSHARD_OK)
        status = clshard__check_array(mesh, CLSHARD_BALANCED, CLSHARD_U32,
                                      CLSHARD_SHAPE(ROWS, COLUMNS), &array, err);
    for (int route = CLSHARD_ROUTE_AUTO;
         status == CLSHARD_OK && clshard_route_name((clshard_route)route) != NULL; route++)
        status = cross(array, (clshard_route)route, found, err);
    clshard_array_release(array);
    clshard_mesh_release(mesh);
    return status;
}

/* An array on one of the two devices. */
static clshard_status make_on(const clshard__check *check, size_t device, clshard_array **out_array,
                              clshard_error *err)
{
    clshard_mesh *mesh = NULL;
    clshard_status status = clshard__check_mesh(check, &device, 1, 1, &mesh, err);

    if (status == CLSHARD_OK)
        status = clshard__check_array(mesh, CLSHARD_EVEN, CLSHARD_U32, CLSHARD_SHAPE(ROWS, COLUMNS),
                                      out_array, err);
    clshard_mesh_release(mesh);
    return status;
}

/* Fills `first`; scatters its mapped shard into `second`; gathers that. */
static clshard_status move(clshard_array *first, clshard_array *second, clshard__found *found,
                           clshard_error *err)
{
    uint32_t from[COUNT] = {0};
    uint32_t back[COUNT] = {0};
    const clshard_shape shape = CLSHARD_SHAPE(ROWS, COLUMNS);
    const clshard_tensor source = clshard_tensor_of(from, CLSHARD_U32, shape);
    const clshard_tensor target = clshard_tensor_of(back, CLSHARD_U32, shape);
    clshard_tensor mapped;
    clshard_status unmapped;
    clshard_status status;

    clshard__check_fill(from, sizeof from, 99);
    status = clshard_scatter(first, &source, NULL, NULL, err);
    if (status == CLSHARD_OK)
        status = clshard_array_map(first, 0, &mapped, err);
    if (status != CLSHARD_OK)
        return status;
    status = clshard_scatter(second, &mapped, NULL, NULL, err);
    unmapped = clshard_array_unmap(first, 0, status == CLSHARD_OK ? err : NULL);
    if (status == CLSHARD_OK)
        status = unmapped;
    if (status == CLSHARD_OK)
        status = clshard_gather(&target, second, NULL, NULL, err);
    if (status == CLSHARD_OK && memcmp(from, back, sizeof from) != 0)
        clshard__found_set(found, CLSHARD_FAILED,
                           "data of the first device reached the second one wrong");
    return status;
}

clshard_status clshard__test_pair_host(const clshard__check *check, clshard__found *found,
                                       clshard_error *err)
{
    clshard_array *first = NULL;
    clshard_array *second = NULL;
    clshard_status status = make_on(check, check->device, &first, err);

    clshard__found_set(found, CLSHARD_PASSED,
                       "a shard of the first device became one of the second");
    if (status == CLSHARD_OK)
        status = make_on(check, check->other, &second, err);
    if (status == CLSHARD_OK)
        status = move(first, second, found, err);
    clshard_array_release(first);
    clshard_array_release(second);
    return status;
}

clshard_status clshard__test_pair_context(const clshard__check *check, clshard__found *found,
                                          clshard_error *err)
{
    clshard__worker first;
    clshard__worker second;
    clshard_status status = clshard__engine_start(check->engine, check->device, &first, err);

    if (status == CLSHARD_OK)
        status = clshard__engine_start(check->engine, check->other, &second, err);
    if (status == CLSHARD_OK)
        clshard__found_set(found, CLSHARD_PASSED, "%s",
                           first.context == second.context ? "one context" : "two contexts");
    return status;
}
