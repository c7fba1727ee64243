/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_LAYOUT_SVG_H
#define TOOL_LAYOUT_SVG_H

/* An array drawn on a sheet: each block with the positions that hold it. */

#include <clshard/sharding.h>

#include "blocks.h"
#include "svg.h"

enum {
    COLOUR_COUNT = 8,
    SIDE_LEAST = 160, /* of a plane's shorter side */
    TITLE = 18,       /* sizes of fonts */
    LABEL = 14,
    NORMAL = 12,
    SMALL = 11,
    LINE = 17 /* from one line of text to the next */
};

typedef struct layout_drawing {
    const clshard_layout *layout;
    clshard_dtype dtype; /* NONE: no bytes are shown */
    blocks found;
    const char *why_not;       /* it cannot be drawn; NULL: it can */
    size_t width[RANGES_MOST]; /* of a column of blocks */
    size_t height[RANGES_MOST];
    size_t plane_width;
    size_t plane_height;
    size_t ranges_height; /* of the ranges above the columns */
    size_t rows_width;    /* of the ranges and the dimension left of the rows */
    bool turned;          /* ranges above the columns are too long to lie */
    bool to_scale;
    size_t colour_axis; /* of the mesh; SIZE_MAX: each slice has its own colour */
    size_t colour[POSITIONS_MOST];
} layout_drawing;

/* Finds the blocks, their colours and their sizes. */
void layout_drawing_make(layout_drawing *drawing, const clshard_layout *layout,
                         clshard_dtype dtype);

/* Draws the blocks, and below them what they do not tell; its upper left corner is at x, y.
 * Returns where the next thing may be drawn below. */
size_t layout_drawing_put(const layout_drawing *drawing, svg *sheet, size_t x, size_t y);

/* Pixels that the drawing takes from left to right; without the notes below it. */
size_t layout_drawing_width(const layout_drawing *drawing);

/* Lists up to 64 positions with coordinates and devices, and the colours that they have in the
 * drawing. Returns where the list ends. */
size_t layout_legend_put(const layout_drawing *drawing, bool with_colours, svg *sheet, size_t x,
                         size_t y);

/* A line above all drawings; a bold one has the size TITLE. Returns where the next begins. */
size_t put_heading_line(svg *sheet, size_t y, size_t size, const char *text);

/* A square of a colour, or hatched with "url(#padding)", and what it stands for. */
void put_key(svg *sheet, size_t x, size_t y, const char *fill, const char *text);

/* The steps of layout_drawing_make(), and what two of them need. */
void layout_drawing_colour(layout_drawing *drawing);
void holders_label(const layout_drawing *drawing, block_index at, size_t width,
                   char buffer[SVG_LINE]);

/* The colour of a position's slice; "none" for one without any. */
const char *position_colour(const layout_drawing *drawing, size_t position);

#endif
