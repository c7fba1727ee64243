/* SPDX-License-Identifier: Apache-2.0 */
#include "layout/cutting.h"
#include "layout/digits.h"

bool clshard__tiling_equal(const clshard__tiling *a, const clshard__tiling *b)
{
    if (!clshard__axes_equal(&a->axes, &b->axes) || a->spec.rank != b->spec.rank)
        return false;
    for (size_t d = 0; d < a->spec.rank; d++)
        if (!clshard__cutting_equal(&a->dimension[d], &b->dimension[d]))
            return false;
    return true;
}

/* A dimension of a tiling; past the spec it is whole. */
static const clshard__cutting *dimension_of(const clshard__tiling *tiling, size_t dimension)
{
    static const clshard__cutting whole = {.parts = 1, .granule = 1};
    return dimension < tiling->spec.rank ? &tiling->dimension[dimension] : &whole;
}

static bool same_dimension(const clshard__tiling *a, const clshard__tiling *b, size_t dimension)
{
    const clshard__cutting *in_a = dimension_of(a, dimension);
    const clshard__cutting *in_b = dimension_of(b, dimension);
    const clshard__digits of_a = clshard__digits_of(&a->axes, in_a->axis, in_a->axis_count);
    const clshard__digits of_b = clshard__digits_of(&b->axes, in_b->axis, in_b->axis_count);
    return clshard__digits_equal(&of_a, &of_b) && clshard__cutting_alike(in_a, in_b);
}

bool clshard__tiling_equivalent(const clshard__tiling *a, const clshard__tiling *b, size_t rank)
{
    /* A spec longer than the rank has no layout that could be compared. */
    if (a->axes.positions != b->axes.positions || a->spec.rank > rank || b->spec.rank > rank)
        return false;
    for (size_t d = 0; d < rank; d++)
        if (!same_dimension(a, b, d))
            return false;
    return true;
}
