/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_MADE_MACHINE_H
#define CLSHARD_TESTS_MADE_MACHINE_H

/* Made-up facts about devices, for what chooses among them without asking a driver. */

#include "opencl/arena.h"
#include "opencl/device.h"

enum { MADE_DEVICES = 64 };

typedef struct made_machine { /* zeroed to start */
    clshard__device devices[MADE_DEVICES];
    size_t count;
    clshard__arena arena;
} made_machine;

typedef struct made_platform {
    size_t number;
    const char *name;
    const char *vendor; /* of its devices too */
} made_platform;

/* The platform's next device, not slow, without an address. The pointer is good until the devices
 * are sorted. */
clshard__device *made_add(made_machine *machine, made_platform platform, const char *name,
                          uint32_t type);
void made_pci(clshard__device *device, uint32_t bus);
void made_uuid(clshard__device *device, unsigned char byte);

/* Chooses the defaults and sorts; returns how many are in use. */
size_t made_defaults(made_machine *machine, bool keep_duplicates);

/* The device of that id; fails the test when there is none. */
const clshard__device *made_find(const made_machine *machine, const char *id);

/* The ids of those in use, in order, as "0.0 1.2"; lives as long as the machine. */
const char *made_used(made_machine *machine);

void made_end(made_machine *machine);

#endif
