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
    clshard_shape shape;
    clshard_error err;
    cr_assert_eq(clshard_shape_parse(text, &shape, &err), CLSHARD_OK, "%s", err.message);
    return shape;
}

clshard_spec spec_of(const char *text)
{
    clshard_spec spec;
    clshard_error err;
    cr_assert_eq(clshard_spec_parse(text, &spec, &err), CLSHARD_OK, "%s", err.message);
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
