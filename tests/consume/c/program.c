/* SPDX-License-Identifier: Apache-2.0 */
/* A program that uses the installed library: which rows of 10 lie where. */
#include <stdio.h>

#include <clshard/clshard.h>

int main(void)
{
    clshard_error err = {0};
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    if (clshard_mesh_parse(NULL, "data=4", NULL, &mesh, &err) ||
        clshard_sharding_parse(mesh, "data",
                               CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_BALANCED),
                               &sharding, &err) ||
        clshard_layout_create(sharding, CLSHARD_SHAPE(10, 3), &layout, &err)) {
        fprintf(stderr, "%s: %s\n", clshard_status_name(err.status), err.message);
        return 1;
    }
    const size_t rows = clshard_layout_part(layout, 1).box.extent[0];
    printf("clshard %s: position 1 holds %zu rows\n", clshard_version(), rows);
    clshard_layout_release(layout);
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
    return rows == 3 ? 0 : 1;
}
