/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/quirks.h"

#include <string.h>

/* A row applies where each text that it gives is part of the device's; NULL matches all. Times in
 * the evidence are from one machine with two cores of an AMD EPYC. */
typedef struct quirk_row {
    const char *platform;
    const char *device;
    const char *driver;
    uint32_t quirks;
    const char *disabled; /* what is turned off and why; NULL: nothing */
} quirk_row;

static const quirk_row rows[] = {
    /* Mesa 22.3.6, all commands: a kernel of 158 ms and a write of 1.2 ms both have END - START = 1
     * ns and START - QUEUED = 2 ns, and the call succeeds. A version that measures would lose only
     * the device's own times, so no version is named. */
    {"rusticl", NULL, NULL, CLSHARD__QUIRK_PROFILING,
     "device times: the events of rusticl report 1 ns for each command"},
    /* Mesa 22.3.6: b[i] = a[i] + 1 over 32 MiB at 6 GB/s, where PoCL 3.1 has 60 and Intel 124; a
     * plain 512-matrix product at 3.6 GFLOP/s, PoCL 3.9, Intel 16.5. */
    {"rusticl", "llvmpipe", NULL, CLSHARD__QUIRK_SLOW, NULL},
    /* Oclgrind 21.10 interprets: the same product at 0.002 GFLOP/s. A kernel runs inside clFlush or
     * whatever waits first (clEnqueueNDRangeKernel 1 us, clFlush 17 ms, the wait 0). */
    {"Oclgrind", NULL, NULL, CLSHARD__QUIRK_SIMULATOR | CLSHARD__QUIRK_BLOCKING, NULL},
    /* PoCL 3.1: clEnqueueNDRangeKernel 1,164 ms, clFlush and the wait 0; its pthread device 0.03
     * and 586 ms. */
    {"Portable Computing Language", "basic-", NULL, CLSHARD__QUIRK_BLOCKING, NULL},
    /* Not measured: the name that the same driver, basic.c, has since PoCL 4. */
    {"Portable Computing Language", "cpu-minimal", NULL, CLSHARD__QUIRK_BLOCKING, NULL},
};

static bool has_part(const char *text, const char *part)
{
    return part == NULL || strstr(text, part) != NULL;
}

clshard_status clshard__quirks_find(clshard__device *device, clshard__arena *arena,
                                    clshard_error *err)
{
    clshard_status status = CLSHARD_OK;

    device->quirks = 0;
    device->info.disabled = "";
    for (size_t i = 0; status == CLSHARD_OK && i < sizeof rows / sizeof rows[0]; i++) {
        const quirk_row *row = &rows[i];
        if (!has_part(device->info.platform, row->platform) ||
            !has_part(device->info.name, row->device) ||
            !has_part(device->info.driver, row->driver))
            continue;
        device->quirks |= row->quirks;
        if (row->disabled != NULL)
            status = clshard__arena_print(
                arena, &device->info.disabled, err, "%s%s%s", device->info.disabled,
                device->info.disabled[0] == '\0' ? "" : "; ", row->disabled);
    }
    return status;
}
