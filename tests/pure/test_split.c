/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "layout/split.h"
#include "support/random.h"

__extension__ typedef unsigned __int128 uint128;

enum { PARTS_MAX = 40 };

static const clshard_policy closed_forms[] = {CLSHARD_EVEN, CLSHARD_BALANCED, CLSHARD_CEIL,
                                              CLSHARD_PAD, CLSHARD_DROP};
enum { CLOSED_FORMS = sizeof closed_forms / sizeof closed_forms[0] };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static clshard__cut weighted(size_t extent, const uint64_t *weights, size_t parts, size_t granule)
{
    clshard__cut cut;
    clshard_error err;
    cr_assert_eq(clshard__cut_weighted(extent, weights, parts, granule, &cut, &err), CLSHARD_OK,
                 "%s", err.message);
    return cut;
}

static void end(clshard__cut *cut)
{
    clshard__free((void *)cut->boundary);
}

/* Extents of all magnitudes, the smallest and the largest among them. */
static size_t random_extent(random_source *source)
{
    const size_t bits = uniform_between(source, 0, 64);
    const uint64_t number = random_u64(source);
    return bits == 0 ? 0 : (size_t)(number >> (64 - bits));
}

/* Ends where the parts end; each begins where the one before ended. */
static size_t end_of_parts(const clshard__cut *cut)
{
    size_t at = 0;
    for (size_t i = 0; i < cut->parts; i++) {
        const clshard__slice slice = clshard__cut_slice(cut, i);
        cr_assert_eq(slice.valid_offset, at);
        at += slice.valid_extent;
        cr_assert_leq(at, cut->extent);
    }
    return at;
}

Test(split, closed_forms_tile_the_extent)
{
    random_source source = {1};
    for (int round = 0; round < 20000; round++) {
        const size_t n = random_extent(&source);
        const size_t k = uniform_between(&source, 1, PARTS_MAX);
        const clshard_policy policy = closed_forms[uniform(&source, CLOSED_FORMS)];
        const clshard__cut cut = clshard__cut_closed(policy, n, k);
        const bool whole = policy != CLSHARD_DROP && (policy != CLSHARD_EVEN || n % k == 0);
        cr_assert_eq(end_of_parts(&cut), whole ? n : n / k * k, "%s of %zu over %zu",
                     clshard_policy_name(policy), n, k);
    }
}

Test(split, only_pad_stores_more_than_is_valid)
{
    random_source source = {2};
    for (int round = 0; round < 20000; round++) {
        const size_t n = random_extent(&source) / 2;
        const size_t k = uniform_between(&source, 1, PARTS_MAX);
        const clshard_policy policy = closed_forms[uniform(&source, CLOSED_FORMS)];
        const clshard__cut cut = clshard__cut_closed(policy, n, k);
        const size_t part = uniform(&source, k);
        const clshard__slice slice = clshard__cut_slice(&cut, part);
        if (policy == CLSHARD_PAD) {
            cr_assert_eq(slice.extent, n / k + (n % k != 0));
            cr_assert_eq(slice.offset, part * slice.extent);
            cr_assert_eq(slice.valid_offset, smaller(slice.offset, n));
            cr_assert_eq(slice.valid_extent,
                         smaller(slice.offset + slice.extent, n) - slice.valid_offset);
        } else {
            cr_assert(slice.offset == slice.valid_offset && slice.extent == slice.valid_extent);
        }
    }
}

Test(split, sizes_of_balanced_differ_by_one_at_most)
{
    random_source source = {3};
    for (int round = 0; round < 5000; round++) {
        const size_t n = random_extent(&source);
        const size_t k = uniform_between(&source, 1, PARTS_MAX);
        const clshard__cut cut = clshard__cut_closed(CLSHARD_BALANCED, n, k);
        for (size_t i = 0; i < k; i++)
            cr_assert_eq(clshard__cut_slice(&cut, i).extent, n / k + (i < n % k));
    }
}

Test(split, the_empty_tail_of_ceil_lies_at_the_end)
{
    const clshard__cut cut = clshard__cut_closed(CLSHARD_CEIL, 9, 8);
    for (size_t i = 5; i < 8; i++) {
        cr_assert_eq(clshard__cut_slice(&cut, i).offset, 9);
        cr_assert_eq(clshard__cut_slice(&cut, i).extent, 0);
    }
}

/* Largest remainder as its definition reads: one leftover granule at a time to the part whose
 * remainder is the largest, the lowest of equal ones. */
static void apportion_slowly(size_t granules, const uint64_t *weights, size_t parts, size_t *out)
{
    uint64_t remainder[PARTS_MAX] = {0};
    bool served[PARTS_MAX] = {false};
    uint64_t sum = 0;
    size_t left = granules;

    for (size_t i = 0; i < parts; i++)
        sum += weights[i];
    for (size_t i = 0; i < parts; i++) {
        out[i] = (size_t)((uint128)granules * weights[i] / sum);
        remainder[i] = (uint64_t)((uint128)granules * weights[i] % sum);
        left -= out[i];
    }
    for (; left > 0; left--) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < parts; i++)
            if (!served[i] && (best == SIZE_MAX || remainder[i] > remainder[best]))
                best = i;
        served[best] = true;
        out[best]++;
    }
}

/* Small weights, so that remainders tie; large ones, so that products pass 64 bits. */
static void random_weights(random_source *source, uint64_t *weights, size_t parts)
{
    const size_t bits = uniform_between(source, 1, 57);
    for (size_t i = 0; i < parts; i++)
        weights[i] = random_u64(source) >> (64 - bits);
    weights[uniform(source, parts)] |= 1;
}

Test(split, weighted_is_the_largest_remainder_in_granules)
{
    random_source source = {4};
    for (int round = 0; round < 10000; round++) {
        const size_t n = random_extent(&source);
        const size_t parts = uniform_between(&source, 1, PARTS_MAX);
        const size_t granule = uniform(&source, 2) == 0 ? 1 : uniform_between(&source, 1, 100);
        uint64_t weights[PARTS_MAX];
        size_t granules[PARTS_MAX] = {0};
        clshard__cut cut;
        uint128 before = 0;

        random_weights(&source, weights, parts);
        apportion_slowly(n / granule + (n % granule != 0), weights, parts, granules);
        cut = weighted(n, weights, parts, granule);
        for (size_t i = 0; i < parts; i++) {
            const clshard__slice slice = clshard__cut_slice(&cut, i);
            const uint128 stop = before + (uint128)granules[i] * granule;
            cr_assert_eq(slice.offset, before < n ? (size_t)before : n);
            cr_assert_eq(slice.offset + slice.extent, stop < n ? (size_t)stop : n);
            before = stop;
        }
        cr_assert_eq(end_of_parts(&cut), n);
        end(&cut);
    }
}

Test(split, equal_weights_are_balanced)
{
    random_source source = {5};
    for (int round = 0; round < 5000; round++) {
        const size_t n = random_extent(&source);
        const size_t parts = uniform_between(&source, 1, PARTS_MAX);
        const uint64_t weight = (random_u64(&source) >> uniform_between(&source, 6, 63)) | 1;
        const clshard__cut balanced = clshard__cut_closed(CLSHARD_BALANCED, n, parts);
        uint64_t weights[PARTS_MAX];
        clshard__cut cut;

        for (size_t i = 0; i < parts; i++)
            weights[i] = weight;
        cut = weighted(n, weights, parts, 1);
        for (size_t i = 0; i < parts; i++) {
            cr_assert_eq(clshard__cut_slice(&cut, i).offset,
                         clshard__cut_slice(&balanced, i).offset);
            cr_assert_eq(clshard__cut_slice(&cut, i).extent,
                         clshard__cut_slice(&balanced, i).extent);
        }
        end(&cut);
    }
}

Test(split, a_part_of_weight_0_is_empty)
{
    random_source source = {6};
    for (int round = 0; round < 2000; round++) {
        uint64_t weights[PARTS_MAX];
        clshard__cut cut;
        random_weights(&source, weights, PARTS_MAX);
        weights[7] = 0;
        weights[8] = 1;
        cut = weighted(random_extent(&source), weights, PARTS_MAX, 3);
        cr_assert_eq(clshard__cut_slice(&cut, 7).extent, 0);
        end(&cut);
    }
}

Test(split, weights_of_zero_alone_are_refused)
{
    const uint64_t weights[] = {0, 0, 0};
    clshard__cut cut = {.parts = 77};
    clshard_error err;
    cr_assert_eq(clshard__cut_weighted(10, weights, 3, 1, &cut, &err), CLSHARD_ERR_SPLIT);
    cr_assert_not_null(strstr(err.message, "all 3 parts are 0"), "%s", err.message);
    cr_assert_eq(cut.parts, 77);
}

Test(split, weights_whose_sum_exceeds_64_bits_overflow)
{
    const uint64_t weights[] = {UINT64_MAX, 1};
    clshard__cut cut = {.parts = 77};
    clshard_error err;
    cr_assert_eq(clshard__cut_weighted(10, weights, 2, 1, &cut, &err), CLSHARD_ERR_OVERFLOW);
    cr_assert_not_null(strstr(err.message, "64 bits"), "%s", err.message);
    cr_assert_eq(cut.parts, 77);
}

Test(split, sizes_are_taken_as_given)
{
    const size_t sizes[] = {5, 0, 3, 2};
    clshard__cut cut;
    cr_assert_eq(clshard__cut_sizes(10, sizes, 4, &cut, NULL), CLSHARD_OK);
    for (size_t i = 0; i < 4; i++)
        cr_assert_eq(clshard__cut_slice(&cut, i).extent, sizes[i]);
    cr_assert_eq(end_of_parts(&cut), 10);
    end(&cut);
}

Test(split, sizes_that_do_not_sum_to_the_extent_are_refused)
{
    const size_t short_by_one[] = {5, 3, 1};
    const size_t wrapped[] = {SIZE_MAX, 11, 0};
    clshard__cut cut = {.parts = 77};
    clshard_error err;
    cr_assert_eq(clshard__cut_sizes(10, short_by_one, 3, &cut, &err), CLSHARD_ERR_SPLIT);
    cr_assert_not_null(strstr(err.message, "sum to 9, not to the extent 10"), "%s", err.message);
    cr_assert_eq(clshard__cut_sizes(10, wrapped, 3, &cut, &err), CLSHARD_ERR_SPLIT);
    cr_assert_not_null(strstr(err.message, "more than 64 bits"), "%s", err.message);
    cr_assert_eq(cut.parts, 77);
}

Test(split, policies_have_names)
{
    static const char *const names[] = {"even", "balanced", "ceil", "pad",
                                        "drop", "weighted", "sizes"};
    for (size_t i = 0; i < 7; i++)
        cr_assert_str_eq(clshard_policy_name((clshard_policy)i), names[i]);
    cr_assert_null(clshard_policy_name((clshard_policy)7));
    cr_assert_null(clshard_policy_name((clshard_policy)-1));
}

/* Both forms of a share. */
typedef clshard_status share_call(size_t, clshard_share, clshard_policy, clshard_range *,
                                  clshard_error *);
static share_call *const share_calls[] = {clshard_split_contiguous, clshard_split_strided};

static void expect_refusal(share_call *call, size_t total, clshard_share share,
                           clshard_policy policy, clshard_status expected, const char *words)
{
    clshard_range range = {71, 72, 73};
    clshard_error err = {0};
    cr_assert_eq(call(total, share, policy, &range, &err), expected);
    cr_assert_eq(err.status, expected);
    cr_assert_not_null(strstr(err.message, words), "'%s' lacks '%s'", err.message, words);
    cr_assert(range.start == 71 && range.step == 72 && range.count == 73);
    cr_assert_eq(call(total, share, policy, &range, NULL), expected);
}

Test(split, shares_name_what_is_wrong)
{
    for (size_t i = 0; i < 2; i++) {
        share_call *call = share_calls[i];
        const clshard_share good = {1, 4};
        expect_refusal(call, 10, (clshard_share){0, 0}, CLSHARD_BALANCED, CLSHARD_ERR_INDEX,
                       "share 0 of 0");
        expect_refusal(call, 10, (clshard_share){4, 4}, CLSHARD_BALANCED, CLSHARD_ERR_INDEX,
                       "share 4 of 4");
        expect_refusal(call, 10, good, CLSHARD_EVEN, CLSHARD_ERR_INDIVISIBLE,
                       "10 rows are not divisible by 4");
        expect_refusal(call, 10, good, CLSHARD_WEIGHTED, CLSHARD_ERR_SPLIT, "'weighted'");
        expect_refusal(call, 10, good, CLSHARD_SIZES, CLSHARD_ERR_SPLIT, "'sizes'");
        expect_refusal(call, 10, good, (clshard_policy)7, CLSHARD_ERR_ARGUMENT, "7 is no policy");
        cr_assert_eq(call(10, good, CLSHARD_DROP, NULL, NULL), CLSHARD_ERR_ARGUMENT);
    }
    expect_refusal(clshard_split_strided, 10, (clshard_share){1, 4}, CLSHARD_CEIL,
                   CLSHARD_ERR_SPLIT, "'ceil'");
    expect_refusal(clshard_split_strided, 10, (clshard_share){1, 4}, CLSHARD_PAD, CLSHARD_ERR_SPLIT,
                   "'pad'");
}

Test(split, shares_hold_each_row_once)
{
    random_source source = {7};
    for (int round = 0; round < 5000; round++) {
        const bool strided = uniform(&source, 2) == 1;
        const size_t n = uniform(&source, 200);
        const size_t k = uniform_between(&source, 1, PARTS_MAX);
        const clshard_policy policy =
            strided ? (uniform(&source, 2) == 1 ? CLSHARD_BALANCED : CLSHARD_DROP)
                    : closed_forms[uniform_between(&source, 1, CLOSED_FORMS - 1)];
        const size_t end_of_rows = policy == CLSHARD_DROP ? n / k * k : n;
        unsigned char seen[200] = {0};

        for (size_t i = 0; i < k; i++) {
            clshard_range range;
            cr_assert_eq(share_calls[strided](n, (clshard_share){i, k}, policy, &range, NULL),
                         CLSHARD_OK);
            cr_assert(range.step == (strided ? k : 1));
            for (size_t r = 0; r < range.count; r++)
                seen[range.start + r * range.step]++;
        }
        for (size_t row = 0; row < n; row++)
            cr_assert_eq(seen[row], row < end_of_rows);
    }
}
