/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/facts.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "opencl/info.h"
#include "opencl/quirks.h"

/* Not all headers have these; the values are the registry's. */
enum {
    UUID_KHR = 0x106A,
    PCI_BUS_INFO_KHR = 0x410F,
    TOPOLOGY_AMD = 0x4037,
    PCI_BUS_ID_NV = 0x4008,
    PCI_SLOT_ID_NV = 0x4009,
    PCI_DOMAIN_ID_NV = 0x400A
};

static clshard_status read_texts(const clshard__subject *subject, clshard_device_info *info,
                                 clshard__arena *arena, clshard_error *err)
{
    const struct {
        clshard__query query;
        const char **out;
    } texts[] = {
        {CLSHARD__QUERY(CL_DEVICE_NAME), &info->name},
        {CLSHARD__QUERY(CL_DEVICE_VENDOR), &info->vendor},
        {CLSHARD__QUERY(CL_DEVICE_VERSION), &info->version},
        {CLSHARD__QUERY(CL_DRIVER_VERSION), &info->driver},
    };
    clshard_status status = CLSHARD_OK;

    for (size_t i = 0; status == CLSHARD_OK && i < sizeof texts / sizeof texts[0]; i++)
        status = clshard__info_text(subject, texts[i].query, arena, texts[i].out, err);
    return status;
}

/* Several bits may be set: Oclgrind sets all. */
static uint32_t type_bits(cl_device_type type)
{
    uint32_t bits = 0;
    if ((type & CL_DEVICE_TYPE_CPU) != 0)
        bits |= CLSHARD_DEVICE_CPU;
    if ((type & CL_DEVICE_TYPE_GPU) != 0)
        bits |= CLSHARD_DEVICE_GPU;
    if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0 || bits == 0)
        bits |= CLSHARD_DEVICE_ACCELERATOR;
    return bits;
}

static clshard_status read_sizes(const clshard__subject *subject, clshard_device_info *info,
                                 clshard_error *err)
{
    uint64_t largest = 0;
    uint64_t type = 0;
    clshard_status status = clshard__info_u64(subject, CLSHARD__QUERY(CL_DEVICE_TYPE), &type, err);

    if (status == CLSHARD_OK)
        status = clshard__info_u32(subject, CLSHARD__QUERY(CL_DEVICE_MAX_COMPUTE_UNITS),
                                   &info->compute_units, err);
    if (status == CLSHARD_OK)
        status = clshard__info_u64(subject, CLSHARD__QUERY(CL_DEVICE_GLOBAL_MEM_SIZE),
                                   &info->memory_bytes, err);
    if (status == CLSHARD_OK)
        status =
            clshard__info_u64(subject, CLSHARD__QUERY(CL_DEVICE_MAX_MEM_ALLOC_SIZE), &largest, err);
    info->type = type_bits(type);
    /* The host addresses every shard by a size_t. */
    info->largest_buffer_bytes = (uint64_t)(size_t)largest == largest ? largest : SIZE_MAX;
    return status;
}

/* Whether a list of words separated by blanks has this one. */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    const char *found = list;

    while ((found = strstr(found, word)) != NULL) {
        const bool starts = found == list || found[-1] == ' ';
        if (starts && (found[length] == ' ' || found[length] == '\0'))
            return true;
        found += length;
    }
    return false;
}

static clshard_status read_abilities(const clshard__subject *subject, clshard__device *device,
                                     clshard__arena *arena, clshard_error *err)
{
    const bool is_cpu = (device->info.type & CLSHARD_DEVICE_CPU) != 0;
    const char *extensions = "";
    cl_device_fp_config f64 = 0;
    bool unified = false;
    bool available = false;
    clshard_status status =
        clshard__info_text(subject, CLSHARD__QUERY(CL_DEVICE_EXTENSIONS), arena, &extensions, err);

    if (status == CLSHARD_OK)
        status = clshard__info_bool(subject, CLSHARD__QUERY(CL_DEVICE_HOST_UNIFIED_MEMORY),
                                    &unified, err);
    if (status == CLSHARD_OK)
        status = clshard__info_bool(subject, CLSHARD__QUERY(CL_DEVICE_AVAILABLE), &available, err);
    if (status != CLSHARD_OK)
        return status;
    /* Oclgrind says that it does not share the host's memory, and is a process of the host. */
    device->own_memory = !unified && !is_cpu;
    device->info.host_memory = !device->own_memory;
    /* Before OpenCL 1.2 the query came with the extension. */
    device->info.f64 =
        clshard__info_optional(subject, CL_DEVICE_DOUBLE_FP_CONFIG, &f64, sizeof f64) && f64 != 0;
    device->info.f16 = has_word(extensions, "cl_khr_fp16");
    if (!available)
        device->info.excluded = "its driver says that it is not available";
    return CLSHARD_OK;
}

static bool pci_of_khr(const clshard__subject *subject, uint32_t pci[4])
{
    return clshard__info_optional(subject, PCI_BUS_INFO_KHR, pci, 4 * sizeof pci[0]);
}

/* A type, 17 unused bytes, then bus, device and function as signed bytes; the domain is not told.
 */
static bool pci_of_amd(const clshard__subject *subject, uint32_t pci[4])
{
    enum { BYTES = 24, TYPE_PCIE = 1, BUS = 21 };
    unsigned char topology[BYTES];
    cl_uint type;

    if (!clshard__info_optional(subject, TOPOLOGY_AMD, topology, sizeof topology))
        return false;
    memcpy(&type, topology, sizeof type);
    pci[0] = 0;
    for (size_t i = 1; i < 4; i++)
        pci[i] = topology[BUS + i - 1];
    return type == TYPE_PCIE;
}

/* The slot holds device and function, as in a configuration address. */
static bool pci_of_nvidia(const clshard__subject *subject, uint32_t pci[4])
{
    cl_uint bus, slot, domain;

    if (!clshard__info_optional(subject, PCI_BUS_ID_NV, &bus, sizeof bus) ||
        !clshard__info_optional(subject, PCI_SLOT_ID_NV, &slot, sizeof slot))
        return false;
    if (!clshard__info_optional(subject, PCI_DOMAIN_ID_NV, &domain, sizeof domain))
        domain = 0;
    pci[0] = domain;
    pci[1] = bus;
    pci[2] = slot >> 3;
    pci[3] = slot & 7;
    return true;
}

/* All zero is what a driver gives that does not know: 0000:00:00.0 is the host bridge. */
static bool is_known(const void *value, size_t bytes)
{
    const unsigned char *byte = value;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != 0)
            return true;
    return false;
}

static void read_identity(const clshard__subject *subject, clshard__device *device)
{
    device->has_pci = (pci_of_khr(subject, device->pci) || pci_of_amd(subject, device->pci) ||
                       pci_of_nvidia(subject, device->pci)) &&
                      is_known(device->pci, sizeof device->pci);
    device->has_uuid =
        clshard__info_optional(subject, UUID_KHR, device->uuid, sizeof device->uuid) &&
        is_known(device->uuid, sizeof device->uuid);
}

clshard_status clshard__facts_read(clshard__device *device, clshard__arena *arena,
                                   clshard_error *err)
{
    clshard_device_info *info = &device->info;
    clshard_error problem = {0};
    char label[64];
    const clshard__subject subject = {device->platform, device->id, label};
    clshard_status status = clshard__arena_print(arena, &info->id, err, "%zu.%zu",
                                                 device->platform_number, device->device_number);

    if (status != CLSHARD_OK)
        return status;
    info->name = info->vendor = info->version = info->driver = "";
    (void)snprintf(label, sizeof label, "device %s", info->id);
    status = read_texts(&subject, info, arena, &problem);
    if (status == CLSHARD_OK)
        status = read_sizes(&subject, info, &problem);
    if (status == CLSHARD_OK)
        status = read_abilities(&subject, device, arena, &problem);
    if (status == CLSHARD_OK)
        read_identity(&subject, device);
    else if (status == CLSHARD_ERR_MEMORY)
        return clshard__no_memory(err, "the facts about devices");
    else
        status = clshard__arena_print(arena, &info->excluded, err, "its driver did not answer: %s",
                                      problem.message);
    device->problem = problem.native;
    return status == CLSHARD_OK ? clshard__quirks_find(device, arena, err) : status;
}
