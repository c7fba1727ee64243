/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "opencl/choose.h"
#include "support/made_machine.h"
#include "support/random.h"

enum {
    CPU = CLSHARD_DEVICE_CPU,
    GPU = CLSHARD_DEVICE_GPU,
    ACCELERATOR = CLSHARD_DEVICE_ACCELERATOR
};

static const made_platform nvidia = {0, "NVIDIA CUDA", "NVIDIA Corporation"};
static const made_platform amd = {1, "AMD Accelerated Parallel Processing", "AMD, Inc."};
static const made_platform pocl = {2, "Portable Computing Language", "The pocl project"};
static const made_platform intel = {3, "Intel(R) OpenCL", "Intel(R) Corporation"};
static const made_platform mesa = {4, "rusticl", "Mesa/X.org"};
static const made_platform oclgrind = {5, "Oclgrind", "Oclgrind"};

static void add_simulator(made_machine *machine)
{
    made_add(machine, oclgrind, "Oclgrind Simulator", CPU | GPU | ACCELERATOR)->quirks =
        CLSHARD__QUIRK_SIMULATOR;
}

/* What must hold of any choice. */
static void check_choice(const made_machine *machine, size_t used_count)
{
    for (size_t i = 0; i < machine->count; i++) {
        const clshard_device_info *info = &machine->devices[i].info;
        cr_assert_eq(info->index, i);
        cr_assert_eq(info->excluded == NULL, i < used_count, "device %s at %zu of %zu", info->id, i,
                     used_count);
        cr_assert(info->excluded == NULL || strlen(info->excluded) > 10);
    }
}

static void expect_left_out(const made_machine *machine, const char *id, const char *word)
{
    const char *excluded = made_find(machine, id)->info.excluded;
    cr_assert(excluded != NULL, "device %s is in use", id);
    cr_assert(strstr(excluded, word) != NULL, "'%s' is not in: %s", word, excluded);
}

Test(choose, gpus_of_two_vendors_are_used_and_the_cpu_is_not)
{
    made_machine machine = {0};
    made_pci(made_add(&machine, nvidia, "RTX", GPU), 1);
    made_add(&machine, pocl, "pthread", CPU);
    made_pci(made_add(&machine, amd, "RX", GPU), 2);
    check_choice(&machine, made_defaults(&machine, false));
    cr_assert_str_eq(made_used(&machine), "1.0 0.0");
    expect_left_out(&machine, "2.0", "CPU");
    expect_left_out(&machine, "2.0", "'2.0'");
    made_end(&machine);
}

Test(choose, accelerators_count_as_gpus_do)
{
    made_machine machine = {0};
    made_add(&machine, pocl, "pthread", CPU);
    made_add(&machine, intel, "FPGA", ACCELERATOR);
    made_add(&machine, nvidia, "RTX", GPU);
    check_choice(&machine, made_defaults(&machine, false));
    cr_assert_str_eq(made_used(&machine), "3.0 0.0");
    made_end(&machine);
}

Test(choose, of_two_drivers_for_one_gpu_its_vendors_is_used)
{
    made_machine machine = {0};
    clshard__device *other = made_add(&machine, pocl, "RTX by pocl", GPU);
    other->info.vendor = nvidia.vendor;
    made_pci(other, 7);
    made_pci(made_add(&machine, nvidia, "RTX", GPU), 7);
    check_choice(&machine, made_defaults(&machine, false));
    cr_assert_str_eq(made_used(&machine), "0.0");
    expect_left_out(&machine, "2.0", "PCI");
    expect_left_out(&machine, "2.0", "0.0 under another driver (NVIDIA CUDA)");
    made_end(&machine);
}

Test(choose, without_a_vendors_own_driver_the_lower_platform_name_is_used)
{
    made_machine machine = {0};
    clshard__device *a = made_add(&machine, mesa, "RX by Mesa", GPU);
    clshard__device *b;
    a->info.vendor = amd.vendor;
    made_pci(a, 7);
    b = made_add(&machine, pocl, "RX by pocl", GPU);
    b->info.vendor = amd.vendor;
    made_pci(b, 7);
    check_choice(&machine, made_defaults(&machine, false));
    cr_assert_str_eq(made_used(&machine), "2.0");
    made_end(&machine);
}

Test(choose, the_uuid_decides_where_an_address_is_missing)
{
    made_machine machine = {0};
    made_uuid(made_add(&machine, nvidia, "RTX", GPU), 9);
    clshard__device *other = made_add(&machine, mesa, "RTX by Mesa", GPU);
    made_uuid(other, 9);
    made_pci(other, 3);
    check_choice(&machine, made_defaults(&machine, false));
    cr_assert_eq(machine.devices[0].info.excluded, NULL);
    expect_left_out(&machine, "4.0", "UUID");
    made_end(&machine);
}

Test(choose, different_addresses_are_different_devices_whatever_the_uuid)
{
    made_machine machine = {0};
    clshard__device *a = made_add(&machine, nvidia, "RTX", GPU);
    clshard__device *b;
    made_pci(a, 1);
    made_uuid(a, 9);
    b = made_add(&machine, amd, "RX", GPU);
    made_pci(b, 2);
    made_uuid(b, 9);
    cr_assert_eq(made_defaults(&machine, false), 2);
    made_end(&machine);
}

Test(choose, nothing_is_a_duplicate_inside_a_platform)
{
    made_machine machine = {0};
    for (size_t i = 0; i < 3; i++) {
        clshard__device *device = made_add(&machine, nvidia, "slice of a card", GPU);
        made_pci(device, 1);
        made_uuid(device, 9);
    }
    check_choice(&machine, made_defaults(&machine, false));
    cr_assert_str_eq(made_used(&machine), "0.0 0.1 0.2");
    made_end(&machine);
}

Test(choose, duplicates_can_be_kept)
{
    made_machine machine = {0};
    made_pci(made_add(&machine, nvidia, "RTX", GPU), 7);
    made_pci(made_add(&machine, mesa, "RTX by Mesa", GPU), 7);
    cr_assert_eq(made_defaults(&machine, true), 2);
    made_end(&machine);

    machine = (made_machine){0};
    made_add(&machine, pocl, "pthread", CPU);
    made_add(&machine, intel, "Xeon", CPU);
    add_simulator(&machine);
    cr_assert_eq(made_defaults(&machine, true), 2);
    expect_left_out(&machine, "5.0", "simulator");
    made_end(&machine);
}

Test(choose, of_cpu_platforms_the_one_with_most_devices_is_used)
{
    made_machine machine = {0};
    made_add(&machine, intel, "Xeon", CPU);
    made_add(&machine, pocl, "pthread", CPU);
    made_add(&machine, pocl, "pthread", CPU);
    check_choice(&machine, made_defaults(&machine, false));
    cr_assert_str_eq(made_used(&machine), "2.0 2.1");
    expect_left_out(&machine, "3.0", "platform 2 (Portable Computing Language)");
    made_end(&machine);
}

Test(choose, of_equal_cpu_platforms_the_lower_name_is_used)
{
    made_machine machine = {0};
    made_add(&machine, pocl, "pthread", CPU);
    made_add(&machine, intel, "Xeon", CPU);
    (void)made_defaults(&machine, false);
    cr_assert_str_eq(made_used(&machine), "3.0");
    made_end(&machine);
}

Test(choose, a_slow_cpu_platform_is_used_only_alone)
{
    made_machine machine = {0};
    for (size_t i = 0; i < 2; i++)
        made_add(&machine, (made_platform){4, "A slow one", "Mesa"}, "llvmpipe", CPU)->quirks =
            CLSHARD__QUIRK_SLOW;
    cr_assert_eq(made_defaults(&machine, false), 2);
    made_add(&machine, pocl, "pthread", CPU);
    (void)made_defaults(&machine, false);
    cr_assert_str_eq(made_used(&machine), "2.0");
    made_end(&machine);
}

Test(choose, a_device_with_a_cpu_bit_is_a_cpu)
{
    made_machine machine = {0};
    made_add(&machine, pocl, "both", CPU | GPU);
    made_add(&machine, nvidia, "RTX", GPU);
    (void)made_defaults(&machine, false);
    cr_assert_str_eq(made_used(&machine), "0.0");
    expect_left_out(&machine, "2.0", "CPU");
    made_end(&machine);
}

Test(choose, a_simulator_alone_is_not_used_and_says_how_to_select_it)
{
    made_machine machine = {0};
    add_simulator(&machine);
    add_simulator(&machine);
    machine.devices[1].info.excluded = "its driver says that it is not available";
    cr_assert_eq(made_defaults(&machine, false), 0);
    expect_left_out(&machine, "5.0", "simulator");
    expect_left_out(&machine, "5.1", "not available");
    expect_left_out(&machine, "5.0", "selector '5.0'");
    made_end(&machine);
}

Test(choose, what_cannot_be_used_does_not_stand_in_the_way)
{
    made_machine machine = {0};
    clshard__device *dead = made_add(&machine, nvidia, "RTX", GPU);
    made_pci(dead, 7);
    dead->info.excluded = "its driver says that it is not available";
    made_add(&machine, pocl, "pthread", CPU);
    check_choice(&machine, made_defaults(&machine, false));
    cr_assert_str_eq(made_used(&machine), "2.0");
    expect_left_out(&machine, "0.0", "not available");
    made_pci(made_add(&machine, mesa, "RTX by Mesa", GPU), 7);
    machine.devices[0].info.excluded = NULL;
    (void)made_defaults(&machine, false);
    cr_assert_str_eq(made_used(&machine), "4.0");
    made_end(&machine);
}

Test(choose, no_devices_are_no_failure)
{
    made_machine machine = {0};
    cr_assert_eq(made_defaults(&machine, false), 0);
    made_end(&machine);
}

Test(choose, the_order_is_class_platform_address_number)
{
    made_machine machine = {0};
    made_add(&machine, intel, "Xeon", CPU);
    made_add(&machine, nvidia, "no address", GPU);
    made_pci(made_add(&machine, nvidia, "far", GPU), 9);
    made_pci(made_add(&machine, nvidia, "near", GPU), 2);
    made_add(&machine, amd, "FPGA", ACCELERATOR);
    made_add(&machine, amd, "both", CPU | ACCELERATOR);
    cr_assert_eq(clshard__choose_order(machine.devices, machine.count), machine.count);
    cr_assert_str_eq(made_used(&machine), "1.0 0.2 0.1 0.0 1.1 3.0");
    made_end(&machine);
}

Test(choose, ranked_devices_are_in_their_rank)
{
    made_machine machine = {0};
    for (size_t i = 0; i < 5; i++)
        made_add(&machine, nvidia, "RTX", GPU)->rank = (i * 2) % 5 + 1;
    cr_assert_eq(clshard__choose_order(machine.devices, machine.count), 5);
    cr_assert_str_eq(made_used(&machine), "0.0 0.3 0.1 0.4 0.2");
    made_end(&machine);
}

/* A machine whose facts come from a seed, with its platforms numbered and listed in another order
 * for each permutation. */
enum { PLATFORMS = 6 };

static void add_random_devices(made_machine *machine, uint64_t seed, size_t which, size_t number)
{
    static const char *const names[PLATFORMS] = {"A", "B", "C", "C", "E", "F"};
    static const char *const vendors[] = {"X", "Y"};
    static const uint32_t types[] = {CPU, CPU, CPU, GPU, GPU, ACCELERATOR, CPU | GPU};
    random_source source = {seed * PLATFORMS + which};
    const made_platform platform = {number, names[which], vendors[uniform(&source, 2)]};
    const bool only_cpus = seed % 2 == 0;
    const size_t count = uniform(&source, 8);

    for (size_t i = 0; i < count; i++) {
        clshard__device *device =
            made_add(machine, platform, "name", types[uniform(&source, only_cpus ? 3 : 7)]);
        device->info.vendor = vendors[uniform(&source, 2)];
        device->info.driver = which == 2 ? "old" : "new"; /* two installations of C */
        device->quirks = uniform(&source, 4) == 0 ? CLSHARD__QUIRK_SLOW : 0;
        if (uniform(&source, 6) == 0)
            device->quirks |= CLSHARD__QUIRK_SIMULATOR;
        if (uniform(&source, 2) == 0)
            made_pci(device, (uint32_t)uniform_between(&source, 1, 6));
        if (uniform(&source, 2) == 0)
            made_uuid(device, (unsigned char)uniform_between(&source, 1, 6));
        if (uniform(&source, 8) == 0)
            device->info.excluded = "its driver says that it is not available";
    }
}

static void add_in_order(made_machine *machine, uint64_t seed, random_source *shuffle)
{
    size_t order[PLATFORMS] = {0};

    for (size_t i = 0; i < PLATFORMS; i++) {
        const size_t at = shuffle == NULL ? i : uniform(shuffle, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    *machine = (made_machine){0};
    for (size_t i = 0; i < PLATFORMS; i++)
        add_random_devices(machine, seed, order[i], i);
}

static void expect_same_devices(const made_machine *a, const made_machine *b, size_t used_count)
{
    for (size_t i = 0; i < used_count; i++) {
        const clshard__device *x = &a->devices[i];
        const clshard__device *y = &b->devices[i];
        cr_assert_str_eq(x->info.platform, y->info.platform);
        cr_assert_str_eq(x->info.driver, y->info.driver);
        cr_assert_eq(x->device_number, y->device_number);
    }
}

Test(choose, the_loaders_order_changes_nothing)
{
    random_source shuffle = {1};
    static made_machine first, other; /* large for a stack */

    for (uint64_t seed = 0; seed < 400; seed++) {
        const bool keep_duplicates = seed % 3 == 0;
        size_t used;
        add_in_order(&first, seed, NULL);
        used = made_defaults(&first, keep_duplicates);
        check_choice(&first, used);
        for (size_t i = 0; i < 5; i++) {
            add_in_order(&other, seed, &shuffle);
            cr_assert_eq(made_defaults(&other, keep_duplicates), used, "seed %llu",
                         (unsigned long long)seed);
            expect_same_devices(&first, &other, used);
            made_end(&other);
        }
        made_end(&first);
    }
}

static bool is_twin(const clshard__device *a, const clshard__device *b)
{
    if (a->has_pci && b->has_pci)
        return a->pci[1] == b->pci[1];
    return a->has_uuid && b->has_uuid && a->uuid[0] == b->uuid[0];
}

Test(choose, no_two_platforms_use_one_device)
{
    static made_machine machine;

    for (uint64_t seed = 1; seed < 400; seed += 2) {
        size_t used;
        add_in_order(&machine, seed, NULL);
        used = made_defaults(&machine, false);
        for (size_t i = 0; i < used; i++)
            for (size_t j = 0; j < i; j++)
                cr_assert(machine.devices[i].platform_number ==
                                  machine.devices[j].platform_number ||
                              !is_twin(&machine.devices[i], &machine.devices[j]),
                          "seed %llu: %s and %s", (unsigned long long)seed,
                          machine.devices[i].info.id, machine.devices[j].info.id);
        made_end(&machine);
    }
}

/* Whoever is left out as a duplicate leaves a device that is in use. */
Test(choose, every_physical_device_stays_in_use)
{
    static made_machine with, without;

    for (uint64_t seed = 1; seed < 400; seed += 2) {
        size_t all;
        add_in_order(&with, seed, NULL);
        add_in_order(&without, seed, NULL);
        all = made_defaults(&with, true);
        (void)made_defaults(&without, false);
        for (size_t i = 0; i < all; i++) {
            const clshard__device *device = &with.devices[i];
            bool found = made_find(&without, device->info.id)->info.excluded == NULL;
            for (size_t j = 0; j < without.count; j++) {
                const clshard__device *twin = &without.devices[j];
                found |= twin->info.excluded == NULL && is_twin(device, twin);
            }
            cr_assert(found || (device->info.type & CPU) != 0, "seed %llu, device %s",
                      (unsigned long long)seed, device->info.id);
        }
        made_end(&with);
        made_end(&without);
    }
}

Test(choose, forty_devices_are_used)
{
    made_machine machine = {0};
    for (size_t i = 0; i < 40; i++)
        made_add(&machine, pocl, "pthread", CPU);
    cr_assert_eq(made_defaults(&machine, false), 40);
    for (size_t i = 0; i < 40; i++)
        cr_assert_eq(machine.devices[i].device_number, i);
    made_end(&machine);
}
