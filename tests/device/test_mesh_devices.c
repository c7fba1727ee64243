/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/mesh.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/devices.h"
#include "support/random.h"
#include "support/refusal.h"
#include "support/tsv.h"

/* Positions share the devices of the list where it is too short. */
static clshard_mesh *mesh_on(const clshard_runtime *runtime, const char *axes,
                             const size_t *devices, size_t count)
{
    clshard_error err = {0};
    clshard_mesh *mesh = NULL;
    cr_assert_eq(clshard_mesh_parse(runtime, axes,
                                    CLSHARD_WITH(clshard_mesh_options, .devices = devices,
                                                 .device_count = count, .repeat_devices = true),
                                    &mesh, &err),
                 CLSHARD_OK, "%s: %s", axes, err.message);
    return mesh;
}

/* ---- the rows of 11_meshes.tsv ---- */

enum { PEER_DEVICES = 8 };

/* The call of a row in our terms. */
typedef struct row_call {
    char axes[64];
    size_t list[PEER_DEVICES]; /* numbers among the peer's devices */
    size_t list_count;
} row_call;

/* "5,3,1" or "7..0". */
static void read_list(const char *text, row_call *call)
{
    size_t first, last;
    char *end;

    if (sscanf(text, "%zu..%zu", &first, &last) == 2) {
        cr_assert(first < PEER_DEVICES && last <= first);
        for (size_t device = first + 1; device-- > last;)
            call->list[call->list_count++] = device;
        return;
    }
    for (; *text != '\0'; text = *end == ',' ? end + 1 : end) {
        cr_assert_lt(call->list_count, PEER_DEVICES);
        call->list[call->list_count++] = (size_t)strtoul(text, &end, 10);
        cr_assert(end != text, "%s", text);
    }
}

static row_call read_call(const char *text)
{
    const char *list = strstr(text, " on devices ");
    row_call call = {"", {0}, 0};
    int a = -1, b = -1;

    if (list != NULL)
        read_list(list + strlen(" on devices "), &call);
    for (size_t i = 0; list == NULL && i < PEER_DEVICES; i++)
        call.list[call.list_count++] = i;
    if (strcmp(text, "list () on all") == 0)
        return call;
    if (sscanf(text, "dict %63s", call.axes) == 1 || sscanf(text, "list %63s", call.axes) == 1)
        return call;
    if (sscanf(text, "hybrid(%d,%d)", &a, &b) == 2)
        (void)snprintf(call.axes, sizeof call.axes, "data=%d,model=%d", a, b);
    else if (sscanf(text, "model_parallel(%d)", &a) == 1)
        (void)snprintf(call.axes, sizeof call.axes, "model=%d", a);
    else if (strcmp(text, "data_parallel()") == 0 || sscanf(text, "data_parallel(%d)", &a) == 1)
        (void)snprintf(call.axes, sizeof call.axes, "data=%d", a);
    else
        cr_assert_fail("no such call: %s", text);
    return call;
}

/* The peer's eight devices are ours over and over. */
static void check_row_made(const clshard_runtime *runtime, const row_call *call, const char *axes,
                           const char *ids)
{
    const size_t count = clshard_runtime_device_count(runtime);
    size_t devices[PEER_DEVICES];
    size_t position = 0;
    clshard_mesh *mesh;
    char text[64];
    char *end;

    for (size_t i = 0; i < call->list_count; i++)
        devices[i] = call->list[i] % count;
    mesh = mesh_on(runtime, call->axes, devices, call->list_count);
    (void)clshard_mesh_format(mesh, text, sizeof text);
    cr_assert_str_eq(text, axes);
    for (; *ids != '\0'; ids = *end == ',' ? end + 1 : end, position++)
        cr_assert_eq(clshard_mesh_device(mesh, position)->index, strtoul(ids, &end, 10) % count,
                     "%s, position %zu", call->axes, position);
    cr_assert_eq(position, clshard_mesh_position_count(mesh));
    clshard_mesh_release(mesh);
}

/* Without repetition, on as many of the peer's devices as there are here. */
static void check_row_refused(const clshard_runtime *runtime, const row_call *call,
                              const char *status)
{
    const size_t count = clshard_runtime_device_count(runtime);
    const bool all = call->list_count == PEER_DEVICES;
    clshard_mesh *mesh = NULL;
    clshard_error err = {0};
    const clshard_status got = clshard_mesh_parse(
        runtime, call->axes,
        CLSHARD_WITH(clshard_mesh_options, .devices = call->list,
                     .device_count = all && count < PEER_DEVICES ? count : call->list_count),
        &mesh, &err);

    cr_assert_str_eq(clshard_status_name(got), status, "%s: %s", call->axes, err.message);
    cr_assert_eq(mesh, NULL);
}

Test(meshes, those_of_datarax_come_out_as_stated)
{
    static const char inferred[] = " (inferred)";
    clshard_runtime *runtime = devices_open();
    tsv table = tsv_read("acceptance/11_meshes.tsv");
    size_t made = 0;

    for (size_t i = 0; i < table.row_count; i++) {
        const char *const *field = table.row[i].field;
        const row_call call = read_call(field[0]);
        const char *mark = strstr(field[3], inferred);
        char axes[64];

        if (mark != NULL) {
            (void)snprintf(axes, sizeof axes, "%.*s", (int)(mark - field[3]), field[3]);
            check_row_made(runtime, &call, axes, "0,1,2,3,4,5,6,7");
        } else if (strcmp(field[3], "same") == 0) {
            check_row_made(runtime, &call, field[1], field[2]);
        } else {
            check_row_refused(runtime, &call, field[3]);
            continue;
        }
        made++;
    }
    cr_assert_eq(table.row_count, 24);
    cr_assert_eq(made, 14);
    tsv_free(&table);
    clshard_runtime_release(runtime);
}

/* ---- devices of positions ---- */

Test(meshes, an_inferred_size_takes_all_devices_in_order)
{
    clshard_runtime *runtime = devices_open();
    const size_t count = clshard_runtime_device_count(runtime);
    clshard_mesh *mesh = NULL;

    cr_assert_eq(clshard_mesh_parse(runtime, "data=-1", NULL, &mesh, NULL), CLSHARD_OK);
    cr_assert_eq(clshard_mesh_position_count(mesh), count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(clshard_mesh_device(mesh, i), clshard_runtime_device(runtime, i));
    cr_assert_eq(clshard_mesh_device(mesh, count), NULL);
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
}

Test(meshes, a_mesh_smaller_than_its_list_takes_the_start)
{
    clshard_runtime *runtime = devices_open();
    const size_t last = clshard_runtime_device_count(runtime) - 1;
    const size_t devices[] = {last, 0, last};
    clshard_mesh *mesh = mesh_on(runtime, "data=2", devices, 3);

    cr_assert_eq(clshard_mesh_device(mesh, 0)->index, last);
    cr_assert_eq(clshard_mesh_device(mesh, 1)->index, 0);
    cr_assert_eq(clshard_mesh_device(mesh, 2), NULL);
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
}

/* A table of 2^40 entries fits in no memory that this test can have. */
Test(meshes, repeated_devices_start_again_at_any_size)
{
    clshard_runtime *runtime = devices_open();
    const size_t count = clshard_runtime_device_count(runtime);
    const size_t last = ((size_t)1 << 40) - 1;
    clshard_mesh *small = mesh_on(runtime, "a=3,b=7", NULL, 0);
    clshard_mesh *huge = mesh_on(runtime, "a=1048576,b=1048576", NULL, 0);
    clshard_mesh *twin = mesh_on(runtime, "a=1048576,b=1048576", NULL, 0);
    clshard_mesh *inferred = mesh_on(runtime, "a=-1", NULL, 0);

    for (size_t i = 0; i < 21; i++)
        cr_assert_eq(clshard_mesh_device(small, i)->index, i % count);
    cr_assert_eq(clshard_mesh_device(huge, last)->index, last % count);
    cr_assert_eq(clshard_mesh_device(huge, last + 1), NULL);
    cr_assert(clshard_mesh_equal(huge, twin));
    cr_assert_eq(clshard_mesh_position_count(inferred), count);
    clshard_mesh_release(small);
    clshard_mesh_release(huge);
    clshard_mesh_release(twin);
    clshard_mesh_release(inferred);
    clshard_runtime_release(runtime);
}

/* ---- refusals ---- */

static void refuse(const clshard_runtime *runtime, const char *axes,
                   const clshard_mesh_options *options, clshard_status status, const char *word)
{
    clshard_mesh *mesh = NULL;
    clshard_error err = {0};
    refusal(clshard_mesh_parse(runtime, axes, options, &mesh, &err), status, &err, word);
    cr_assert_eq(mesh, NULL);
}

Test(meshes, sizes_that_the_devices_do_not_fill_are_refused_with_their_number)
{
    clshard_runtime *runtime = devices_open();
    const size_t count = clshard_runtime_device_count(runtime);
    const size_t first[] = {0};
    char axes[64];
    char devices[64];

    (void)snprintf(devices, sizeof devices, "%zu device", count);
    (void)snprintf(axes, sizeof axes, "data=%zu", count + 1);
    refuse(runtime, axes, NULL, CLSHARD_ERR_MESH_SIZE, devices);
    refuse(runtime, axes, NULL, CLSHARD_ERR_MESH_SIZE, "repeat_devices");
    (void)snprintf(axes, sizeof axes, "data=-1,model=%zu", count + 1);
    refuse(runtime, axes, NULL, CLSHARD_ERR_MESH_SIZE, devices);
    refuse(runtime, "data=2",
           CLSHARD_WITH(clshard_mesh_options, .devices = first, .device_count = 1),
           CLSHARD_ERR_MESH_SIZE, "device list has 1 device;");
    refuse(runtime, "data=4294967296,model=4294967296",
           CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true), CLSHARD_ERR_OVERFLOW,
           "positions");
    clshard_runtime_release(runtime);
}

Test(meshes, device_lists_that_do_not_fit_are_refused)
{
    clshard_runtime *runtime = devices_open();
    const size_t past[] = {0, clshard_runtime_device_count(runtime) +
                                  clshard_runtime_excluded_count(runtime)};
    const size_t twice[] = {0, 0};

    refuse(runtime, "data=1",
           CLSHARD_WITH(clshard_mesh_options, .devices = past, .device_count = 2),
           CLSHARD_ERR_INDEX, "entry 1");
    refuse(runtime, "data=1",
           CLSHARD_WITH(clshard_mesh_options, .devices = past, .device_count = 2,
                        .repeat_devices = true),
           CLSHARD_ERR_INDEX, "(0 to");
    refuse(runtime, "data=1",
           CLSHARD_WITH(clshard_mesh_options, .devices = twice, .device_count = 2),
           CLSHARD_ERR_DUPLICATE_DEVICE, "twice");
    refuse(runtime, "data=1", CLSHARD_WITH(clshard_mesh_options, .devices = twice),
           CLSHARD_ERR_ARGUMENT, "device_count");
    clshard_runtime_release(runtime);
}

Test(meshes, a_device_that_is_left_out_is_refused_with_the_reason)
{
    clshard_runtime *all = devices_open();
    clshard_runtime *one = NULL;
    const size_t second[] = {1};

    cr_assert_eq(clshard_runtime_open(clshard_runtime_device(all, 0)->id, NULL, &one, NULL),
                 CLSHARD_OK);
    clshard_runtime_release(all);
    if (clshard_runtime_excluded_count(one) == 0) {
        clshard_runtime_release(one);
        cr_skip_test("there is only one device");
    }
    refuse(one, "data=1", CLSHARD_WITH(clshard_mesh_options, .devices = second, .device_count = 1),
           CLSHARD_ERR_INDEX, clshard_runtime_device(one, 1)->excluded);
    clshard_runtime_release(one);
}

/* ---- equality ---- */

/* One to five entries among at most two devices, so that lists often agree. */
static size_t random_list(random_source *source, size_t devices, size_t *list)
{
    const size_t count = uniform_between(source, 1, 5);
    for (size_t i = 0; i < count; i++)
        list[i] = uniform(source, devices < 2 ? devices : 2);
    return count;
}

Test(meshes, equality_is_of_the_device_at_every_position)
{
    clshard_runtime *runtime = devices_open();
    clshard_runtime *again = devices_open();
    const size_t count = clshard_runtime_device_count(runtime);
    random_source source = {31};

    for (int round = 0; round < 1000; round++) {
        size_t list_a[5], list_b[5];
        char axes[32];
        clshard_mesh *a, *b;
        bool same = true;

        (void)snprintf(axes, sizeof axes, "data=%zu", uniform_between(&source, 1, 24));
        a = mesh_on(runtime, axes, list_a, random_list(&source, count, list_a));
        b = mesh_on(round % 2 == 0 ? runtime : again, axes, list_b,
                    random_list(&source, count, list_b));
        for (size_t i = 0; i < clshard_mesh_position_count(a); i++)
            same = same && clshard_mesh_device(a, i)->index == clshard_mesh_device(b, i)->index;
        cr_assert_eq(clshard_mesh_equal(a, b), same);
        cr_assert_eq(clshard_mesh_equal(b, a), same);
        clshard_mesh_release(a);
        clshard_mesh_release(b);
    }
    clshard_runtime_release(runtime);
    clshard_runtime_release(again);
}

Test(meshes, an_abstract_mesh_equals_none_with_devices)
{
    clshard_runtime *runtime = devices_open();
    clshard_mesh *with = mesh_on(runtime, "data=4", NULL, 0);
    clshard_mesh *without = NULL;

    cr_assert_eq(clshard_mesh_parse(NULL, "data=4", NULL, &without, NULL), CLSHARD_OK);
    cr_assert_not(clshard_mesh_equal(with, without));
    cr_assert_not(clshard_mesh_equal(without, with));
    clshard_mesh_release(with);
    clshard_mesh_release(without);
    clshard_runtime_release(runtime);
}
