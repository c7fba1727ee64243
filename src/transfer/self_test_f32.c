/* SPDX-License-Identifier: Apache-2.0 */
/* Self-tests of arithmetic in f32, against the host's. */

#include <float.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "transfer/self_test.h"

enum { MOST = 8192, FEW = 1024 };

static size_t count_of(const clshard__check *check)
{
    return check->quick ? FEW : MOST;
}

/* Inputs and outputs of one kernel; the results of the host beside them. */
typedef struct columns {
    float *in[CLSHARD__TRIAL_INPUTS];
    float *out, *wanted; /* each of two floats per item */
    size_t count;        /* of items */
} columns;

/* in[0] is NULL when there is no memory; else it is what to free. */
static columns make_columns(size_t count)
{
    float *memory = clshard__alloc(count, (CLSHARD__TRIAL_INPUTS + 4) * sizeof(float));
    columns made = {.count = count};

    if (memory == NULL)
        return made;
    for (size_t i = 0; i < CLSHARD__TRIAL_INPUTS; i++)
        made.in[i] = memory + i * count;
    made.out = memory + CLSHARD__TRIAL_INPUTS * count;
    made.wanted = made.out + 2 * count;
    return made;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Equal bits, or both not a number. */
static bool same(float a, float b)
{
    return bits_of(a) == bits_of(b) || (a != a && b != b);
}

static size_t count_different(const float *a, const float *b, size_t count, size_t *out_first)
{
    size_t different = 0;
    for (size_t i = 0; i < count; i++)
        if (!same(a[i], b[i]) && different++ == 0)
            *out_first = i;
    return different;
}

static bool is_denormal(float value)
{
    return value != 0 && value > -FLT_MIN && value < FLT_MIN;
}

/* A number of any sign and mantissa, whose exponent is within 2^-60 and 2^60. */
static float draw(uint32_t *state)
{
    uint32_t bits;
    *state = *state * 1664525u + 1013904223u;
    bits = *state ^ (*state << 13);
    return from_bits((bits & 0x807fffffu) | (67 + (*state >> 8) % 120) << 23);
}

static clshard_status run_columns(const clshard__check *check, const char *kernel,
                                  const char *build_options, size_t inputs, size_t outputs,
                                  const columns *data, clshard_error *err)
{
    clshard__trial trial = {.kernel = kernel,
                            .build_options = build_options,
                            .items = data->count,
                            .output = data->out,
                            .output_bytes = outputs * data->count * sizeof(float)};
    for (size_t i = 0; i < inputs; i++) {
        trial.input[i].data = data->in[i];
        trial.input[i].bytes = data->count * sizeof(float);
    }
    return clshard__trial_run(check, &trial, err);
}

/* Every pair of the special values, then any numbers. Denormals have a test of their own. */
static void make_quotients(const columns *data, size_t count)
{
    const float infinity = from_bits(0x7f800000u);
    const float special[] = {0,
                             -0.0f,
                             1,
                             -1,
                             3,
                             10,
                             255,
                             FLT_MAX,
                             FLT_MIN,
                             infinity,
                             -infinity,
                             from_bits(0x7fc00000u),
                             1 + FLT_EPSILON,
                             1 - FLT_EPSILON / 2,
                             2 - FLT_EPSILON};
    const size_t specials = sizeof special / sizeof special[0];
    uint32_t state = 17;

    for (size_t i = 0; i < count; i++) {
        float a = i < specials * specials ? special[i / specials] : draw(&state);
        float b = i < specials * specials ? special[i % specials] : draw(&state);
        /* f64 has more than twice the digits: rounding twice is rounding once. */
        if (is_denormal((float)((double)a / (double)b))) {
            a = 1;
            b = 3;
        }
        data->in[0][i] = a;
        data->in[1][i] = b;
        data->wanted[i] = (float)((double)a / (double)b);
    }
}

/* Distance in units of the last place; large when one is not finite. */
static uint32_t distance(float a, float b)
{
    const uint32_t x = bits_of(a);
    const uint32_t y = bits_of(b);
    if (a - a != 0 || b - b != 0 || (x ^ y) >> 31 != 0)
        return same(a, b) || a == b ? 0 : UINT32_MAX;
    return x > y ? x - y : y - x;
}

static void judge_quotients(const columns *data, size_t count, bool claims, clshard__found *found)
{
    enum { ALLOWED = 3 }; /* units: 2.5 in the specification */
    size_t first = 0;
    const size_t different = count_different(data->out, data->wanted, count, &first);
    uint32_t most = 0;

    for (size_t i = 0; i < count; i++) {
        const uint32_t units = distance(data->out[i], data->wanted[i]);
        most = units > most ? units : most;
    }
    if (different == 0)
        clshard__found_set(found, CLSHARD_PASSED, "%zu quotients are correctly rounded%s", count,
                           claims ? "" : ", which the device does not claim");
    else if (claims || most > ALLOWED)
        clshard__found_set(found, CLSHARD_FAILED,
                           "%zu of %zu quotients are wrong: %a / %a gave %a, not %a", different,
                           count, (double)data->in[0][first], (double)data->in[1][first],
                           (double)data->out[first], (double)data->wanted[first]);
    else
        clshard__found_set(found, CLSHARD_UNSUPPORTED,
                           "%zu of %zu quotients are off by up to %u unit%s in the last place; the "
                           "device does not claim correct rounding, and quotients are corrected",
                           different, count, (unsigned)most, most == 1 ? "" : "s");
}

clshard_status clshard__test_division(const clshard__check *check, clshard__found *found,
                                      clshard_error *err)
{
    const bool claims = (check->f32 & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    const size_t count = count_of(check);
    columns data = make_columns(count);
    clshard_status status;

    if (data.in[0] == NULL)
        return clshard__no_memory(err, "a self-test");
    make_quotients(&data, count);
    status = run_columns(check, "check_divide",
                         claims ? "-cl-fp32-correctly-rounded-divide-sqrt" : "", 2, 1, &data, err);
    if (status == CLSHARD_OK)
        judge_quotients(&data, count, claims, found);
    clshard__free(data.in[0]);
    return status;
}

static void judge_denormals(const columns *data, size_t count, bool claims, clshard__found *found)
{
    size_t first = 0;
    size_t flushed = 0;
    const size_t different = count_different(data->out, data->wanted, 2 * count, &first);

    for (size_t i = 0; i < 2 * count; i++)
        flushed += !same(data->out[i], data->wanted[i]) && data->out[i] == 0;
    if (different == 0)
        clshard__found_set(found, CLSHARD_PASSED, "%zu products and sums keep them%s", 2 * count,
                           claims ? "" : ", which the device does not claim");
    else if (claims)
        clshard__found_set(found, CLSHARD_FAILED,
                           "the device claims denormals, but %zu of %zu products and sums are "
                           "wrong: the first is %a, not %a",
                           different, 2 * count, (double)data->out[first],
                           (double)data->wanted[first]);
    else
        clshard__found_set(found, CLSHARD_UNSUPPORTED,
                           "the device does not claim denormals: %zu of %zu products and sums "
                           "differ, %zu of them flushed to zero",
                           different, 2 * count, flushed);
}

clshard_status clshard__test_denormals(const clshard__check *check, clshard__found *found,
                                       clshard_error *err)
{
    const size_t count = FEW;
    columns data = make_columns(count);
    clshard_status status;
    uint32_t state = 23;

    if (data.in[0] == NULL)
        return clshard__no_memory(err, "a self-test");
    for (size_t i = 0; i < count; i++) {
        const float small = from_bits(bits_of(draw(&state)) & 0x807fffffu);
        const float factor = i % 2 == 0 ? 0.75f : -1.5f;
        volatile float rounded = small * factor;
        data.in[0][i] = small;
        data.in[1][i] = factor;
        data.wanted[2 * i] = rounded;
        rounded = small + factor;
        data.wanted[2 * i + 1] = rounded;
    }
    /* Half of the sums are of denormals. */
    for (size_t i = 1; i < count; i += 2) {
        volatile float rounded = data.in[0][i] * data.in[0][i - 1];
        data.in[1][i] = data.in[0][i - 1];
        data.wanted[2 * i] = rounded;
        rounded = data.in[0][i] + data.in[0][i - 1];
        data.wanted[2 * i + 1] = rounded;
    }
    status = run_columns(check, "check_denormal", "", 2, 2, &data, err);
    if (status == CLSHARD_OK)
        judge_denormals(&data, count, (check->f32 & CL_FP_DENORM) != 0, found);
    clshard__free(data.in[0]);
    return status;
}

/* Every other sum takes away the rounded product: a fused one leaves what the rounding dropped. */
clshard_status clshard__test_contraction(const clshard__check *check, clshard__found *found,
                                         clshard_error *err)
{
    const size_t count = count_of(check);
    size_t first = 0;
    size_t different = 0;
    columns data = make_columns(count);
    clshard_status status;
    uint32_t state = 31;

    if (data.in[0] == NULL)
        return clshard__no_memory(err, "a self-test");
    for (size_t i = 0; i < count; i++) {
        const float x = from_bits((bits_of(draw(&state)) & 0x807fffffu) | 127u << 23);
        const float scale = from_bits((bits_of(draw(&state)) & 0x807fffffu) | 125u << 23);
        volatile float product = x * scale;
        volatile float sum;
        data.in[0][i] = x;
        data.in[1][i] = scale;
        data.in[2][i] = i % 2 == 0 ? -product : from_bits(bits_of(draw(&state)) & 0x3fffffffu);
        sum = product + data.in[2][i];
        data.wanted[i] = sum;
    }
    status = run_columns(check, "check_contract", "", 3, 1, &data, err);
    different = count_different(data.out, data.wanted, count, &first);
    if (status == CLSHARD_OK && different != 0)
        clshard__found_set(found, CLSHARD_FAILED,
                           "%zu of %zu sums differ: %a * %a + %a gave %a, not %a; is the product "
                           "fused into the sum?",
                           different, count, (double)data.in[0][first], (double)data.in[1][first],
                           (double)data.in[2][first], (double)data.out[first],
                           (double)data.wanted[first]);
    else if (status == CLSHARD_OK)
        clshard__found_set(found, CLSHARD_PASSED,
                           "%zu products are rounded before the sum, as the pragma asks", count);
    clshard__free(data.in[0]);
    return status;
}

/* A scale and a bias; the last two pairs give other bits where the product is fused. */
static const float conversions[][2] = {
    {1.0f / 255, 0}, {1.0f / 127.5f, -1}, {1.0f / (255 * 0.229f), -0.485f / 0.229f}};

clshard_status clshard__test_u8_to_f32(const clshard__check *check, clshard__found *found,
                                       clshard_error *err)
{
    enum { VALUES = 256, COUNT = VALUES * sizeof conversions / sizeof conversions[0] };
    size_t first = 0;
    size_t different = 0;
    columns data = make_columns(COUNT);
    unsigned char x[COUNT];
    clshard_status status;
    clshard__trial trial = {.kernel = "check_from_u8", .build_options = "", .items = COUNT};

    if (data.in[0] == NULL)
        return clshard__no_memory(err, "a self-test");
    for (size_t i = 0; i < COUNT; i++) {
        volatile float product = (float)(i % VALUES) * conversions[i / VALUES][0];
        volatile float sum = product + conversions[i / VALUES][1];
        x[i] = (unsigned char)(i % VALUES);
        data.in[1][i] = conversions[i / VALUES][0];
        data.in[2][i] = conversions[i / VALUES][1];
        data.wanted[i] = sum;
    }
    trial.input[0].data = x;
    trial.input[0].bytes = sizeof x;
    for (size_t i = 1; i < 3; i++) {
        trial.input[i].data = data.in[i];
        trial.input[i].bytes = COUNT * sizeof(float);
    }
    trial.output = data.out;
    trial.output_bytes = COUNT * sizeof(float);
    status = clshard__trial_run(check, &trial, err);
    different = count_different(data.out, data.wanted, COUNT, &first);
    if (status == CLSHARD_OK && different != 0)
        clshard__found_set(found, CLSHARD_FAILED,
                           "%zu of %d conversions differ: %u by scale %a and bias %a gave %a, not "
                           "%a",
                           different, (int)COUNT, (unsigned)x[first], (double)data.in[1][first],
                           (double)data.in[2][first], (double)data.out[first],
                           (double)data.wanted[first]);
    else if (status == CLSHARD_OK)
        clshard__found_set(found, CLSHARD_PASSED, "%d conversions by scale and bias are right",
                           (int)COUNT);
    clshard__free(data.in[0]);
    return status;
}

/* To the nearest, ties to even, within 0 and 255. */
static unsigned char nearest_u8(float x)
{
    const int whole = x <= 0 ? 0 : x >= 255 ? 255 : (int)x;
    const float rest = x - (float)whole;
    const bool up = whole < 255 && x > 0 && (rest > 0.5f || (rest == 0.5f && whole % 2 != 0));
    return (unsigned char)(whole + up);
}

clshard_status clshard__test_f32_to_u8(const clshard__check *check, clshard__found *found,
                                       clshard_error *err)
{
    enum { STEPS = 1100, SPECIALS = 6, COUNT = STEPS + SPECIALS };
    const float special[SPECIALS] = {from_bits(0x7f800000u),
                                     from_bits(0xff800000u),
                                     FLT_MAX,
                                     -FLT_MAX,
                                     0.5f - FLT_EPSILON / 4,
                                     254.49998f};
    float x[COUNT];
    unsigned char out[COUNT];
    size_t different = 0;
    size_t last = 0;
    const clshard__trial trial = {.kernel = "check_to_u8",
                                  .build_options = "",
                                  .items = COUNT,
                                  .input = {{x, sizeof x}},
                                  .output = out,
                                  .output_bytes = sizeof out};
    clshard_status status;

    /* Quarters from -8 on: every tie, and what lies beside it. */
    for (size_t i = 0; i < COUNT; i++)
        x[i] = i < STEPS ? 0.25f * (float)i - 8 : special[i - STEPS];
    status = clshard__trial_run(check, &trial, err);
    if (status != CLSHARD_OK)
        return status;
    for (size_t i = 0; i < COUNT; i++)
        if (out[i] != nearest_u8(x[i])) {
            different++;
            last = i;
        }
    if (different != 0)
        clshard__found_set(
            found, CLSHARD_FAILED, "%zu of %d conversions differ: %a gave %u, not %u", different,
            (int)COUNT, (double)x[last], (unsigned)out[last], (unsigned)nearest_u8(x[last]));
    else
        clshard__found_set(found, CLSHARD_PASSED,
                           "%d conversions round to nearest even and saturate", (int)COUNT);
    return CLSHARD_OK;
}
