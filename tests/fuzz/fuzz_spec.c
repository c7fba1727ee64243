/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/sharding.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

/* A spec that parses is also met by a mesh and a shape: whatever it says, that must not crash. */
static void use(const clshard_spec *spec)
{
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    clshard_error err = {0};
    clshard_status status = clshard_mesh_parse(NULL, "data=4,model=2,heads=3", NULL, &mesh, &err);

    if (status == CLSHARD_OK)
        status = clshard_sharding_create(
            mesh, spec, CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_BALANCED),
            &sharding, &err);
    if (status == CLSHARD_OK)
        status = clshard_layout_create(sharding, CLSHARD_SHAPE(7, 8, 9), &layout, &err);
    if (status != CLSHARD_OK)
        fuzz_check_failure(status, &err);
    else
        for (size_t i = 0; i < 24; i++)
            fuzz_require(clshard_layout_part(layout, i).box.rank == 3, "a part has the rank");
    clshard_layout_release(layout);
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    char printed[4096];
    clshard_spec spec;
    clshard_spec again;
    clshard_error err = {0};
    const clshard_status status = clshard_spec_parse(text, &spec, &err);

    if (status != CLSHARD_OK) {
        fuzz_check_failure(status, &err);
    } else {
        fuzz_require(clshard_spec_format(&spec, printed, sizeof printed) < sizeof printed,
                     "a spec prints into its longest text");
        fuzz_require(clshard_spec_parse(printed, &again, &err) == CLSHARD_OK &&
                         clshard_spec_equal(&spec, &again),
                     "a printed spec reads back equal");
        use(&spec);
    }
    free(text);
    return 0;
}
