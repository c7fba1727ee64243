/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_PLAN_H
#define CLSHARD_TESTS_PLAN_H

/* Axes, tilings and geometries from text; a text that does not parse fails the test. */

#include "layout/geometry.h"

clshard__axes axes_of(const char *text);
clshard_shape shape_of(const char *text);
clshard_spec spec_of(const char *text);

/* What the caller releases. */
clshard__tiling *tiling_of(const char *mesh, const char *spec, clshard_policy uneven);

/* The first failure on the way from text to geometry; *out_geometry stays untouched then. */
clshard_status try_geometry(const char *mesh, const char *spec, const char *shape,
                            clshard_policy uneven, clshard__geometry **out_geometry,
                            clshard_error *err);

/* Prints ranges as the tables do: "0:4,2:3"; returns its argument. */
const char *print_ranges(const clshard_box *box, char text[512]);

#endif
