/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "support/plan.h"

/* A tiling over data=2,model=3,one=1 with splits of its own. */
static clshard_status try_splits(const char *spec_text, clshard_policy uneven,
                                 const clshard_split *splits, size_t count,
                                 clshard__tiling **out_tiling, clshard_error *err)
{
    const clshard__axes axes = axes_of("data=2,model=3,one=1");
    const clshard_spec spec = spec_of(spec_text);
    return clshard__tiling_create(&axes, &spec, uneven, splits, count, out_tiling, err);
}

static clshard__tiling *with_splits(const char *spec, const clshard_split *splits, size_t count)
{
    clshard__tiling *tiling = NULL;
    clshard_error err;
    cr_assert_eq(try_splits(spec, CLSHARD_EVEN, splits, count, &tiling, &err), CLSHARD_OK, "%s",
                 err.message);
    return tiling;
}

static void expect_refusal(const char *spec, clshard_policy uneven, const clshard_split *splits,
                           size_t count, clshard_status expected, const char *words)
{
    clshard__tiling *const untouched = (clshard__tiling *)&untouched;
    clshard__tiling *tiling = untouched;
    clshard_error err = {0};
    cr_assert_eq(try_splits(spec, uneven, splits, count, &tiling, &err), expected, "%s: %s",
                 clshard_status_name(err.status), err.message);
    cr_assert_eq(err.status, expected);
    cr_assert_not_null(strstr(err.message, words), "'%s' lacks '%s'", err.message, words);
    cr_assert_eq(tiling, untouched);
    cr_assert_eq(try_splits(spec, uneven, splits, count, &tiling, NULL), expected);
}

static void expect_split_refusal(const char *spec, clshard_split split, clshard_status expected,
                                 const char *words)
{
    expect_refusal(spec, CLSHARD_EVEN, &split, 1, expected, words);
}

Test(tiling, an_axis_used_twice_is_named_and_priority_proposed)
{
    expect_refusal("data,model,data", CLSHARD_EVEN, NULL, 0, CLSHARD_ERR_DUPLICATE_AXIS,
                   "'data' is used twice, by dimensions 0 and 2");
    expect_refusal("_,model+model", CLSHARD_EVEN, NULL, 0, CLSHARD_ERR_DUPLICATE_AXIS,
                   "'model' is used twice in dimension 1; an axis cuts a dimension once");
    expect_refusal("model,model", CLSHARD_EVEN, NULL, 0, CLSHARD_ERR_DUPLICATE_AXIS, "'priority'");
}

Test(tiling, an_unknown_axis_is_named_with_the_axes_there_are)
{
    expect_refusal("data,modle", CLSHARD_EVEN, NULL, 0, CLSHARD_ERR_UNKNOWN_AXIS,
                   "'modle' is not in the mesh (axes: data=2,model=3,one=1)");
}

Test(tiling, duplicates_are_found_before_unknown_axes)
{
    expect_refusal("modle,data,data", CLSHARD_EVEN, NULL, 0, CLSHARD_ERR_DUPLICATE_AXIS, "'data'");
    expect_refusal("modle,modle", CLSHARD_EVEN, NULL, 0, CLSHARD_ERR_DUPLICATE_AXIS, "'modle'");
}

Test(tiling, uneven_takes_closed_forms_only)
{
    expect_refusal("data", CLSHARD_WEIGHTED, NULL, 0, CLSHARD_ERR_ARGUMENT, "'weighted'");
    expect_refusal("data", CLSHARD_SIZES, NULL, 0, CLSHARD_ERR_ARGUMENT, "'sizes'");
    expect_refusal("data", (clshard_policy)9, NULL, 0, CLSHARD_ERR_ARGUMENT, "9 is no policy");
}

Test(tiling, splits_that_are_missing_are_an_argument)
{
    expect_refusal("data", CLSHARD_EVEN, NULL, 2, CLSHARD_ERR_ARGUMENT, "split_count is 2");
}

Test(tiling, a_malformed_spec_is_an_argument)
{
    const clshard__axes axes = axes_of("data=2");
    clshard__tiling *tiling = NULL;
    clshard_spec spec = {.rank = CLSHARD_RANK_MAX + 1};
    clshard_error err;
    cr_assert_eq(clshard__tiling_create(&axes, &spec, CLSHARD_EVEN, NULL, 0, &tiling, &err),
                 CLSHARD_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.message, "rank is 9"), "%s", err.message);
    spec.rank = 1;
    memset(&spec.entry[0], 'x', sizeof spec.entry[0]);
    cr_assert_eq(clshard__tiling_create(&axes, &spec, CLSHARD_EVEN, NULL, 0, &tiling, &err),
                 CLSHARD_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.message, "has no end"), "%s", err.message);
}

Test(tiling, a_split_names_an_axis_that_the_spec_uses)
{
    expect_split_refusal("data", (clshard_split){.axis = "modle", .policy = CLSHARD_PAD},
                         CLSHARD_ERR_UNKNOWN_AXIS, "'modle' is not in the mesh");
    expect_split_refusal("data", (clshard_split){.axis = "model", .policy = CLSHARD_PAD},
                         CLSHARD_ERR_SPLIT, "'model', which the spec does not use");
    expect_split_refusal("data", (clshard_split){.policy = CLSHARD_PAD}, CLSHARD_ERR_ARGUMENT,
                         "axis of split 0 is NULL");
    expect_split_refusal("data", (clshard_split){.axis = "data", .policy = (clshard_policy)-1},
                         CLSHARD_ERR_ARGUMENT, "-1 is no policy");
}

Test(tiling, an_axis_has_one_split)
{
    const clshard_split splits[] = {{.axis = "data", .policy = CLSHARD_PAD},
                                    {.axis = "data", .policy = CLSHARD_PAD}};
    expect_refusal("data", CLSHARD_EVEN, splits, 2, CLSHARD_ERR_DUPLICATE_AXIS,
                   "splits 0 and 1 are both for axis 'data'");
}

Test(tiling, a_dimension_has_one_policy)
{
    const clshard_split splits[] = {{.axis = "model", .policy = CLSHARD_PAD},
                                    {.axis = "data", .policy = CLSHARD_BALANCED}};
    expect_refusal("data+model", CLSHARD_EVEN, splits, 2, CLSHARD_ERR_SPLIT,
                   "'balanced' by axis 'data' and 'pad' by axis 'model'");
    clshard__tiling_release(with_splits("data,model", splits, 2));
}

Test(tiling, weights_and_sizes_that_do_not_fit_are_refused_with_their_numbers)
{
    const uint32_t weights[] = {0, 0, 5};
    const size_t sizes[] = {1, 2, 3};
    expect_split_refusal("data",
                         (clshard_split){.axis = "data", CLSHARD_WEIGHTED, weights, NULL, 3, 0},
                         CLSHARD_ERR_SPLIT, "'data' has size 2 but 3 weights");
    expect_split_refusal("data",
                         (clshard_split){.axis = "data", CLSHARD_WEIGHTED, weights, NULL, 2, 0},
                         CLSHARD_ERR_SPLIT, "all 2 weights of axis 'data' are 0");
    expect_split_refusal("data",
                         (clshard_split){.axis = "data", CLSHARD_WEIGHTED, NULL, NULL, 2, 0},
                         CLSHARD_ERR_ARGUMENT, "needs weights, which is NULL");
    expect_split_refusal("data", (clshard_split){.axis = "data", CLSHARD_SIZES, NULL, NULL, 2, 0},
                         CLSHARD_ERR_ARGUMENT, "needs sizes, which is NULL");
    expect_split_refusal("_,data+model",
                         (clshard_split){.axis = "data", CLSHARD_SIZES, NULL, sizes, 3, 0},
                         CLSHARD_ERR_SPLIT, "dimension 1 has 6 parts but axis 'data' brings 3");
    expect_split_refusal("data",
                         (clshard_split){.axis = "data", CLSHARD_BALANCED, weights, NULL, 2, 0},
                         CLSHARD_ERR_SPLIT, "'balanced' takes no weights");
    expect_split_refusal("data", (clshard_split){.axis = "data", CLSHARD_PAD, NULL, sizes, 2, 0},
                         CLSHARD_ERR_SPLIT, "'pad' takes no sizes");
    expect_split_refusal("data", (clshard_split){.axis = "data", CLSHARD_DROP, NULL, NULL, 0, 16},
                         CLSHARD_ERR_SPLIT, "'drop' takes no granule");
}

Test(tiling, the_sizes_of_a_dimension_are_given_once)
{
    const size_t sizes[] = {1, 2, 3, 4, 5, 6};
    const clshard_split splits[] = {{"data", CLSHARD_SIZES, NULL, sizes, 6, 0},
                                    {"model", CLSHARD_SIZES, NULL, sizes, 6, 0}};
    clshard__tiling *tiling;
    expect_refusal("data+model", CLSHARD_EVEN, splits, 2, CLSHARD_ERR_SPLIT, "sizes twice");
    tiling = with_splits("data+model", splits + 1, 1);
    cr_assert(memcmp(tiling->dimension[0].sizes, sizes, sizeof sizes) == 0);
    clshard__tiling_release(tiling);
}

Test(tiling, weights_whose_product_exceeds_64_bits_overflow)
{
    const clshard__axes axes = axes_of("a=1,b=1,c=1");
    const clshard_spec spec = spec_of("a+b+c");
    const uint32_t most[] = {UINT32_MAX};
    const clshard_split splits[] = {{"a", CLSHARD_WEIGHTED, most, NULL, 1, 0},
                                    {"b", CLSHARD_WEIGHTED, most, NULL, 1, 0},
                                    {"c", CLSHARD_WEIGHTED, most, NULL, 1, 0}};
    clshard__tiling *tiling = NULL;
    clshard_error err;
    cr_assert_eq(clshard__tiling_create(&axes, &spec, CLSHARD_EVEN, splits, 2, &tiling, &err),
                 CLSHARD_OK);
    cr_assert_eq(tiling->dimension[0].weights[0], (uint64_t)UINT32_MAX * UINT32_MAX);
    clshard__tiling_release(tiling);
    cr_assert_eq(clshard__tiling_create(&axes, &spec, CLSHARD_EVEN, splits, 3, &tiling, &err),
                 CLSHARD_ERR_OVERFLOW);
    cr_assert_not_null(strstr(err.message, "axis 'c'"), "%s", err.message);
}

Test(tiling, weights_of_several_axes_multiply)
{
    const uint32_t of_data[] = {2, 5};
    const uint32_t of_model[] = {1, 10, 100};
    const clshard_split splits[] = {{"data", CLSHARD_WEIGHTED, of_data, NULL, 2, 4},
                                    {"model", CLSHARD_WEIGHTED, of_model, NULL, 3, 16}};
    const uint64_t both[] = {2, 20, 200, 5, 50, 500};
    const uint64_t reversed[] = {2, 5, 20, 50, 200, 500};
    const uint64_t data_alone[] = {2, 2, 2, 5, 5, 5};
    const uint64_t model_alone[] = {1, 10, 100, 1, 10, 100};
    const struct {
        const char *spec;
        size_t first, count;
        const uint64_t *weights;
        size_t granule;
    } cases[] = {{"data+one+model", 0, 2, both, 16},
                 {"model+data", 0, 2, reversed, 16},
                 {"data+model", 0, 1, data_alone, 4},
                 {"data+model", 1, 1, model_alone, 16}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clshard__tiling *tiling =
            with_splits(cases[i].spec, splits + cases[i].first, cases[i].count);
        cr_assert_eq(tiling->dimension[0].parts, 6);
        cr_assert(memcmp(tiling->dimension[0].weights, cases[i].weights, sizeof both) == 0,
                  "case %zu", i);
        cr_assert_eq(tiling->dimension[0].granule, cases[i].granule);
        clshard__tiling_release(tiling);
    }
}

Test(tiling, dimensions_without_a_split_take_the_uneven_policy)
{
    const clshard_split split = {.axis = "data", .policy = CLSHARD_PAD};
    clshard__tiling *tiling = NULL;
    cr_assert_eq(try_splits("data,model,_", CLSHARD_DROP, &split, 1, &tiling, NULL), CLSHARD_OK);
    cr_assert_eq(tiling->dimension[0].policy, CLSHARD_PAD);
    cr_assert_eq(tiling->dimension[1].policy, CLSHARD_DROP);
    cr_assert_eq(tiling->dimension[2].policy, CLSHARD_EVEN);
    clshard__tiling_release(tiling);
}

/* Two tilings over data=2,model=3,one=1, each with at most one split, compared both ways. */
static void compare(const char *spec_a, const clshard_split *split_a, const char *spec_b,
                    const clshard_split *split_b, bool equal, bool equivalent)
{
    clshard__tiling *a = with_splits(spec_a, split_a, split_a != NULL);
    clshard__tiling *b = with_splits(spec_b, split_b, split_b != NULL);
    cr_assert_eq(clshard__tiling_equal(a, b), equal, "%s, %s", spec_a, spec_b);
    cr_assert_eq(clshard__tiling_equal(b, a), equal, "%s, %s", spec_a, spec_b);
    cr_assert_eq(clshard__tiling_equivalent(a, b, 2), equivalent, "%s, %s", spec_a, spec_b);
    cr_assert_eq(clshard__tiling_equivalent(b, a, 2), equivalent, "%s, %s", spec_a, spec_b);
    clshard__tiling_release(a);
    clshard__tiling_release(b);
}

Test(tiling, equality_takes_specs_as_written_and_equivalence_what_they_do)
{
    compare("data", NULL, "data", NULL, true, true);
    compare("data", NULL, "data,_", NULL, false, true);
    compare("data", NULL, "data+one", NULL, false, true);
    compare("one", NULL, "", NULL, false, true);
    compare("data+model", NULL, "model+data", NULL, false, false);
    compare("data", NULL, "_,data", NULL, false, false);
    compare("data", NULL, "model", NULL, false, false);
}

Test(tiling, policies_are_compared_where_something_is_cut)
{
    const clshard_split pad = {.axis = "data", .policy = CLSHARD_PAD};
    const clshard_split even = {.axis = "data", .policy = CLSHARD_EVEN};
    const clshard_split pad_one = {.axis = "one", .policy = CLSHARD_PAD};
    compare("data", &pad, "data", &pad, true, true);
    compare("data", &even, "data", NULL, true, true);
    compare("data", &pad, "data", NULL, false, false);
    compare("one", &pad_one, "one", NULL, false, true);
}

Test(tiling, weights_are_compared_by_what_they_cut)
{
    const uint32_t one_two[] = {1, 2};
    const uint32_t two_four[] = {2, 4};
    const uint32_t ones[] = {1, 1};
    const uint32_t sevens[] = {7, 7};
    const uint32_t second[] = {0, 9};
    const clshard_split balanced = {.axis = "data", .policy = CLSHARD_BALANCED};
    const clshard_split a = {"data", CLSHARD_WEIGHTED, one_two, NULL, 2, 0};
    const clshard_split a_1 = {"data", CLSHARD_WEIGHTED, one_two, NULL, 2, 1};
    const clshard_split a_16 = {"data", CLSHARD_WEIGHTED, one_two, NULL, 2, 16};
    const clshard_split doubled = {"data", CLSHARD_WEIGHTED, two_four, NULL, 2, 1};
    const clshard_split equal = {"data", CLSHARD_WEIGHTED, ones, NULL, 2, 1};
    const clshard_split equal_16 = {"data", CLSHARD_WEIGHTED, ones, NULL, 2, 16};
    const clshard_split equal_7 = {"data", CLSHARD_WEIGHTED, sevens, NULL, 2, 1};
    const clshard_split all_second = {"data", CLSHARD_WEIGHTED, second, NULL, 2, 1};
    const clshard_split all_second_16 = {"data", CLSHARD_WEIGHTED, second, NULL, 2, 16};
    compare("data", &a, "data", &a_1, true, true);
    compare("data", &a, "data", &a_16, false, false);
    compare("data", &a, "data", &doubled, false, true);
    compare("data", &a, "data", &equal, false, false);
    compare("data", &equal, "data", &balanced, false, true);
    compare("data", &equal, "data", &equal_7, false, true);
    compare("data", &equal_16, "data", &balanced, false, false);
    compare("data", &all_second, "data", &all_second_16, false, true);
    compare("data", &all_second, "data", &balanced, false, false);
}

Test(tiling, sizes_are_compared_one_by_one)
{
    const size_t five_three[] = {5, 3};
    const size_t three_five[] = {3, 5};
    const clshard_split a = {"data", CLSHARD_SIZES, NULL, five_three, 2, 0};
    const clshard_split b = {"data", CLSHARD_SIZES, NULL, three_five, 2, 0};
    compare("data", &a, "data", &a, true, true);
    compare("data", &a, "data", &b, false, false);
    compare("data", &a, "data", NULL, false, false);
}

static bool equivalent_over(const char *mesh_a, const char *spec_a, const char *mesh_b,
                            const char *spec_b)
{
    clshard__tiling *a = tiling_of(mesh_a, spec_a, CLSHARD_EVEN);
    clshard__tiling *b = tiling_of(mesh_b, spec_b, CLSHARD_EVEN);
    const bool equivalent = clshard__tiling_equivalent(a, b, 2);
    cr_assert_eq(clshard__tiling_equivalent(b, a, 2), equivalent);
    clshard__tiling_release(a);
    clshard__tiling_release(b);
    return equivalent;
}

Test(tiling, equivalence_holds_across_meshes)
{
    cr_assert(equivalent_over("d=8", "d", "x=2,y=4", "x+y"));
    cr_assert(!equivalent_over("d=8", "d", "x=2,y=4", "y+x"));
    cr_assert(equivalent_over("p=8,q=1", "p", "p=8", "p"));
    cr_assert(equivalent_over("d=8", "", "x=2,y=4", "_"));
    cr_assert(!equivalent_over("d=8", "", "d=4", ""));
    cr_assert(equivalent_over("x=2,y=4", "x", "a=2,b=2,c=2", "a"));
    cr_assert(equivalent_over("x=2,y=4", "_,y", "a=2,b=2,c=2", "_,b+c"));
}

Test(tiling, a_spec_longer_than_the_rank_is_equivalent_to_nothing)
{
    clshard__tiling *tiling = tiling_of("d=8", "d,_", CLSHARD_EVEN);
    cr_assert(clshard__tiling_equivalent(tiling, tiling, 2));
    cr_assert(!clshard__tiling_equivalent(tiling, tiling, 1));
    clshard__tiling_release(tiling);
}

static bool same_parts(const clshard__tiling *a, const clshard__tiling *b, clshard_shape shape)
{
    clshard__geometry *in_a = NULL;
    clshard__geometry *in_b = NULL;
    bool same = true;

    cr_assert_eq(clshard__geometry_create(a, shape, &in_a, NULL), CLSHARD_OK);
    cr_assert_eq(clshard__geometry_create(b, shape, &in_b, NULL), CLSHARD_OK);
    for (size_t p = 0; p < a->axes.positions; p++) {
        const clshard_part part_a = clshard__geometry_part(in_a, p);
        const clshard_part part_b = clshard__geometry_part(in_b, p);
        same = same && memcmp(&part_a.box, &part_b.box, sizeof part_a.box) == 0;
    }
    cr_assert_eq(clshard__geometry_equivalent(in_a, in_b), same);
    clshard__geometry_release(in_a);
    clshard__geometry_release(in_b);
    return same;
}

Test(tiling, equivalence_is_having_the_same_parts)
{
    /* Extents above the positions, so that different parts are different slices. */
    const clshard_shape shape = CLSHARD_SHAPE(1009, 2003);
    random_source source = {11};
    size_t equivalent = 0;

    for (int round = 0; round < 5000; round++) {
        const size_t positions = uniform(&source, 2) == 0 ? 12 : 16;
        const clshard__axes axes_a = random_axes(&source, positions);
        const clshard__axes axes_b = random_axes(&source, positions);
        const clshard_spec spec_a = random_spec(&source, &axes_a, uniform(&source, 3));
        const clshard_spec spec_b = random_spec(&source, &axes_b, uniform(&source, 3));
        clshard__tiling *a = NULL;
        clshard__tiling *b = NULL;
        bool answer;

        cr_assert_eq(clshard__tiling_create(&axes_a, &spec_a, CLSHARD_BALANCED, NULL, 0, &a, NULL),
                     CLSHARD_OK);
        cr_assert_eq(clshard__tiling_create(&axes_b, &spec_b, CLSHARD_BALANCED, NULL, 0, &b, NULL),
                     CLSHARD_OK);
        answer = clshard__tiling_equivalent(a, b, 2);
        cr_assert_eq(answer, same_parts(a, b, shape));
        equivalent += answer;
        clshard__tiling_release(a);
        clshard__tiling_release(b);
    }
    cr_assert(equivalent > 200 && equivalent < 4800, "%zu of 5000 show both answers", equivalent);
}
