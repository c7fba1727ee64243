/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/tensor.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    char printed[256];
    clshard_shape shape;
    clshard_shape again;
    clshard_dtype dtype;
    clshard_error err = {0};
    clshard_status status = clshard_shape_parse(text, &shape, &err);

    if (status != CLSHARD_OK) {
        fuzz_check_failure(status, &err);
    } else {
        fuzz_require(clshard_shape_format(shape, printed, sizeof printed) < sizeof printed,
                     "a shape prints into its longest text");
        fuzz_require(clshard_shape_parse(printed, &again, &err) == CLSHARD_OK &&
                         again.rank == shape.rank &&
                         memcmp(again.extent, shape.extent, shape.rank * sizeof(size_t)) == 0,
                     "a printed shape reads back equal");
    }
    status = clshard_dtype_parse(text, &dtype, &err);
    if (status != CLSHARD_OK)
        fuzz_check_failure(status, &err);
    else
        fuzz_require(strcmp(clshard_dtype_name(dtype), text) == 0, "a dtype prints as it reads");
    free(text);
    return 0;
}
