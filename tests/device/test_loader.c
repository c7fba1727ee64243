/* SPDX-License-Identifier: Apache-2.0 */

/* What the loader makes of folders of drivers, good ones and broken ones. Each folder is looked at
 * in a process of its own, since a loader looks only once. */

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl/inventory.h"

typedef struct outcome {
    clshard_status status;
    size_t platform_count, device_count, used_count;
    char message[sizeof((clshard_error *)0)->message];
} outcome;

static outcome look(const char *selector)
{
    clshard__inventory *inventory = NULL;
    clshard_error err = {0};
    outcome found = {CLSHARD_OK, 0, 0, 0, ""};

    found.status = clshard__inventory_open(selector, false, NULL, &inventory, &err);
    if (found.status == CLSHARD_OK) {
        found.platform_count = inventory->platform_count;
        found.device_count = inventory->device_count;
        found.used_count = inventory->used_count;
    }
    memcpy(found.message, err.message, sizeof found.message);
    clshard__inventory_release(inventory);
    return found;
}

static outcome look_in(const char *folder, const char *selector)
{
    int ends[2];
    int state = 0;
    outcome found;
    pid_t child;

    cr_assert_eq(pipe(ends), 0);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        if (setenv("OCL_ICD_VENDORS", folder, 1) != 0)
            _exit(1);
        found = look(selector);
        _exit(write(ends[1], &found, sizeof found) == (ssize_t)sizeof found ? 0 : 1);
    }
    (void)close(ends[1]);
    cr_assert_eq(read(ends[0], &found, sizeof found), (ssize_t)sizeof found);
    (void)close(ends[0]);
    cr_assert_eq(waitpid(child, &state, 0), child);
    cr_assert_eq(state, 0, "looking at %s ended with %d", folder, state);
    return found;
}

/* A folder of the test's own, with the final slash that some loaders want. */
typedef struct folder {
    char path[64];
} folder;

static folder folder_make(void)
{
    folder made = {"/tmp/clshard-test-loader-XXXXXX"};
    cr_assert(mkdtemp(made.path) != NULL);
    (void)strcat(made.path, "/");
    return made;
}

static void folder_add(const folder *to, const char *name, const char *text)
{
    char path[512];
    FILE *file;
    (void)snprintf(path, sizeof path, "%s%s", to->path, name);
    file = fopen(path, "w");
    cr_assert(file != NULL);
    cr_assert(fputs(text, file) >= 0);
    cr_assert_eq(fclose(file), 0);
}

static void folder_end(const folder *ended)
{
    DIR *entries = opendir(ended->path);
    char path[512];

    cr_assert(entries != NULL);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        (void)snprintf(path, sizeof path, "%s%s", ended->path, entry->d_name);
        if (entry->d_name[0] != '.')
            cr_assert_eq(unlink(path), 0);
    }
    (void)closedir(entries);
    cr_assert_eq(rmdir(ended->path), 0);
}

static void copy_entry(const folder *to, const char *path, const char *name)
{
    char text[512];
    FILE *file = fopen(path, "r");
    size_t length;
    cr_assert(file != NULL);
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    (void)fclose(file);
    folder_add(to, name, text);
}

/* Copies the entries that the environment shows; returns how many. */
static size_t folder_add_good(const folder *to)
{
    const char *shown = getenv("OCL_ICD_VENDORS");
    const char *from = shown == NULL ? "/etc/OpenCL/vendors" : shown;
    DIR *entries = opendir(from);
    char path[512];
    size_t count = 0;

    if (entries == NULL && access(from, R_OK) == 0) {
        copy_entry(to, from, "good.icd");
        return 1;
    }
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".icd") != 0)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", from, entry->d_name);
        copy_entry(to, path, entry->d_name);
        count++;
    }
    if (entries != NULL)
        (void)closedir(entries);
    return count;
}

static void expect_nothing(const char *path)
{
    const outcome found = look_in(path, NULL);
    const outcome selected = look_in(path, "*");
    cr_assert_eq(found.status, CLSHARD_OK, "%s", found.message);
    cr_assert_eq(found.platform_count + found.device_count + found.used_count, 0);
    cr_assert_eq(selected.status, CLSHARD_ERR_NO_DEVICES);
    cr_assert(strstr(selected.message, "no OpenCL device") != NULL);
}

Test(loader, a_folder_that_does_not_exist_shows_nothing)
{
    expect_nothing("/tmp/clshard-test-loader-nowhere/");
}

Test(loader, an_empty_folder_shows_nothing)
{
    const folder empty = folder_make();
    expect_nothing(empty.path);
    folder_end(&empty);
}

/* A library that is missing, one that is text, an entry without a line and one of no text at all.
 */
static void add_broken(const folder *to)
{
    char line[512];
    folder_add(to, "0-missing.icd", "/tmp/clshard-test-loader-nowhere/libmissing.so\n");
    folder_add(to, "0-text.txt", "this is no library\n");
    (void)snprintf(line, sizeof line, "%s0-text.txt\n", to->path);
    folder_add(to, "0-text.icd", line);
    folder_add(to, "0-empty.icd", "");
    folder_add(to, "z-binary.icd", "\x7f\x45LF\x01\x02\xff\n");
}

Test(loader, broken_entries_alone_show_nothing)
{
    const folder broken = folder_make();
    add_broken(&broken);
    expect_nothing(broken.path);
    folder_end(&broken);
}

Test(loader, broken_entries_do_not_hide_the_good_ones)
{
    const folder good = folder_make();
    const folder mixed = folder_make();
    outcome alone, beside;

    if (folder_add_good(&good) == 0 || folder_add_good(&mixed) == 0) {
        folder_end(&good);
        folder_end(&mixed);
        cr_skip_test("no driver is installed that could stand beside the broken ones");
    }
    add_broken(&mixed);
    alone = look_in(good.path, NULL);
    beside = look_in(mixed.path, NULL);
    cr_assert_eq(alone.status, CLSHARD_OK);
    cr_assert_eq(beside.status, CLSHARD_OK);
    cr_assert_gt(alone.platform_count, 0);
    cr_assert_eq(beside.platform_count, alone.platform_count);
    cr_assert_eq(beside.device_count, alone.device_count);
    cr_assert_eq(beside.used_count, alone.used_count);
    folder_end(&good);
    folder_end(&mixed);
}
