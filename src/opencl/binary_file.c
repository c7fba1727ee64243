/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/binary_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/checked.h"

enum { FORMAT = 1 };

static const char magic[8] = {'c', 'l', 's', 'h', 'a', 'r', 'd', '\n'};
static const char extension[] = ".clbin";

typedef struct file_header {
    char magic[sizeof magic];
    uint32_t format;
    uint32_t header_bytes;
    uint64_t key_bytes;
    uint64_t binary_bytes;
    XXH128_canonical_t checksum; /* of what stands before and after it */
} file_header;

_Static_assert(sizeof(file_header) == 48, "the header has no holes, or the format changes");

void clshard__binary_file_name(clshard__bytes key, char name[CLSHARD__BINARY_NAME_CHARS])
{
    const XXH128_hash_t hash = XXH3_128bits(key.data, key.count);

    (void)snprintf(name, CLSHARD__BINARY_NAME_CHARS, "%016llx%016llx%s",
                   (unsigned long long)hash.high64, (unsigned long long)hash.low64, extension);
}

bool clshard__binary_file_is_name(const char *name)
{
    const size_t digits = CLSHARD__BINARY_NAME_CHARS - sizeof extension;

    return strspn(name, "0123456789abcdef") == digits && strcmp(name + digits, extension) == 0;
}

static XXH128_canonical_t checksum_of(const file_header *header, const void *rest,
                                      size_t rest_bytes)
{
    const XXH64_hash_t seed = XXH3_64bits(header, offsetof(file_header, checksum));
    XXH128_canonical_t checksum;

    XXH128_canonicalFromHash(&checksum, XXH3_128bits_withSeed(rest, rest_bytes, seed));
    return checksum;
}

bool clshard__binary_file_pack(clshard__bytes key, clshard__bytes binary, clshard__bytes *out_file)
{
    file_header header = {.format = FORMAT,
                          .header_bytes = sizeof header,
                          .key_bytes = key.count,
                          .binary_bytes = binary.count};
    clshard__bytes file = {NULL, 0};

    if (!clshard__add(sizeof header, key.count, &file.count) ||
        !clshard__add(file.count, binary.count, &file.count) ||
        file.count > CLSHARD__BINARY_FILE_MAX_BYTES)
        return false;
    file.data = clshard__alloc(file.count, 1);
    if (file.data == NULL)
        return false;
    memcpy(header.magic, magic, sizeof magic);
    memcpy(file.data + sizeof header, key.data, key.count);
    memcpy(file.data + sizeof header + key.count, binary.data, binary.count);
    header.checksum = checksum_of(&header, file.data + sizeof header, file.count - sizeof header);
    memcpy(file.data, &header, sizeof header);
    *out_file = file;
    return true;
}

static const char *check_header(const file_header *header, size_t rest_bytes)
{
    if (memcmp(header->magic, magic, sizeof magic) != 0)
        return "it is no file of the kernel cache";
    if (header->format != FORMAT || header->header_bytes != sizeof *header)
        return "another version or machine wrote it";
    if (header->key_bytes > rest_bytes || header->binary_bytes != rest_bytes - header->key_bytes)
        return "its size is not what it says";
    return NULL;
}

const char *clshard__binary_file_check(clshard__bytes file, clshard__bytes key,
                                       clshard__bytes *out_binary)
{
    file_header header;
    XXH128_canonical_t checksum;
    const unsigned char *rest;
    size_t rest_bytes;
    const char *problem;

    if (file.count < sizeof header)
        return "it is too short";
    memcpy(&header, file.data, sizeof header);
    rest = file.data + sizeof header;
    rest_bytes = file.count - sizeof header;
    problem = check_header(&header, rest_bytes);
    if (problem != NULL)
        return problem;
    checksum = checksum_of(&header, rest, rest_bytes);
    if (memcmp(&checksum, &header.checksum, sizeof checksum) != 0)
        return "its checksum is wrong";
    if (header.key_bytes != key.count || memcmp(rest, key.data, key.count) != 0)
        return "it holds another kernel";
    *out_binary = (clshard__bytes){file.data + sizeof header + key.count, rest_bytes - key.count};
    return NULL;
}
