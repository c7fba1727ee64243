/* SPDX-License-Identifier: Apache-2.0 */

/* clshard list: platforms, devices, and the mesh they make. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "fail.h"
#include "json_out.h"
#include "number.h"
#include "placement.h"
#include "table.h"

enum { ROWS_MOST = 64 }; /* of the mesh's positions */

typedef struct listing {
    clshard_runtime *runtime;
    clshard_mesh *mesh; /* NULL without devices */
    const char *mesh_title;
} listing;

/* A device that has several kinds is a CPU if one of them is. */
static const char *type_text(const clshard_device_info *device)
{
    if ((device->type & CLSHARD_DEVICE_CPU) != 0)
        return "cpu";
    if ((device->type & CLSHARD_DEVICE_GPU) != 0)
        return "gpu";
    return "accelerator";
}

static bool belongs_to(const clshard_device_info *device, const clshard_platform_info *platform)
{
    const size_t length = strlen(platform->id);
    return strncmp(device->id, platform->id, length) == 0 && device->id[length] == '.';
}

static size_t number_after_dot(const char *id)
{
    size_t number = 0;
    const char *dot = strchr(id, '.');
    if (dot == NULL || !read_number(dot + 1, strlen(dot + 1), &number))
        return SIZE_MAX;
    return number;
}

/* A platform's devices in the driver's order, whatever their order in the runtime; NULL past the
 * last. */
static const clshard_device_info *device_of(const listing *listed,
                                            const clshard_platform_info *platform, size_t number)
{
    const clshard_device_info *device;
    for (size_t i = 0; (device = clshard_runtime_device(listed->runtime, i)) != NULL; i++)
        if (belongs_to(device, platform) && number_after_dot(device->id) == number)
            return device;
    return NULL;
}

static json_t *json_device(const clshard_device_info *device)
{
    return json_pack(
        "{s:o, s:o, s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:b, s:b, s:b, s:o, s:o}", "id",
        json_text(device->id), "name", json_text(device->name), "type", type_text(device), "vendor",
        json_text(device->vendor), "version", json_text(device->version), "driver",
        json_text(device->driver), "compute_units", (json_int_t)device->compute_units,
        "memory_bytes", (json_int_t)device->memory_bytes, "largest_buffer_bytes",
        (json_int_t)device->largest_buffer_bytes, "host_memory", (int)device->host_memory, "f64",
        (int)device->f64, "f16", (int)device->f16, "excluded", json_text(device->excluded),
        "disabled", json_text(device->disabled));
}

static json_t *json_platform(const listing *listed, const clshard_platform_info *platform)
{
    json_t *devices = json_array();
    for (size_t i = 0; i < platform->device_count; i++) {
        const clshard_device_info *device = device_of(listed, platform, i);
        if (device != NULL)
            devices = json_append(devices, json_device(device));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "id", json_text(platform->id), "name",
                     json_text(platform->name), "vendor", json_text(platform->vendor), "version",
                     json_text(platform->version), "problem", json_text(platform->problem),
                     "devices", devices);
}

static json_t *json_mesh(const clshard_mesh *mesh)
{
    json_t *positions = json_array();

    if (mesh == NULL) {
        json_decref(positions);
        return json_null();
    }
    for (size_t i = 0; i < clshard_mesh_position_count(mesh); i++) {
        const clshard_device_info *device = clshard_mesh_device(mesh, i);
        positions = json_append(positions,
                                json_pack("{s:I, s:o, s:o, s:o}", "index", (json_int_t)i,
                                          "coordinates", json_coordinates(mesh, i), "device",
                                          json_text(device->id), "name", json_text(device->name)));
    }
    return json_pack("{s:o, s:o}", "axes", json_axes(mesh), "positions", positions);
}

static clshard_status print_json(const listing *listed, clshard_error *err)
{
    const clshard_platform_info *platform;
    json_t *platforms = json_array();

    for (size_t i = 0; (platform = clshard_runtime_platform(listed->runtime, i)) != NULL; i++)
        platforms = json_append(platforms, json_platform(listed, platform));
    return json_print(
        json_pack("{s:o, s:o}", "platforms", platforms, "mesh", json_mesh(listed->mesh)), err);
}

static void print_raw_field(const char *text)
{
    putchar('\t');
    print_clean(stdout, text);
}

static clshard_status print_raw(const listing *listed)
{
    const clshard_device_info *device;
    for (size_t i = 0; (device = clshard_runtime_device(listed->runtime, i)) != NULL; i++) {
        print_clean(stdout, device->id);
        printf("\t%s\t%s\t%u\t%llu", device->excluded == NULL ? "used" : "excluded",
               type_text(device), (unsigned)device->compute_units,
               (unsigned long long)device->memory_bytes);
        print_raw_field(device->platform);
        print_raw_field(device->name);
        putchar('\n');
    }
    return CLSHARD_OK;
}

static void print_fact(const char *indent, const char *title, const char *text)
{
    printf("%s%s", indent, title);
    print_clean(stdout, text);
    putchar('\n');
}

static void print_device(const clshard_device_info *device, const terminal *screen, bool last)
{
    const char *branch = screen->utf8 ? (last ? "└─ " : "├─ ") : (last ? "`- " : "|- ");
    const char *indent = last ? "   " : screen->utf8 ? "│  " : "|  ";
    char memory[BYTES_TEXT];

    printf("%s%s", branch, screen->bold);
    print_clean(stdout, device->id);
    printf(" ");
    print_clean(stdout, device->name);
    printf("%s\n%s%s, %u compute unit%s, %s%s%s%s\n", screen->normal, indent, type_text(device),
           (unsigned)device->compute_units, device->compute_units == 1 ? "" : "s",
           bytes_text(device->memory_bytes, memory), device->host_memory ? " of host memory" : "",
           device->f64 ? ", f64" : "", device->f16 ? ", f16" : "");
    print_fact(indent, "driver ", device->driver);
    if (device->disabled[0] != '\0')
        print_fact(indent, "turned off: ", device->disabled);
    if (device->excluded != NULL)
        print_fact(indent, "left out: ", device->excluded);
}

static void print_platform(const listing *listed, const clshard_platform_info *platform,
                           const terminal *screen)
{
    printf("%splatform %s%s ", screen->faint, platform->id, screen->normal);
    print_clean(stdout, platform->name);
    printf(", ");
    print_clean(stdout, platform->version);
    putchar('\n');
    if (platform->problem != NULL)
        print_fact("   ", "", platform->problem);
    else if (platform->device_count == 0)
        puts("   no devices");
    for (size_t i = 0; i < platform->device_count; i++) {
        const clshard_device_info *device = device_of(listed, platform, i);
        if (device != NULL)
            print_device(device, screen, i + 1 == platform->device_count);
    }
}

static clshard_status print_mesh(const listing *listed, const terminal *screen, clshard_error *err)
{
    const size_t count = clshard_mesh_position_count(listed->mesh);
    const size_t shown = count < ROWS_MOST ? count : ROWS_MOST;
    table rows = table_of(3, screen);
    clshard_status status;

    printf("\n%s%s\n", listed->mesh_title, mesh_text(listed->mesh).text);
    table_add(&rows, "position");
    table_add(&rows, "coordinates");
    table_add(&rows, "device");
    for (size_t i = 0; i < shown; i++) {
        const clshard_device_info *device = clshard_mesh_device(listed->mesh, i);
        table_add(&rows, "%zu", i);
        table_add(&rows, "%s", coordinates_text(listed->mesh, i).text);
        table_add(&rows, "%s %s", device->id, device->name);
    }
    status = table_print(&rows, screen, "  ", err);
    table_free(&rows);
    if (status == CLSHARD_OK && shown < count)
        printf("  %zu positions are not shown; --json shows all\n", count - shown);
    return status;
}

/* A path that is mistyped is the commonest reason. */
static void print_vendors(void)
{
    const char *named = getenv("OCL_ICD_VENDORS");
    struct stat facts;

    if (named == NULL || named[0] == '\0' || stat(named, &facts) == 0)
        return;
    printf("OCL_ICD_VENDORS is '");
    print_clean(stdout, named);
    printf("': %s.\n", strerror(errno));
}

static void print_advice(const listing *listed)
{
    if (clshard_runtime_excluded_count(listed->runtime) > 0) {
        puts("\nNo device is in use; --devices '*' takes those that are left out.");
        return;
    }
    puts("No OpenCL device was found. Install a driver; on Debian and Ubuntu:\n"
         "  any CPU     pocl-opencl-icd\n"
         "  Intel GPU   intel-opencl-icd\n"
         "  AMD GPU     mesa-opencl-icd, or AMD's ROCm packages\n"
         "  NVIDIA GPU  nvidia-opencl-icd\n"
         "A driver names itself in a file of /etc/OpenCL/vendors, or of the folder that\n"
         "OCL_ICD_VENDORS names.");
    print_vendors();
    puts("'clshard check' tells which entries of the loader are broken.");
}

static clshard_status print_tree(const listing *listed, clshard_error *err)
{
    const terminal screen = terminal_of_stdout();
    const clshard_platform_info *platform;

    for (size_t i = 0; (platform = clshard_runtime_platform(listed->runtime, i)) != NULL; i++)
        print_platform(listed, platform, &screen);
    if (listed->mesh != NULL)
        return print_mesh(listed, &screen, err);
    print_advice(listed);
    return CLSHARD_OK;
}

static clshard_status print_listing(const options *read, const listing *listed, clshard_error *err)
{
    if (option_given(read, OPTION_JSON))
        return print_json(listed, err);
    if (option_given(read, OPTION_RAW))
        return print_raw(listed);
    return print_tree(listed, err);
}

/* A mesh that was asked for must exist; the default one only where there are devices. */
static clshard_status make_mesh(const options *read, listing *listed, clshard_error *err)
{
    const bool asked = option_given(read, OPTION_MESH);

    if (!asked && clshard_runtime_device_count(listed->runtime) == 0)
        return CLSHARD_OK;
    listed->mesh_title = asked ? "mesh " : "default mesh ";
    return mesh_from_options(read, listed->runtime, asked ? NULL : "data=-1", &listed->mesh, err);
}

static clshard_status check_required(const listing *listed, size_t required, clshard_error *err)
{
    const size_t count = clshard_runtime_device_count(listed->runtime);
    if (count >= required)
        return CLSHARD_OK;
    return fail(err, CLSHARD_ERR_NO_DEVICES, "--require %zu: %zu device%s in use", required, count,
                count == 1 ? " is" : "s are");
}

static clshard_status run_list(const options *read, clshard_error *err)
{
    listing listed = {NULL, NULL, ""};
    size_t required = 0;
    clshard_status status;

    if (options_exclude(read, OPTION_JSON, OPTION_RAW, err) ||
        option_number(read, OPTION_REQUIRE, &required, err) ||
        runtime_from_options(read, &listed.runtime, err))
        return err->status;
    status = make_mesh(read, &listed, err);
    if (status == CLSHARD_OK)
        status = print_listing(read, &listed, err);
    if (status == CLSHARD_OK)
        status = check_required(&listed, required, err);
    clshard_mesh_release(listed.mesh);
    clshard_runtime_release(listed.runtime);
    return status;
}

static const struct poptOption table_of_list[] = {
    {"mesh", '\0', POPT_ARG_STRING, NULL, OPTION_MESH,
     "show this mesh instead of data=-1; one size may be -1: data=2,model=-1", "AXES"},
    {"require", '\0', POPT_ARG_STRING, NULL, OPTION_REQUIRE,
     "exit with status 1 when fewer devices are in use", "N"},
    {"raw", '\0', POPT_ARG_NONE, NULL, OPTION_RAW,
     "print one line per device: id, used or excluded, type, compute units, bytes of memory, "
     "platform and name, separated by tabs",
     NULL},
    OPTION_GROUP(options_of_devices, "Devices:"),
    OPTION_GROUP(options_of_output, "Output and help:"),
    POPT_TABLEEND};

const command command_list = {
    .name = "list",
    .summary = "the devices of this machine and the default mesh; without a command too",
    .usage = "clshard list",
    .arguments = "[OPTION...]",
    .description =
        "Shows every platform and device as a tree, what is left out and why, and the mesh that\n"
        "the devices in use make. Without any device it says what to install, and exits with 0.",
    .example = "  clshard list --devices '*' --mesh data=2,model=-1",
    .table = table_of_list,
    .argument = NULL,
    .run = run_list,
};
