/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/inventory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "opencl/choose.h"
#include "opencl/code.h"
#include "opencl/facts.h"
#include "opencl/info.h"
#include "opencl/selector.h"

/* What a loader without any driver answers; the core headers do not have it. */
enum { PLATFORM_NOT_FOUND_KHR = -1001 };

/* One thread at a time in the whole process asks the loader what there is. PoCL 3.1 makes its
 * devices at the first call, and meanwhile tells other threads that it has none: of eight threads
 * that start together, up to seven found no device. The lock is the process's because that race is.
 */
static clshard__lock listing = CLSHARD__LOCK_STATIC;

static clshard_status find_platforms(cl_platform_id **out_ids, size_t *out_count,
                                     clshard_error *err)
{
    cl_uint count = 0;
    cl_uint listed = 0;
    cl_int code = clGetPlatformIDs(0, NULL, &count);
    cl_platform_id *ids;

    if (code == PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0)) {
        *out_ids = NULL;
        *out_count = 0;
        return CLSHARD_OK;
    }
    if (code != CL_SUCCESS)
        return clshard__fail_code(err, code, "clGetPlatformIDs", NULL);
    ids = clshard__alloc(count, sizeof(cl_platform_id));
    if (ids == NULL)
        return clshard__no_memory(err, "the list of platforms");
    code = clGetPlatformIDs(count, ids, &listed);
    if (code != CL_SUCCESS) {
        clshard__free(ids);
        return clshard__fail_code(err, code, "clGetPlatformIDs", NULL);
    }
    *out_ids = ids;
    *out_count = listed < count ? listed : count;
    return CLSHARD_OK;
}

/* A platform without devices answers CL_DEVICE_NOT_FOUND: that is no failure. */
static clshard_status find_devices(const clshard__subject *platform, cl_device_id **out_ids,
                                   size_t *out_count, clshard_error *err)
{
    cl_uint count = 0;
    cl_uint listed = 0;
    cl_int code = clGetDeviceIDs(platform->platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
    cl_device_id *ids;

    if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0))
        return CLSHARD_OK;
    if (code != CL_SUCCESS)
        return clshard__fail_code(err, code, "clGetDeviceIDs", platform->label);
    ids = clshard__alloc(count, sizeof(cl_device_id));
    if (ids == NULL)
        return clshard__no_memory(err, "the list of devices");
    code = clGetDeviceIDs(platform->platform, CL_DEVICE_TYPE_ALL, count, ids, &listed);
    if (code != CL_SUCCESS) {
        clshard__free(ids);
        return clshard__fail_code(err, code, "clGetDeviceIDs", platform->label);
    }
    *out_ids = ids;
    *out_count = listed < count ? listed : count;
    return CLSHARD_OK;
}

static clshard_status add_devices(clshard__inventory *inventory, cl_platform_id platform,
                                  size_t number, const cl_device_id *ids, size_t count,
                                  clshard_error *err)
{
    const size_t before = inventory->device_count;
    clshard__device *devices = clshard__alloc(before + count, sizeof *devices);
    clshard_status status = CLSHARD_OK;

    if (devices == NULL)
        return clshard__no_memory(err, "the list of devices");
    if (before > 0)
        memcpy(devices, inventory->devices, before * sizeof *devices);
    clshard__free(inventory->devices);
    inventory->devices = devices;
    inventory->device_count = before + count;
    for (size_t i = 0; status == CLSHARD_OK && i < count; i++) {
        clshard__device *device = &devices[before + i];
        assert(ids != NULL);
        device->platform = platform;
        device->id = ids[i];
        device->platform_number = number;
        device->device_number = i;
        device->info.platform = inventory->platforms[number].name;
        device->platform_vendor = inventory->platforms[number].vendor;
        device->platform_version = inventory->platforms[number].version;
        status = clshard__facts_read(device, &inventory->arena, err);
    }
    return status;
}

static clshard_status read_platform(const clshard__subject *subject, clshard_platform_info *info,
                                    clshard__arena *arena, clshard_error *err)
{
    clshard_status status =
        clshard__info_text(subject, CLSHARD__QUERY(CL_PLATFORM_NAME), arena, &info->name, err);
    if (status == CLSHARD_OK)
        status = clshard__info_text(subject, CLSHARD__QUERY(CL_PLATFORM_VENDOR), arena,
                                    &info->vendor, err);
    if (status == CLSHARD_OK)
        status = clshard__info_text(subject, CLSHARD__QUERY(CL_PLATFORM_VERSION), arena,
                                    &info->version, err);
    return status;
}

/* A platform that fails is kept with its problem, so that the others can be used. */
static clshard_status add_platform(clshard__inventory *inventory, cl_platform_id platform,
                                   size_t number, clshard_error *err)
{
    clshard_platform_info *info = &inventory->platforms[number];
    clshard_error problem = {0};
    char label[64];
    const clshard__subject subject = {platform, NULL, label};
    cl_device_id *ids = NULL;
    clshard_status status = clshard__arena_print(&inventory->arena, &info->id, err, "%zu", number);

    info->name = info->vendor = info->version = "";
    inventory->platform_count = number + 1;
    if (status != CLSHARD_OK)
        return status;
    (void)snprintf(label, sizeof label, "platform %s", info->id);
    status = read_platform(&subject, info, &inventory->arena, &problem);
    if (status == CLSHARD_OK)
        status = find_devices(&subject, &ids, &info->device_count, &problem);
    if (status == CLSHARD_ERR_MEMORY)
        return clshard__no_memory(err, "the facts about platforms");
    if (status != CLSHARD_OK) {
        if (inventory->problem == 0)
            inventory->problem = problem.native;
        return clshard__arena_print(&inventory->arena, &info->problem, err, "%s", problem.message);
    }
    status = add_devices(inventory, platform, number, ids, info->device_count, err);
    clshard__free(ids);
    return status;
}

static clshard_status find_everything(clshard__inventory *inventory, clshard_error *err)
{
    cl_platform_id *ids = NULL;
    size_t count = 0;
    clshard_status status = find_platforms(&ids, &count, err);

    if (status != CLSHARD_OK)
        return status;
    inventory->platforms = clshard__alloc(count, sizeof *inventory->platforms);
    if (inventory->platforms == NULL)
        status = clshard__no_memory(err, "the list of platforms");
    for (size_t i = 0; status == CLSHARD_OK && i < count; i++)
        status = add_platform(inventory, ids[i], i, err);
    clshard__free(ids);
    return status;
}

static void log_everything(const clshard__inventory *inventory, clshard__log *log)
{
    if (inventory->platform_count == 0)
        clshard__log_line(log, "no OpenCL platform: no driver is installed");
    for (size_t i = 0; i < inventory->platform_count; i++) {
        const clshard_platform_info *info = &inventory->platforms[i];
        clshard__log_line(log, "platform %s %s: %zu devices%s%s", info->id, info->name,
                          info->device_count, info->problem == NULL ? "" : "; ",
                          info->problem == NULL ? "" : info->problem);
    }
    for (size_t i = 0; i < inventory->device_count; i++) {
        const clshard_device_info *info = &inventory->devices[i].info;
        clshard__log_line(log, "device %s %s: %s%s%s%s", info->id, info->name,
                          info->excluded == NULL ? "in use" : "left out, ",
                          info->excluded == NULL ? "" : info->excluded,
                          info->disabled[0] == '\0' ? "" : "; turned off: ", info->disabled);
    }
}

/* The driver's failure behind a lack of devices, when there was one. */
static clshard_status blame_driver(const clshard__inventory *inventory, clshard_error *err)
{
    const char *text = NULL;
    int32_t code = inventory->problem;
    clshard_error told;

    for (size_t i = inventory->device_count; i-- > 0;)
        if (code == 0 && inventory->devices[i].problem != 0) {
            code = inventory->devices[i].problem;
            text = inventory->devices[i].info.excluded;
        }
    for (size_t i = inventory->platform_count; i-- > 0;)
        if (inventory->platforms[i].problem != NULL)
            text = inventory->platforms[i].problem;
    if (text == NULL || err == NULL)
        return CLSHARD_ERR_NO_DEVICES;
    told = *err;
    return clshard__fail_native(err, CLSHARD_ERR_NO_DEVICES, code, "%s; %s", told.message, text);
}

static clshard_status open_with(const clshard__selector *selector, bool keep_duplicates,
                                clshard__inventory *inventory, clshard_error *err)
{
    clshard_status status;

    clshard__lock_take(&listing);
    status = find_everything(inventory, err);
    clshard__lock_leave(&listing);
    if (status == CLSHARD_OK && selector == NULL)
        status = clshard__choose_defaults(inventory->devices, inventory->device_count,
                                          keep_duplicates, &inventory->arena, err);
    else if (status == CLSHARD_OK)
        status = clshard__selector_apply(selector, inventory->devices, inventory->device_count,
                                         &inventory->arena, err);
    if (status == CLSHARD_ERR_NO_DEVICES)
        return blame_driver(inventory, err);
    if (status == CLSHARD_OK)
        inventory->used_count = clshard__choose_order(inventory->devices, inventory->device_count);
    return status;
}

clshard_status clshard__inventory_open(const char *selector, bool keep_duplicates,
                                       clshard__log *log, clshard__inventory **out_inventory,
                                       clshard_error *err)
{
    clshard__selector parsed = {0};
    clshard__inventory *inventory;
    /* Parsed first: a slip is told at once, and on a machine without drivers too. */
    clshard_status status =
        selector == NULL ? CLSHARD_OK : clshard__selector_parse(selector, &parsed, err);

    if (status != CLSHARD_OK)
        return status;
    inventory = clshard__alloc(1, sizeof *inventory);
    if (inventory == NULL)
        status = clshard__no_memory(err, "the list of devices");
    else
        status = open_with(selector == NULL ? NULL : &parsed, keep_duplicates, inventory, err);
    clshard__selector_end(&parsed);
    if (status != CLSHARD_OK) {
        clshard__inventory_release(inventory);
        return status;
    }
    if (log != NULL)
        log_everything(inventory, log);
    *out_inventory = inventory;
    return CLSHARD_OK;
}

void clshard__inventory_release(clshard__inventory *inventory)
{
    if (inventory == NULL)
        return;
    clshard__arena_end(&inventory->arena);
    clshard__free(inventory->devices);
    clshard__free(inventory->platforms);
    clshard__free(inventory);
}
