/* SPDX-License-Identifier: Apache-2.0 */
/* Rows cut for unlike devices: each position holds as many as its device has compute units, in
 * proportion, and a remainder that no even split would take. Prints who holds what. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clshard/clshard.h>

enum { ROWS = 1001, COLUMNS = 16 };

/* One weight per position; NULL: no memory. */
static uint32_t *weights_of(const clshard_mesh *mesh)
{
    const size_t count = clshard_mesh_position_count(mesh);
    uint32_t *weights = malloc(count * sizeof *weights);

    for (size_t i = 0; weights != NULL && i < count; i++)
        weights[i] = clshard_mesh_device(mesh, i)->compute_units;
    return weights;
}

/* The array whose rows are cut by these weights. */
static clshard_status make(const clshard_mesh *mesh, const uint32_t *weights, clshard_array **array,
                           clshard_error *err)
{
    clshard_sharding *sharding = NULL;
    /* [weights] */
    const clshard_split split = {.axis = "data",
                                 .policy = CLSHARD_WEIGHTED,
                                 .weights = weights,
                                 .count = clshard_mesh_position_count(mesh)};
    clshard_status status = clshard_sharding_parse(
        mesh, "data", CLSHARD_WITH(clshard_sharding_options, .splits = &split, .split_count = 1),
        &sharding, err);
    if (status == CLSHARD_OK)
        status = clshard_array_create_sharded(sharding, CLSHARD_I32, CLSHARD_SHAPE(ROWS, COLUMNS),
                                              array, err);
    /* [weights] */
    clshard_sharding_release(sharding); /* the array keeps it alive */
    return status;
}

/* Prints what each position holds; returns the rows of all of them. */
static size_t show(const clshard_mesh *mesh, const clshard_array *array)
{
    size_t rows = 0;
    /* [who holds what] */
    for (size_t i = 0; i < clshard_array_shard_count(array); i++) {
        const clshard_box held = clshard_array_shard(array, i).part.valid;
        const clshard_device_info *device = clshard_mesh_device(mesh, i);
        printf("%-5s %4u units  %4zu rows from %4zu  %s\n", device->id, device->compute_units,
               held.extent[0], held.offset[0], device->name);
        rows += held.extent[0];
    }
    /* [who holds what] */
    return rows;
}

int main(void)
{
    static int32_t from[ROWS][COLUMNS], to[ROWS][COLUMNS];
    clshard_runtime *runtime = NULL;
    clshard_mesh *mesh = NULL;
    clshard_array *array = NULL;
    uint32_t *weights = NULL;
    clshard_error err = {0};
    int failed = 1;

    for (int i = 0; i < ROWS * COLUMNS; i++)
        from[i / COLUMNS][i % COLUMNS] = i;

    const clshard_tensor source =
        clshard_tensor_of(from, CLSHARD_I32, CLSHARD_SHAPE(ROWS, COLUMNS));
    const clshard_tensor back = clshard_tensor_of(to, CLSHARD_I32, CLSHARD_SHAPE(ROWS, COLUMNS));
    if (clshard_runtime_open(NULL, NULL, &runtime, &err) ||
        clshard_mesh_parse(runtime, "data=-1", NULL, &mesh, &err))
        fprintf(stderr, "%s: %s\n", clshard_status_name(err.status), err.message);
    else if ((weights = weights_of(mesh)) == NULL)
        fprintf(stderr, "no memory\n");
    else if (make(mesh, weights, &array, &err) ||
             clshard_scatter(array, &source, NULL, NULL, &err) ||
             clshard_gather(&back, array, NULL, NULL, &err))
        fprintf(stderr, "%s: %s\n", clshard_status_name(err.status), err.message);
    else
        failed = show(mesh, array) != ROWS || memcmp(from, to, sizeof from) != 0;

    free(weights);
    clshard_array_release(array);
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
    return failed;
}
