/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/npy.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "array/npy_file.h"
#include "array/npy_header.h"
#include "base/alloc.h"
#include "base/error.h"
#include "layout/copy.h"
#include "layout/strides.h"

enum {
    BUFFER_BYTES = 1 << 18, /* gathers short runs into large writes */
    NAME_TRIES = 100,
    NAME_BYTES = 40 /* of the temporary file's name */
};

/* The file that is written before it gets its name. */
typedef struct output {
    const char *path;
    int fd;
    char *temporary;
    char *buffer;
    size_t used;
} output;

static clshard_status flush(output *out, clshard_error *err)
{
    const size_t used = out->used;
    out->used = 0;
    return clshard__file_write(out->fd, out->path, out->buffer, used, err);
}

static clshard_status put(output *out, const void *bytes, size_t count, clshard_error *err)
{
    if (count > BUFFER_BYTES - out->used) {
        const clshard_status status = flush(out, err);
        if (status != CLSHARD_OK)
            return status;
    }
    if (count > BUFFER_BYTES)
        return clshard__file_write(out->fd, out->path, bytes, count, err);
    memcpy(out->buffer + out->used, bytes, count);
    out->used += count;
    return CLSHARD_OK;
}

/* Moves index and *at to the next run; false after the last. */
static bool next_run(const clshard__copy *copy, size_t index[CLSHARD_RANK_MAX], const char **at)
{
    for (size_t i = copy->rank; i-- > 0;) {
        if (++index[i] < copy->extent[i]) {
            *at += copy->from[i];
            return true;
        }
        *at -= copy->from[i] * (ptrdiff_t)(copy->extent[i] - 1);
        index[i] = 0;
    }
    return false;
}

static clshard_status put_elements(output *out, const clshard__copy *copy, const char *data,
                                   clshard_error *err)
{
    size_t index[CLSHARD_RANK_MAX] = {0};
    clshard_status status = CLSHARD_OK;
    bool more = copy->run > 0;

    while (more && status == CLSHARD_OK) {
        status = put(out, data, copy->run, err);
        more = next_run(copy, index, &data);
    }
    return status;
}

/* Bits that differ between calls, threads and processes; O_EXCL decides. */
static uint64_t name_bits(const void *unique, uint64_t attempt)
{
    struct timespec now = {0, 0};
    uint64_t bits;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    bits = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + (attempt << 56);
    bits ^= (uint64_t)getpid() << 40 ^ (uint64_t)(uintptr_t)unique;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

/* Opens a new file in the folder of the path. */
static clshard_status open_temporary(output *out, clshard_error *err)
{
    const char *slash = strrchr(out->path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - out->path) + 1;

    out->temporary = clshard__alloc(folder + NAME_BYTES, 1);
    out->buffer = clshard__alloc_pages(BUFFER_BYTES);
    if (out->temporary == NULL || out->buffer == NULL)
        return clshard__no_memory(err, "writing a .npy file");
    memcpy(out->temporary, out->path, folder);
    for (uint64_t attempt = 0; out->fd < 0 && attempt < NAME_TRIES; attempt++) {
        (void)snprintf(out->temporary + folder, NAME_BYTES, ".clshard-%016llx.tmp",
                       (unsigned long long)name_bits(out, attempt));
        out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (out->fd < 0 && errno != EEXIST && errno != EINTR)
            break;
    }
    return out->fd < 0 ? clshard__fail_errno(err, "write", out->path, errno) : CLSHARD_OK;
}

static clshard_status fill(output *out, const clshard_tensor *tensor, const clshard__copy *copy,
                           clshard_error *err)
{
    char header[CLSHARD__NPY_MADE_BYTES];
    size_t header_bytes;
    clshard_status status;

    if ((status = clshard__npy_header_make(out->path, tensor->dtype, tensor->shape, header,
                                           &header_bytes, err)) ||
        (status = open_temporary(out, err)) || (status = put(out, header, header_bytes, err)) ||
        (status = put_elements(out, copy, tensor->data, err)))
        return status;
    return flush(out, err);
}

/* Closes the file and gives it its name; whatever fails, no temporary file stays. */
static clshard_status finish(output *out, clshard_status status, clshard_error *err)
{
    if (out->fd >= 0) {
        if (close(out->fd) != 0 && status == CLSHARD_OK)
            status = clshard__fail_errno(err, "write", out->path, errno);
        if (status == CLSHARD_OK && rename(out->temporary, out->path) != 0)
            status = clshard__fail_errno(err, "write", out->path, errno);
        if (status != CLSHARD_OK)
            (void)unlink(out->temporary);
    }
    clshard__free(out->temporary);
    clshard__free(out->buffer);
    return status;
}

/* Renaming would put a file in the place of a device or a pipe. */
static clshard_status check_target(const char *path, clshard_error *err)
{
    struct stat facts;
    const char *kind = stat(path, &facts) == 0 ? clshard__file_kind(&facts) : NULL;

    if (kind == NULL)
        return CLSHARD_OK;
    return clshard__fail(err, CLSHARD_ERR_IO,
                         "write '%s': it is %s; only regular files are replaced",
                         clshard__quote(path).text, kind);
}

/* The elements as runs in C order. */
static clshard_status plan(const clshard_tensor *tensor, const char *operation,
                           clshard__copy *out_copy, clshard_error *err)
{
    const size_t item_bytes = clshard_dtype_bytes(tensor->dtype);
    ptrdiff_t dense[CLSHARD_RANK_MAX];
    clshard__view view;
    const clshard_status status =
        clshard__tensor_view(tensor, CLSHARD__USE_SOURCE, operation, &view, err);

    if (status != CLSHARD_OK)
        return status;
    clshard__dense_strides(tensor->shape, item_bytes, dense);
    *out_copy = clshard__copy_of(tensor->shape, view.stride, dense, item_bytes);
    return CLSHARD_OK;
}

clshard_status clshard_npy_write(const char *path, const clshard_tensor *tensor, clshard_error *err)
{
    output out = {path, -1, NULL, NULL, 0};
    char operation[128];
    clshard__copy copy;
    clshard_status status;

    if (path == NULL || tensor == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "write a .npy file: %s is NULL",
                             path == NULL ? "path" : "tensor");
    (void)snprintf(operation, sizeof operation, "write '%s'", clshard__quote(path).text);
    if ((status = plan(tensor, operation, &copy, err)) || (status = check_target(path, err)))
        return status;
    return finish(&out, fill(&out, tensor, &copy, err), err);
}
