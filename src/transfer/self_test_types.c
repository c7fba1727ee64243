/* SPDX-License-Identifier: Apache-2.0 */
/* Self-tests of arithmetic in the types that not every device has, and in 64-bit integers. */

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "transfer/self_test.h"

enum { ITEMS = 4096, HALVES = 65536 };

/* The value of an f16. */
static float half_value(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t exponent = half >> 10 & 31;
    const uint32_t mantissa = half & 1023;
    uint32_t bits = sign | (exponent + 112) << 23 | mantissa << 13;
    float value;

    if (exponent == 31)
        bits = sign | 255u << 23 | mantissa << 13;
    memcpy(&value, &bits, sizeof value);
    if (exponent == 0)
        value = (sign != 0 ? -1.0f : 1.0f) * (float)mantissa * (1.0f / (1 << 24));
    return value;
}

/* The nearest f16, ties to even. Not for NaN. */
static uint16_t half_of(float value)
{
    enum { LEAST_NORMAL = 0x38800000, OVERFLOWS = 0x477ff000, INFINITE = 0x7c00 };
    uint32_t bits;
    uint32_t sign;

    memcpy(&bits, &value, sizeof bits);
    sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffffu;
    if (bits >= OVERFLOWS)
        return (uint16_t)(sign | INFINITE);
    if (bits < LEAST_NORMAL) {
        const float units = (value < 0 ? -value : value) * (1 << 24);
        const uint32_t whole = (uint32_t)units;
        const float rest = units - (float)whole;
        return (uint16_t)(sign | (whole + (rest > 0.5f || (rest == 0.5f && whole % 2 != 0))));
    }
    bits += 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | (bits - 0x38000000u) >> 13);
}

static bool is_nan_half(uint16_t half)
{
    return (half & 0x7c00) == 0x7c00 && (half & 1023) != 0;
}

static bool same_f32(float a, float b)
{
    uint32_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1];
}

/* Equal bits, or both not a number. */
static bool same_f64(double a, double b)
{
    uint64_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1] || (a != a && b != b);
}

/* Loads each f16; stores what lies on and beside the middle between two of them. */
typedef struct storage_trial {
    uint16_t load[HALVES];
    float store[HALVES];
    struct {
        float loaded[HALVES];
        uint16_t stored[HALVES];
    } out;
} storage_trial;

static float beside(size_t i)
{
    const uint16_t half = (uint16_t)((i * 40503u) % HALVES);
    const uint16_t next = (uint16_t)(half + 1);
    float middle = 1;

    if (!is_nan_half(half) && !is_nan_half(next) && (next & 0x7fff) != 0x7c00 &&
        (half & 0x7fff) != 0x7fff)
        middle = 0.5f * (half_value(half) + half_value(next));
    return i % 3 == 0 ? middle : i % 3 == 1 ? middle * 1.0001f : middle * 0.9999f;
}

static clshard_status judge_storage(const storage_trial *data, clshard__found *found)
{
    size_t loads = 0;
    size_t stores = 0;

    for (size_t i = 0; i < HALVES; i++) {
        const float wanted = half_value((uint16_t)i);
        const float got = data->out.loaded[i];
        loads += is_nan_half((uint16_t)i) ? got == got : !same_f32(got, wanted);
        stores += data->out.stored[i] != half_of(data->store[i]);
    }
    if (loads + stores > 0)
        clshard__found_set(found, CLSHARD_FAILED,
                           "%zu of %d f16 are loaded wrong, %zu of as many stored", loads,
                           (int)HALVES, stores);
    else
        clshard__found_set(found, CLSHARD_PASSED,
                           "all %d f16 are loaded right, and as many f32 stored to nearest even",
                           (int)HALVES);
    return CLSHARD_OK;
}

clshard_status clshard__test_f16_storage(const clshard__check *check, clshard__found *found,
                                         clshard_error *err)
{
    storage_trial *data = clshard__alloc(1, sizeof *data);
    clshard__trial trial = {.kernel = "check_half_storage", .build_options = "", .items = HALVES};
    clshard_status status;

    if (data == NULL)
        return clshard__no_memory(err, "a self-test");
    for (size_t i = 0; i < HALVES; i++) {
        data->load[i] = (uint16_t)i;
        data->store[i] = beside(i);
    }
    trial.input[0].data = data->load;
    trial.input[0].bytes = sizeof data->load;
    trial.input[1].data = data->store;
    trial.input[1].bytes = sizeof data->store;
    trial.output = &data->out;
    trial.output_bytes = sizeof data->out;
    status = clshard__trial_run(check, &trial, err);
    if (status == CLSHARD_OK)
        status = judge_storage(data, found);
    clshard__free(data);
    return status;
}

static clshard_status lacks(clshard__found *found, const char *what)
{
    clshard__found_set(found, CLSHARD_UNSUPPORTED,
                       "the device does not compute in %s; such arrays are moved all the same",
                       what);
    return CLSHARD_OK;
}

static void judge_count(size_t wrong, size_t count, const char *what, clshard__found *found)
{
    if (wrong == 0)
        clshard__found_set(found, CLSHARD_PASSED, "%zu results in %s are right", count, what);
    else
        clshard__found_set(found, CLSHARD_FAILED, "%zu of %zu results in %s are wrong", wrong,
                           count, what);
}

/* Exponents and signs such that neither product nor sum is denormal, infinite or cancelled. */
static uint16_t draw_half(size_t i, uint32_t seed, uint16_t sign)
{
    const uint32_t mixed = (uint32_t)i * 2654435761u + seed * 40503u;
    return (uint16_t)(sign | (8 + (mixed >> 10) % 14) << 10 | (mixed >> 16 & 1023));
}

clshard_status clshard__test_f16(const clshard__check *check, clshard__found *found,
                                 clshard_error *err)
{
    uint16_t a[ITEMS];
    uint16_t b[ITEMS];
    uint16_t out[2 * ITEMS];
    size_t wrong = 0;
    const clshard__trial trial = {.kernel = "check_half",
                                  .build_options = "",
                                  .items = ITEMS,
                                  .input = {{a, sizeof a}, {b, sizeof b}},
                                  .output = out,
                                  .output_bytes = sizeof out};
    clshard_status status;

    if (!check->worker.device->info.f16)
        return lacks(found, "f16");
    for (size_t i = 0; i < ITEMS; i++) {
        const uint16_t sign = i % 2 == 0 ? 0 : 0x8000;
        a[i] = draw_half(i, 1, sign);
        b[i] = draw_half(i, 2, sign);
    }
    status = clshard__trial_run(check, &trial, err);
    if (status != CLSHARD_OK)
        return status;
    /* f32 has more than twice the digits: rounding twice is rounding once. */
    for (size_t i = 0; i < ITEMS; i++) {
        wrong += out[2 * i] != half_of(half_value(a[i]) * half_value(b[i]));
        wrong += out[2 * i + 1] != half_of(half_value(a[i]) + half_value(b[i]));
    }
    judge_count(wrong, sizeof out / sizeof out[0], "f16", found);
    return CLSHARD_OK;
}

static uint64_t draw_word(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ *state >> 29;
}

/* Any finite number; every fourth is denormal, which f64 must keep. */
static double draw_double(uint64_t *state, size_t i)
{
    const uint64_t word = draw_word(state);
    const uint64_t exponent = i % 4 == 0 ? 0 : 900 + (word >> 52) % 200;
    const uint64_t bits = (word & 0x800fffffffffffffu) | exponent << 52;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t wrong_doubles(const double *out, double a, double b)
{
    volatile double product = a * b;
    volatile double sum = a + b;
    volatile double quotient = a / b;
    volatile double apart = product + a;
    const double wanted[] = {product, sum, quotient, apart};
    size_t wrong = 0;

    for (size_t i = 0; i < 4; i++)
        wrong += !same_f64(wanted[i], out[i]);
    return wrong;
}

clshard_status clshard__test_f64(const clshard__check *check, clshard__found *found,
                                 clshard_error *err)
{
    const size_t items = ITEMS;
    double *memory;
    clshard__trial trial = {.kernel = "check_double", .build_options = "", .items = items};
    uint64_t state = 5;
    size_t wrong = 0;
    clshard_status status;

    if (!check->worker.device->info.f64)
        return lacks(found, "f64");
    memory = clshard__alloc(items, 6 * sizeof *memory);
    if (memory == NULL)
        return clshard__no_memory(err, "a self-test");
    for (size_t i = 0; i < 2 * items; i++)
        memory[i] = draw_double(&state, i);
    trial.input[0].data = memory;
    trial.input[1].data = memory + items;
    trial.input[0].bytes = trial.input[1].bytes = items * sizeof *memory;
    trial.output = memory + 2 * items;
    trial.output_bytes = 4 * items * sizeof *memory;
    status = clshard__trial_run(check, &trial, err);
    for (size_t i = 0; i < items; i++)
        wrong += wrong_doubles(memory + 2 * items + 4 * i, memory[i], memory[items + i]);
    if (status == CLSHARD_OK)
        judge_count(wrong, 4 * items, "f64", found);
    clshard__free(memory);
    return status;
}

/* What a >> n is for a signed a. */
static uint64_t shift_signed(uint64_t a, unsigned n)
{
    const uint64_t ones = a >> 63 != 0 && n > 0 ? ~(uint64_t)0 << (64 - n) : 0;
    return a >> n | ones;
}

clshard_status clshard__test_integers(const clshard__check *check, clshard__found *found,
                                      clshard_error *err)
{
    const size_t items = ITEMS;
    uint64_t *memory = clshard__alloc(items, 6 * sizeof *memory);
    clshard__trial trial = {.kernel = "check_long", .build_options = "", .items = items};
    uint64_t state = 9;
    size_t wrong = 0;
    clshard_status status;

    if (memory == NULL)
        return clshard__no_memory(err, "a self-test");
    for (size_t i = 0; i < 2 * items; i++)
        memory[i] = draw_word(&state) | (i < items ? 0 : 1);
    trial.input[0].data = memory;
    trial.input[1].data = memory + items;
    trial.input[0].bytes = trial.input[1].bytes = items * sizeof *memory;
    trial.output = memory + 2 * items;
    trial.output_bytes = 4 * items * sizeof *memory;
    status = clshard__trial_run(check, &trial, err);
    for (size_t i = 0; i < items; i++) {
        const uint64_t a = memory[i];
        const uint64_t b = memory[items + i];
        const uint64_t wanted[] = {a + b, a * b, a / b, shift_signed(a, (unsigned)(b & 63))};
        wrong += memcmp(wanted, memory + 2 * items + 4 * i, sizeof wanted) != 0;
    }
    if (status == CLSHARD_OK)
        judge_count(wrong, items, "64-bit integers", found);
    clshard__free(memory);
    return status;
}
