/* SPDX-License-Identifier: Apache-2.0 */
/* Which folder keeps the kernel cache, and when it is trusted. */

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "opencl/cache_folder.h"
#include "support/files.h"
#include "support/refusal.h"

enum { NOBODY = 65534 };

TestSuite(cache_folder, .init = folder_make, .fini = folder_remove);

/* One row: NULL unsets a variable, and expects no folder. */
typedef struct choice {
    const char *option, *cache_dir, *xdg, *home, *wanted;
} choice;

static void set(const char *name, const char *value)
{
    cr_assert((value == NULL ? unsetenv(name) : setenv(name, value, 1)) == 0);
}

static void check_choice(const choice *row)
{
    clshard_error err = {0};
    char *path = (char[]){"untouched"};

    set("CLSHARD_CACHE_DIR", row->cache_dir);
    set("XDG_CACHE_HOME", row->xdg);
    set("HOME", row->home);
    cr_assert_eq(clshard__cache_folder_find(row->option, &path, &err), CLSHARD_OK, "%s",
                 err.message);
    if (row->wanted == NULL)
        cr_assert(path == NULL, "%s", path);
    else
        cr_assert_str_eq(path, row->wanted);
    clshard__free(path);
}

Test(cache_folder, is_what_the_option_says_else_the_environment)
{
    const choice rows[] = {
        {"/o", "/e", "/x", "/h", "/o"},
        {"off", "/e", "/x", "/h", NULL},
        {"/o", "relative", "/x", "/h", "/o"},
        {NULL, "/e/f/", "/x", "/h", "/e/f/"},
        {NULL, "off", "/x", "/h", NULL},
        {NULL, "", "/x", "/h", "/x/clshard"},
        {NULL, NULL, "/x", "/h", "/x/clshard"},
        {NULL, NULL, "relative", "/h", "/h/.cache/clshard"},
        {NULL, NULL, "", "/h", "/h/.cache/clshard"},
        {NULL, NULL, NULL, "/h", "/h/.cache/clshard"},
        {NULL, NULL, NULL, "relative", NULL},
        {NULL, NULL, NULL, "", NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_choice(&rows[i]);
}

Test(cache_folder, must_be_absolute)
{
    const char *const wrong[] = {"cache", "./cache", "~/cache", "OFF", "no"};
    char untouched[] = "untouched";
    char *path = untouched;
    clshard_error err = {0};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        refusal(clshard__cache_folder_find(wrong[i], &path, &err), CLSHARD_ERR_ARGUMENT, &err,
                "cache_folder is '");
        refusal(clshard__cache_folder_find(wrong[i], &path, &err), CLSHARD_ERR_ARGUMENT, &err,
                wrong[i]);
        set("CLSHARD_CACHE_DIR", wrong[i]);
        refusal(clshard__cache_folder_find(NULL, &path, &err), CLSHARD_ERR_ARGUMENT, &err,
                "CLSHARD_CACHE_DIR is '");
        refusal(clshard__cache_folder_find(NULL, &path, &err), CLSHARD_ERR_ARGUMENT, &err,
                "absolute");
    }
    refusal(clshard__cache_folder_find("", &path, &err), CLSHARD_ERR_ARGUMENT, &err, "absolute");
    cr_assert_eq(path, untouched);
}

/* A program that runs with the rights of another user must not be steered by the one who calls. */
Test(cache_folder, of_the_environment_is_not_for_programs_with_foreign_rights)
{
    const choice rows[] = {{NULL, "/e", "/x", "/h", NULL}, {"/o", "/e", "/x", "/h", "/o"}};

    if (geteuid() != 0)
        cr_skip_test("needs root");
    cr_assert(seteuid(NOBODY) == 0);
    check_choice(&rows[0]);
    check_choice(&rows[1]);
    cr_assert(seteuid(0) == 0);
}

/* Opens and closes; what was wrong, NULL: nothing. */
static const char *problem_of(const char *path)
{
    const char *problem = NULL;
    const int folder = clshard__cache_folder_open(path, &problem);

    cr_assert((folder >= 0) == (problem == NULL));
    if (folder >= 0)
        cr_assert(close(folder) == 0);
    return problem;
}

static mode_t mode_of(const char *path)
{
    struct stat facts;
    cr_assert(stat(path, &facts) == 0, "%s", path);
    return facts.st_mode & 07777;
}

Test(cache_folder, is_made_for_the_user_alone_and_its_parents_too)
{
    (void)umask(0);
    cr_assert_eq(problem_of(folder_file("a/b/c//")), NULL);
    cr_assert_eq(mode_of(folder_file("a")), 0700);
    cr_assert_eq(mode_of(folder_file("a/b")), 0700);
    cr_assert_eq(mode_of(folder_file("a/b/c")), 0700);
    cr_assert_eq(mode_of(folder_path()), 0755);
    cr_assert(rmdir(folder_file("a/b/c")) == 0 && rmdir(folder_file("a/b")) == 0);
}

Test(cache_folder, that_exists_keeps_its_mode)
{
    cr_assert(mkdir(folder_file("a"), 0700) == 0 && chmod(folder_file("a"), 0755) == 0);
    cr_assert_eq(problem_of(folder_file("a")), NULL);
    cr_assert_eq(mode_of(folder_file("a")), 0755);
}

Test(cache_folder, must_be_a_folder_and_no_link)
{
    write_bytes(folder_file("file"), "x", 1);
    cr_assert(mkdir(folder_file("real"), 0700) == 0);
    cr_assert(symlink(folder_file("real"), folder_file("link")) == 0);
    cr_assert(symlink(folder_file("nowhere"), folder_file("broken")) == 0);
    cr_assert_str_eq(problem_of(folder_file("file")), "it is a symbolic link, or no folder");
    cr_assert_str_eq(problem_of(folder_file("link")), "it is a symbolic link, or no folder");
    cr_assert_str_eq(problem_of(folder_file("link//")), "it is a symbolic link, or no folder");
    cr_assert_str_eq(problem_of(folder_file("broken")), "it is a symbolic link, or no folder");
    cr_assert(problem_of(folder_file("file/below")) != NULL);
    cr_assert_eq(problem_of(folder_file("link/below")), NULL, "a parent may be a link");
    cr_assert(rmdir(folder_file("real/below")) == 0);
    cr_assert(access(folder_file("nowhere"), F_OK) != 0, "a broken link was followed");
}

Test(cache_folder, that_others_may_write_to_is_refused)
{
    const mode_t modes[] = {0770, 0720, 0702, 0777, 01777};

    cr_assert(mkdir(folder_file("a"), 0700) == 0);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        cr_assert(chmod(folder_file("a"), modes[i]) == 0);
        cr_assert_str_eq(problem_of(folder_file("a")),
                         "users other than its owner may write to it");
    }
}

Test(cache_folder, of_another_user_is_refused)
{
    if (geteuid() != 0)
        cr_skip_test("needs root");
    cr_assert(mkdir(folder_file("a"), 0700) == 0 && chown(folder_file("a"), NOBODY, NOBODY) == 0);
    cr_assert_str_eq(problem_of(folder_file("a")), "it belongs to another user");
}

Test(cache_folder, that_cannot_be_made_is_told)
{
    cr_assert(strstr(problem_of("/proc/clshard/cache"), "No such file") != NULL);
}
