/* SPDX-License-Identifier: Apache-2.0 */
#include "support/files.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each Criterion test is a process, so these are the test's own. */
static char folder[64];
static char paths[8][600];
static size_t next_path;

void folder_make(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/clshard-test-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL && chmod(folder, 0755) == 0);
}

const char *folder_path(void)
{
    return folder;
}

const char *folder_file(const char *name)
{
    char *path = paths[next_path++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static size_t visit_entries(void (*visit)(const char *path))
{
    DIR *dir = opendir(folder);
    size_t count = 0;

    cr_assert(dir != NULL, "cannot list %s", folder);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (visit != NULL)
            visit(folder_file(entry->d_name));
    }
    closedir(dir);
    return count;
}

static void remove_entry(const char *path)
{
    cr_assert(remove(path) == 0, "cannot remove %s", path);
}

size_t folder_count(void)
{
    return visit_entries(NULL);
}

void folder_remove(void)
{
    (void)visit_entries(remove_entry);
    cr_assert(rmdir(folder) == 0);
}

const char *tests_file(const char *name)
{
    static char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", CLSHARD_TESTS_DIR, name);
    return path;
}

void write_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL, "cannot write %s", path);
    cr_assert(fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

unsigned char *read_bytes(const char *path, size_t *out_count)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes;
    long size;

    cr_assert(file != NULL, "cannot read %s", path);
    cr_assert(fseek(file, 0, SEEK_END) == 0);
    size = ftell(file);
    cr_assert(size >= 0 && fseek(file, 0, SEEK_SET) == 0);
    bytes = calloc((size_t)size + 1, 1);
    cr_assert(bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    *out_count = (size_t)size;
    return bytes;
}
