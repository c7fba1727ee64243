/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "layout_svg.h"
#include "placement.h"

enum { NO_COLOUR = COLOUR_COUNT };

/* Paul Tol's "light" scheme: told apart by the colour-blind, and black text is readable on each. */
static const char *const colours[] = {"#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff",
                                      "#44bb99", "#bbcc33", "#aaaa00", "none"};

static bool same_box(const clshard_box *a, const clshard_box *b)
{
    return memcmp(a->offset, b->offset, a->rank * sizeof *a->offset) == 0 &&
           memcmp(a->extent, b->extent, a->rank * sizeof *a->extent) == 0;
}

/* The first position with the same slice. */
static size_t first_holder(const blocks *found, size_t position)
{
    size_t first = 0;
    while (!same_box(&found->part[first].box, &found->part[position].box))
        first++;
    return first;
}

/* Gives each slice a colour of its own; false when there are too many. */
static bool colour_slices(layout_drawing *drawing)
{
    size_t used = 0;

    for (size_t i = 0; i < drawing->found.position_count; i++) {
        const size_t first = first_holder(&drawing->found, i);
        if (box_is_empty(&drawing->found.part[i].box))
            drawing->colour[i] = NO_COLOUR;
        else if (first < i)
            drawing->colour[i] = drawing->colour[first];
        else if (used == COLOUR_COUNT)
            return false;
        else
            drawing->colour[i] = used++;
    }
    return true;
}

static bool cuts_something(const clshard_layout *layout, const char *axis)
{
    const clshard_spec *spec = clshard_sharding_spec(clshard_layout_sharding(layout));

    for (size_t i = 0; i < spec->rank; i++)
        for (size_t j = 0; j < CLSHARD_RANK_MAX; j++)
            if (strcmp(spec->entry[i].axis[j], axis) == 0)
                return true;
    return false;
}

/* The most significant axis that cuts something. */
static size_t axis_to_colour(const clshard_layout *layout, const clshard_mesh *mesh)
{
    for (size_t i = 0; i < clshard_mesh_axis_count(mesh); i++) {
        const clshard_axis axis = clshard_mesh_axis(mesh, i);
        if (axis.size > 1 && cuts_something(layout, axis.name))
            return i;
    }
    return 0;
}

static void colour_coordinates(layout_drawing *drawing)
{
    const clshard_mesh *mesh = layout_mesh(drawing->layout);

    drawing->colour_axis = axis_to_colour(drawing->layout, mesh);
    for (size_t i = 0; i < drawing->found.position_count; i++) {
        size_t coordinates[CLSHARD_RANK_MAX] = {0};
        const bool known = clshard_mesh_coordinates(mesh, i, coordinates, NULL) == CLSHARD_OK;
        drawing->colour[i] = box_is_empty(&drawing->found.part[i].box) || !known
                                 ? NO_COLOUR
                                 : coordinates[drawing->colour_axis] % COLOUR_COUNT;
    }
}

void layout_drawing_colour(layout_drawing *drawing)
{
    drawing->colour_axis = SIZE_MAX;
    if (!colour_slices(drawing))
        colour_coordinates(drawing);
}

const char *position_colour(const layout_drawing *drawing, size_t position)
{
    return colours[drawing->why_not == NULL ? drawing->colour[position] : NO_COLOUR];
}
