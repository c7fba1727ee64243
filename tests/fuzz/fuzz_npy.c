/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "array/npy_header.h"
#include "fuzz/fuzz.h"

/* What reading a file does with its header. */
static clshard_status read_header(const uint8_t *data, size_t bytes,
                                  clshard__npy_header *out_header, clshard_error *err)
{
    const size_t start = bytes < CLSHARD__NPY_START_BYTES ? bytes : CLSHARD__NPY_START_BYTES;
    uint8_t *exact;
    size_t header_bytes = 0;
    clshard_status status =
        clshard__npy_header_bytes("fuzz", data, start, bytes, &header_bytes, err);

    if (status != CLSHARD_OK)
        return status;
    fuzz_require(header_bytes <= bytes, "a header ends inside its file");
    /* Memory that ends where the header does, for the sanitizer to watch. */
    exact = malloc(header_bytes);
    fuzz_require(exact != NULL, "memory");
    memcpy(exact, data, header_bytes);
    status = clshard__npy_header_parse("fuzz", exact, header_bytes, out_header, err);
    free(exact);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char made[CLSHARD__NPY_MADE_BYTES];
    size_t made_bytes = 0;
    clshard__npy_header header;
    clshard__npy_header again;
    clshard_error err = {0};
    const clshard_status status = read_header(data, bytes, &header, &err);

    if (status != CLSHARD_OK) {
        fuzz_check_failure(status, &err);
        return 0;
    }
    fuzz_require(clshard_dtype_bytes(header.dtype) > 0 && header.shape.rank <= CLSHARD_RANK_MAX,
                 "a header that is read is one of ours");
    fuzz_require(clshard__npy_header_make("fuzz", header.dtype, header.shape, made, &made_bytes,
                                          &err) == CLSHARD_OK,
                 "what is read can be written");
    fuzz_require(clshard__npy_header_parse("fuzz", (const unsigned char *)made, made_bytes, &again,
                                           &err) == CLSHARD_OK &&
                     again.dtype == header.dtype && again.data_bytes == header.data_bytes &&
                     again.shape.rank == header.shape.rank,
                 "what is written reads back");
    return 0;
}
