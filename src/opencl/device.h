/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_DEVICE_H
#define CLSHARD_OPENCL_DEVICE_H

/* A device and what is known of it. */

#include <CL/cl.h>

#include <clshard/runtime.h>

/* Ways in which drivers differ; quirks.c says which driver has which, with the evidence. */
enum {
    CLSHARD__QUIRK_SLOW = 1u << 0,      /* never preferred as the default CPU platform */
    CLSHARD__QUIRK_SIMULATOR = 1u << 1, /* never a default */
    CLSHARD__QUIRK_BLOCKING = 1u << 2,  /* commands run inside the enqueue or flush call */
    CLSHARD__QUIRK_PROFILING = 1u << 3  /* device times are wrong */
};

enum { CLSHARD__UUID_BYTES = 16 };

typedef struct clshard__device {
    clshard_device_info info; /* its strings belong to the inventory */
    const char *platform_vendor;
    const char *platform_version;
    cl_platform_id platform;
    cl_device_id id;
    int32_t problem;        /* the code with which its driver refused to answer; 0: none */
    size_t platform_number; /* P of "P.D" */
    size_t device_number;   /* D of "P.D" */
    size_t rank;            /* place in a selector of ids, from 1; 0: not selected */
    uint32_t quirks;
    bool own_memory; /* not the host's */
    bool has_pci, has_uuid;
    uint32_t pci[4]; /* domain, bus, device, function */
    unsigned char uuid[CLSHARD__UUID_BYTES];
} clshard__device;

#endif
