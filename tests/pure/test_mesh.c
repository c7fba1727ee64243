/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/mesh.h>
#include <criterion/criterion.h>
#include <string.h>

#include "support/random.h"
#include "support/refusal.h"

/* Meshes without devices; tests/device/test_mesh_devices.c has the others. */

static clshard_mesh *mesh_of(const char *axes)
{
    clshard_error err = {0};
    clshard_mesh *mesh = NULL;
    cr_assert_eq(clshard_mesh_parse(NULL, axes, NULL, &mesh, &err), CLSHARD_OK, "%s: %s", axes,
                 err.message);
    return mesh;
}

Test(mesh, values_and_text_make_the_same_mesh)
{
    const clshard_axis axes[] = {{"data", 4}, {"model", 2}};
    clshard_mesh *made = NULL;
    clshard_mesh *parsed = mesh_of("data=4,model=2");

    cr_assert_eq(clshard_mesh_create(NULL, axes, 2, NULL, &made, NULL), CLSHARD_OK);
    cr_assert(clshard_mesh_equal(made, parsed));
    cr_assert_eq(clshard_mesh_axis_count(made), 2);
    cr_assert_str_eq(clshard_mesh_axis(made, 1).name, "model");
    cr_assert_eq(clshard_mesh_axis(made, 1).size, 2);
    cr_assert_eq(clshard_mesh_axis(made, 2).name, NULL);
    cr_assert_eq(clshard_mesh_axis(made, 2).size, 0);
    cr_assert_eq(clshard_mesh_position_count(made), 8);
    clshard_mesh_release(made);
    clshard_mesh_release(parsed);
}

Test(mesh, axes_are_copied)
{
    char name[] = "data";
    const clshard_axis axis = {name, 4};
    clshard_mesh *mesh = NULL;

    cr_assert_eq(clshard_mesh_create(NULL, &axis, 1, NULL, &mesh, NULL), CLSHARD_OK);
    name[0] = 'x';
    cr_assert_str_eq(clshard_mesh_axis(mesh, 0).name, "data");
    clshard_mesh_release(mesh);
}

/* Up to eight axes of sizes 1 to 4, named a, b, ... */
static size_t random_axes(random_source *source, clshard_axis *axes)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const size_t count = uniform_between(source, 1, CLSHARD_RANK_MAX);
    for (size_t i = 0; i < count; i++)
        axes[i] = (clshard_axis){names[i], uniform_between(source, 1, 4)};
    return count;
}

Test(mesh, positions_are_row_major_and_invert_coordinates)
{
    random_source source = {7};

    for (int round = 0; round < 40; round++) {
        clshard_axis axes[CLSHARD_RANK_MAX];
        const size_t count = random_axes(&source, axes);
        size_t expected[CLSHARD_RANK_MAX] = {0};
        clshard_mesh *mesh = NULL;

        cr_assert_eq(clshard_mesh_create(NULL, axes, count, NULL, &mesh, NULL), CLSHARD_OK);
        for (size_t position = 0; position < clshard_mesh_position_count(mesh); position++) {
            size_t coordinates[CLSHARD_RANK_MAX];
            size_t back = SIZE_MAX;
            size_t axis = count;

            cr_assert_eq(clshard_mesh_coordinates(mesh, position, coordinates, NULL), CLSHARD_OK);
            cr_assert_arr_eq(coordinates, expected, count * sizeof *expected);
            cr_assert_eq(clshard_mesh_position(mesh, coordinates, &back, NULL), CLSHARD_OK);
            cr_assert_eq(back, position);
            /* Count up, the last axis fastest. */
            while (axis-- > 0 && ++expected[axis] == axes[axis].size)
                expected[axis] = 0;
        }
        clshard_mesh_release(mesh);
    }
}

Test(mesh, printed_axes_parse_back_equal)
{
    random_source source = {8};

    for (int round = 0; round < 200; round++) {
        clshard_axis axes[CLSHARD_RANK_MAX];
        const size_t count = random_axes(&source, axes);
        char text[128];
        clshard_mesh *mesh = NULL;
        clshard_mesh *back;

        cr_assert_eq(clshard_mesh_create(NULL, axes, count, NULL, &mesh, NULL), CLSHARD_OK);
        cr_assert_eq(clshard_mesh_format(mesh, text, sizeof text), strlen(text));
        back = mesh_of(text);
        cr_assert(clshard_mesh_equal(mesh, back), "%s", text);
        clshard_mesh_release(mesh);
        clshard_mesh_release(back);
    }
}

Test(mesh, printing_stays_inside_the_buffer)
{
    clshard_mesh *mesh = mesh_of("data=4,model=2");
    char text[6] = "xxxxx";

    cr_assert_eq(clshard_mesh_format(mesh, NULL, 0), strlen("data=4,model=2"));
    cr_assert_eq(clshard_mesh_format(mesh, text, sizeof text), strlen("data=4,model=2"));
    cr_assert_str_eq(text, "data=");
    clshard_mesh_release(mesh);
}

Test(mesh, equality_is_of_names_sizes_and_order)
{
    static const char *const texts[] = {"a=2,b=3", "a=3,b=2", "b=3,a=2",    "a=2,c=3",
                                        "a=6",     "a=2",     "a=2,b=3,c=1"};
    enum { COUNT = sizeof texts / sizeof texts[0] };

    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            clshard_mesh *a = mesh_of(texts[i]);
            clshard_mesh *b = mesh_of(texts[j]);
            cr_assert_eq(clshard_mesh_equal(a, b), i == j, "%s and %s", texts[i], texts[j]);
            clshard_mesh_release(a);
            clshard_mesh_release(b);
        }
}

/* A table of 2^40 entries fits in no memory that this test can have. */
Test(mesh, an_abstract_mesh_takes_no_memory_per_position)
{
    clshard_mesh *mesh = mesh_of("a=1048576,b=1048576");
    size_t coordinates[2];

    cr_assert_eq(clshard_mesh_position_count(mesh), (size_t)1 << 40);
    cr_assert_eq(clshard_mesh_coordinates(mesh, ((size_t)1 << 40) - 2, coordinates, NULL),
                 CLSHARD_OK);
    cr_assert_eq(coordinates[0], 1048575);
    cr_assert_eq(coordinates[1], 1048574);
    cr_assert_eq(clshard_mesh_device(mesh, 12345), NULL);
    clshard_mesh_release(mesh);
}

Test(mesh, axes_that_make_no_mesh_are_refused)
{
    static const struct {
        clshard_axis axes[9];
        size_t count;
        clshard_status status;
        const char *word;
    } cases[] = {
        {{{"a", 1}}, 0, CLSHARD_ERR_MESH_SIZE, "no axes"},
        {{{"a", 2}, {"bad", 0}}, 2, CLSHARD_ERR_MESH_SIZE, "'bad'"},
        {{{"a", CLSHARD_INFER}, {"b", CLSHARD_INFER}}, 2, CLSHARD_ERR_MESH_SIZE, "'b'"},
        {{{"a", CLSHARD_INFER}}, 1, CLSHARD_ERR_ABSTRACT, "infer"},
        {{{"a", 2}, {"a", 2}}, 2, CLSHARD_ERR_DUPLICATE_AXIS, "'a'"},
        {{{"9a", 2}}, 1, CLSHARD_ERR_NAME, "9a"},
        {{{"None", 2}}, 1, CLSHARD_ERR_NAME, "None"},
        {{{NULL, 2}}, 1, CLSHARD_ERR_NAME, "name"},
        {{{"a", SIZE_MAX / 2}, {"b", 3}}, 2, CLSHARD_ERR_OVERFLOW, "positions"},
        {{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}, {"f", 1}, {"g", 1}, {"h", 1}, {"i", 1}},
         9,
         CLSHARD_ERR_RANK,
         "8"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char place;
        void *const untouched = &place;
        clshard_mesh *mesh = untouched;
        clshard_error err = {0};
        refusal(clshard_mesh_create(NULL, cases[i].axes, cases[i].count, NULL, &mesh, &err),
                cases[i].status, &err, cases[i].word);
        cr_assert_eq(mesh, untouched);
        cr_assert_eq(clshard_mesh_create(NULL, cases[i].axes, cases[i].count, NULL, &mesh, NULL),
                     cases[i].status);
    }
}

Test(mesh, text_that_makes_no_mesh_is_refused)
{
    static const struct {
        const char *text;
        clshard_status status;
        const char *word;
    } cases[] = {
        {"", CLSHARD_ERR_MESH_SIZE, "no axes"},
        {"data", CLSHARD_ERR_TEXT, ">>>"},
        {"data=", CLSHARD_ERR_TEXT, ">>>"},
        {"data=2,", CLSHARD_ERR_TEXT, ">>>"},
        {"data=2 model=2", CLSHARD_ERR_TEXT, ">>>"},
        {"data=-2", CLSHARD_ERR_TEXT, ">>>"},
        {"data=0", CLSHARD_ERR_MESH_SIZE, "data"},
        {"data=2,data=2", CLSHARD_ERR_DUPLICATE_AXIS, "data"},
        {"data=-1", CLSHARD_ERR_ABSTRACT, "infer"},
        {"data=99999999999999999999", CLSHARD_ERR_OVERFLOW, ">>>"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clshard_mesh *mesh = NULL;
        clshard_error err = {0};
        refusal(clshard_mesh_parse(NULL, cases[i].text, NULL, &mesh, &err), cases[i].status, &err,
                cases[i].word);
        cr_assert_eq(mesh, NULL);
    }
}

Test(mesh, null_arguments_are_named)
{
    const clshard_axis axis = {"data", 4};
    clshard_mesh *mesh = mesh_of("data=4");
    clshard_mesh *other = NULL;
    clshard_error err = {0};
    size_t number = 0;

    refusal(clshard_mesh_create(NULL, NULL, 1, NULL, &other, &err), CLSHARD_ERR_ARGUMENT, &err,
            "axes");
    refusal(clshard_mesh_create(NULL, &axis, 1, NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "out_mesh");
    refusal(clshard_mesh_parse(NULL, NULL, NULL, &other, &err), CLSHARD_ERR_ARGUMENT, &err, "axes");
    refusal(clshard_mesh_parse(NULL, "data=4", NULL, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "out_mesh");
    refusal(clshard_mesh_coordinates(NULL, 0, &number, &err), CLSHARD_ERR_ARGUMENT, &err, "mesh");
    refusal(clshard_mesh_coordinates(mesh, 0, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "out_coordinates");
    refusal(clshard_mesh_position(NULL, &number, &number, &err), CLSHARD_ERR_ARGUMENT, &err,
            "mesh");
    refusal(clshard_mesh_position(mesh, NULL, &number, &err), CLSHARD_ERR_ARGUMENT, &err,
            "coordinates");
    refusal(clshard_mesh_position(mesh, &number, NULL, &err), CLSHARD_ERR_ARGUMENT, &err,
            "out_position");
    clshard_mesh_release(mesh);
}

Test(mesh, what_is_past_the_end_is_refused)
{
    clshard_mesh *mesh = mesh_of("a=4,b=2");
    const size_t outside[] = {1, 2};
    size_t untouched[2] = {77, 77};
    clshard_error err = {0};

    refusal(clshard_mesh_coordinates(mesh, 8, untouched, &err), CLSHARD_ERR_INDEX, &err,
            "position 8");
    refusal(clshard_mesh_coordinates(mesh, SIZE_MAX, untouched, &err), CLSHARD_ERR_INDEX, &err,
            "0 to 7");
    refusal(clshard_mesh_position(mesh, outside, untouched, &err), CLSHARD_ERR_INDEX, &err, "'b'");
    cr_assert_eq(untouched[0], 77);
    cr_assert_eq(untouched[1], 77);
    clshard_mesh_release(mesh);
}

Test(mesh, options_that_do_not_fit_are_refused)
{
    const size_t devices[] = {0};
    struct newer {
        clshard_mesh_options known;
        size_t unknown;
    } newer = {{.size = sizeof newer}, 0};
    clshard_mesh *mesh = NULL;
    clshard_error err = {0};

    refusal(clshard_mesh_parse(
                NULL, "a=1",
                CLSHARD_WITH(clshard_mesh_options, .devices = devices, .device_count = 1), &mesh,
                &err),
            CLSHARD_ERR_ARGUMENT, &err, "abstract");
    refusal(clshard_mesh_parse(NULL, "a=1", CLSHARD_WITH(clshard_mesh_options, .devices = devices),
                               &mesh, &err),
            CLSHARD_ERR_ARGUMENT, &err, "device_count");
    refusal(clshard_mesh_parse(NULL, "a=1", CLSHARD_WITH(clshard_mesh_options, .device_count = 1),
                               &mesh, &err),
            CLSHARD_ERR_ARGUMENT, &err, "devices is NULL");
    refusal(clshard_mesh_parse(NULL, "a=1", &(clshard_mesh_options){0}, &mesh, &err),
            CLSHARD_ERR_ARGUMENT, &err, "clshard_mesh_options");
    newer.unknown = 1;
    refusal(clshard_mesh_parse(NULL, "a=1", &newer.known, &mesh, &err), CLSHARD_ERR_ARGUMENT, &err,
            "newer");
    newer.unknown = 0;
    cr_assert_eq(clshard_mesh_parse(NULL, "a=1", &newer.known, &mesh, NULL), CLSHARD_OK);
    clshard_mesh_release(mesh);
}

Test(mesh, positions_are_dealt_to_processes_in_order)
{
    clshard_mesh *one = mesh_of("a=3,b=4");
    clshard_mesh *three = NULL;
    clshard_mesh *same = NULL;
    clshard_mesh_options options = {.size = sizeof options, .processes = 3};

    cr_assert_eq(clshard_mesh_parse(NULL, "a=3,b=4", &options, &three, NULL), CLSHARD_OK);
    cr_assert_eq(clshard_mesh_parse(NULL, "a=3,b=4", &options, &same, NULL), CLSHARD_OK);
    for (size_t p = 0; p < 12; p++) {
        cr_assert_eq(clshard_mesh_owner(three, p), p / 4);
        cr_assert_eq(clshard_mesh_owner(one, p), 0);
    }
    cr_assert_eq(clshard_mesh_owner(three, 12), SIZE_MAX);
    cr_assert_eq(clshard_mesh_owner(NULL, 0), SIZE_MAX);
    cr_assert(clshard_mesh_equal(three, same));
    cr_assert_not(clshard_mesh_equal(three, one));
    clshard_mesh_release(one);
    clshard_mesh_release(three);
    clshard_mesh_release(same);
}

Test(mesh, processes_must_divide_the_positions)
{
    clshard_mesh *mesh = NULL;
    clshard_error err = {0};

    refusal(clshard_mesh_parse(NULL, "a=3,b=4", CLSHARD_WITH(clshard_mesh_options, .processes = 5),
                               &mesh, &err),
            CLSHARD_ERR_MESH_SIZE, &err, "12 positions cannot be dealt to 5");
    refusal(clshard_mesh_parse(NULL, "a=3,b=4", CLSHARD_WITH(clshard_mesh_options, .processes = 24),
                               &mesh, &err),
            CLSHARD_ERR_MESH_SIZE, &err, "24");
    cr_assert_null(mesh);
}

Test(mesh, queries_answer_null_with_nothing)
{
    clshard_mesh *mesh = mesh_of("data=4");
    char text[4] = "xxx";

    clshard_mesh_release(NULL);
    cr_assert_eq(clshard_mesh_axis_count(NULL), 0);
    cr_assert_eq(clshard_mesh_axis(NULL, 0).name, NULL);
    cr_assert_eq(clshard_mesh_position_count(NULL), 0);
    cr_assert_eq(clshard_mesh_device(NULL, 0), NULL);
    cr_assert_eq(clshard_mesh_format(NULL, text, sizeof text), 0);
    cr_assert_str_eq(text, "");
    cr_assert_eq(clshard_mesh_format(NULL, NULL, 0), 0);
    cr_assert_not(clshard_mesh_equal(NULL, NULL));
    cr_assert_not(clshard_mesh_equal(mesh, NULL));
    cr_assert_not(clshard_mesh_equal(NULL, mesh));
    clshard_mesh_release(mesh);
}

Test(runtime, queries_answer_null_with_nothing)
{
    clshard_runtime_release(NULL);
    cr_assert_eq(clshard_runtime_platform_count(NULL), 0);
    cr_assert_eq(clshard_runtime_platform(NULL, 0), NULL);
    cr_assert_eq(clshard_runtime_device_count(NULL), 0);
    cr_assert_eq(clshard_runtime_excluded_count(NULL), 0);
    cr_assert_eq(clshard_runtime_device(NULL, 0), NULL);
}
