/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_RESHARD_SVG_H
#define TOOL_RESHARD_SVG_H

/* A picture of a reshard to keep: the array before and after, and who gives what to whom. */

#include <clshard/plan.h>

typedef struct reshard_svg {
    const clshard_layout *from;
    const clshard_layout *to;
    const clshard_plan *moves;
    const char *from_policy; /* how extents are cut, as the user said */
    const char *to_policy;
    clshard_dtype dtype;  /* NONE: elements are shown instead of bytes */
    const char *sentence; /* what the moves are together; NULL: none */
} reshard_svg;

/* Writes the picture as the file, whole or not at all; "-" is standard output. `io`, `memory`. */
clshard_status reshard_svg_write(const reshard_svg *plan, const char *path, clshard_error *err);

#endif
