/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/error.h"

static clshard_status join(const char *folder, const char *rest, char **out_path,
                           clshard_error *err)
{
    const size_t bytes = strlen(folder) + strlen(rest) + 1;
    char *path = clshard__alloc(bytes, 1);

    if (path == NULL)
        return clshard__no_memory(err, "the path of the kernel cache");
    (void)snprintf(path, bytes, "%s%s", folder, rest);
    *out_path = path;
    return CLSHARD_OK;
}

static clshard_status take_asked(const char *asked, const char *where, char **out_path,
                                 clshard_error *err)
{
    if (strcmp(asked, "off") == 0) {
        *out_path = NULL;
        return CLSHARD_OK;
    }
    if (asked[0] != '/')
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT,
                             "%s is '%s'; it may be an absolute path, or 'off'", where,
                             clshard__quote(asked).text);
    return join(asked, "", out_path, err);
}

/* What the environment says is the real user's word, not that of whose rights the program has. */
static bool has_foreign_rights(void)
{
    return getuid() != geteuid() || getgid() != getegid();
}

clshard_status clshard__cache_folder_find(const char *option, char **out_path, clshard_error *err)
{
    const char *asked = clshard__env_get(CLSHARD__ENV_CACHE_DIR);
    const char *xdg = clshard__env_get(CLSHARD__ENV_XDG_CACHE_HOME);
    const char *home = clshard__env_get(CLSHARD__ENV_HOME);

    if (option != NULL)
        return take_asked(option, "clshard_runtime_options: cache_folder", out_path, err);
    if (has_foreign_rights()) {
        *out_path = NULL;
        return CLSHARD_OK;
    }
    if (asked != NULL)
        return take_asked(asked, clshard__env_name(CLSHARD__ENV_CACHE_DIR), out_path, err);
    /* The XDG specification has relative paths ignored. */
    if (xdg != NULL && xdg[0] == '/')
        return join(xdg, "/clshard", out_path, err);
    if (home != NULL && home[0] == '/')
        return join(home, "/.cache/clshard", out_path, err);
    *out_path = NULL;
    return CLSHARD_OK;
}

/* Without the slashes at its end: after them the last component would be followed as a link. */
static char *trimmed_copy(const char *path)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/')
        length--;
    return clshard__copy_text(path, length);
}

/* What exists already stays as it is; what cannot be made will not open either. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, S_IRWXU);
        *slash = '/';
    }
    (void)mkdir(path, S_IRWXU);
}

static const char *problem_of(int folder)
{
    struct stat facts;

    if (fstat(folder, &facts) != 0)
        return strerror(errno);
    if (facts.st_uid != geteuid())
        return "it belongs to another user";
    if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "users other than its owner may write to it";
    return NULL;
}

int clshard__cache_folder_open(const char *path, const char **out_problem)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    char *trimmed = trimmed_copy(path);
    int folder;

    if (trimmed == NULL) {
        *out_problem = strerror(ENOMEM);
        return -1;
    }
    folder = open(trimmed, flags);
    if (folder < 0 && errno == ENOENT) {
        make_folders(trimmed);
        folder = open(trimmed, flags);
    }
    if (folder >= 0)
        *out_problem = problem_of(folder);
    else
        *out_problem = errno == ENOTDIR || errno == ELOOP ? "it is a symbolic link, or no folder"
                                                          : strerror(errno);
    clshard__free(trimmed);
    if (folder >= 0 && *out_problem != NULL) {
        (void)close(folder);
        folder = -1;
    }
    return folder;
}
