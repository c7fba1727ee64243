/* SPDX-License-Identifier: Apache-2.0 */

/* Discovery over a driver that this program itself plays: its functions come before the loader's.
 * So every kind of answer is met without the hardware that gives it. */

#include <CL/cl.h>

#include <criterion/criterion.h>
#include <string.h>

#include "opencl/inventory.h"
#include "support/refusal.h"

enum { MOST_PLATFORMS = 3, MOST_DEVICES = 30 };

/* Its address is what a handle points to. */
typedef struct played_device {
    cl_device_type type;
    const char *name;
    const char *driver;
    const char *extensions;
    cl_ulong largest;
    cl_bool unified, available;
    cl_device_fp_config f64;
    cl_uint khr_pci[4];
    unsigned char amd_topology[24];
    cl_uint nv[3]; /* bus, slot, domain */
    unsigned char uuid[16];
    bool has_khr, has_amd, has_nv, has_uuid;
    cl_uint refuses; /* a query that fails */
    cl_uint shrinks; /* a query that answers with one byte too few */
} played_device;

typedef struct played_platform {
    const char *name;
    cl_uint device_count;
    played_device devices[MOST_DEVICES];
    cl_int fails; /* what clGetDeviceIDs answers */
    cl_uint refuses;
} played_platform;

static struct {
    cl_uint platform_count;
    played_platform platforms[MOST_PLATFORMS];
    cl_int fails; /* what clGetPlatformIDs answers */
} world;

/* Criterion runs each test in a process of its own, so a world is made anew by each. */
static played_device *play(size_t platform, const char *platform_name, const char *name)
{
    played_platform *on = &world.platforms[platform];
    played_device *device = &on->devices[on->device_count++];

    if (world.platform_count <= platform)
        world.platform_count = (cl_uint)platform + 1;
    on->name = platform_name;
    device->type = CL_DEVICE_TYPE_GPU;
    device->name = name;
    device->driver = "1.0";
    device->extensions = "cl_khr_icd";
    device->largest = 1 << 30;
    device->available = CL_TRUE;
    return device;
}

cl_int clGetPlatformIDs(cl_uint capacity, cl_platform_id *ids, cl_uint *count)
{
    if (world.fails != CL_SUCCESS)
        return world.fails;
    for (cl_uint i = 0; ids != NULL && i < capacity && i < world.platform_count; i++)
        ids[i] = (cl_platform_id)&world.platforms[i];
    if (count != NULL)
        *count = world.platform_count;
    return CL_SUCCESS;
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint capacity,
                      cl_device_id *ids, cl_uint *count)
{
    played_platform *on = (played_platform *)platform;
    (void)type;
    if (on->fails != CL_SUCCESS)
        return on->fails;
    for (cl_uint i = 0; ids != NULL && i < capacity && i < on->device_count; i++)
        ids[i] = (cl_device_id)&on->devices[i];
    if (count != NULL)
        *count = on->device_count;
    return CL_SUCCESS;
}

static cl_int answer(const void *value, size_t bytes, size_t capacity, void *out, size_t *out_bytes)
{
    if (out != NULL && capacity < bytes)
        return CL_INVALID_VALUE;
    if (out != NULL)
        memcpy(out, value, bytes);
    if (out_bytes != NULL)
        *out_bytes = bytes;
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info parameter, size_t capacity,
                         void *out, size_t *out_bytes)
{
    const played_platform *on = (const played_platform *)platform;
    const char *text = parameter == CL_PLATFORM_NAME ? on->name : "made by a test";
    if (parameter == on->refuses)
        return CL_OUT_OF_RESOURCES;
    return answer(text, strlen(text) + 1, capacity, out, out_bytes);
}

/* What only some devices know; NULL: not this one. */
static const void *optional_value(const played_device *device, cl_uint parameter, size_t *bytes)
{
    *bytes = 4;
    switch (parameter) {
    case 0x106A:
        *bytes = sizeof device->uuid;
        return device->has_uuid ? device->uuid : NULL;
    case 0x410F:
        *bytes = sizeof device->khr_pci;
        return device->has_khr ? device->khr_pci : NULL;
    case 0x4037:
        *bytes = sizeof device->amd_topology;
        return device->has_amd ? device->amd_topology : NULL;
    case 0x4008:
    case 0x4009:
    case 0x400A:
        return device->has_nv ? &device->nv[parameter - 0x4008] : NULL;
    default:
        return NULL;
    }
}

static const char *text_value(const played_device *device, cl_uint parameter)
{
    switch (parameter) {
    case CL_DEVICE_NAME:
        return device->name;
    case CL_DRIVER_VERSION:
        return device->driver;
    case CL_DEVICE_EXTENSIONS:
        return device->extensions;
    case CL_DEVICE_VENDOR:
    case CL_DEVICE_VERSION:
        return "";
    default:
        return NULL;
    }
}

static const void *number_value(const played_device *device, cl_uint parameter, size_t *bytes)
{
    static const cl_uint compute_units = 12;
    static const cl_ulong memory = (cl_ulong)1 << 40;

    *bytes = 8;
    switch (parameter) {
    case CL_DEVICE_TYPE:
        return &device->type;
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return &memory;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return &device->largest;
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return &device->f64;
    default:
        *bytes = 4;
        return parameter == CL_DEVICE_MAX_COMPUTE_UNITS     ? &compute_units
               : parameter == CL_DEVICE_HOST_UNIFIED_MEMORY ? &device->unified
               : parameter == CL_DEVICE_AVAILABLE           ? &device->available
                                                            : NULL;
    }
}

cl_int clGetDeviceInfo(cl_device_id id, cl_device_info parameter, size_t capacity, void *out,
                       size_t *out_bytes)
{
    const played_device *device = (const played_device *)id;
    const char *text = text_value(device, parameter);
    size_t bytes;
    const void *value = number_value(device, parameter, &bytes);

    if (parameter == device->refuses)
        return CL_OUT_OF_HOST_MEMORY;
    if (text != NULL)
        return answer(text, strlen(text) + 1, capacity, out, out_bytes);
    if (value == NULL)
        value = optional_value(device, parameter, &bytes);
    if (value == NULL)
        return CL_INVALID_VALUE;
    return answer(value, bytes - (parameter == device->shrinks), capacity, out, out_bytes);
}

static clshard__inventory *open_all(void)
{
    clshard__inventory *inventory = NULL;
    clshard_error err = {0};
    const clshard_status status = clshard__inventory_open(NULL, false, NULL, &inventory, &err);
    cr_assert_eq(status, CLSHARD_OK, "%s", err.message);
    return inventory;
}

Test(facts, without_platforms_the_inventory_is_empty)
{
    const cl_int answers[] = {-1001, CL_SUCCESS};
    for (size_t i = 0; i < 2; i++) {
        clshard__inventory *inventory;
        world.fails = answers[i];
        inventory = open_all();
        cr_assert_eq(inventory->platform_count + inventory->device_count + inventory->used_count,
                     0);
        clshard__inventory_release(inventory);
    }
}

Test(facts, a_loader_that_fails_is_reported)
{
    clshard__inventory *inventory = NULL;
    clshard_error err = {0};
    world.fails = CL_OUT_OF_HOST_MEMORY;
    refusal(clshard__inventory_open(NULL, false, NULL, &inventory, &err), CLSHARD_ERR_OPENCL, &err,
            "clGetPlatformIDs: CL_OUT_OF_HOST_MEMORY");
    cr_assert_eq(err.native, CL_OUT_OF_HOST_MEMORY);
    cr_assert_eq(inventory, NULL);
}

Test(facts, platforms_without_devices_are_kept)
{
    clshard__inventory *inventory;
    (void)play(1, "full", "device");
    world.platforms[0].name = "empty";
    world.platforms[0].fails = CL_DEVICE_NOT_FOUND;
    inventory = open_all();
    cr_assert_eq(inventory->platform_count, 2);
    cr_assert_str_eq(inventory->platforms[0].name, "empty");
    cr_assert_eq(inventory->platforms[0].device_count, 0);
    cr_assert_eq(inventory->platforms[0].problem, NULL);
    cr_assert_eq(inventory->used_count, 1);
    cr_assert_str_eq(inventory->devices[0].info.id, "1.0");
    clshard__inventory_release(inventory);
}

Test(facts, a_platform_that_fails_does_not_hide_the_others)
{
    clshard__inventory *inventory;
    (void)play(0, "broken", "device");
    (void)play(1, "nameless", "device");
    (void)play(2, "good", "device");
    world.platforms[0].fails = CL_OUT_OF_RESOURCES;
    world.platforms[1].refuses = CL_PLATFORM_VENDOR;
    inventory = open_all();
    cr_assert_str_eq(inventory->platforms[0].problem,
                     "clGetDeviceIDs on platform 0: CL_OUT_OF_RESOURCES (-5)");
    cr_assert_str_eq(
        inventory->platforms[1].problem,
        "clGetPlatformInfo(CL_PLATFORM_VENDOR) on platform 1: CL_OUT_OF_RESOURCES (-5)");
    cr_assert_str_eq(inventory->platforms[1].vendor, "");
    cr_assert_eq(inventory->platforms[2].problem, NULL);
    cr_assert_eq(inventory->used_count, 1);
    clshard__inventory_release(inventory);
}

Test(facts, a_device_that_fails_is_left_out_with_the_query)
{
    const cl_uint queries[] = {CL_DEVICE_NAME, CL_DEVICE_TYPE, CL_DEVICE_MAX_COMPUTE_UNITS,
                               CL_DEVICE_EXTENSIONS, CL_DEVICE_AVAILABLE};
    clshard__inventory *inventory;

    for (size_t i = 0; i < 5; i++)
        play(0, "P", "device")->refuses = queries[i];
    (void)play(0, "P", "good");
    inventory = open_all();
    cr_assert_eq(inventory->device_count, 6);
    cr_assert_eq(inventory->used_count, 1);
    for (size_t i = 1; i < 6; i++) {
        const clshard_device_info *info = &inventory->devices[i].info;
        cr_assert(strstr(info->excluded, "did not answer: clGetDeviceInfo(CL_DEVICE_") != NULL);
        cr_assert(strstr(info->excluded, "CL_OUT_OF_HOST_MEMORY (-6)") != NULL);
        cr_assert(strstr(info->excluded, info->id) != NULL);
        cr_assert(info->name != NULL && info->driver != NULL && info->disabled != NULL);
    }
    clshard__inventory_release(inventory);
}

Test(facts, an_answer_of_another_size_is_no_answer)
{
    clshard__inventory *inventory;
    play(0, "P", "device")->shrinks = CL_DEVICE_MAX_MEM_ALLOC_SIZE;
    inventory = open_all();
    cr_assert_eq(inventory->used_count, 0);
    cr_assert(strstr(inventory->devices[0].info.excluded, "answered 7 bytes, not 8") != NULL);
    clshard__inventory_release(inventory);
}

Test(facts, what_is_not_available_is_left_out)
{
    clshard__inventory *inventory;
    play(0, "P", "device")->available = CL_FALSE;
    inventory = open_all();
    cr_assert_eq(inventory->used_count, 0);
    cr_assert(strstr(inventory->devices[0].info.excluded, "not available") != NULL);
    clshard__inventory_release(inventory);
}

Test(facts, texts_may_be_long_and_lose_their_blanks)
{
    clshard__inventory *inventory;
    static char name[9000];
    memset(name, 'n', sizeof name - 1);
    (void)play(0, "P", name);
    (void)play(0, "P", " \t Xeon  CPU \n");
    (void)play(0, "P", "");
    (void)play(0, "P", "   ");
    inventory = open_all();
    cr_assert_str_eq(inventory->devices[0].info.name, name);
    cr_assert_str_eq(inventory->devices[1].info.name, "Xeon  CPU");
    cr_assert_str_eq(inventory->devices[2].info.name, "");
    cr_assert_str_eq(inventory->devices[3].info.name, "");
    clshard__inventory_release(inventory);
}

static void expect_pci(const played_device *played, uint32_t domain, uint32_t bus, uint32_t slot,
                       uint32_t function)
{
    const uint32_t wanted[] = {domain, bus, slot, function};
    clshard__inventory *inventory = open_all();
    const clshard__device *device = &inventory->devices[0];
    cr_assert_eq(device->id, (cl_device_id)played);
    cr_assert(device->has_pci);
    cr_assert_arr_eq(device->pci, wanted, sizeof wanted);
    clshard__inventory_release(inventory);
}

Test(facts, a_pci_address_comes_from_whoever_knows_it)
{
    const unsigned char topology[24] = {1, [21] = 0xc3, [22] = 0x1f, [23] = 7};
    const cl_uint khr[] = {1, 2, 3, 4};
    const cl_uint nvidia[] = {0x81, 0xa5, 2};
    played_device *device = play(0, "P", "device");

    device->has_nv = true;
    memcpy(device->nv, nvidia, sizeof nvidia);
    expect_pci(device, 2, 0x81, 0x14, 5);
    device->has_amd = true; /* a bus above 127 is negative in its type */
    memcpy(device->amd_topology, topology, sizeof topology);
    expect_pci(device, 0, 0xc3, 0x1f, 7);
    device->has_khr = true;
    memcpy(device->khr_pci, khr, sizeof khr);
    expect_pci(device, 1, 2, 3, 4);
}

Test(facts, an_identity_of_zeros_is_none)
{
    clshard__inventory *inventory;
    played_device *device = play(0, "P", "device");
    device->has_khr = device->has_uuid = true;
    inventory = open_all();
    cr_assert_not(inventory->devices[0].has_pci);
    cr_assert_not(inventory->devices[0].has_uuid);
    clshard__inventory_release(inventory);
    device->uuid[15] = 1;
    inventory = open_all();
    cr_assert(inventory->devices[0].has_uuid);
    clshard__inventory_release(inventory);
}

Test(facts, types_are_bits_and_a_cpu_works_in_host_memory)
{
    const struct {
        cl_device_type type;
        cl_bool unified;
        uint32_t bits;
        bool own_memory;
    } rows[] = {
        {CL_DEVICE_TYPE_GPU, CL_FALSE, CLSHARD_DEVICE_GPU, true},
        {CL_DEVICE_TYPE_GPU, CL_TRUE, CLSHARD_DEVICE_GPU, false},
        {CL_DEVICE_TYPE_CPU, CL_FALSE, CLSHARD_DEVICE_CPU, false},
        {0xf, CL_FALSE, CLSHARD_DEVICE_CPU | CLSHARD_DEVICE_GPU | CLSHARD_DEVICE_ACCELERATOR,
         false},
        {CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_DEFAULT, CL_FALSE, CLSHARD_DEVICE_ACCELERATOR,
         true},
        {CL_DEVICE_TYPE_CUSTOM, CL_FALSE, CLSHARD_DEVICE_ACCELERATOR, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clshard__inventory *inventory;
        played_device *device;
        memset(&world, 0, sizeof world);
        device = play(0, "P", "device");
        device->type = rows[i].type;
        device->unified = rows[i].unified;
        inventory = open_all();
        cr_assert_eq(inventory->devices[0].info.type, rows[i].bits, "row %zu", i);
        cr_assert_eq(inventory->devices[0].own_memory, rows[i].own_memory, "row %zu", i);
        cr_assert_eq(inventory->devices[0].info.host_memory, !rows[i].own_memory);
        clshard__inventory_release(inventory);
    }
}

Test(facts, numbers_and_abilities_are_the_drivers)
{
    clshard__inventory *inventory;
    played_device *device = play(0, "P", "device");
    device->largest = UINT64_MAX;
    inventory = open_all();
    cr_assert_eq(inventory->devices[0].info.compute_units, 12);
    cr_assert_eq(inventory->devices[0].info.memory_bytes, UINT64_C(1) << 40);
    cr_assert_eq(inventory->devices[0].info.largest_buffer_bytes, SIZE_MAX);
    cr_assert_not(inventory->devices[0].info.f64);
    clshard__inventory_release(inventory);
    device->f64 = CL_FP_FMA;
    inventory = open_all();
    cr_assert(inventory->devices[0].info.f64);
    clshard__inventory_release(inventory);
}

Test(facts, an_extension_is_a_whole_word)
{
    const struct {
        const char *extensions;
        bool f16;
    } rows[] = {
        {"", false},
        {"cl_khr_fp16", true},
        {"cl_khr_fp16 cl_khr_fp64", true},
        {"cl_khr_fp64 cl_khr_fp16 ", true},
        {"my_cl_khr_fp16 cl_khr_fp16_more", false},
        {"cl_khr_fp16_more cl_khr_fp16", true},
        {"cl_khr_fp1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clshard__inventory *inventory;
        memset(&world, 0, sizeof world);
        play(0, "P", "device")->extensions = rows[i].extensions;
        inventory = open_all();
        cr_assert_eq(inventory->devices[0].info.f16, rows[i].f16, "'%s'", rows[i].extensions);
        clshard__inventory_release(inventory);
    }
}

Test(facts, quirks_are_found_by_platform_and_device)
{
    clshard__inventory *inventory;
    const clshard__device *devices;
    (void)play(0, "Portable Computing Language", "basic-EPYC");
    (void)play(0, "Portable Computing Language", "pthread-EPYC");
    (void)play(0, "Portable Computing Language", "cpu-minimal-EPYC");
    (void)play(1, "rusticl", "llvmpipe (LLVM 15.0.6, 256 bits)");
    (void)play(1, "rusticl", "AMD Radeon RX 7900");
    (void)play(2, "Another", "basic-EPYC llvmpipe");
    inventory = open_all();
    devices = inventory->devices; /* all in use, by platform name and number */
    cr_assert_eq(devices[0].quirks, 0);
    cr_assert_str_eq(devices[0].info.disabled, "");
    cr_assert_eq(devices[1].quirks, CLSHARD__QUIRK_BLOCKING);
    cr_assert_eq(devices[2].quirks, 0);
    cr_assert_eq(devices[3].quirks, CLSHARD__QUIRK_BLOCKING);
    cr_assert_eq(devices[4].quirks, CLSHARD__QUIRK_PROFILING | CLSHARD__QUIRK_SLOW);
    cr_assert(strstr(devices[4].info.disabled, "device times") != NULL);
    cr_assert_eq(devices[5].quirks, CLSHARD__QUIRK_PROFILING);
    clshard__inventory_release(inventory);
}

static void count_line(void *context, const char *line)
{
    size_t *lines = context;
    *lines += strstr(line, "platform 0") != NULL || strstr(line, "device 0.") != NULL;
}

Test(facts, the_log_tells_of_every_platform_and_device)
{
    clshard__inventory *inventory = NULL;
    clshard__log log;
    size_t lines = 0;
    for (size_t i = 0; i < MOST_DEVICES; i++)
        (void)play(0, "P", "device");
    cr_assert_eq(clshard__log_init(&log, count_line, &lines, NULL), CLSHARD_OK);
    cr_assert_eq(clshard__inventory_open("0.3,0.1", false, &log, &inventory, NULL), CLSHARD_OK);
    cr_assert_eq(lines, 1 + MOST_DEVICES);
    cr_assert_eq(inventory->used_count, 2);
    cr_assert_str_eq(inventory->devices[0].info.id, "0.3");
    clshard__inventory_release(inventory);
    clshard__log_end(&log);
}

Test(facts, a_selector_that_fails_leaves_nothing_behind)
{
    clshard__inventory *inventory = NULL;
    clshard_error err = {0};
    (void)play(0, "P", "device");
    refusal(clshard__inventory_open("0.", false, NULL, &inventory, &err), CLSHARD_ERR_TEXT, &err,
            "no id");
    refusal(clshard__inventory_open("radeon", false, NULL, &inventory, &err),
            CLSHARD_ERR_NO_DEVICES, &err, "0.0 device");
    cr_assert_eq(inventory, NULL);
    clshard__inventory_release(inventory);
}
