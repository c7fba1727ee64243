/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/binary_cache.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/descriptor.h"
#include "opencl/cache_folder.h"
#include "opencl/cache_trim.h"

enum { LIMIT_BYTES = 256 << 20, NAME_TRIES = 8 };

struct clshard__binary_cache {
    clshard__log *log;
    char *path; /* NULL: no cache, or not any more */
    uint64_t limit_bytes;
};

clshard_status clshard__binary_cache_create(const char *option, clshard__log *log,
                                            clshard__binary_cache **out_cache, clshard_error *err)
{
    clshard__binary_cache *cache = clshard__alloc(1, sizeof *cache);
    clshard_status status;

    if (cache == NULL)
        return clshard__no_memory(err, "the kernel cache");
    status = clshard__cache_folder_find(option, &cache->path, err);
    if (status != CLSHARD_OK) {
        clshard__free(cache);
        return status;
    }
    cache->log = log;
    cache->limit_bytes = LIMIT_BYTES;
    *out_cache = cache;
    return CLSHARD_OK;
}

void clshard__binary_cache_release(clshard__binary_cache *cache)
{
    if (cache == NULL)
        return;
    clshard__free(cache->path);
    clshard__free(cache);
}

clshard__log *clshard__binary_cache_log(const clshard__binary_cache *cache)
{
    return cache->log;
}

bool clshard__binary_cache_is_on(const clshard__binary_cache *cache)
{
    return cache->path != NULL;
}

void clshard__binary_cache_set_limit(clshard__binary_cache *cache, uint64_t bytes)
{
    cache->limit_bytes = bytes;
}

/* The folder's descriptor, -1 without a cache. Opened for each use, so that a folder deleted in
 * between is made anew; one that cannot be trusted is told once and given up. */
static int open_folder(clshard__binary_cache *cache)
{
    const char *problem = NULL;
    int folder;

    if (cache->path == NULL)
        return -1;
    folder = clshard__cache_folder_open(cache->path, &problem);
    if (folder < 0) {
        clshard__log_line(cache->log, "kernel cache: '%s' is not used: %s",
                          clshard__quote(cache->path).text, problem);
        clshard__free(cache->path);
        cache->path = NULL;
    }
    return folder;
}

/* NULL when *out_file has the bytes; else what is wrong. */
static const char *read_file(int descriptor, clshard__bytes *out_file)
{
    clshard__bytes file = {NULL, 0};
    struct stat facts;

    if (fstat(descriptor, &facts) != 0)
        return strerror(errno);
    if (!S_ISREG(facts.st_mode))
        return "it is no file";
    if (facts.st_uid != geteuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "others may write to it";
    if (facts.st_size > CLSHARD__BINARY_FILE_MAX_BYTES)
        return "it is too large";
    file.count = (size_t)facts.st_size;
    file.data = clshard__alloc(file.count, 1);
    if (file.data == NULL)
        return strerror(ENOMEM);
    if (clshard__descriptor_read(descriptor, 0, file.data, file.count) != 0) {
        clshard__free(file.data);
        return "it could not be read whole";
    }
    *out_file = file;
    return NULL;
}

/* NULL when *out_binary has the binary, in memory of its own. */
static const char *load_from(int descriptor, clshard__bytes key, clshard__bytes *out_binary)
{
    clshard__bytes file = {NULL, 0};
    clshard__bytes inside = {NULL, 0};
    const char *problem = read_file(descriptor, &file);

    if (problem != NULL)
        return problem;
    problem = clshard__binary_file_check(file, key, &inside);
    if (problem != NULL) {
        clshard__free(file.data);
        return problem;
    }
    assert(file.data != NULL && inside.data != NULL);
    memmove(file.data, inside.data, inside.count);
    *out_binary = (clshard__bytes){file.data, inside.count};
    return NULL;
}

bool clshard__binary_cache_load(clshard__binary_cache *cache, clshard__bytes key,
                                clshard__bytes *out_binary)
{
    char name[CLSHARD__BINARY_NAME_CHARS];
    const int folder = open_folder(cache);
    const char *problem;
    int descriptor;

    if (folder < 0)
        return false;
    clshard__binary_file_name(key, name);
    /* Without O_NONBLOCK a named pipe would wait for its writer. */
    descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    problem = descriptor >= 0 ? load_from(descriptor, key, out_binary) : strerror(errno);
    if (problem != NULL && (descriptor >= 0 || errno != ENOENT))
        clshard__log_line(cache->log, "kernel cache: %s is ignored: %s", name, problem);
    if (descriptor >= 0)
        (void)close(descriptor);
    (void)close(folder);
    return problem == NULL;
}

/* A new file under a name that no process uses; -1 with errno. */
static int make_temporary(int folder, char name[CLSHARD__TEMPORARY_CHARS])
{
    int descriptor = -1;

    for (int i = 0; descriptor < 0 && i < NAME_TRIES; i++) {
        struct timespec now = {0};
        (void)clock_gettime(CLOCK_REALTIME, &now);
        clshard__temporary_name(name, (long)getpid(), now.tv_nsec);
        descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                            S_IRUSR | S_IWUSR);
        if (descriptor < 0 && errno != EEXIST)
            return -1;
    }
    return descriptor;
}

/* Whole or not at all under its name: readers see the old file or the new one. */
static bool write_file(int folder, const char *name, clshard__bytes file)
{
    char temporary[CLSHARD__TEMPORARY_CHARS];
    const int descriptor = make_temporary(folder, temporary);
    int code;

    if (descriptor < 0)
        return false;
    code = clshard__descriptor_write(descriptor, file.data, file.count);
    if (close(descriptor) != 0 && code == 0)
        code = errno;
    if (code == 0 && renameat(folder, temporary, folder, name) != 0)
        code = errno;
    if (code != 0)
        (void)unlinkat(folder, temporary, 0);
    errno = code;
    return code == 0;
}

void clshard__binary_cache_store(clshard__binary_cache *cache, clshard__bytes key,
                                 clshard__bytes binary)
{
    char name[CLSHARD__BINARY_NAME_CHARS];
    clshard__bytes file = {NULL, 0};
    const int folder = open_folder(cache);

    if (folder < 0)
        return;
    clshard__binary_file_name(key, name);
    if (!clshard__binary_file_pack(key, binary, &file))
        clshard__log_line(cache->log, "kernel cache: %s is not stored: %zu bytes are too many",
                          name, binary.count);
    else if (!write_file(folder, name, file))
        clshard__log_line(cache->log, "kernel cache: %s is not stored: %s", name, strerror(errno));
    else
        clshard__cache_trim(folder, cache->limit_bytes, name);
    clshard__free(file.data);
    (void)close(folder);
}
