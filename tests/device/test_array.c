/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/devices.h"
#include "support/refusal.h"

/* A mesh of four positions, and an array of 8x6 f32 cut by rows over two of them, twice replicated.
 */
typedef struct fixture {
    clshard_runtime *runtime;
    clshard_mesh *mesh;
    clshard_array *array;
    clshard_tensor from, back;
} fixture;

static clshard_array *make_array(const clshard_mesh *mesh, const char *spec, clshard_shape shape)
{
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;
    must(clshard_sharding_parse(mesh, spec, NULL, &sharding, error));
    must(clshard_array_create_sharded(sharding, CLSHARD_F32, shape, &array, error));
    clshard_sharding_release(sharding);
    return array;
}

static fixture begin(void)
{
    fixture f;
    f.runtime = devices_open();
    f.mesh = devices_mesh(f.runtime, "data=2,copy=2");
    f.array = make_array(f.mesh, "data", CLSHARD_SHAPE(8, 6));
    f.from = devices_tensor(CLSHARD_F32, CLSHARD_SHAPE(8, 6));
    f.back = devices_tensor(CLSHARD_F32, CLSHARD_SHAPE(8, 6));
    memset(f.back.data, 0, f.back.bytes);
    return f;
}

static void end(fixture *f)
{
    free(f->from.data);
    free(f->back.data);
    clshard_array_release(f->array);
    clshard_mesh_release(f->mesh);
    clshard_runtime_release(f->runtime);
}

Test(array, knows_its_layout_dtype_and_shards)
{
    fixture f = begin();
    const clshard_shard last = clshard_array_shard(f.array, 3);
    const clshard_shard past = clshard_array_shard(f.array, 4);

    cr_assert_eq(clshard_array_dtype(f.array), CLSHARD_F32);
    cr_assert_eq(clshard_array_shard_count(f.array), 4);
    cr_assert_eq(clshard_layout_shape(clshard_array_layout(f.array)).extent[0], 8);
    cr_assert(last.position == 3 && last.bytes == 4 * 6 * 4 && last.part.replica == 1);
    cr_assert_eq(last.device, clshard_mesh_device(f.mesh, 3)->index);
    cr_assert(past.bytes == 0 && past.device == SIZE_MAX);
    cr_assert(clshard_array_shard_count(NULL) == 0 && clshard_array_layout(NULL) == NULL);
    cr_assert_eq(clshard_array_dtype(NULL), CLSHARD_DTYPE_NONE);
    end(&f);
}

Test(array, an_abstract_mesh_has_no_arrays)
{
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;
    clshard_error err = {0};

    must(clshard_mesh_parse(NULL, "data=2", NULL, &mesh, error));
    must(clshard_sharding_parse(mesh, "data", NULL, &sharding, error));
    refusal(clshard_array_create_sharded(sharding, CLSHARD_F32, CLSHARD_SHAPE(4), &array, &err),
            CLSHARD_ERR_ABSTRACT, &err, "abstract");
    cr_assert(array == NULL);
    clshard_sharding_release(sharding);
    clshard_mesh_release(mesh);
}

Test(array, a_shard_that_its_device_does_not_take_is_refused_beforehand)
{
    fixture f = begin();
    const uint64_t limit = clshard_mesh_device(f.mesh, 0)->largest_buffer_bytes;
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    clshard_array *array = NULL;
    clshard_error err = {0};
    char number[32];

    must(clshard_sharding_parse(f.mesh, "data", NULL, &sharding, error));
    must(clshard_layout_create(sharding, CLSHARD_SHAPE((size_t)(limit / 2 + 1) * 2, 2), &layout,
                               error));
    refusal(clshard_array_create(layout, CLSHARD_U8, &array, &err), CLSHARD_ERR_LIMIT, &err,
            "axis data");
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)limit);
    cr_assert(strstr(err.message, number) != NULL && err.position == 0, "%s", err.message);
    cr_assert(array == NULL);
    clshard_layout_release(layout);
    clshard_sharding_release(sharding);
    end(&f);
}

Test(array, bad_arguments_are_named)
{
    fixture f = begin();
    const clshard_layout *layout = clshard_array_layout(f.array);
    clshard_array *array = NULL;
    clshard_tensor mapped;
    clshard_error err = {0};

    refusal(clshard_array_create(NULL, CLSHARD_F32, &array, &err), CLSHARD_ERR_ARGUMENT, &err,
            "layout");
    refusal(clshard_array_create(layout, CLSHARD_F32, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "out_array");
    refusal(clshard_array_create(layout, (clshard_dtype)77, &array, &err), CLSHARD_ERR_DTYPE, &err,
            "77");
    refusal(clshard_array_map(f.array, 4, &mapped, &err), CLSHARD_ERR_INDEX, &err, "4");
    refusal(clshard_array_unmap(f.array, 9, &err), CLSHARD_ERR_INDEX, &err, "9");
    refusal(clshard_array_map(NULL, 0, &mapped, &err), CLSHARD_ERR_ARGUMENT, &err, "NULL");
    refusal(clshard_array_map(f.array, 0, NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "out_tensor");
    refusal(clshard_array_unmap(f.array, 0, &err), CLSHARD_ERR_ARGUMENT, &err, "not mapped");
    refusal(clshard_array_wait(NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "NULL");
    refusal(clshard_event_wait(NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "NULL");
    clshard_array_release(NULL);
    clshard_event_release(NULL);
    end(&f);
}

Test(array, what_is_written_into_a_mapped_shard_is_gathered)
{
    fixture f = begin();
    clshard_tensor mapped;

    for (size_t i = 0; i < 4; i++) {
        must(clshard_array_map(f.array, i, &mapped, error));
        cr_assert(mapped.shape.rank == 2 && mapped.shape.extent[0] == 4 && mapped.bytes == 96);
        memcpy(mapped.data, (char *)f.from.data + i / 2 * 96, 96);
        must(clshard_array_unmap(f.array, i, error));
    }
    must(clshard_gather(&f.back, f.array,
                        CLSHARD_WITH(clshard_transfer_options, .compare_replicas = true), NULL,
                        error));
    cr_assert(memcmp(f.from.data, f.back.data, f.from.bytes) == 0);
    end(&f);
}

Test(array, transfers_of_a_mapped_shard_are_busy)
{
    fixture f = begin();
    clshard_tensor mapped;
    clshard_tensor other;
    clshard_error err = {0};

    must(clshard_array_map(f.array, 2, &mapped, error));
    refusal(clshard_scatter(f.array, &f.from, NULL, NULL, &err), CLSHARD_ERR_BUSY, &err, "shard 2");
    refusal(clshard_gather(&f.back, f.array, NULL, NULL, &err), CLSHARD_ERR_BUSY, &err, "shard 2");
    refusal(clshard_array_map(f.array, 2, &other, &err), CLSHARD_ERR_BUSY, &err, "shard 2");
    must(clshard_array_map(f.array, 1, &other, error));
    must(clshard_array_unmap(f.array, 1, error));
    must(clshard_array_unmap(f.array, 2, error));
    must(clshard_scatter(f.array, &f.from, NULL, NULL, error));
    must(clshard_array_map(f.array, 0, &mapped, error)); /* and released while mapped */
    end(&f);
}

Test(array, an_empty_shard_maps_to_nothing)
{
    fixture f = begin();
    clshard_array *empty = make_array(f.mesh, "data", CLSHARD_SHAPE(0, 6));
    clshard_tensor mapped;

    must(clshard_array_map(empty, 1, &mapped, error));
    cr_assert(mapped.data == NULL && mapped.shape.extent[0] == 0 && mapped.shape.extent[1] == 6);
    must(clshard_array_unmap(empty, 1, error));
    f.from.shape = CLSHARD_SHAPE(0, 6);
    must(clshard_scatter(empty, &f.from, NULL, NULL, error));
    clshard_array_release(empty);
    end(&f);
}

Test(array, an_event_reports_each_position)
{
    fixture f = begin();
    clshard_event *event = NULL;

    must(clshard_scatter(f.array, &f.from,
                         CLSHARD_WITH(clshard_transfer_options, .route = CLSHARD_ROUTE_KERNEL),
                         &event, error));
    must(clshard_event_wait(event, error));
    must(clshard_event_wait(event, error));
    cr_assert(clshard_event_done(event));
    cr_assert_eq(clshard_event_report_count(event), 4);
    for (size_t i = 0; i < 4; i++) {
        const clshard_report *report = clshard_event_report(event, i);
        cr_assert(report->position == i && report->bytes == 96 && report->seconds > 0.0);
        cr_assert_eq(report->route, CLSHARD_ROUTE_KERNEL);
    }
    cr_assert(clshard_event_report(event, 4) == NULL);
    clshard_event_release(event);
    must(clshard_gather(&f.back, f.array, NULL, &event, error));
    must(clshard_event_wait(event, error));
    cr_assert_eq(clshard_event_report_count(event), 2, "each slice is read once");
    cr_assert_eq(clshard_event_report(event, 1)->position, 2);
    cr_assert(memcmp(f.from.data, f.back.data, f.from.bytes) == 0);
    clshard_event_release(event);
    cr_assert(clshard_event_done(NULL) && clshard_event_report_count(NULL) == 0);
    end(&f);
}

Test(array, calls_without_waiting_keep_their_order)
{
    fixture f = begin();
    clshard_event *events[21] = {NULL};

    for (int i = 0; i < 20; i++) {
        clshard_tensor step = f.from;
        step.data = calloc(8 * 6, 4);
        memset(step.data, i, 8 * 6 * 4);
        must(clshard_scatter(f.array, &step, NULL, &events[i], error));
        must(clshard_event_wait(events[i], error));
        free(step.data);
    }
    must(clshard_scatter(f.array, &f.from, NULL, &events[20], error));
    must(clshard_gather(&f.back, f.array, NULL, NULL, error));
    cr_assert(memcmp(f.from.data, f.back.data, f.from.bytes) == 0);
    must(clshard_array_wait(f.array, error));
    for (int i = 0; i < 21; i++)
        clshard_event_release(events[i]);
    end(&f);
}

/* A gather whose event nobody waits for still fills the tensor before the array answers a wait. */
Test(array, waits_for_events_that_were_given_up)
{
    fixture f = begin();
    clshard_event *event = NULL;
    clshard_tensor columns = f.back; /* transposed, so that the host must unpack */

    columns.strides[0] = 4;
    columns.strides[1] = 32;
    must(clshard_scatter(f.array, &f.from, NULL, NULL, error));
    must(clshard_gather(&columns, f.array, NULL, &event, error));
    clshard_event_release(event);
    must(clshard_array_wait(f.array, error));
    for (size_t row = 0; row < 8; row++)
        for (size_t column = 0; column < 6; column++)
            cr_assert(memcmp((char *)columns.data + row * 4 + column * 32,
                             (char *)f.from.data + (row * 6 + column) * 4, 4) == 0);
    end(&f);
}

static void spoil(clshard_array *array, size_t index)
{
    clshard_tensor mapped;
    must(clshard_array_map(array, index, &mapped, error));
    ((unsigned char *)mapped.data)[50] ^= 1;
    must(clshard_array_unmap(array, index, error));
}

Test(array, replicas_that_differ_are_found_when_asked_for)
{
    fixture f = begin();
    const clshard_route routes[] = {CLSHARD_ROUTE_LINEAR, CLSHARD_ROUTE_KERNEL};
    clshard_error err = {0};

    must(clshard_scatter(f.array, &f.from, NULL, NULL, error));
    spoil(f.array, 3);
    must(clshard_gather(&f.back, f.array, NULL, NULL, error));
    cr_assert(memcmp(f.from.data, f.back.data, f.from.bytes) == 0, "the first replica counts");
    for (size_t i = 0; i < 2; i++) {
        refusal(clshard_gather(&f.back, f.array,
                               CLSHARD_WITH(clshard_transfer_options, .compare_replicas = true,
                                            .route = routes[i]),
                               NULL, &err),
                CLSHARD_ERR_REPLICAS, &err, "position 3");
        cr_assert_eq(err.position, 3);
    }
    must(clshard_array_wait(f.array, error)); /* it was told already */
    end(&f);
}

Test(array, a_failure_that_nobody_waited_for_is_told_by_the_next_call)
{
    fixture f = begin();
    clshard_event *event = NULL;
    clshard_error err = {0};

    must(clshard_scatter(f.array, &f.from, NULL, NULL, error));
    spoil(f.array, 1);
    must(clshard_gather(&f.back, f.array,
                        CLSHARD_WITH(clshard_transfer_options, .compare_replicas = true), &event,
                        error));
    clshard_event_release(event);
    refusal(clshard_array_wait(f.array, &err), CLSHARD_ERR_REPLICAS, &err, "position 1");
    must(clshard_array_wait(f.array, error));
    must(clshard_scatter(f.array, &f.from, NULL, NULL, error));
    end(&f);
}

Test(array, host_tensors_that_do_not_fit_are_refused)
{
    fixture f = begin();
    clshard_tensor tensor = f.from;
    clshard_error err = {0};

    tensor.shape = CLSHARD_SHAPE(6, 8);
    refusal(clshard_scatter(f.array, &tensor, NULL, NULL, &err), CLSHARD_ERR_SHAPE, &err, "6x8");
    tensor.shape = CLSHARD_SHAPE(48);
    refusal(clshard_gather(&tensor, f.array, NULL, NULL, &err), CLSHARD_ERR_SHAPE, &err, "8x6");
    tensor = f.from;
    tensor.dtype = CLSHARD_I32;
    refusal(clshard_scatter(f.array, &tensor, NULL, NULL, &err), CLSHARD_ERR_DTYPE, &err, "i32");
    tensor = f.from;
    tensor.bytes--;
    refusal(clshard_scatter(f.array, &tensor, NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "191");
    tensor = f.back;
    tensor.strides[0] = 4;
    tensor.strides[1] = 4;
    refusal(clshard_gather(&tensor, f.array, NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "overlap");
    must(clshard_scatter(f.array, &tensor, NULL, NULL, error)); /* a source may repeat elements */
    refusal(clshard_scatter(NULL, &f.from, NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "array");
    refusal(clshard_gather(NULL, f.array, NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err, "tensor");
    end(&f);
}

Test(array, routes_that_do_not_exist_are_refused)
{
    fixture f = begin();
    clshard_error err = {0};

    refusal(clshard_scatter(f.array, &f.from,
                            CLSHARD_WITH(clshard_transfer_options, .route = (clshard_route)42),
                            NULL, &err),
            CLSHARD_ERR_ARGUMENT, &err, "linear");
    cr_assert(setenv("CLSHARD_ROUTE", "teleport", 1) == 0);
    refusal(clshard_scatter(f.array, &f.from, NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "teleport");
    cr_assert(setenv("CLSHARD_ROUTE", "kernel", 1) == 0);
    must(clshard_scatter(f.array, &f.from, NULL, NULL, error));
    end(&f);
}

Test(array, names_of_routes_end_with_null)
{
    cr_assert_str_eq(clshard_route_name(CLSHARD_ROUTE_AUTO), "auto");
    cr_assert_str_eq(clshard_route_name(CLSHARD_ROUTE_KERNEL), "kernel");
    cr_assert_str_eq(clshard_route_name(CLSHARD_ROUTE_LINEAR), "linear");
    cr_assert(clshard_route_name((clshard_route)(CLSHARD_ROUTE_LINEAR + 1)) == NULL);
}

Test(array, keeps_alive_what_it_was_made_of)
{
    fixture f = begin();

    clshard_mesh_release(f.mesh);
    clshard_runtime_release(f.runtime);
    f.mesh = NULL;
    f.runtime = NULL;
    must(clshard_scatter(f.array, &f.from, NULL, NULL, error));
    must(clshard_gather(&f.back, f.array, NULL, NULL, error));
    cr_assert(memcmp(f.from.data, f.back.data, f.from.bytes) == 0);
    end(&f);
}

/* What the child found, as an exit status: 0 is right. */
static int child_finds(fixture *f)
{
    clshard_error err = {0};
    clshard_tensor mapped;
    clshard_array *array = NULL;

    if (clshard_scatter(f->array, &f->from, NULL, NULL, &err) != CLSHARD_ERR_FORKED)
        return 1;
    if (clshard_gather(&f->back, f->array, NULL, NULL, &err) != CLSHARD_ERR_FORKED)
        return 2;
    if (clshard_array_map(f->array, 0, &mapped, &err) != CLSHARD_ERR_FORKED)
        return 3;
    if (clshard_array_wait(f->array, &err) != CLSHARD_ERR_FORKED)
        return 4;
    if (clshard_array_create(clshard_array_layout(f->array), CLSHARD_U8, &array, &err) !=
        CLSHARD_ERR_FORKED)
        return 5;
    end(f);
    return 0;
}

Test(array, a_forked_child_gets_errors_and_does_not_hang)
{
    fixture f = begin();
    int state = 0;
    pid_t child;

    must(clshard_scatter(f.array, &f.from, NULL, NULL, error));
    child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        (void)alarm(20);
        _exit(child_finds(&f));
    }
    cr_assert(waitpid(child, &state, 0) == child);
    cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0, "child state %d", state);
    end(&f);
}
