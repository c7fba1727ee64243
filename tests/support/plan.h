/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_PLAN_H
#define CLSHARD_TESTS_PLAN_H

/* Axes, tilings and geometries from text; a text that does not parse fails the test. */

#include "layout/geometry.h"
#include "support/random.h"

clshard__axes axes_of(const char *text);
clshard_shape shape_of(const char *text);
clshard_spec spec_of(const char *text);

/* Some way to write that many positions as 1 to 4 axes, sizes of 1 among them. */
clshard__axes random_axes(random_source *source, size_t positions);

/* A spec of that rank in which each axis cuts some dimension or none, in any order. */
clshard_spec random_spec(random_source *source, const clshard__axes *axes, size_t rank);

/* The caller releases it. */
clshard__tiling *tiling_of(const char *mesh, const char *spec, clshard_policy uneven);

/* The first failure on the way from text to geometry; *out_geometry stays untouched then. */
clshard_status try_geometry(const char *mesh, const char *spec, const char *shape,
                            clshard_policy uneven, clshard__geometry **out_geometry,
                            clshard_error *err);

/* Prints ranges as the tables do: "0:4,2:3"; returns its argument. */
const char *print_ranges(const clshard_box *box, char text[512]);

#endif
