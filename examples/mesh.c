/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of an array spread over every device, and collected again. */
#include <stdio.h>
#include <string.h>

#include <clshard/clshard.h>

enum { ROWS = 10, COLUMNS = 4 };

int main(void)
{
    int32_t rows[ROWS][COLUMNS], back[ROWS][COLUMNS];
    clshard_runtime *runtime = NULL;
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;
    clshard_error err = {0};

    for (int i = 0; i < ROWS * COLUMNS; i++)
        rows[i / COLUMNS][i % COLUMNS] = i;

    /* [all of it] */
    const clshard_shape shape = CLSHARD_SHAPE(ROWS, COLUMNS);
    const clshard_tensor from = clshard_tensor_of(rows, CLSHARD_I32, shape);
    const clshard_tensor to = clshard_tensor_of(back, CLSHARD_I32, shape);
    if (clshard_runtime_open(NULL, NULL, &runtime, &err) ||
        clshard_mesh_parse(runtime, "data=-1", NULL, &mesh, &err) ||
        clshard_sharding_parse(mesh, "data",
                               CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_BALANCED),
                               &sharding, &err) ||
        clshard_array_create_sharded(sharding, CLSHARD_I32, shape, &array, &err) ||
        clshard_scatter(array, &from, NULL, NULL, &err) ||
        clshard_gather(&to, array, NULL, NULL, &err))
        fprintf(stderr, "%s: %s\n", clshard_status_name(err.status), err.message);
    /* [all of it] */

    const int failed = err.status != CLSHARD_OK || memcmp(rows, back, sizeof rows) != 0;
    if (!failed)
        printf("%d rows over %zu devices and back\n", ROWS, clshard_mesh_position_count(mesh));
    clshard_array_release(array);
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
    return failed;
}
