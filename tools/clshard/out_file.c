/* SPDX-License-Identifier: Apache-2.0 */
#include "out_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"

enum { ATTEMPTS_MOST = 1000, NAME_BYTES = 64 };

/* Renaming would put a file in the place of a device or a pipe. */
static clshard_status check_target(const char *option, const char *path, clshard_error *err)
{
    struct stat found;

    if (path[0] == '\0')
        return fail(err, CLSHARD_ERR_IO, "%s: the file's name is empty", option);
    if (stat(path, &found) != 0)
        return errno == ENOENT ? CLSHARD_OK : fail_io(err, option, path);
    if (S_ISREG(found.st_mode))
        return CLSHARD_OK;
    return fail(err, CLSHARD_ERR_IO, "%s '%s': it is %s; only regular files are replaced", option,
                path, S_ISDIR(found.st_mode) ? "a folder" : "no regular file");
}

/* A new file in the folder of the path; -1 and errno when there can be none. */
static int open_temporary(const char *path, char *name, size_t name_bytes)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path) + 1;

    for (int i = 0; i < ATTEMPTS_MOST; i++) {
        int file;
        (void)snprintf(name, name_bytes, "%.*s.clshard-%ld-%d", folder, path, (long)getpid(), i);
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Closes the file in any case. */
static bool write_all(int file, const char *text)
{
    FILE *out = fdopen(file, "w");
    bool written;

    if (out == NULL) {
        (void)close(file);
        return false;
    }
    written = fputs(text, out) >= 0;
    return fclose(out) == 0 && written;
}

clshard_status out_file_write(const char *option, const char *path, const char *text,
                              clshard_error *err)
{
    const size_t name_bytes = strlen(path) + NAME_BYTES;
    clshard_status status = CLSHARD_OK;
    char *name;
    int file;

    assert(text != NULL);
    if (strcmp(path, "-") == 0) {
        fputs(text, stdout);
        return CLSHARD_OK;
    }
    if (check_target(option, path, err))
        return err->status;
    name = malloc(name_bytes);
    if (name == NULL)
        return fail_memory(err, option);
    file = open_temporary(path, name, name_bytes);
    if (file < 0 || !write_all(file, text) || rename(name, path) != 0) {
        status = fail_io(err, option, path);
        if (file >= 0)
            (void)unlink(name);
    }
    free(name);
    return status;
}
