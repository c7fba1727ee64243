/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/axes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/refusal.h"
#include "support/texts.h"
#include "support/tsv.h"

static size_t print(const void *axes, char *buffer, size_t buffer_bytes)
{
    return clshard__axes_format(axes, buffer, buffer_bytes);
}

/* 1 to 8 axes whose positions fit, at most one of them inferred. */
static clshard__axes random_axes(random_source *source, bool may_infer)
{
    clshard__axes axes = {0};
    const size_t count = uniform_between(source, 1, CLSHARD_RANK_MAX);
    const size_t inferred = may_infer ? uniform(source, (size_t)2 * CLSHARD_RANK_MAX) : SIZE_MAX;

    while (axes.count < count) {
        char name[CLSHARD_NAME_MAX];
        const size_t size = uniform_between(source, 1, 6);
        random_name(source, name);
        if (clshard__axes_find(&axes, name) == SIZE_MAX)
            cr_assert_eq(clshard__axes_add(&axes, name,
                                           axes.count == inferred ? CLSHARD__AXES_INFER : size,
                                           NULL),
                         CLSHARD_OK);
    }
    return axes;
}

Test(axes, what_is_printed_reads_back_equal)
{
    random_source source = {31};
    char text[512];
    for (size_t i = 0; i < 5000; i++) {
        const clshard__axes axes = random_axes(&source, true);
        clshard__axes again;
        cr_assert(clshard__axes_format(&axes, text, sizeof text) < sizeof text);
        cr_assert_eq(clshard__axes_parse(text, &again, NULL), CLSHARD_OK, "%s", text);
        cr_assert(clshard__axes_equal(&axes, &again), "%s", text);
    }
}

Test(axes, printing_never_leaves_the_buffer)
{
    random_source source = {32};
    char text[512];
    for (size_t i = 0; i < 100; i++) {
        const clshard__axes axes = random_axes(&source, true);
        (void)clshard__axes_format(&axes, text, sizeof text);
        assert_prints(print, &axes, text);
    }
}

Test(axes, positions_are_numbered_row_major)
{
    random_source source = {33};
    for (size_t i = 0; i < 200; i++) {
        clshard__axes axes = random_axes(&source, false);
        size_t coordinate[CLSHARD_RANK_MAX] = {0};
        cr_assert_eq(clshard__axes_finish(&axes, SIZE_MAX, NULL), CLSHARD_OK);
        /* Counts through the coordinates as an odometer, the last axis fastest. */
        for (size_t position = 0; position < axes.positions && position < 2000; position++) {
            size_t found = SIZE_MAX;
            size_t axis = axes.count;
            for (size_t k = 0; k < axes.count; k++)
                cr_assert_eq(clshard__axes_coordinate(&axes, k, position), coordinate[k]);
            cr_assert_eq(clshard__axes_position(&axes, coordinate, &found, NULL), CLSHARD_OK);
            cr_assert_eq(found, position);
            while (axis-- > 0 && ++coordinate[axis] == axes.size[axis])
                coordinate[axis] = 0;
        }
    }
}

Test(axes, a_coordinate_past_its_axis_is_refused)
{
    clshard__axes axes;
    clshard_error err = {0};
    size_t position = 99;
    cr_assert_eq(clshard__axes_parse("data=2,model=4", &axes, NULL), CLSHARD_OK);
    cr_assert_eq(clshard__axes_finish(&axes, SIZE_MAX, NULL), CLSHARD_OK);
    refusal(clshard__axes_position(&axes, (size_t[]){1, 4}, &position, &err), CLSHARD_ERR_INDEX,
            &err, "'model'");
    refusal(clshard__axes_position(&axes, (size_t[]){SIZE_MAX, 0}, &position, &err),
            CLSHARD_ERR_INDEX, &err, "'data'");
    cr_assert_eq(position, 99);
}

Test(axes, an_inferred_size_makes_the_mesh_use_all_devices)
{
    random_source source = {34};
    for (size_t i = 0; i < 3000; i++) {
        clshard__axes axes = random_axes(&source, true);
        const clshard__axes before = axes;
        const size_t devices = uniform_between(&source, 1, 64);
        clshard_error err = {0};
        size_t known = 1;
        bool inferred = false;
        clshard_status status;
        for (size_t k = 0; k < axes.count; k++) {
            inferred = inferred || axes.size[k] == CLSHARD__AXES_INFER;
            known *= axes.size[k] == CLSHARD__AXES_INFER ? 1 : axes.size[k];
        }
        status = clshard__axes_finish(&axes, devices, &err);
        if (inferred && devices % known != 0) {
            refusal(status, CLSHARD_ERR_MESH_SIZE, &err, "divided");
            cr_assert(memcmp(&axes, &before, sizeof axes) == 0);
        } else {
            cr_assert_eq(status, CLSHARD_OK);
            cr_assert_eq(axes.positions, inferred ? devices : known);
        }
    }
}

Test(axes, a_size_cannot_be_inferred_without_devices)
{
    clshard__axes axes;
    clshard_error err = {0};
    cr_assert_eq(clshard__axes_parse("data=2,model=-1", &axes, NULL), CLSHARD_OK);
    refusal(clshard__axes_finish(&axes, SIZE_MAX, &err), CLSHARD_ERR_ABSTRACT, &err,
            "data=2,model=-1");
    refusal(clshard__axes_finish(&axes, 0, &err), CLSHARD_ERR_NO_DEVICES, &err, "data=2,model=-1");
    refusal(clshard__axes_finish(&axes, 1, &err), CLSHARD_ERR_MESH_SIZE, &err, "1 devices");
    cr_assert_eq(axes.size[1], CLSHARD__AXES_INFER);
    cr_assert_eq(axes.positions, 0);
}

Test(axes, given_sizes_need_no_devices)
{
    clshard__axes axes;
    cr_assert_eq(clshard__axes_parse("data=1024,model=1024", &axes, NULL), CLSHARD_OK);
    cr_assert_eq(clshard__axes_finish(&axes, SIZE_MAX, NULL), CLSHARD_OK);
    cr_assert_eq(axes.positions, (size_t)1 << 20);
    cr_assert_eq(clshard__axes_finish(&axes, 0, NULL), CLSHARD_OK);
}

Test(axes, positions_beyond_64_bits_are_refused)
{
    clshard__axes axes;
    clshard_error err = {0};
    cr_assert_eq(clshard__axes_parse("a=4294967296,b=4294967296", &axes, NULL), CLSHARD_OK);
    refusal(clshard__axes_finish(&axes, SIZE_MAX, &err), CLSHARD_ERR_OVERFLOW, &err,
            "a=4294967296,b=4294967296");
    cr_assert_eq(clshard__axes_parse("a=4294967296,b=4294967296,c=-1", &axes, NULL), CLSHARD_OK);
    refusal(clshard__axes_finish(&axes, 8, &err), CLSHARD_ERR_OVERFLOW, &err, "positions");
    cr_assert_eq(axes.size[2], CLSHARD__AXES_INFER);
}

static const struct {
    const char *text;
    clshard_status status;
    const char *words;
} refused[] = {
    {"data", CLSHARD_ERR_TEXT, "'data>>>'"},
    {"data=", CLSHARD_ERR_TEXT, "'data=>>>'"},
    {"=2", CLSHARD_ERR_TEXT, "'>>>=2'"},
    {",", CLSHARD_ERR_TEXT, "'>>>,'"},
    {"data=2,", CLSHARD_ERR_TEXT, "'data=2,>>>'"},
    {",data=2", CLSHARD_ERR_TEXT, "'>>>,data=2'"},
    {"data=2,,model=4", CLSHARD_ERR_TEXT, "'data=2,>>>,model=4'"},
    {"data=2;model=4", CLSHARD_ERR_TEXT, "'data=2>>>;model=4'"},
    {"data=2+model=4", CLSHARD_ERR_TEXT, "'data=2>>>+model=4'"},
    {"data+model=2", CLSHARD_ERR_TEXT, "'data>>>+model=2'"},
    {"data=2+2", CLSHARD_ERR_TEXT, "'data=2>>>+2'"},
    {"data=+2", CLSHARD_ERR_TEXT, "'data=>>>+2'"},
    {"data=-2", CLSHARD_ERR_TEXT, "'data=>>>-2'"},
    {"data=-", CLSHARD_ERR_TEXT, "'data=>>>-'"},
    {"data=--1", CLSHARD_ERR_TEXT, "'data=>>>--1'"},
    {"data=-10", CLSHARD_ERR_TEXT, "'data=-1>>>0'"},
    {"data=0x10", CLSHARD_ERR_TEXT, "'data=0>>>x10'"},
    {"data=2e3", CLSHARD_ERR_TEXT, "'data=2>>>e3'"},
    {"data=2.0", CLSHARD_ERR_TEXT, "'data=2>>>.0'"},
    {"data=two", CLSHARD_ERR_TEXT, "'data=>>>two'"},
    {" data=2", CLSHARD_ERR_TEXT, "'>>> data=2'"},
    {"data =2", CLSHARD_ERR_TEXT, "'data>>> =2'"},
    {"data= 2", CLSHARD_ERR_TEXT, "'data=>>> 2'"},
    {"data=2 ", CLSHARD_ERR_TEXT, "'data=2>>> '"},
    {"data=2, model=4", CLSHARD_ERR_TEXT, "'data=2,>>> model=4'"},
    {"data=2\n", CLSHARD_ERR_TEXT, "'data=2>>>\\x0a'"},
    {"data:2", CLSHARD_ERR_TEXT, "'data>>>:2'"},
    {"2", CLSHARD_ERR_NAME, "'>>>2'"},
    {"_=2", CLSHARD_ERR_NAME, "'>>>_=2'"},
    {"data=2,None=2", CLSHARD_ERR_NAME, "'data=2,>>>None=2'"},
    {"data=2,9a=2", CLSHARD_ERR_NAME, "'data=2,>>>9a=2'"},
    {"a2345678901234567890123456789012=2", CLSHARD_ERR_NAME, "32 characters"},
    {"data=2,data=4", CLSHARD_ERR_DUPLICATE_AXIS, "'data=2,>>>data=4'"},
    {"data=2,model=4,data=2", CLSHARD_ERR_DUPLICATE_AXIS, "data=2,model=4"},
    {"data=0", CLSHARD_ERR_MESH_SIZE, "'data' has size 0"},
    {"data=2,model=00", CLSHARD_ERR_MESH_SIZE, "'data=2,>>>model=00'"},
    {"data=-1,model=-1", CLSHARD_ERR_MESH_SIZE, "'data=-1,>>>model=-1'"},
    {"a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1", CLSHARD_ERR_RANK, "h=1,>>>i=1'"},
    {"data=18446744073709551616", CLSHARD_ERR_OVERFLOW, "'data=>>>18446744073709551616'"},
    /* The number that stands for an inferred size is no way to ask for one. */
    {"data=18446744073709551615", CLSHARD_ERR_OVERFLOW, "'data=>>>18446744073709551615'"},
};

Test(axes, what_is_no_mesh_is_refused_and_the_place_marked)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        clshard_error err = {0};
        clshard__axes axes = {.count = 77};
        refusal(clshard__axes_parse(refused[i].text, &axes, &err), refused[i].status, &err,
                refused[i].words);
        cr_assert_eq(axes.count, 77);
    }
}

Test(axes, adding_refuses_what_the_text_refuses)
{
    clshard__axes axes = {0};
    clshard_error err = {0};
    clshard__axes before;
    cr_assert_eq(clshard__axes_add(&axes, "data", CLSHARD__AXES_INFER, NULL), CLSHARD_OK);
    before = axes;
    refusal(clshard__axes_add(&axes, "data", 2, &err), CLSHARD_ERR_DUPLICATE_AXIS, &err, "'data'");
    refusal(clshard__axes_add(&axes, "b", 0, &err), CLSHARD_ERR_MESH_SIZE, &err, "'b'");
    refusal(clshard__axes_add(&axes, "b", CLSHARD__AXES_INFER, &err), CLSHARD_ERR_MESH_SIZE, &err,
            "'data'");
    refusal(clshard__axes_add(&axes, "None", 2, &err), CLSHARD_ERR_NAME, &err, "None");
    refusal(clshard__axes_add(&axes, "a b", 2, &err), CLSHARD_ERR_NAME, &err, "a b");
    refusal(clshard__axes_add(&axes, NULL, 2, &err), CLSHARD_ERR_NAME, &err, "(null)");
    cr_assert(memcmp(&axes, &before, sizeof axes) == 0);
    for (char name[2] = "b"; axes.count < CLSHARD_RANK_MAX; name[0]++)
        cr_assert_eq(clshard__axes_add(&axes, name, 1, NULL), CLSHARD_OK);
    refusal(clshard__axes_add(&axes, "z", 1, &err), CLSHARD_ERR_RANK, &err, "8 axes");
    cr_assert_eq(axes.count, CLSHARD_RANK_MAX);
}

Test(axes, are_found_by_their_whole_name)
{
    clshard__axes axes;
    cr_assert_eq(clshard__axes_parse("data=2,model=4", &axes, NULL), CLSHARD_OK);
    cr_assert_eq(clshard__axes_find(&axes, "data"), 0);
    cr_assert_eq(clshard__axes_find(&axes, "model"), 1);
    cr_assert_eq(clshard__axes_find(&axes, "mod"), SIZE_MAX);
    cr_assert_eq(clshard__axes_find(&axes, "models"), SIZE_MAX);
    cr_assert_eq(clshard__axes_find(&axes, ""), SIZE_MAX);
}

Test(axes, are_equal_by_names_sizes_and_order)
{
    static const char *const texts[] = {"a=2",     "a=3",     "b=2",         "a=2,b=2",
                                        "b=2,a=2", "a=2,b=1", "a=2,b=2,c=1", "a=-1"};
    enum { TEXTS = sizeof texts / sizeof texts[0] };
    clshard__axes axes[TEXTS];
    for (size_t i = 0; i < TEXTS; i++)
        cr_assert_eq(clshard__axes_parse(texts[i], &axes[i], NULL), CLSHARD_OK);
    for (size_t i = 0; i < TEXTS; i++)
        for (size_t k = 0; k < TEXTS; k++)
            cr_assert_eq(clshard__axes_equal(&axes[i], &axes[k]), i == k, "%s, %s", texts[i],
                         texts[k]);
}

Test(axes, damaged_texts_parse_or_say_why_not)
{
    random_source source = {35};
    char good[512];
    static char text[TEXT_BYTES];
    size_t parsed = 0;
    for (size_t i = 0; i < 20000; i++) {
        const clshard__axes axes = random_axes(&source, true);
        clshard_error err = {0};
        clshard__axes got, again;
        clshard_status status;
        (void)clshard__axes_format(&axes, good, sizeof good);
        damaged_text(&source, good, text);
        status = clshard__axes_parse(text, &got, &err);
        if (status != CLSHARD_OK) {
            assert_says_why(status, &err, text);
            continue;
        }
        parsed++;
        (void)clshard__axes_format(&got, good, sizeof good);
        cr_assert_eq(clshard__axes_parse(good, &again, NULL), CLSHARD_OK, "%s", good);
        cr_assert(clshard__axes_equal(&got, &again), "%s became %s", text, good);
    }
    cr_assert(parsed > 1000, "%zu of the damaged texts still parse", parsed);
}

/* Rows of 11_meshes.tsv about the devices under the axes: lists of devices, and more positions than
 * devices. Those are tested where meshes are. */
static const char *const device_rows[] = {
    "list data=2 on devices 5,3,1",
    "list data=2,model=2 on devices 7..0",
    "list data=2 on devices 0,0",
    "list data=100 on all",
    "dict data=100",
    "data_parallel(100)",
    "model_parallel(100)",
    "hybrid(50,2)",
};
enum { DEVICE_ROWS = sizeof device_rows / sizeof device_rows[0], TABLE_DEVICES = 8 };

static bool is_device_row(const char *call)
{
    for (size_t i = 0; i < DEVICE_ROWS; i++)
        if (strcmp(call, device_rows[i]) == 0)
            return true;
    return false;
}

/* The call of a row as the text of a mesh; false for a call of no known form. */
static bool mesh_text(const char *call, char text[128])
{
    int first, second;
    int end = 0;

    if (sscanf(call, "dict %127s%n", text, &end) == 1 && call[end] == '\0')
        return true;
    if (strcmp(call, "list () on all") == 0 || strcmp(call, "data_parallel()") == 0) {
        return snprintf(text, 128, "%s", call[0] == 'l' ? "" : "data=-1") >= 0;
    }
    if (sscanf(call, "list %127s%n", text, &end) == 1 &&
        (call[end] == '\0' || strcmp(call + end, " on all") == 0))
        return true;
    if (sscanf(call, "data_parallel(%d)", &first) == 1)
        return snprintf(text, 128, "data=%d", first) > 0;
    if (sscanf(call, "model_parallel(%d)", &first) == 1)
        return snprintf(text, 128, "model=%d", first) > 0;
    if (sscanf(call, "hybrid(%d,%d)", &first, &second) == 2)
        return snprintf(text, 128, "data=%d,model=%d", first, second) > 0;
    return false;
}

static void check_mesh_row(const struct tsv_row *row, const char *text)
{
    const char *peer = row->field[1], *ids = row->field[2], *ours = row->field[3];
    const char *expected = strcmp(ours, "same") == 0 ? peer : ours;
    const size_t length = strcspn(expected, " "); /* "data=8 (inferred)" */
    clshard__axes axes;
    clshard_error err = {0};
    clshard_status status = clshard__axes_parse(text, &axes, &err);
    char printed[128];
    size_t id_count = 1;

    if (status == CLSHARD_OK)
        status = clshard__axes_finish(&axes, TABLE_DEVICES, &err);
    if (status != CLSHARD_OK) {
        cr_assert_str_eq(clshard_status_name(status), ours, "line %zu: %s", row->line, err.message);
        assert_says_why(status, &err, text);
        return;
    }
    cr_assert(clshard__axes_format(&axes, printed, sizeof printed) == length &&
                  memcmp(printed, expected, length) == 0,
              "line %zu: %s, not %s", row->line, printed, expected);
    for (; *ids != '\0'; ids++)
        id_count += *ids == ',';
    cr_assert_eq(axes.positions, expected == peer ? id_count : TABLE_DEVICES, "line %zu",
                 row->line);
}

Test(axes, meshes_of_datarax_have_these_axes_or_are_refused)
{
    tsv table = tsv_read("acceptance/11_meshes.tsv");
    size_t left_out = 0;
    for (size_t i = 0; i < table.row_count; i++) {
        char text[128] = "";
        if (is_device_row(table.row[i].field[0])) {
            left_out++;
            continue;
        }
        cr_assert(mesh_text(table.row[i].field[0], text), "line %zu: what is '%s'?",
                  table.row[i].line, table.row[i].field[0]);
        check_mesh_row(&table.row[i], text);
    }
    cr_assert_eq(left_out, DEVICE_ROWS);
    tsv_free(&table);
}
