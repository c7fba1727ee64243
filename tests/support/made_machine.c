/* SPDX-License-Identifier: Apache-2.0 */
#include "support/made_machine.h"

#include <criterion/criterion.h>
#include <string.h>

#include "opencl/choose.h"

clshard__device *made_add(made_machine *machine, made_platform platform, const char *name,
                          uint32_t type)
{
    clshard__device *device = &machine->devices[machine->count];
    size_t number = 0;

    cr_assert_lt(machine->count, MADE_DEVICES);
    for (size_t i = 0; i < machine->count; i++)
        number += machine->devices[i].platform_number == platform.number;
    machine->count++;
    *device = (clshard__device){0};
    device->platform_number = platform.number;
    device->device_number = number;
    device->platform_vendor = platform.vendor;
    device->own_memory = (type & CLSHARD_DEVICE_CPU) == 0;
    device->info.host_memory = !device->own_memory;
    device->info.name = name;
    device->info.vendor = platform.vendor;
    device->info.platform = platform.name;
    device->info.version = "OpenCL 3.0";
    device->info.driver = "1.0";
    device->info.disabled = "";
    device->info.type = type;
    cr_assert_eq(clshard__arena_print(&machine->arena, &device->info.id, NULL, "%zu.%zu",
                                      platform.number, number),
                 CLSHARD_OK);
    return device;
}

void made_pci(clshard__device *device, uint32_t bus)
{
    const uint32_t pci[4] = {0, bus, 0, 0};
    memcpy(device->pci, pci, sizeof pci);
    device->has_pci = true;
}

void made_uuid(clshard__device *device, unsigned char byte)
{
    memset(device->uuid, byte, sizeof device->uuid);
    device->has_uuid = true;
}

size_t made_defaults(made_machine *machine, bool keep_duplicates)
{
    cr_assert_eq(clshard__choose_defaults(machine->devices, machine->count, keep_duplicates,
                                          &machine->arena, NULL),
                 CLSHARD_OK);
    return clshard__choose_order(machine->devices, machine->count);
}

const clshard__device *made_find(const made_machine *machine, const char *id)
{
    for (size_t i = 0; i < machine->count; i++)
        if (strcmp(machine->devices[i].info.id, id) == 0)
            return &machine->devices[i];
    cr_assert_fail("no device %s was made", id);
    return NULL;
}

const char *made_used(made_machine *machine)
{
    const char *ids = "";
    for (size_t i = 0; i < machine->count && machine->devices[i].info.excluded == NULL; i++)
        cr_assert_eq(clshard__arena_print(&machine->arena, &ids, NULL, "%s%s%s", ids,
                                          i == 0 ? "" : " ", machine->devices[i].info.id),
                     CLSHARD_OK);
    return ids;
}

void made_end(made_machine *machine)
{
    clshard__arena_end(&machine->arena);
}
