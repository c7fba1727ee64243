/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/choose.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool is_cpu(const clshard__device *device)
{
    return (device->info.type & CLSHARD_DEVICE_CPU) != 0;
}

static bool is_used(const clshard__device *device)
{
    return device->info.excluded == NULL;
}

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static clshard_status leave_out_simulators(clshard__device *devices, size_t count,
                                           clshard__arena *arena, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;

    for (size_t i = 0; status == CLSHARD_OK && i < count; i++)
        if (is_used(&devices[i]) && (devices[i].quirks & CLSHARD__QUIRK_SIMULATOR) != 0)
            status = clshard__arena_print(
                arena, &devices[i].info.excluded, err,
                "it is a simulator, for testing kernels; the selector '%s' takes it",
                devices[i].info.id);
    return status;
}

/* What a CPU platform offers. */
typedef struct cpu_platform {
    const clshard__device *first;
    size_t device_count;
    bool slow;
} cpu_platform;

static cpu_platform summarize(const clshard__device *devices, size_t count,
                              const clshard__device *first)
{
    cpu_platform platform = {first, 0, false};

    for (size_t i = 0; i < count; i++) {
        if (!is_used(&devices[i]) || !is_cpu(&devices[i]) ||
            devices[i].platform_number != first->platform_number)
            continue;
        platform.device_count++;
        platform.slow |= (devices[i].quirks & CLSHARD__QUIRK_SLOW) != 0;
    }
    return platform;
}

/* Negative where a is to be preferred. Two installations of one driver differ in its version. */
static int compare_cpu_platforms(const cpu_platform *a, const cpu_platform *b)
{
    int order = (int)a->slow - (int)b->slow;
    if (order == 0)
        order = compare_numbers(b->device_count, a->device_count);
    if (order == 0)
        order = strcmp(a->first->info.platform, b->first->info.platform);
    if (order == 0)
        order = strcmp(b->first->info.driver, a->first->info.driver);
    return order != 0 ? order
                      : compare_numbers(a->first->platform_number, b->first->platform_number);
}

/* The first CPU of the platform to use; NULL: there is no CPU. */
static const clshard__device *prefer_cpu(const clshard__device *devices, size_t count)
{
    cpu_platform best = {NULL, 0, false};

    for (size_t i = 0; i < count; i++) {
        cpu_platform other;
        if (!is_used(&devices[i]) || !is_cpu(&devices[i]))
            continue;
        other = summarize(devices, count, &devices[i]);
        if (best.first == NULL || compare_cpu_platforms(&other, &best) < 0)
            best = other;
    }
    return best.first;
}

static clshard_status leave_out_other_cpus(clshard__device *devices, size_t count,
                                           clshard__arena *arena, clshard_error *err)
{
    const clshard__device *chosen = prefer_cpu(devices, count);
    clshard_status status = CLSHARD_OK;

    for (size_t i = 0; status == CLSHARD_OK && i < count; i++) {
        clshard_device_info *info = &devices[i].info;
        if (is_used(&devices[i]) && is_cpu(&devices[i]) &&
            devices[i].platform_number != chosen->platform_number)
            status = clshard__arena_print(
                arena, &info->excluded, err,
                "the host's CPU is used through platform %zu (%s) already; the selector '%s' "
                "takes this one",
                chosen->platform_number, chosen->info.platform, info->id);
    }
    return status;
}

static clshard_status leave_out_cpus(clshard__device *devices, size_t count, clshard__arena *arena,
                                     clshard_error *err)
{
    clshard_status status = CLSHARD_OK;

    for (size_t i = 0; status == CLSHARD_OK && i < count; i++)
        if (is_used(&devices[i]) && is_cpu(&devices[i]))
            status = clshard__arena_print(
                arena, &devices[i].info.excluded, err,
                "it is a CPU, and GPUs or accelerators are in use; the selector '%s' takes it",
                devices[i].info.id);
    return status;
}

/* Of two drivers for one device: the one by the device's own vendor, then the lower name. */
static int compare_drivers(const clshard__device *a, const clshard__device *b)
{
    const bool a_slow = (a->quirks & CLSHARD__QUIRK_SLOW) != 0;
    const bool b_slow = (b->quirks & CLSHARD__QUIRK_SLOW) != 0;
    const bool a_own = strcmp(a->platform_vendor, a->info.vendor) == 0;
    const bool b_own = strcmp(b->platform_vendor, b->info.vendor) == 0;
    int order = (int)a_slow - (int)b_slow;
    if (order == 0)
        order = (int)b_own - (int)a_own;
    if (order == 0)
        order = strcmp(a->info.platform, b->info.platform);
    if (order == 0)
        order = strcmp(b->info.driver, a->info.driver);
    return order != 0 ? order : compare_numbers(a->platform_number, b->platform_number);
}

static int compare_driver_pointers(const void *a, const void *b)
{
    const clshard__device *const *left = a;
    const clshard__device *const *right = b;
    const int order = compare_drivers(*left, *right);
    return order != 0 ? order : compare_numbers((*left)->device_number, (*right)->device_number);
}

/* The address decides where both have one: drivers need not agree on the UUID of a device. */
static bool is_same_device(const clshard__device *a, const clshard__device *b)
{
    if (a->platform_number == b->platform_number)
        return false;
    if (a->has_pci && b->has_pci)
        return memcmp(a->pci, b->pci, sizeof a->pci) == 0;
    return a->has_uuid && b->has_uuid && memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0;
}

static clshard_status leave_out_duplicate(clshard__device *device, const clshard__device *kept,
                                          clshard__arena *arena, clshard_error *err)
{
    return clshard__arena_print(
        arena, &device->info.excluded, err,
        "it is device %s under another driver (%s), by its %s; the selector '%s' takes this one",
        kept->info.id, kept->info.platform,
        device->has_pci && kept->has_pci ? "PCI address" : "UUID", device->info.id);
}

static clshard_status leave_out_duplicates(clshard__device *devices, size_t count,
                                           clshard__arena *arena, clshard_error *err)
{
    clshard__device **kept = clshard__alloc(count, sizeof *kept);
    clshard_status status = CLSHARD_OK;
    size_t used = 0;
    size_t kept_count = 0;

    if (kept == NULL)
        return clshard__no_memory(err, "the choice of devices");
    for (size_t i = 0; i < count; i++)
        if (is_used(&devices[i]))
            kept[used++] = &devices[i];
    qsort(kept, used, sizeof(clshard__device *), compare_driver_pointers);
    for (size_t i = 0; status == CLSHARD_OK && i < used; i++) {
        clshard__device *device = kept[i];
        size_t same = 0;
        while (same < kept_count && !is_same_device(device, kept[same]))
            same++;
        if (same < kept_count)
            status = leave_out_duplicate(device, kept[same], arena, err);
        else
            kept[kept_count++] = device;
    }
    clshard__free(kept);
    return status;
}

clshard_status clshard__choose_defaults(clshard__device *devices, size_t count,
                                        bool keep_duplicates, clshard__arena *arena,
                                        clshard_error *err)
{
    bool has_accelerator = false;
    clshard_status status = leave_out_simulators(devices, count, arena, err);

    for (size_t i = 0; i < count; i++)
        has_accelerator |= is_used(&devices[i]) && !is_cpu(&devices[i]);
    if (status == CLSHARD_OK && has_accelerator)
        status = leave_out_cpus(devices, count, arena, err);
    else if (status == CLSHARD_OK && !keep_duplicates)
        status = leave_out_other_cpus(devices, count, arena, err);
    if (status == CLSHARD_OK && !keep_duplicates)
        status = leave_out_duplicates(devices, count, arena, err);
    return status;
}

static int compare_pci(const clshard__device *a, const clshard__device *b)
{
    if (a->has_pci != b->has_pci)
        return a->has_pci ? -1 : 1;
    for (size_t i = 0; a->has_pci && i < 4; i++)
        if (a->pci[i] != b->pci[i])
            return a->pci[i] < b->pci[i] ? -1 : 1;
    return 0;
}

/* The loader's number decides last, between platforms that differ in nothing. */
static int compare_facts(const clshard__device *a, const clshard__device *b)
{
    int order = (int)is_cpu(a) - (int)is_cpu(b);
    if (order == 0)
        order = strcmp(a->info.platform, b->info.platform);
    if (order == 0)
        order = compare_pci(a, b);
    if (order == 0)
        order = compare_numbers(a->device_number, b->device_number);
    if (order == 0)
        order = strcmp(a->info.driver, b->info.driver);
    if (order == 0)
        order = strcmp(a->info.name, b->info.name);
    return order != 0 ? order : compare_numbers(a->platform_number, b->platform_number);
}

static int compare_devices(const void *left, const void *right)
{
    const clshard__device *a = left;
    const clshard__device *b = right;
    if (is_used(a) != is_used(b))
        return is_used(a) ? -1 : 1;
    if (a->rank != b->rank)
        return compare_numbers(a->rank, b->rank);
    return compare_facts(a, b);
}

size_t clshard__choose_order(clshard__device *devices, size_t count)
{
    size_t used_count = 0;

    if (count > 0)
        qsort(devices, count, sizeof *devices, compare_devices);
    for (size_t i = 0; i < count; i++) {
        devices[i].info.index = i;
        used_count += is_used(&devices[i]);
    }
    return used_count;
}
