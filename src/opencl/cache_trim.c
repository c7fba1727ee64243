/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/cache_trim.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "opencl/binary_file.h"

enum { ABANDONED_SECONDS = 3600 };

static const char temporary_prefix[] = "writing-";

void clshard__temporary_name(char name[CLSHARD__TEMPORARY_CHARS], long process, long number)
{
    (void)snprintf(name, CLSHARD__TEMPORARY_CHARS, "%s%ld-%ld", temporary_prefix, process, number);
}

/* What one pass over the folder finds. */
typedef struct findings {
    uint64_t total_bytes;
    char oldest[CLSHARD__BINARY_NAME_CHARS]; /* empty: none that may go */
    struct timespec oldest_time;
} findings;

static bool is_before(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static void look_at(int folder, const char *name, const char *keep, findings *found)
{
    const bool temporary = strncmp(name, temporary_prefix, sizeof temporary_prefix - 1) == 0;
    struct stat facts;

    if (!temporary && !clshard__binary_file_is_name(name))
        return;
    if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode))
        return;
    if (temporary) {
        if (facts.st_mtim.tv_sec + ABANDONED_SECONDS < time(NULL))
            (void)unlinkat(folder, name, 0);
        return;
    }
    found->total_bytes += (uint64_t)facts.st_size;
    if (strcmp(name, keep) != 0 &&
        (found->oldest[0] == '\0' || is_before(facts.st_mtim, found->oldest_time))) {
        memcpy(found->oldest, name, sizeof found->oldest);
        found->oldest_time = facts.st_mtim;
    }
}

static findings look_around(int folder, const char *keep)
{
    /* A descriptor of its own: closedir() closes it, and its place in the list is not shared. */
    const int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = own < 0 ? NULL : fdopendir(own);
    findings found = {0};

    if (list == NULL) {
        if (own >= 0)
            (void)close(own);
        return found;
    }
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list))
        look_at(folder, entry->d_name, keep, &found);
    (void)closedir(list);
    return found;
}

void clshard__cache_trim(int folder, uint64_t limit_bytes, const char *keep)
{
    findings found = look_around(folder, keep);

    while (found.total_bytes > limit_bytes && found.oldest[0] != '\0' &&
           unlinkat(folder, found.oldest, 0) == 0)
        found = look_around(folder, keep);
}
