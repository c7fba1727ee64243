/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/npy.h>

#include <string.h>
#include <unistd.h>

#include "array/npy_file.h"
#include "array/npy_header.h"
#include "base/alloc.h"
#include "base/error.h"

static clshard_status read_header(int fd, const char *path, size_t file_bytes,
                                  clshard__npy_header *out_header, size_t *out_bytes,
                                  clshard_error *err)
{
    unsigned char start[CLSHARD__NPY_START_BYTES];
    const size_t start_bytes = file_bytes < sizeof start ? file_bytes : sizeof start;
    unsigned char *bytes;
    size_t count = 0;
    clshard_status status = clshard__file_read(fd, path, 0, start, start_bytes, err);

    if (status == CLSHARD_OK)
        status = clshard__npy_header_bytes(path, start, start_bytes, file_bytes, &count, err);
    if (status != CLSHARD_OK)
        return status;
    bytes = clshard__alloc(count, 1);
    if (bytes == NULL)
        return clshard__no_memory(err, "the header of a .npy file");
    status = clshard__file_read(fd, path, 0, bytes, count, err);
    if (status == CLSHARD_OK)
        status = clshard__npy_header_parse(path, bytes, count, out_header, err);
    clshard__free(bytes);
    *out_bytes = count;
    return status;
}

static clshard_status check_size(const char *path, size_t held, size_t needed, clshard_error *err)
{
    if (held == needed)
        return CLSHARD_OK;
    return clshard__fail(err, CLSHARD_ERR_FORMAT,
                         "'%s' is %s: its header describes %zu bytes of elements, the file holds "
                         "%zu",
                         clshard__quote(path).text, held < needed ? "truncated" : "too long",
                         needed, held);
}

static clshard_status read_open(int fd, const char *path, size_t file_bytes,
                                clshard_tensor *out_tensor, clshard_error *err)
{
    clshard__npy_header header = {CLSHARD_DTYPE_NONE, {0, {0}}, 0};
    size_t header_bytes = 0;
    void *data;
    clshard_status status;

    if ((status = read_header(fd, path, file_bytes, &header, &header_bytes, err)) ||
        (status = check_size(path, file_bytes - header_bytes, header.data_bytes, err)))
        return status;
    data = clshard__alloc_pages(header.data_bytes);
    if (data == NULL)
        return clshard__no_memory(err, "the elements of a .npy file");
    status = clshard__file_read(fd, path, header_bytes, data, header.data_bytes, err);
    if (status != CLSHARD_OK) {
        clshard__free(data);
        return status;
    }
    *out_tensor = clshard_tensor_of(data, header.dtype, header.shape);
    return CLSHARD_OK;
}

clshard_status clshard_npy_read(const char *path, clshard_tensor *out_tensor, clshard_error *err)
{
    size_t file_bytes = 0;
    int fd = -1;
    clshard_status status;

    if (path == NULL || out_tensor == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "read a .npy file: %s is NULL",
                             path == NULL ? "path" : "out_tensor");
    status = clshard__file_open(path, &fd, &file_bytes, err);
    if (status != CLSHARD_OK)
        return status;
    status = read_open(fd, path, file_bytes, out_tensor, err);
    close(fd);
    return status;
}

void clshard_npy_free(clshard_tensor *tensor)
{
    if (tensor == NULL)
        return;
    clshard__free(tensor->data);
    memset(tensor, 0, sizeof *tensor);
}
