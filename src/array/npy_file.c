/* SPDX-License-Identifier: Apache-2.0 */
#include "array/npy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/error.h"

clshard_status clshard__fail_errno(clshard_error *err, const char *operation, const char *path,
                                   int code)
{
    char text[128];
    if (strerror_r(code, text, sizeof text) != 0)
        text[0] = '\0';
    return clshard__fail(err, CLSHARD_ERR_IO, "%s '%s': %s (errno %d)", operation,
                         clshard__quote(path).text, text, code);
}

const char *clshard__file_kind(const struct stat *facts)
{
    return S_ISREG(facts->st_mode)    ? NULL
           : S_ISDIR(facts->st_mode)  ? "a directory"
           : S_ISFIFO(facts->st_mode) ? "a pipe"
           : S_ISSOCK(facts->st_mode) ? "a socket"
                                      : "a device";
}

clshard_status clshard__file_open(const char *path, int *out_fd, size_t *out_bytes,
                                  clshard_error *err)
{
    /* O_NONBLOCK: a pipe without a writer would hold up the open. */
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat facts;
    const char *kind;

    if (fd < 0)
        return clshard__fail_errno(err, "open", path, errno);
    if (fstat(fd, &facts) != 0) {
        const int code = errno;
        close(fd);
        return clshard__fail_errno(err, "inspect", path, code);
    }
    kind = clshard__file_kind(&facts);
    if (kind != NULL) {
        close(fd);
        return clshard__fail(err, CLSHARD_ERR_IO,
                             "open '%s': it is %s; only regular files are read",
                             clshard__quote(path).text, kind);
    }
    *out_fd = fd;
    *out_bytes = (size_t)facts.st_size;
    return CLSHARD_OK;
}

clshard_status clshard__file_read(int fd, const char *path, size_t offset, void *out_bytes,
                                  size_t count, clshard_error *err)
{
    const int code = clshard__descriptor_read(fd, offset, out_bytes, count);
    if (code == CLSHARD__READ_ENDED)
        return clshard__fail(err, CLSHARD_ERR_IO, "read '%s': it became shorter meanwhile",
                             clshard__quote(path).text);
    return code == 0 ? CLSHARD_OK : clshard__fail_errno(err, "read", path, code);
}

clshard_status clshard__file_write(int fd, const char *path, const void *bytes, size_t count,
                                   clshard_error *err)
{
    const int code = clshard__descriptor_write(fd, bytes, count);
    return code == 0 ? CLSHARD_OK : clshard__fail_errno(err, "write", path, code);
}
