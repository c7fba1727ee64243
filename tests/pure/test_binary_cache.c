/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel cache on a file system that is not always friendly. */

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "opencl/binary_cache.h"
#include "opencl/cache_trim.h"
#include "support/files.h"
#include "support/log_lines.h"

enum { NOBODY = 65534, WRITERS = 8, ROUNDS = 100, LARGEST = 20000 };

static log_lines lines;
static clshard__log sink;

static void init(void)
{
    folder_make();
    cr_assert_eq(clshard__log_init(&sink, log_lines_add, &lines, NULL), CLSHARD_OK);
}

static void fini(void)
{
    clshard__log_end(&sink);
    folder_remove();
}

TestSuite(binary_cache, .init = init, .fini = fini);

static clshard__binary_cache *cache_in(const char *path)
{
    clshard__binary_cache *cache = NULL;
    cr_assert_eq(clshard__binary_cache_create(path, &sink, &cache, NULL), CLSHARD_OK);
    return cache;
}

static clshard__bytes bytes_of(const char *text)
{
    return (clshard__bytes){(unsigned char *)(uintptr_t)text, strlen(text)};
}

static void store(clshard__binary_cache *cache, const char *key, const char *binary)
{
    clshard__binary_cache_store(cache, bytes_of(key), bytes_of(binary));
}

/* Whether the cache has this binary for the key; another one fails the test. */
static bool has(clshard__binary_cache *cache, const char *key, const char *binary)
{
    clshard__bytes found = {NULL, 0};

    if (!clshard__binary_cache_load(cache, bytes_of(key), &found))
        return false;
    cr_assert_eq(found.count, strlen(binary));
    cr_assert(memcmp(found.data, binary, found.count) == 0);
    clshard__free(found.data);
    return true;
}

/* The path of the key's file. */
static const char *file_of(const char *key)
{
    char name[CLSHARD__BINARY_NAME_CHARS];
    clshard__binary_file_name(bytes_of(key), name);
    return folder_file(name);
}

Test(binary_cache, gives_back_what_was_stored)
{
    clshard__binary_cache *cache = cache_in(folder_path());
    clshard__binary_cache *other = cache_in(folder_path());
    struct stat facts;

    cr_assert(!has(cache, "key", "binary"));
    store(cache, "key", "binary");
    cr_assert(has(cache, "key", "binary") && has(other, "key", "binary"));
    cr_assert(!has(cache, "another key", "binary"));
    store(other, "key", "a newer binary");
    cr_assert(has(cache, "key", "a newer binary"));
    cr_assert_eq(folder_count(), 1);
    cr_assert(stat(file_of("key"), &facts) == 0 && (facts.st_mode & 07777) == 0600);
    cr_assert_eq(lines.length, 0, "%s", lines.text);
    clshard__binary_cache_release(cache);
    clshard__binary_cache_release(other);
}

Test(binary_cache, that_is_off_stores_nothing)
{
    clshard__binary_cache *cache = cache_in("off");

    cr_assert(!clshard__binary_cache_is_on(cache));
    store(cache, "key", "binary");
    cr_assert(!has(cache, "key", "binary"));
    cr_assert_eq(lines.length, 0, "%s", lines.text);
    clshard__binary_cache_release(cache);
    clshard__binary_cache_release(NULL);
}

/* What stands in the key's place is told once, is not believed, and is replaced. */
static void check_replaced(clshard__binary_cache *cache, const char *word)
{
    lines = (log_lines){{0}, 0};
    cr_assert(!has(cache, "key", "binary"));
    cr_assert_eq(log_lines_with(&lines, "is ignored"), 1, "%s", lines.text);
    cr_assert_eq(log_lines_with(&lines, word), 1, "'%s' is not in: %s", word, lines.text);
    store(cache, "key", "binary");
    cr_assert(has(cache, "key", "binary"));
    cr_assert_eq(log_lines_with(&lines, "kernel cache"), 1, "%s", lines.text);
}

Test(binary_cache, replaces_files_that_it_did_not_write)
{
    clshard__binary_cache *cache = cache_in(folder_path());

    write_bytes(file_of("key"), "", 0);
    check_replaced(cache, "too short");
    write_bytes(file_of("key"), "no kernel at all, but long enough to hold a header", 50);
    check_replaced(cache, "no file of the kernel cache");
    cr_assert(truncate(file_of("key"), CLSHARD__BINARY_FILE_MAX_BYTES + 1L) == 0);
    check_replaced(cache, "too large");
    cr_assert(truncate(file_of("key"), 60) == 0);
    check_replaced(cache, "its size");
    store(cache, "another key", "another binary");
    cr_assert(rename(file_of("another key"), file_of("key")) == 0);
    check_replaced(cache, "another kernel");
    cr_assert(chmod(file_of("key"), 0622) == 0);
    check_replaced(cache, "others may write");
    cr_assert_eq(folder_count(), 1);
    clshard__binary_cache_release(cache);
}

Test(binary_cache, replaces_files_of_other_users)
{
    clshard__binary_cache *cache = cache_in(folder_path());

    if (geteuid() != 0)
        cr_skip_test("needs root");
    store(cache, "key", "binary");
    cr_assert(chown(file_of("key"), NOBODY, NOBODY) == 0);
    check_replaced(cache, "others may write");
    clshard__binary_cache_release(cache);
}

Test(binary_cache, follows_no_links_and_waits_for_no_pipe)
{
    clshard__binary_cache *cache = cache_in(folder_path());
    const char *target = folder_file("target");
    unsigned char *bytes;
    size_t count;

    write_bytes(target, "precious", 8);
    cr_assert(symlink(target, file_of("key")) == 0);
    check_replaced(cache, "ignored");
    bytes = read_bytes(target, &count);
    cr_assert(count == 8 && memcmp(bytes, "precious", 8) == 0, "a link was followed");
    free(bytes);
    cr_assert(remove(file_of("key")) == 0 && mkfifo(file_of("key"), 0600) == 0);
    check_replaced(cache, "it is no file");
    clshard__binary_cache_release(cache);
}

Test(binary_cache, goes_on_without_what_it_cannot_replace)
{
    clshard__binary_cache *cache = cache_in(folder_path());

    cr_assert(mkdir(file_of("key"), 0700) == 0);
    cr_assert(!has(cache, "key", "binary"));
    store(cache, "key", "binary");
    cr_assert_eq(log_lines_with(&lines, "is not stored: Is a directory"), 1, "%s", lines.text);
    cr_assert_eq(folder_count(), 1, "a temporary file was left");
    store(cache, "another key", "binary");
    cr_assert(has(cache, "another key", "binary"));
    clshard__binary_cache_release(cache);
}

Test(binary_cache, in_a_folder_that_is_not_trusted_is_told_once_and_unused)
{
    clshard__binary_cache *cache = cache_in(folder_path());

    cr_assert(chmod(folder_path(), 0775) == 0);
    store(cache, "key", "binary");
    store(cache, "key", "binary");
    cr_assert(!has(cache, "key", "binary"));
    cr_assert(!clshard__binary_cache_is_on(cache));
    cr_assert_eq(folder_count(), 0);
    cr_assert_eq(log_lines_with(&lines, "is not used: users other than its owner"), 1, "%s",
                 lines.text);
    cr_assert_eq(log_lines_with(&lines, "kernel cache"), 1, "%s", lines.text);
    clshard__binary_cache_release(cache);
}

Test(binary_cache, in_a_folder_that_cannot_be_written_still_reads)
{
    clshard__binary_cache *cache = cache_in(folder_path());

    if (geteuid() != 0)
        cr_skip_test("needs root");
    cr_assert(chown(folder_path(), NOBODY, NOBODY) == 0 && seteuid(NOBODY) == 0);
    store(cache, "key", "binary");
    cr_assert(chmod(folder_path(), 0500) == 0);
    store(cache, "another key", "binary");
    cr_assert(has(cache, "key", "binary") && !has(cache, "another key", "binary"));
    cr_assert_eq(log_lines_with(&lines, "is not stored: Permission denied"), 1, "%s", lines.text);
    cr_assert(seteuid(0) == 0 && chown(folder_path(), 0, 0) == 0);
    clshard__binary_cache_release(cache);
}

/* A folder that holds the file of "key" and no other. */
static void remove_cache(const char *path)
{
    char name[CLSHARD__BINARY_NAME_CHARS];
    char file[512];

    clshard__binary_file_name(bytes_of("key"), name);
    (void)snprintf(file, sizeof file, "%s/%s", path, name);
    cr_assert(remove(file) == 0 && rmdir(path) == 0);
}

Test(binary_cache, whose_folder_was_deleted_makes_it_again)
{
    char path[256];
    clshard__binary_cache *cache;

    (void)snprintf(path, sizeof path, "%s/cache", folder_path());
    cache = cache_in(path);
    store(cache, "key", "binary");
    cr_assert(rename(path, folder_file("away")) == 0);
    cr_assert(!has(cache, "key", "binary"));
    store(cache, "key", "binary");
    cr_assert(has(cache, "key", "binary"));
    cr_assert_eq(lines.length, 0, "%s", lines.text);
    remove_cache(path);
    remove_cache(folder_file("away"));
    clshard__binary_cache_release(cache);
}

/* Makes a file look as old as that. */
static void age(const char *path, time_t seconds)
{
    const struct timespec then = {time(NULL) - seconds, 0};
    const struct timespec times[2] = {then, then};
    cr_assert(utimensat(AT_FDCWD, path, times, 0) == 0);
}

Test(binary_cache, deletes_the_oldest_files_beyond_its_limit)
{
    clshard__binary_cache *cache = cache_in(folder_path());
    struct stat facts;

    store(cache, "key 1", "binary");
    store(cache, "key 2", "binary");
    store(cache, "key 3", "binary");
    age(file_of("key 2"), 300);
    age(file_of("key 1"), 200);
    age(file_of("key 3"), 100);
    cr_assert(stat(file_of("key 1"), &facts) == 0);
    clshard__binary_cache_set_limit(cache, 3 * (uint64_t)facts.st_size);
    store(cache, "key 4", "binary");
    cr_assert(!has(cache, "key 2", "binary"));
    cr_assert(has(cache, "key 1", "binary") && has(cache, "key 3", "binary"));
    clshard__binary_cache_set_limit(cache, 0);
    store(cache, "key 5", "binary");
    cr_assert(has(cache, "key 5", "binary"), "what was just written must stay");
    cr_assert_eq(folder_count(), 1);
    clshard__binary_cache_release(cache);
}

Test(binary_cache, leaves_files_alone_that_are_not_its_own)
{
    clshard__binary_cache *cache = cache_in(folder_path());
    char abandoned[CLSHARD__TEMPORARY_CHARS];
    char busy[CLSHARD__TEMPORARY_CHARS];

    clshard__temporary_name(abandoned, 1, 2);
    clshard__temporary_name(busy, 3, 4);
    write_bytes(folder_file("thesis.tex"), "precious", 8);
    write_bytes(folder_file(abandoned), "x", 1);
    write_bytes(folder_file(busy), "x", 1);
    age(folder_file("thesis.tex"), 100000);
    age(folder_file(abandoned), 4000);
    age(folder_file(busy), 3000);
    clshard__binary_cache_set_limit(cache, 0);
    store(cache, "key", "binary");
    cr_assert(access(folder_file("thesis.tex"), F_OK) == 0);
    cr_assert(access(folder_file(busy), F_OK) == 0);
    cr_assert(access(folder_file(abandoned), F_OK) != 0);
    clshard__binary_cache_release(cache);
}

/* Each writer's binary is one byte over and over, of a length that follows from it. */
static bool is_whole(clshard__bytes binary)
{
    if (binary.count == 0 || binary.count != (size_t)LARGEST / binary.data[0])
        return false;
    for (size_t i = 1; i < binary.count; i++)
        if (binary.data[i] != binary.data[0])
            return false;
    return true;
}

/* Stores and loads; returns how often it went wrong. */
static int write_and_read(unsigned char letter)
{
    static unsigned char data[LARGEST];
    const clshard__bytes mine = {data, (size_t)LARGEST / letter};
    clshard__binary_cache *cache = cache_in(folder_path());
    int wrong = 0;

    memset(data, letter, sizeof data);
    for (int i = 0; i < ROUNDS; i++) {
        clshard__bytes found = {NULL, 0};
        clshard__binary_cache_store(cache, bytes_of("key"), mine);
        wrong += !clshard__binary_cache_load(cache, bytes_of("key"), &found) || !is_whole(found);
        clshard__free(found.data);
    }
    clshard__binary_cache_release(cache);
    return wrong + (lines.length > 0);
}

Test(binary_cache, is_whole_at_each_moment_while_eight_processes_write)
{
    clshard__binary_cache *cache = cache_in(folder_path());
    clshard__bytes found = {NULL, 0};

    for (int i = 0; i < WRITERS; i++) {
        const pid_t child = fork();
        cr_assert(child >= 0);
        if (child == 0)
            _exit(write_and_read((unsigned char)(1 + i)));
    }
    for (int i = 0; i < WRITERS; i++) {
        int ended = -1;
        cr_assert(wait(&ended) > 0);
        cr_assert(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "a writer ended with %d", ended);
    }
    cr_assert(clshard__binary_cache_load(cache, bytes_of("key"), &found) && is_whole(found));
    cr_assert_eq(folder_count(), 1, "a temporary file was left");
    clshard__free(found.data);
    clshard__binary_cache_release(cache);
}
