/* SPDX-License-Identifier: Apache-2.0 */

/* Discovery on whatever drivers the environment shows; true for any number of devices. */

#include <CL/cl.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/inventory.h"
#include "support/refusal.h"

/* NULL where nothing can be selected: then the machine has no device that is available. */
static clshard__inventory *open_with(const char *selector)
{
    clshard__inventory *inventory = NULL;
    clshard_error err = {0};
    const clshard_status status = clshard__inventory_open(selector, false, NULL, &inventory, &err);
    cr_assert(status == CLSHARD_OK || (selector != NULL && status == CLSHARD_ERR_NO_DEVICES), "%s",
              err.message);
    return inventory;
}

/* What the drivers say when asked directly. */
static size_t count_platforms(cl_platform_id ids[64])
{
    cl_uint count = 0;
    return clGetPlatformIDs(64, ids, &count) == CL_SUCCESS ? count : 0;
}

static size_t count_devices(cl_platform_id platform)
{
    cl_uint count = 0;
    return clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count) == CL_SUCCESS ? count : 0;
}

Test(inventory, the_counts_are_those_of_the_drivers)
{
    cl_platform_id ids[64];
    clshard__inventory *inventory = open_with(NULL);
    size_t devices = 0;

    cr_assert_eq(inventory->platform_count, count_platforms(ids));
    for (size_t i = 0; i < inventory->platform_count; i++) {
        const clshard_platform_info *info = &inventory->platforms[i];
        char number[24];
        (void)snprintf(number, sizeof number, "%zu", i);
        cr_assert_str_eq(info->id, number);
        cr_assert_eq(info->device_count, count_devices(ids[i]), "platform %s", info->name);
        cr_assert_eq(info->problem, NULL, "%s", info->problem);
        cr_assert(info->name[0] != '\0' && info->vendor != NULL && info->version != NULL);
        devices += info->device_count;
    }
    cr_assert_eq(inventory->device_count, devices);
    cr_assert_leq(inventory->used_count, devices);
    clshard__inventory_release(inventory);
}

Test(inventory, every_device_has_its_own_id_and_all_facts)
{
    clshard__inventory *inventory = open_with(NULL);

    for (size_t i = 0; i < inventory->device_count; i++) {
        const clshard__device *device = &inventory->devices[i];
        const clshard_device_info *info = &device->info;
        char id[48];
        (void)snprintf(id, sizeof id, "%zu.%zu", device->platform_number, device->device_number);
        cr_assert_str_eq(info->id, id);
        cr_assert_eq(info->index, i);
        cr_assert_str_eq(info->platform, inventory->platforms[device->platform_number].name);
        cr_assert_str_eq(device->platform_vendor,
                         inventory->platforms[device->platform_number].vendor);
        cr_assert(info->name[0] != '\0' && info->vendor != NULL && info->disabled != NULL);
        cr_assert(info->version[0] != '\0' && info->driver[0] != '\0');
        cr_assert(info->type > 0 && info->type < 8);
        cr_assert(info->compute_units > 0 && info->memory_bytes > 0);
        cr_assert(info->largest_buffer_bytes > 0);
        cr_assert_eq(info->host_memory, !device->own_memory);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(info->id, inventory->devices[j].info.id);
    }
    clshard__inventory_release(inventory);
}

Test(inventory, handles_are_the_drivers)
{
    clshard__inventory *inventory = open_with(NULL);

    for (size_t i = 0; i < inventory->device_count; i++) {
        const clshard__device *device = &inventory->devices[i];
        cl_platform_id platform = NULL;
        cr_assert_eq(
            clGetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL),
            CL_SUCCESS);
        cr_assert_eq(platform, device->platform);
    }
    clshard__inventory_release(inventory);
}

Test(inventory, those_in_use_come_first_and_the_rest_has_reasons)
{
    clshard__inventory *inventory = open_with(NULL);

    for (size_t i = 0; i < inventory->device_count; i++) {
        const char *excluded = inventory->devices[i].info.excluded;
        cr_assert_eq(excluded == NULL, i < inventory->used_count);
        cr_assert(excluded == NULL || strlen(excluded) > 10);
    }
    clshard__inventory_release(inventory);
}

Test(inventory, the_defaults_are_no_simulators_and_no_mixture)
{
    clshard__inventory *inventory = open_with(NULL);

    for (size_t i = 0; i < inventory->used_count; i++) {
        const clshard__device *device = &inventory->devices[i];
        const clshard__device *first = &inventory->devices[0];
        const bool is_cpu = (device->info.type & CLSHARD_DEVICE_CPU) != 0;
        cr_assert_eq(device->quirks & CLSHARD__QUIRK_SIMULATOR, 0);
        cr_assert_eq(is_cpu, (first->info.type & CLSHARD_DEVICE_CPU) != 0);
        cr_assert(!is_cpu || device->platform_number == first->platform_number);
    }
    clshard__inventory_release(inventory);
}

Test(inventory, a_star_takes_all_that_are_available)
{
    clshard__inventory *inventory = open_with("*");
    const size_t count = inventory == NULL ? 0 : inventory->device_count;
    size_t available = 0;

    for (size_t i = 0; i < count; i++) {
        cl_bool one = CL_FALSE;
        cr_assert_eq(
            clGetDeviceInfo(inventory->devices[i].id, CL_DEVICE_AVAILABLE, sizeof one, &one, NULL),
            CL_SUCCESS);
        available += one != CL_FALSE;
    }
    cr_assert_eq(inventory == NULL ? 0 : inventory->used_count, available);
    clshard__inventory_release(inventory);
}

static void expect_same(const clshard__inventory *a, const clshard__inventory *b)
{
    cr_assert_eq(a->used_count, b->used_count);
    cr_assert_eq(a->device_count, b->device_count);
    for (size_t i = 0; i < a->device_count; i++)
        cr_assert_str_eq(a->devices[i].info.id, b->devices[i].info.id);
}

Test(inventory, opening_twice_gives_the_same)
{
    clshard__inventory *a = open_with(NULL);
    clshard__inventory *b = open_with(NULL);
    expect_same(a, b);
    clshard__inventory_release(a);
    clshard__inventory_release(b);
    a = open_with("*");
    b = open_with("*");
    if (a != NULL)
        expect_same(a, b);
    clshard__inventory_release(a);
    clshard__inventory_release(b);
}

/* "0.2,0.1,0.0": all those in use, backwards. */
static char *ids_backwards(const clshard__inventory *inventory)
{
    char *text = calloc(inventory->used_count, 48);
    cr_assert(text != NULL);
    for (size_t i = inventory->used_count; i-- > 0;) {
        (void)strcat(text, inventory->devices[i].info.id);
        (void)strcat(text, i > 0 ? "," : "");
    }
    return text;
}

Test(inventory, ids_give_the_order)
{
    clshard__inventory *all = open_with("*");
    const size_t count = all == NULL ? 0 : all->used_count;

    if (count > 0) {
        char *selector = ids_backwards(all);
        clshard__inventory *backwards = open_with(selector);
        cr_assert_eq(backwards->used_count, count);
        for (size_t i = 0; i < count; i++)
            cr_assert_str_eq(backwards->devices[i].info.id, all->devices[count - 1 - i].info.id);
        clshard__inventory_release(backwards);
        free(selector);
    }
    clshard__inventory_release(all);
}

Test(inventory, each_device_can_be_selected_alone_or_left_out)
{
    clshard__inventory *all = open_with("*");
    const size_t count = all == NULL ? 0 : all->used_count;

    for (size_t i = 0; i < count; i++) {
        char selector[64];
        clshard__inventory *others;
        clshard__inventory *one = open_with(all->devices[i].info.id);
        cr_assert_eq(one->used_count, 1);
        cr_assert_str_eq(one->devices[0].info.id, all->devices[i].info.id);
        clshard__inventory_release(one);
        (void)snprintf(selector, sizeof selector, "-%s", all->devices[i].info.id);
        others = open_with(selector);
        cr_assert_eq(others == NULL ? 0 : others->used_count, count - 1);
        clshard__inventory_release(others);
    }
    clshard__inventory_release(all);
}

Test(inventory, what_does_not_exist_is_no_devices)
{
    clshard__inventory *inventory = NULL;
    clshard_error err = {0};

    refusal(clshard__inventory_open("987.654", false, NULL, &inventory, &err),
            CLSHARD_ERR_NO_DEVICES, &err, "'987.654'");
    refusal(clshard__inventory_open("no such device", false, NULL, &inventory, &err),
            CLSHARD_ERR_NO_DEVICES, &err, "this machine has");
    cr_assert_eq(inventory, NULL);
}
