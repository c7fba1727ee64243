/* SPDX-License-Identifier: Apache-2.0 */
#include "shard_files.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clshard/npy.h>

#include "fail.h"
#include "number.h"

enum { ATTEMPTS_MOST = 1000 };

typedef struct shard_files {
    char *folder;   /* as named, without slashes at its end */
    bool exists;    /* the folder, before we came */
    char *staging;  /* where files are made: inside the folder, else beside it */
    size_t written; /* files in staging */
    size_t moved;   /* of them to the folder */
} shard_files;

/* FOLDER/NNNN.npy; NULL without memory. */
static char *file_path(const char *folder, size_t position)
{
    size_t bytes;
    char *path;

    assert(folder != NULL);
    bytes = strlen(folder) + 32;
    path = malloc(bytes);
    if (path != NULL)
        (void)snprintf(path, bytes, "%s/%04zu.npy", folder, position);
    return path;
}

static clshard_status find_folder(shard_files *files, const char *folder, clshard_error *err)
{
    struct stat found;
    size_t length = strlen(folder);

    if (length == 0)
        return fail(err, CLSHARD_ERR_IO, "--out: the folder's name is empty");
    while (length > 1 && folder[length - 1] == '/')
        length--;
    files->folder = strndup(folder, length);
    if (files->folder == NULL)
        return fail_memory(err, "--out");
    files->exists = stat(files->folder, &found) == 0;
    if (!files->exists && errno != ENOENT)
        return fail_io(err, "--out", files->folder);
    if (files->exists && !S_ISDIR(found.st_mode))
        return fail(err, CLSHARD_ERR_IO, "--out '%s': it exists and is not a folder",
                    files->folder);
    return CLSHARD_OK;
}

/* The reason of the system, with the folder that the user named rather than a file of ours. */
static clshard_status fail_folder(const shard_files *files, int reason, clshard_error *err)
{
    fail(err, CLSHARD_ERR_IO, "--out '%s': %s", files->folder, strerror(reason));
    if (!files->exists && reason == ENOENT)
        fail_add(err, "; only the folder itself is made, not those above it");
    return err->status;
}

/* On the folder's own file system, so that files can be renamed into place. */
static clshard_status make_staging(shard_files *files, clshard_error *err)
{
    size_t bytes;
    char *path;

    assert(files->folder != NULL);
    bytes = strlen(files->folder) + 64;
    path = malloc(bytes);
    if (path == NULL)
        return fail_memory(err, "--out");
    for (int i = 0; i < ATTEMPTS_MOST; i++) {
        (void)snprintf(path, bytes, "%s%sclshard-%ld-%d", files->folder, files->exists ? "/." : ".",
                       (long)getpid(), i);
        if (mkdir(path, 0777) == 0) {
            files->staging = path;
            return CLSHARD_OK;
        }
        if (errno != EEXIST)
            break;
    }
    fail_folder(files, errno, err);
    free(path);
    return err->status;
}

/* The part of a mapped shard that is no padding: padding lies behind it in each dimension. */
static clshard_tensor valid_part(const clshard_tensor *mapped, const clshard_box *valid)
{
    clshard_tensor part = *mapped;
    ptrdiff_t stride = (ptrdiff_t)clshard_dtype_bytes(mapped->dtype);

    for (size_t i = mapped->shape.rank; i-- > 0;) {
        part.strides[i] = stride;
        stride *= (ptrdiff_t)mapped->shape.extent[i];
        part.shape.extent[i] = valid->extent[i];
    }
    return part;
}

/* The file is one of ours, and gone when the message is read. */
static void fail_writing(const shard_files *files, const char *path, clshard_error *err)
{
    const clshard_error inner = *err;
    const char *named = strstr(inner.message, path);

    fail(err, CLSHARD_ERR_IO, "--out '%s': ", files->folder);
    if (named == NULL) {
        fail_add(err, "%s", inner.message);
        return;
    }
    fail_add(err, "%.*s%s", (int)(named - inner.message), inner.message, strrchr(path, '/') + 1);
    fail_add(err, "%s", named + strlen(path));
}

static clshard_status write_shard(shard_files *files, clshard_array *array, size_t index,
                                  clshard_error *err)
{
    const clshard_shard shard = clshard_array_shard(array, index);
    clshard_tensor mapped;
    clshard_tensor part;
    clshard_status status;
    char *path = file_path(files->staging, shard.position);

    if (path == NULL)
        return fail_memory(err, "--out");
    status = clshard_array_map(array, index, &mapped, err);
    if (status == CLSHARD_OK) {
        clshard_error unmapping;
        part = valid_part(&mapped, &shard.part.valid);
        status = clshard_npy_write(path, &part, err);
        if (status == CLSHARD_ERR_IO)
            fail_writing(files, path, err);
        files->written += status == CLSHARD_OK;
        if (clshard_array_unmap(array, index, &unmapping) && status == CLSHARD_OK) {
            *err = unmapping;
            status = unmapping.status;
        }
    }
    free(path);
    return status;
}

static clshard_status move_file(shard_files *files, size_t position, clshard_error *err)
{
    char *from = file_path(files->staging, position);
    char *to = file_path(files->folder, position);
    clshard_status status = CLSHARD_OK;

    if (from == NULL || to == NULL)
        status = fail_memory(err, "--out");
    else if (rename(from, to) != 0)
        status = fail_io(err, "--out", to);
    else
        files->moved++;
    free(from);
    free(to);
    return status;
}

static clshard_status move_into_place(shard_files *files, clshard_error *err)
{
    if (!files->exists) {
        if (rename(files->staging, files->folder) != 0)
            return fail_folder(files, errno, err);
        return CLSHARD_OK;
    }
    while (files->moved < files->written)
        if (move_file(files, files->moved, err))
            return err->status;
    if (rmdir(files->staging) != 0)
        return fail_io(err, "--out: cannot remove", files->staging);
    return CLSHARD_OK;
}

static void remove_file(const char *folder, size_t position)
{
    char *path = file_path(folder, position);
    if (path != NULL)
        (void)unlink(path);
    free(path);
}

static void remove_all(const shard_files *files)
{
    for (size_t i = 0; i < files->written; i++)
        remove_file(i < files->moved ? files->folder : files->staging, i);
    if (files->staging != NULL)
        (void)rmdir(files->staging);
}

/* Whether a file's name is one that a position past those written would have. */
static bool is_other_shard(const char *name, size_t written)
{
    const size_t digits = strspn(name, "0123456789");
    size_t position = 0;
    char again[40];

    if (!read_number(name, digits, &position) || position < written)
        return false;
    (void)snprintf(again, sizeof again, "%04zu.npy", position);
    return strcmp(again, name) == 0;
}

/* Files of an earlier run would be taken for some of this one. 0 where the folder can't be read. */
static size_t count_others(const shard_files *files)
{
    DIR *open = opendir(files->folder);
    const struct dirent *file;
    size_t others = 0;

    while (open != NULL && (file = readdir(open)) != NULL)
        others += is_other_shard(file->d_name, files->written);
    if (open != NULL)
        (void)closedir(open);
    return others;
}

clshard_status shard_files_write(clshard_array *array, const char *folder, size_t *out_others,
                                 clshard_error *err)
{
    shard_files files = {0};
    const size_t count = clshard_array_shard_count(array);
    clshard_status status = CLSHARD_OK;

    if (find_folder(&files, folder, err) || make_staging(&files, err))
        status = err->status;
    for (size_t i = 0; i < count && status == CLSHARD_OK; i++)
        status = write_shard(&files, array, i, err);
    if (status == CLSHARD_OK)
        status = move_into_place(&files, err);
    if (status == CLSHARD_OK)
        *out_others = count_others(&files);
    else
        remove_all(&files);
    free(files.staging);
    free(files.folder);
    return status;
}
