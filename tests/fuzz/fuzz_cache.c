/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz/fuzz.h"
#include "opencl/binary_file.h"

/* Memory of its own for a part of the input, for the sanitizer to watch its end. */
static clshard__bytes part_of(const uint8_t *data, size_t bytes)
{
    clshard__bytes part = {malloc(bytes + (bytes == 0)), bytes};
    fuzz_require(part.data != NULL, "memory");
    if (bytes > 0)
        memcpy(part.data, data, bytes);
    return part;
}

/* Whatever is packed is found again. */
static void pack_and_check(clshard__bytes key, clshard__bytes binary)
{
    clshard__bytes file = {NULL, 0};
    clshard__bytes inside = {NULL, 0};

    fuzz_require(clshard__binary_file_pack(key, binary, &file), "a small binary packs");
    fuzz_require(clshard__binary_file_check(file, key, &inside) == NULL,
                 "what was packed is accepted");
    fuzz_require(inside.count == binary.count &&
                     memcmp(inside.data, binary.data, binary.count) == 0,
                 "what was packed comes back");
    clshard__free(file.data);
}

/* The first byte is the key's length, then the key, then a file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const size_t key_bytes = bytes == 0 ? 0 : data[0] % bytes;
    const size_t start = bytes == 0 ? 0 : 1 + key_bytes;
    clshard__bytes key = part_of(data + (bytes > 0), key_bytes);
    clshard__bytes file = part_of(data + start, bytes - start);
    clshard__bytes inside = {NULL, 0};

    if (clshard__binary_file_check(file, key, &inside) == NULL)
        fuzz_require(inside.data >= file.data &&
                         inside.data + inside.count <= file.data + file.count,
                     "a binary lies inside its file");
    pack_and_check(key, file);
    free(key.data);
    free(file.data);
    return 0;
}
