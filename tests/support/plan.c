/* SPDX-License-Identifier: Apache-2.0 */
#include "support/plan.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/text.h"

clshard__axes axes_of(const char *text)
{
    clshard__axes axes;
    clshard_error err;
    cr_assert_eq(clshard__axes_parse(text, &axes, &err), CLSHARD_OK, "%s", err.message);
    cr_assert_eq(clshard__axes_finish(&axes, SIZE_MAX, &err), CLSHARD_OK, "%s", err.message);
    return axes;
}

clshard_shape shape_of(const char *text)
{
    clshard_shape shape = {0};
    clshard_error err;
    cr_assert_eq(clshard_shape_parse(text, &shape, &err), CLSHARD_OK, "%s", err.message);
    return shape;
}

clshard_spec spec_of(const char *text)
{
    clshard_spec spec = {0};
    clshard_error err;
    cr_assert_eq(clshard_spec_parse(text, &spec, &err), CLSHARD_OK, "%s", err.message);
    return spec;
}

static size_t random_divisor(random_source *source, size_t number)
{
    for (size_t divisor = uniform_between(source, 1, number); divisor > 1; divisor--)
        if (number % divisor == 0)
            return divisor;
    return 1;
}

clshard__axes random_axes(random_source *source, size_t positions)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    const size_t count = uniform_between(source, 1, 4);
    clshard__axes axes = {0};
    clshard_error err;
    size_t left = positions;

    for (size_t i = 0; i < count; i++) {
        const size_t size = i + 1 == count ? left : random_divisor(source, left);
        cr_assert_eq(clshard__axes_add(&axes, names[i], size, &err), CLSHARD_OK, "%s", err.message);
        left /= size;
    }
    cr_assert_eq(clshard__axes_finish(&axes, SIZE_MAX, &err), CLSHARD_OK, "%s", err.message);
    return axes;
}

clshard_spec random_spec(random_source *source, const clshard__axes *axes, size_t rank)
{
    size_t order[CLSHARD_RANK_MAX] = {0};
    size_t used[CLSHARD_RANK_MAX] = {0};
    clshard_spec spec = {0};

    spec.rank = rank;
    for (size_t i = 0; i < axes->count; i++) {
        const size_t other = uniform(source, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < axes->count; i++) {
        const size_t dimension = uniform(source, rank + 1);
        if (dimension < rank)
            memcpy(spec.entry[dimension].axis[used[dimension]++], axes->name[order[i]],
                   CLSHARD_NAME_MAX);
    }
    return spec;
}

clshard__tiling *tiling_of(const char *mesh, const char *spec_text, clshard_policy uneven)
{
    const clshard__axes axes = axes_of(mesh);
    const clshard_spec spec = spec_of(spec_text);
    clshard__tiling *tiling = NULL;
    clshard_error err;
    cr_assert_eq(clshard__tiling_create(&axes, &spec, uneven, NULL, 0, &tiling, &err), CLSHARD_OK,
                 "%s", err.message);
    return tiling;
}

clshard_status try_geometry(const char *mesh, const char *spec_text, const char *shape,
                            clshard_policy uneven, clshard__geometry **out_geometry,
                            clshard_error *err)
{
    const clshard__axes axes = axes_of(mesh);
    const clshard_spec spec = spec_of(spec_text);
    clshard__tiling *tiling = NULL;
    clshard_status status = clshard__tiling_create(&axes, &spec, uneven, NULL, 0, &tiling, err);
    if (status == CLSHARD_OK)
        status = clshard__geometry_create(tiling, shape_of(shape), out_geometry, err);
    clshard__tiling_release(tiling);
    return status;
}

const char *print_ranges(const clshard_box *box, char text[512])
{
    clshard__writer writer = clshard__writer_of(text, 512);
    for (size_t d = 0; d < box->rank; d++)
        clshard__write(&writer, "%s%zu:%zu", d > 0 ? "," : "", box->offset[d],
                       box->offset[d] + box->extent[d]);
    return text;
}
