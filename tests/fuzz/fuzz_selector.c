/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "opencl/selector.h"

/* Two made-up devices, so that no driver is needed. */
static void make_devices(clshard__device devices[2])
{
    memset(devices, 0, 2 * sizeof *devices);
    for (size_t i = 0; i < 2; i++) {
        clshard_device_info *info = &devices[i].info;
        info->id = i == 0 ? "0.0" : "1.0";
        info->name = i == 0 ? "pthread-cpu" : "Fast GPU 4090";
        info->vendor = info->platform = info->version = info->driver = info->disabled = "maker";
        info->type = i == 0 ? CLSHARD_DEVICE_CPU : CLSHARD_DEVICE_GPU;
        devices[i].platform_vendor = "maker";
        devices[i].platform_number = i;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    clshard__device devices[2];
    clshard__selector selector;
    clshard__arena arena = {0};
    clshard_error err = {0};
    clshard_status status = clshard__selector_parse(text, &selector, &err);

    if (status != CLSHARD_OK) {
        fuzz_check_failure(status, &err);
    } else {
        make_devices(devices);
        status = clshard__selector_apply(&selector, devices, 2, &arena, &err);
        if (status != CLSHARD_OK)
            fuzz_check_failure(status, &err);
        else
            fuzz_require(devices[0].info.excluded == NULL || devices[1].info.excluded == NULL,
                         "a selector that succeeds takes a device");
        clshard__selector_end(&selector);
    }
    clshard__arena_end(&arena);
    free(text);
    return 0;
}
