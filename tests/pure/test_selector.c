/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "opencl/choose.h"
#include "opencl/selector.h"
#include "support/made_machine.h"
#include "support/random.h"
#include "support/refusal.h"

enum {
    CPU = CLSHARD_DEVICE_CPU,
    GPU = CLSHARD_DEVICE_GPU,
    ACCELERATOR = CLSHARD_DEVICE_ACCELERATOR
};

/* 0.0 RTX, 0.1 RTX not available, 1.0 and 1.1 CPUs, 2.0 a simulator, 3.0 the RTX once more. */
static made_machine workstation(void)
{
    const made_platform nvidia = {0, "NVIDIA CUDA", "NVIDIA Corporation"};
    const made_platform pocl = {1, "Portable Computing Language", "The pocl project"};
    const made_platform oclgrind = {2, "Oclgrind", "Oclgrind"};
    const made_platform mesa = {3, "rusticl", "Mesa/X.org"};
    made_machine machine = {0};
    clshard__device *device;

    made_pci(made_add(&machine, nvidia, "GeForce RTX 4090", GPU), 1);
    device = made_add(&machine, nvidia, "GeForce RTX 3070", GPU);
    device->info.excluded = "its driver says that it is not available";
    made_add(&machine, pocl, "pthread-EPYC", CPU);
    made_add(&machine, pocl, "basic-EPYC", CPU);
    device = made_add(&machine, oclgrind, "Oclgrind Simulator", CPU | GPU | ACCELERATOR);
    device->quirks = CLSHARD__QUIRK_SIMULATOR;
    device = made_add(&machine, mesa, "NV192", ACCELERATOR);
    device->info.vendor = "nouveau";
    made_pci(device, 1);
    return machine;
}

static clshard_status apply(made_machine *machine, const char *text, clshard_error *err)
{
    clshard__selector selector;
    clshard_status status = clshard__selector_parse(text, &selector, err);

    if (status != CLSHARD_OK)
        return status;
    status =
        clshard__selector_apply(&selector, machine->devices, machine->count, &machine->arena, err);
    clshard__selector_end(&selector);
    if (status == CLSHARD_OK)
        (void)clshard__choose_order(machine->devices, machine->count);
    return status;
}

static void expect_used(const char *text, const char *ids)
{
    made_machine machine = workstation();
    clshard_error err = {0};
    const clshard_status status = apply(&machine, text, &err);

    cr_assert_eq(status, CLSHARD_OK, "'%s': %s", text, err.message);
    cr_assert_str_eq(made_used(&machine), ids, "'%s' takes %s, not %s", text, made_used(&machine),
                     ids);
    for (size_t i = 0; i < machine.count; i++)
        cr_assert(machine.devices[i].info.excluded == NULL ||
                      strstr(machine.devices[i].info.excluded, "not") != NULL,
                  "device %s", machine.devices[i].info.id);
    made_end(&machine);
}

static void expect_refused(const char *text, clshard_status wanted, const char *word)
{
    made_machine machine = workstation();
    clshard_error err = {0};
    refusal(apply(&machine, text, &err), wanted, &err, word);
    made_end(&machine);
}

Test(selector, a_star_takes_all_that_can_be_used)
{
    expect_used("*", "0.0 3.0 2.0 1.0 1.1");
}

Test(selector, ids_give_the_order)
{
    expect_used("1.1", "1.1");
    expect_used("3.0,1.1,2.0,0.0", "3.0 1.1 2.0 0.0");
    expect_used("1.1,1.0", "1.1 1.0");
    expect_used("01.1,1.00", "1.1 1.0");
}

Test(selector, other_terms_leave_the_order_alone)
{
    expect_used("1.1,1.*", "1.0 1.1");
    expect_used("1.1,0.0,1.0,-oclgrind", "0.0 1.0 1.1");
}

Test(selector, a_platform_is_taken_by_its_number)
{
    expect_used("0.*", "0.0");
    expect_used("1.*,3.*", "3.0 1.0 1.1");
}

Test(selector, a_device_with_a_cpu_bit_is_a_cpu)
{
    expect_used("cpu", "2.0 1.0 1.1");
    expect_used("GPU", "0.0");
    expect_used("Accelerator", "3.0");
}

Test(selector, text_is_part_of_a_name_or_vendor)
{
    expect_used("rtx", "0.0");                    /* device name */
    expect_used("NOUVEAU", "3.0");                /* device vendor */
    expect_used("portable computing", "1.0 1.1"); /* platform name */
    expect_used("mesa/x", "3.0");                 /* platform vendor */
    expect_used("epyc,nvidia corp", "0.0 1.0 1.1");
    expect_used("4090", "0.0");
    expect_used("basic-epyc", "1.1");
}

Test(selector, a_dash_leaves_out)
{
    expect_used("-2.0", "0.0 3.0 1.0 1.1");
    expect_used("-cpu", "0.0 3.0");
    expect_used("*,-oclgrind,-1.*", "0.0 3.0");
    expect_used("-basic", "0.0 3.0 2.0 1.0");
}

Test(selector, terms_apply_from_left_to_right)
{
    expect_used("1.*,-1.0,epyc", "1.0 1.1");
    expect_used("-*,basic", "1.1");
    expect_used("-cpu,1.1", "0.0 3.0 1.1");
}

Test(selector, blanks_around_terms_do_not_count)
{
    expect_used(" 1.0 ,\t0.0", "1.0 0.0");
    expect_used(" - cpu , -\t3.0 ", "0.0");
    expect_used("geforce rtx 4090 ", "0.0");
}

Test(selector, slips_are_marked)
{
    expect_refused("", CLSHARD_ERR_TEXT, "character 1");
    expect_refused("  ", CLSHARD_ERR_TEXT, "missing");
    expect_refused("cpu,,gpu", CLSHARD_ERR_TEXT, "'cpu,>>>,gpu': at character 5");
    expect_refused("cpu,", CLSHARD_ERR_TEXT, "'cpu,>>>': at character 5");
    expect_refused("cpu,-", CLSHARD_ERR_TEXT, "'cpu,->>>': at character 6");
    expect_refused("--cpu", CLSHARD_ERR_TEXT, "'->>>-cpu'");
    expect_refused("0.0,7", CLSHARD_ERR_TEXT, "'0.0,>>>7'");
    expect_refused("cpu,-12", CLSHARD_ERR_TEXT, "'cpu,->>>12'");
}

Test(selector, what_looks_like_an_id_must_be_one)
{
    static const char *const texts[] = {"0",
                                        "12",
                                        "1.",
                                        ".1",
                                        "1.2.3",
                                        "**",
                                        "*.1",
                                        "1.**",
                                        "1.*2",
                                        ".",
                                        "...",
                                        "*.*",
                                        "1.2*",
                                        "99999999999999999999.0",
                                        "0.99999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_refused(texts[i], CLSHARD_ERR_TEXT, "is no id");
}

Test(selector, an_id_named_twice_is_refused)
{
    expect_refused("0.0,1.0,0.0", CLSHARD_ERR_DUPLICATE_DEVICE, "'0.0,1.0,>>>0.0'");
    expect_refused("0.0,1.*,-0.0", CLSHARD_ERR_DUPLICATE_DEVICE, "0.0 is named twice");
    expect_refused("1.1,01.01", CLSHARD_ERR_DUPLICATE_DEVICE, "1.1 is named twice");
}

Test(selector, a_term_that_names_nothing_lists_what_exists)
{
    expect_refused("radeon", CLSHARD_ERR_NO_DEVICES, "'radeon'");
    expect_refused("cpu,7.7", CLSHARD_ERR_NO_DEVICES, "'7.7'");
    expect_refused("9.*", CLSHARD_ERR_NO_DEVICES, "0.0 GeForce RTX 4090");
    expect_refused("-radeon", CLSHARD_ERR_NO_DEVICES, "0.1 GeForce RTX 3070 (unusable)");
    expect_refused("123456", CLSHARD_ERR_NO_DEVICES, "3.0 NV192");
}

Test(selector, what_is_not_available_is_never_taken)
{
    expect_refused("0.1", CLSHARD_ERR_NO_DEVICES, "0.1 cannot be used: its driver says");
    expect_refused("3070", CLSHARD_ERR_NO_DEVICES, "(unusable)");
    expect_used("geforce", "0.0");
}

Test(selector, a_selector_that_leaves_nothing_is_refused)
{
    expect_refused("-*", CLSHARD_ERR_NO_DEVICES, "leaves out every device");
    expect_refused("cpu,-cpu", CLSHARD_ERR_NO_DEVICES, "'cpu,-cpu'");
}

Test(selector, without_devices_even_a_star_names_nothing)
{
    made_machine machine = {0};
    clshard_error err = {0};
    refusal(apply(&machine, "*", &err), CLSHARD_ERR_NO_DEVICES, &err, "no OpenCL device");
    made_end(&machine);
}

Test(selector, a_long_list_of_devices_is_cut_to_the_message)
{
    const made_platform pocl = {0, "Portable Computing Language", "The pocl project"};
    made_machine machine = {0};
    clshard_error err = {0};
    char term[400];

    for (size_t i = 0; i < 40; i++)
        made_add(&machine, pocl,
                 i % 2 == 0 ? "pthread\x1b[2J-a-name-that-does-not-want-to-end" : "b", CPU);
    refusal(apply(&machine, "radeon", &err), CLSHARD_ERR_NO_DEVICES, &err, " more");
    cr_assert(strchr(err.message, '\x1b') == NULL);
    cr_assert_str_eq(err.message + strlen(err.message) - 5, " more");
    memset(term, 'x', sizeof term - 1);
    term[sizeof term - 1] = '\0';
    refusal(apply(&machine, term, &err), CLSHARD_ERR_NO_DEVICES, &err, " more");
    cr_assert_str_eq(err.message + strlen(err.message) - 5, " more");
    made_end(&machine);
}

Test(selector, a_failure_leaves_the_output_alone)
{
    clshard__selector selector = {.term_count = 77};
    cr_assert_eq(clshard__selector_parse("cpu,,", &selector, NULL), CLSHARD_ERR_TEXT);
    cr_assert_eq(clshard__selector_parse("0.0,0.0", &selector, NULL), CLSHARD_ERR_DUPLICATE_DEVICE);
    cr_assert_eq(selector.term_count, 77);
}

static void expect_harmless(made_machine *machine, const char *text)
{
    clshard_error err = {0};
    const clshard_status status = apply(machine, text, &err);

    cr_assert(status == CLSHARD_OK || status == CLSHARD_ERR_TEXT ||
              status == CLSHARD_ERR_NO_DEVICES || status == CLSHARD_ERR_DUPLICATE_DEVICE);
    cr_assert(status == CLSHARD_OK || err.message[0] != '\0');
    for (const char *c = err.message; *c != '\0'; c++)
        cr_assert(*c >= 0x20 && *c < 0x7f, "byte %d in a message", *c);
}

Test(selector, hostile_text_is_harmless)
{
    random_source source = {2};
    char text[64];

    for (size_t round = 0; round < 20000; round++) {
        made_machine machine = workstation();
        const size_t length = uniform(&source, sizeof text);
        for (size_t i = 0; i < length; i++)
            text[i] = round % 2 == 0 ? (char)uniform_between(&source, 1, 255)
                                     : uniform_char(&source, "0123.*,-, cpugn");
        text[length] = '\0';
        expect_harmless(&machine, text);
        made_end(&machine);
    }
}

Test(selector, long_text_is_harmless)
{
    enum { LONG = 200000 };
    static char text[LONG + 1];
    clshard_error err = {0};
    made_machine machine = workstation();

    memset(text, '9', LONG);
    expect_harmless(&machine, text);
    memset(text, '-', LONG);
    expect_harmless(&machine, text);
    for (size_t i = 0; i + 6 <= LONG; i += 6)
        (void)snprintf(text + i, 7, "%zu.0,", 100 + i / 6 % 800);
    text[LONG - 3] = '\0';
    refusal(apply(&machine, text, &err), CLSHARD_ERR_DUPLICATE_DEVICE, &err,
            "at character 4801: device 100.0 is named twice");
    memset(text, ',', LONG);
    expect_harmless(&machine, text);
    for (size_t i = 0; i < LONG; i++)
        text[i] = i % 2 == 0 ? '*' : ',';
    text[LONG - 1] = '\0';
    expect_harmless(&machine, text);
    made_end(&machine);
}
