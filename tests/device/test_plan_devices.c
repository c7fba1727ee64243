/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/plan.h>
#include <criterion/criterion.h>
#include <string.h>

#include "mesh/mesh_internal.h"
#include "support/devices.h"
#include "support/refusal.h"

static clshard_layout *layout_of(const clshard_mesh *mesh, const char *spec)
{
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    must(clshard_sharding_parse(mesh, spec, NULL, &sharding, error));
    must(clshard_layout_create(sharding, CLSHARD_SHAPE(24, 8), &layout, error));
    clshard_sharding_release(sharding);
    return layout;
}

static clshard_plan *plan_of(const clshard_mesh *to, const char *to_spec, const clshard_mesh *from,
                             const char *from_spec)
{
    clshard_layout *target = layout_of(to, to_spec);
    clshard_layout *source = layout_of(from, from_spec);
    clshard_plan *plan = NULL;
    must(clshard_plan_create(target, source, &plan, error));
    clshard_layout_release(target);
    clshard_layout_release(source);
    return plan;
}

/* How near two devices of a runtime are, by the contexts that they really get. */
static clshard_reach reach_of(const clshard_runtime *runtime, const clshard_move *move)
{
    clshard__worker a, b;
    const size_t used = clshard_runtime_device_count(runtime);
    const size_t from = move->from % used;
    const size_t to = move->to % used;

    if (from == to)
        return move->from == move->to ? CLSHARD_REACH_SELF : CLSHARD_REACH_DEVICE;
    must(clshard__engine_start(clshard__runtime_engine(runtime), from, &a, error));
    must(clshard__engine_start(clshard__runtime_engine(runtime), to, &b, error));
    return a.context == b.context ? CLSHARD_REACH_CONTEXT : CLSHARD_REACH_HOST;
}

/* The plan is made before any context is, and again after all are. */
static void check_policy(clshard_context_policy policy)
{
    const clshard_runtime_options options = {.size = sizeof options, .contexts = policy};
    clshard_runtime *runtime = NULL;
    clshard_mesh *mesh;

    must(clshard_runtime_open(devices_selector(), &options, &runtime, error));
    mesh = devices_mesh(runtime, "a=3,b=4");
    for (size_t round = 0; round < 2; round++) {
        clshard_plan *plan = plan_of(mesh, "_,b", mesh, "a+b");
        cr_assert_eq(clshard_plan_move_count(plan), 12 * 12);
        for (size_t i = 0; i < clshard_plan_move_count(plan); i++) {
            const clshard_move move = clshard_plan_move(plan, i);
            cr_assert_eq(move.reach, reach_of(runtime, &move), "%zu to %zu: %s", move.from, move.to,
                         clshard_reach_name(move.reach));
        }
        clshard_plan_release(plan);
    }
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
}

Test(plan_devices, reach_is_that_of_the_contexts_that_devices_get)
{
    check_policy(CLSHARD_CONTEXT_AUTO);
    check_policy(CLSHARD_CONTEXT_PER_PLATFORM);
    check_policy(CLSHARD_CONTEXT_PER_DEVICE);
}

Test(plan_devices, positions_of_one_device_give_to_each_other_first)
{
    clshard_runtime *runtime = devices_open();
    const size_t first = 0;
    clshard_mesh *mesh = NULL;
    clshard_plan *plan;

    must(clshard_mesh_parse(runtime, "a=4",
                            CLSHARD_WITH(clshard_mesh_options, .devices = &first, .device_count = 1,
                                         .repeat_devices = true),
                            &mesh, error));
    plan = plan_of(mesh, "", mesh, "a");
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_SELF), 24 * 8);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_DEVICE), 3 * 24 * 8);
    clshard_plan_release(plan);
    clshard_mesh_release(mesh);
    clshard_runtime_release(runtime);
}

Test(plan_devices, a_device_is_itself_under_another_runtime_but_in_another_context)
{
    clshard_runtime *one = devices_open();
    clshard_runtime *other = devices_open();
    clshard_mesh *from = devices_mesh(one, "a=-1");
    clshard_mesh *to = devices_mesh(other, "a=-1");
    clshard_mesh *forth = devices_mesh(one, "x=2,y=2");
    clshard_mesh *back = devices_mesh(other, "x=2,y=2");
    clshard_plan *plan = plan_of(to, "", from, "");

    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_SELF),
                 24 * 8 * clshard_runtime_device_count(one));
    cr_assert_eq(clshard_plan_collective(plan), CLSHARD_COLLECTIVE_SLICE);
    clshard_plan_release(plan);
    plan = plan_of(back, "", forth, "x+y");
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_SELF), 24 * 8);
    cr_assert_eq(clshard_plan_elements(plan, CLSHARD_REACH_CONTEXT), 0);
    clshard_plan_release(plan);
    clshard_mesh_release(from);
    clshard_mesh_release(to);
    clshard_mesh_release(forth);
    clshard_mesh_release(back);
    clshard_runtime_release(one);
    clshard_runtime_release(other);
}

Test(plan_devices, an_abstract_mesh_does_not_go_with_devices)
{
    clshard_runtime *runtime = devices_open();
    clshard_mesh *real = devices_mesh(runtime, "a=2");
    clshard_mesh *abstract = devices_mesh(NULL, "a=2");
    clshard_layout *on_real = layout_of(real, "a");
    clshard_layout *on_abstract = layout_of(abstract, "a");
    clshard_plan *plan = NULL;
    clshard_error err;

    refusal(clshard_plan_create(on_real, on_abstract, &plan, &err), CLSHARD_ERR_ABSTRACT, &err,
            "source is abstract");
    refusal(clshard_plan_create(on_abstract, on_real, &plan, &err), CLSHARD_ERR_ABSTRACT, &err,
            "target is abstract");
    cr_assert_null(plan);
    clshard_layout_release(on_real);
    clshard_layout_release(on_abstract);
    clshard_mesh_release(real);
    clshard_mesh_release(abstract);
    clshard_runtime_release(runtime);
}

Test(plan_devices, a_mesh_with_devices_is_not_dealt_to_processes)
{
    clshard_runtime *runtime = devices_open();
    clshard_mesh *mesh = NULL;
    clshard_error err;

    refusal(clshard_mesh_parse(
                runtime, "a=2",
                CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true, .processes = 2), &mesh,
                &err),
            CLSHARD_ERR_ARGUMENT, &err, "2 processes");
    cr_assert_null(mesh);
    clshard_runtime_release(runtime);
}
