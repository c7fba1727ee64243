/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/sharding.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "support/devices.h"

/* Objects that outlive each other, and layouts over devices. */

typedef struct chain {
    clshard_runtime *runtime;
    clshard_mesh *mesh;
    clshard_sharding *sharding;
    clshard_layout *layout;
    clshard_array *array;
    clshard_event *event;
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

enum { RUNTIME, MESH, SHARDING, LAYOUT, ARRAY, EVENT, MEMBERS, ORDERS = 720 };

/* An array of eight elements, and an event that fills it. */
static void make_rest(chain *made, const int32_t *numbers)
{
    const clshard_tensor from = clshard_tensor_of(numbers, CLSHARD_I32, CLSHARD_SHAPE(8));

    must(clshard_array_create(made->layout, CLSHARD_I32, &made->array, error));
    must(clshard_scatter(made->array, &from, NULL, &made->event, error));
}

static void release_member(chain *of, size_t which)
{
    switch (which) {
    case RUNTIME:
        clshard_runtime_release(of->runtime);
        of->runtime = NULL;
        break;
    case MESH:
        clshard_mesh_release(of->mesh);
        of->mesh = NULL;
        break;
    case SHARDING:
        clshard_sharding_release(of->sharding);
        of->sharding = NULL;
        break;
    case LAYOUT:
        clshard_layout_release(of->layout);
        of->layout = NULL;
        break;
    case ARRAY:
        clshard_array_release(of->array);
        of->array = NULL;
        break;
    default:
        clshard_event_release(of->event);
        of->event = NULL;
        break;
    }
}

/* Reads through what is left, down to a device's name. */
static void look(const chain *left)
{
    const clshard_layout *layout =
        left->array != NULL ? clshard_array_layout(left->array) : left->layout;
    const clshard_sharding *sharding =
        layout != NULL ? clshard_layout_sharding(layout) : left->sharding;
    const clshard_mesh *mesh = sharding != NULL ? clshard_sharding_mesh(sharding) : left->mesh;
    const clshard_device_info *info =
        mesh != NULL ? clshard_mesh_device(mesh, 3) : clshard_runtime_device(left->runtime, 0);

    if (layout != NULL)
        cr_assert_eq(clshard_layout_part(layout, 3).box.offset[0], 6);
    if (mesh != NULL || left->runtime != NULL)
        cr_assert(info != NULL && info->name[0] != '\0');
}

/* The array still works when only it is left, and the event when only it is. */
static void use(const chain *left, const int32_t *numbers)
{
    int32_t back[8] = {0};
    const clshard_tensor to = clshard_tensor_of(back, CLSHARD_I32, CLSHARD_SHAPE(8));

    if (left->array != NULL) {
        must(clshard_gather(&to, left->array, NULL, NULL, error));
        cr_assert_eq(memcmp(back, numbers, sizeof back), 0);
    }
    if (left->event != NULL) {
        must(clshard_event_wait(left->event, error));
        cr_assert_eq(clshard_event_report_count(left->event), 4);
    }
}

/* The code's digits in the bases 6, 5, ... 1 say which of those left goes next. */
static void release_in_order(chain *all, size_t code, const int32_t *numbers)
{
    size_t left[MEMBERS] = {RUNTIME, MESH, SHARDING, LAYOUT, ARRAY, EVENT};

    for (size_t count = MEMBERS; count > 0; count--) {
        const size_t next = code % count;
        look(all);
        if (count == 1)
            use(all, numbers);
        release_member(all, left[next]);
        memmove(&left[next], &left[next + 1], (count - next - 1) * sizeof left[0]);
        code /= count;
    }
}

Test(lifetimes, objects_can_be_released_in_any_order)
{
    static const int32_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    for (size_t code = 0; code < ORDERS; code++) {
        chain all = {0};

        all.runtime = devices_open();
        cr_assert(make_chain(all.runtime, "data", &all));
        make_rest(&all, numbers);
        release_in_order(&all, code, numbers);
        cr_assert(all.runtime == NULL && all.mesh == NULL && all.sharding == NULL &&
                  all.layout == NULL && all.array == NULL && all.event == NULL);
    }
}

Test(lifetimes, layouts_of_two_runtimes_are_equal_over_the_same_devices)
{
    chain a = {.runtime = devices_open()};
    chain b = {.runtime = devices_open()};

    cr_assert(make_chain(a.runtime, "data", &a) && make_chain(b.runtime, "data", &b));
    cr_assert(clshard_mesh_equal(a.mesh, b.mesh));
    cr_assert(clshard_sharding_equal(a.sharding, b.sharding));
    cr_assert(clshard_layout_equal(a.layout, b.layout));
    for (size_t i = 0; i < MEMBERS; i++) {
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

    for (size_t i = 0; i < MEMBERS; i++) {
        release_member(&own, i);
        release_member(&other, MEMBERS - 1 - i);
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
