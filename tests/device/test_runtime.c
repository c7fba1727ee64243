/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/mesh.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mesh/runtime_internal.h"
#include "support/devices.h"
#include "support/refusal.h"

static clshard_runtime *runtime_of(const char *selector, const clshard_runtime_options *options)
{
    clshard_error err = {0};
    clshard_runtime *runtime = NULL;
    cr_assert_eq(clshard_runtime_open(selector, options, &runtime, &err), CLSHARD_OK, "%s",
                 err.message);
    return runtime;
}

Test(runtime, facts_are_complete)
{
    clshard_runtime *runtime = devices_open();
    const size_t used = clshard_runtime_device_count(runtime);
    const size_t all = used + clshard_runtime_excluded_count(runtime);

    for (size_t i = 0; i < all; i++) {
        const clshard_device_info *info = clshard_runtime_device(runtime, i);
        unsigned platform, device;
        char rest;

        cr_assert_eq(info->index, i);
        cr_assert_eq(sscanf(info->id, "%u.%u%c", &platform, &device, &rest), 2, "%s", info->id);
        cr_assert_lt(platform, clshard_runtime_platform_count(runtime));
        cr_assert_str_eq(info->platform, clshard_runtime_platform(runtime, platform)->name);
        cr_assert_lt(device, clshard_runtime_platform(runtime, platform)->device_count);
        cr_assert(info->name != NULL && info->vendor != NULL && info->version != NULL);
        cr_assert(info->driver != NULL && info->disabled != NULL);
        cr_assert_eq(info->excluded == NULL, i < used, "%s", info->id);
    }
    cr_assert_eq(clshard_runtime_device(runtime, all), NULL);
    cr_assert_eq(clshard_runtime_device(runtime, SIZE_MAX), NULL);
    cr_assert_eq(clshard_runtime_platform(runtime, clshard_runtime_platform_count(runtime)), NULL);
    clshard_runtime_release(runtime);
}

Test(runtime, a_device_can_be_chosen_by_its_id)
{
    clshard_runtime *all = devices_open();

    for (size_t i = 0; i < clshard_runtime_device_count(all); i++) {
        const char *id = clshard_runtime_device(all, i)->id;
        clshard_runtime *one = runtime_of(id, NULL);
        cr_assert_eq(clshard_runtime_device_count(one), 1);
        cr_assert_str_eq(clshard_runtime_device(one, 0)->id, id);
        clshard_runtime_release(one);
    }
    clshard_runtime_release(all);
}

Test(runtime, the_environment_chooses_when_the_caller_does_not)
{
    clshard_runtime *all = devices_open();
    const char *first = clshard_runtime_device(all, 0)->id;
    const char *last = clshard_runtime_device(all, clshard_runtime_device_count(all) - 1)->id;
    clshard_runtime *one;

    cr_assert_eq(setenv("CLSHARD_DEVICES", last, 1), 0);
    one = runtime_of(NULL, NULL);
    cr_assert_eq(clshard_runtime_device_count(one), 1);
    cr_assert_str_eq(clshard_runtime_device(one, 0)->id, last);
    clshard_runtime_release(one);
    one = runtime_of(first, NULL);
    cr_assert_str_eq(clshard_runtime_device(one, 0)->id, first);
    clshard_runtime_release(one);
    clshard_runtime_release(all);
}

static void count_line(void *context, const char *line)
{
    cr_assert(strlen(line) > 0 && strchr(line, '\n') == NULL);
    ++*(size_t *)context;
}

Test(runtime, the_log_goes_to_the_caller)
{
    size_t lines = 0;
    clshard_runtime *runtime =
        runtime_of(devices_selector(),
                   CLSHARD_WITH(clshard_runtime_options, .log = count_line, .log_context = &lines));

    cr_assert_gt(lines, clshard_runtime_platform_count(runtime));
    clshard_runtime_release(runtime);
}

Test(runtime, what_no_call_accepts_is_refused)
{
    struct newer {
        clshard_runtime_options known;
        size_t unknown;
    } newer = {{.size = sizeof newer}, 1};
    clshard_runtime *runtime = NULL;
    clshard_error err = {0};

    refusal(clshard_runtime_open("*", NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_runtime");
    refusal(clshard_runtime_open("*", &newer.known, &runtime, &err), CLSHARD_ERR_ARGUMENT, &err,
            "newer");
    refusal(clshard_runtime_open(
                "*", CLSHARD_WITH(clshard_runtime_options, .contexts = (clshard_context_policy)3),
                &runtime, &err),
            CLSHARD_ERR_ARGUMENT, &err, "contexts");
    refusal(clshard_runtime_open("no-such-device", NULL, &runtime, &err), CLSHARD_ERR_NO_DEVICES,
            &err, "no-such-device");
    refusal(clshard_runtime_open("*,", NULL, &runtime, &err), CLSHARD_ERR_TEXT, &err, ">>>");
    cr_assert_eq(runtime, NULL);
}

Test(runtime, a_device_named_twice_is_refused)
{
    clshard_runtime *all = devices_open();
    const char *id = clshard_runtime_device(all, 0)->id;
    clshard_runtime *runtime = NULL;
    clshard_error err = {0};
    char twice[64];

    (void)snprintf(twice, sizeof twice, "%s,%s", id, id);
    refusal(clshard_runtime_open(twice, NULL, &runtime, &err), CLSHARD_ERR_DUPLICATE_DEVICE, &err,
            id);
    cr_assert_eq(runtime, NULL);
    clshard_runtime_release(all);
}

Test(runtime, environment_that_makes_no_sense_is_refused_by_its_name)
{
    clshard_runtime *runtime = NULL;
    clshard_error err = {0};

    cr_assert_eq(setenv("CLSHARD_DEVICES", "no-such-device", 1), 0);
    refusal(clshard_runtime_open(NULL, NULL, &runtime, &err), CLSHARD_ERR_NO_DEVICES, &err,
            "CLSHARD_DEVICES: selector");
    cr_assert_eq(clshard_runtime_open(NULL, NULL, &runtime, NULL), CLSHARD_ERR_NO_DEVICES);
    cr_assert_eq(setenv("CLSHARD_LOG", "everywhere", 1), 0);
    refusal(clshard_runtime_open("*", NULL, &runtime, &err), CLSHARD_ERR_ARGUMENT, &err,
            "CLSHARD_LOG");
    cr_assert_eq(runtime, NULL);
}

/* The loader reads the folder at its first call, which in this process is the one below. */
Test(runtime, a_machine_without_devices_is_no_failure_but_makes_no_mesh)
{
    char folder[] = "/tmp/clshard-no-vendors-XXXXXX";
    clshard_runtime *runtime;
    clshard_mesh *mesh = NULL;
    clshard_error err = {0};

    cr_assert(mkdtemp(folder) != NULL);
    cr_assert_eq(setenv("OCL_ICD_VENDORS", folder, 1), 0);
    cr_assert_eq(unsetenv("CLSHARD_DEVICES"), 0);
    runtime = runtime_of(NULL, NULL);
    cr_assert_eq(clshard_runtime_device_count(runtime), 0);
    cr_assert_eq(clshard_runtime_excluded_count(runtime), 0);
    cr_assert_eq(clshard_runtime_platform_count(runtime), 0);
    cr_assert_eq(clshard_runtime_device(runtime, 0), NULL);
    refusal(clshard_mesh_parse(runtime, "data=1", NULL, &mesh, &err), CLSHARD_ERR_NO_DEVICES, &err,
            "no devices");
    refusal(clshard_mesh_parse(runtime, "data=-1", NULL, &mesh, &err), CLSHARD_ERR_NO_DEVICES, &err,
            "no devices");
    cr_assert_eq(mesh, NULL);
    clshard_runtime_release(runtime);
    cr_assert_eq(rmdir(folder), 0);
}

/* What a child of fork() may do: look, and release. Its exit status says what went wrong. */
static int use_in_child(clshard_runtime *runtime)
{
    clshard__worker worker;
    clshard_error err = {0};

    if (clshard_runtime_device(runtime, 0)->name == NULL)
        return 1;
    if (clshard__engine_start(clshard__runtime_engine(runtime), 0, &worker, &err) !=
        CLSHARD_ERR_FORKED)
        return 2;
    if (strstr(err.message, "fork") == NULL)
        return 3;
    clshard_runtime_release(runtime);
    return 0;
}

Test(runtime, a_child_of_fork_can_look_but_not_touch)
{
    clshard_runtime *runtime = devices_open();
    clshard__worker worker;
    clshard_error err = {0};
    int ended = 0;
    pid_t child;

    cr_assert_eq(clshard__engine_start(clshard__runtime_engine(runtime), 0, &worker, &err),
                 CLSHARD_OK, "%s", err.message);
    child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        _exit(use_in_child(runtime));
    cr_assert_eq(waitpid(child, &ended, 0), child);
    cr_assert(WIFEXITED(ended));
    cr_assert_eq(WEXITSTATUS(ended), 0);
    clshard_runtime_release(runtime);
}
