/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/mesh.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    char printed[512];
    clshard_mesh *mesh = NULL;
    clshard_mesh *again = NULL;
    clshard_error err = {0};
    const clshard_status status = clshard_mesh_parse(NULL, text, NULL, &mesh, &err);

    if (status != CLSHARD_OK) {
        fuzz_check_failure(status, &err);
        fuzz_require(mesh == NULL, "a failure leaves its output untouched");
    } else {
        const size_t last = clshard_mesh_position_count(mesh) - 1;
        size_t coordinates[CLSHARD_RANK_MAX];
        size_t position = 0;
        fuzz_require(clshard_mesh_format(mesh, printed, sizeof printed) < sizeof printed,
                     "a mesh prints into its longest text");
        fuzz_require(clshard_mesh_parse(NULL, printed, NULL, &again, &err) == CLSHARD_OK &&
                         clshard_mesh_equal(mesh, again),
                     "a printed mesh reads back equal");
        fuzz_require(clshard_mesh_coordinates(mesh, last, coordinates, &err) == CLSHARD_OK &&
                         clshard_mesh_position(mesh, coordinates, &position, &err) == CLSHARD_OK &&
                         position == last,
                     "coordinates lead back to their position");
    }
    clshard_mesh_release(again);
    clshard_mesh_release(mesh);
    free(text);
    return 0;
}
