/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/sharding.h>
#include <criterion/criterion.h>
#include <pthread.h>

#include "support/devices.h"

/* Runtimes, meshes, shardings and layouts that outlive each other, and layouts over devices. */

typedef struct chain {
    clshard_runtime *runtime;
    clshard_mesh *mesh;
    clshard_sharding *sharding;
    clshard_layout *layout;
} chain;

/* Four positions on one axis that cuts eight elements. False: a call failed. */
static bool make_chain(const clshard_runtime *runtime, const char *axis, chain *made)
{
    const clshard_axis axes[] = {{axis, 4}};

    return clshard_mesh_create(runtime, axes, 1,
                               CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true),
                               &made->mesh, NULL) == CLSHARD_OK &&
           clshard_sharding_parse(made->mesh, axis, NULL, &made->sharding, NULL) == CLSHARD_OK &&
           clshard_layout_create(made->sharding, CLSHARD_SHAPE(8), &made->layout, NULL) ==
               CLSHARD_OK;
}

static void release_member(chain *of, size_t which)
{
    switch (which) {
    case 0:
        clshard_runtime_release(of->runtime);
        of->runtime = NULL;
        break;
    case 1:
        clshard_mesh_release(of->mesh);
        of->mesh = NULL;
        break;
    case 2:
        clshard_sharding_release(of->sharding);
        of->sharding = NULL;
        break;
    default:
        clshard_layout_release(of->layout);
        of->layout = NULL;
        break;
    }
}

/* Reads through what is left, down to a device's name. */
static void look(const chain *left)
{
    const clshard_sharding *sharding =
        left->layout != NULL ? clshard_layout_sharding(left->layout) : left->sharding;
    const clshard_mesh *mesh = sharding != NULL ? clshard_sharding_mesh(sharding) : left->mesh;
    const clshard_device_info *info =
        mesh != NULL ? clshard_mesh_device(mesh, 3) : clshard_runtime_device(left->runtime, 0);

    if (left->layout != NULL)
        cr_assert_eq(clshard_layout_part(left->layout, 3).box.offset[0], 6);
    cr_assert(info != NULL && info->name[0] != '\0');
}

Test(lifetimes, objects_can_be_released_in_any_order)
{
    size_t orders = 0;

    for (size_t code = 0; code < 256; code++) {
        const size_t order[] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3};
        chain all = {0};
        if ((1u << order[0] | 1u << order[1] | 1u << order[2] | 1u << order[3]) != 15)
            continue;
        all.runtime = devices_open();
        cr_assert(make_chain(all.runtime, "data", &all));
        for (size_t i = 0; i < 4; i++) {
            look(&all);
            release_member(&all, order[i]);
        }
        orders++;
    }
    cr_assert_eq(orders, 24);
}

Test(lifetimes, layouts_of_two_runtimes_are_equal_over_the_same_devices)
{
    chain a = {.runtime = devices_open()};
    chain b = {.runtime = devices_open()};

    cr_assert(make_chain(a.runtime, "data", &a) && make_chain(b.runtime, "data", &b));
    cr_assert(clshard_mesh_equal(a.mesh, b.mesh));
    cr_assert(clshard_sharding_equal(a.sharding, b.sharding));
    cr_assert(clshard_layout_equal(a.layout, b.layout));
    for (size_t i = 0; i < 4; i++) {
        release_member(&a, i);
        release_member(&b, i);
    }
}

static clshard_layout *layout_on(const clshard_runtime *runtime, const char *axis,
                                 const size_t *devices)
{
    const clshard_axis axes[] = {{axis, 2}};
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;

    cr_assert_eq(clshard_mesh_create(
                     runtime, axes, 1,
                     CLSHARD_WITH(clshard_mesh_options, .devices = devices, .device_count = 2),
                     &mesh, NULL),
                 CLSHARD_OK);
    cr_assert_eq(clshard_sharding_parse(mesh, axis, NULL, &sharding, NULL), CLSHARD_OK);
    cr_assert_eq(clshard_layout_create(sharding, CLSHARD_SHAPE(8), &layout, NULL), CLSHARD_OK);
    clshard_mesh_release(mesh);
    clshard_sharding_release(sharding);
    return layout;
}

Test(lifetimes, equivalent_layouts_have_their_devices_in_one_order)
{
    static const size_t forth[] = {0, 1}, back[] = {1, 0};
    clshard_runtime *runtime = devices_open();
    clshard_layout *layout, *renamed, *turned;

    if (clshard_runtime_device_count(runtime) < 2) {
        clshard_runtime_release(runtime);
        cr_skip_test("there is only one device");
    }
    layout = layout_on(runtime, "data", forth);
    renamed = layout_on(runtime, "x", forth);
    turned = layout_on(runtime, "data", back);
    clshard_runtime_release(runtime);
    cr_assert(clshard_layout_equivalent(layout, renamed));
    cr_assert(clshard_sharding_equivalent(clshard_layout_sharding(layout),
                                          clshard_layout_sharding(renamed), 1));
    cr_assert_not(clshard_layout_equal(layout, renamed));
    cr_assert_not(clshard_layout_equivalent(layout, turned));
    cr_assert_not(clshard_sharding_equivalent(clshard_layout_sharding(layout),
                                              clshard_layout_sharding(turned), 1));
    cr_assert_not(clshard_layout_equal(layout, turned));
    clshard_layout_release(layout);
    clshard_layout_release(renamed);
    clshard_layout_release(turned);
}

enum { THREADS = 8, ROUNDS = 4 };

/* One round on a runtime of its own and on the shared one. */
static bool use_once(const clshard_runtime *shared)
{
    chain own = {0};
    chain other = {0};
    bool good = clshard_runtime_open(devices_selector(), NULL, &own.runtime, NULL) == CLSHARD_OK &&
                make_chain(own.runtime, "data", &own) && make_chain(shared, "data", &other) &&
                clshard_layout_equal(own.layout, other.layout);

    for (size_t i = 0; i < 4; i++) {
        release_member(&own, i);
        release_member(&other, 3 - i);
    }
    return good;
}

static void *use_often(void *shared)
{
    for (int round = 0; round < ROUNDS; round++)
        if (!use_once(shared))
            return shared;
    return NULL;
}

Test(lifetimes, eight_threads_open_make_and_release)
{
    clshard_runtime *runtime = devices_open();
    pthread_t thread[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, use_often, runtime), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *failed = runtime;
        cr_assert_eq(pthread_join(thread[i], &failed), 0);
        cr_assert_eq(failed, NULL, "thread %zu", i);
    }
    clshard_runtime_release(runtime);
}
