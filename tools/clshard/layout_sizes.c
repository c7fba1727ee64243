/* SPDX-License-Identifier: Apache-2.0 */

/* How large the parts of a drawing are. */

#include <string.h>

#include "layout_svg.h"

enum {
    WIDTH_AIMED = 640, /* of a plane */
    HEIGHT_AIMED = 400,
    SLAB_WIDTH_AIMED = 320, /* of one of several planes */
    SLAB_HEIGHT_AIMED = 240,
    BAR_HEIGHT = 72, /* of an array with one dimension */
    COLUMN_LEAST = 20,
    ROW_LEAST = 22,
    FEW_COLUMNS = 8,
    LABEL_MOST = 124, /* pixels that one of few columns must offer its labels */
    LABEL_LEAST = 80  /* and one of many */
};

/* The positions of a block, cut short to what fits: "0,4,8 ... (16)". */
void holders_label(const layout_drawing *drawing, block_index at, size_t width,
                   char buffer[SVG_LINE])
{
    const members set = block_holders(&drawing->found, at);
    char list[SVG_LINE];
    const size_t count = members_text(&set, list, sizeof list);
    char *comma;

    svg_line(buffer, "%s", block_kind(&drawing->found, at) == CUT_DROPPED ? "-" : list);
    while (svg_text_width(buffer, LABEL, true) > width && (comma = strrchr(list, ',')) != NULL) {
        *comma = '\0';
        svg_line(buffer, "%s \u2026 (%zu)", list, count);
    }
    if (svg_text_width(buffer, LABEL, true) > width)
        svg_line(buffer, "(%zu)", count);
}

static size_t label_width(const layout_drawing *drawing, size_t column)
{
    const blocks *found = &drawing->found;
    const size_t most = found->cut_count[found->column] > FEW_COLUMNS ? LABEL_LEAST : LABEL_MOST;
    char text[SVG_LINE];
    size_t width = 0;

    for (size_t slab = 0; slab < found->cut_count[found->slab]; slab++) {
        for (size_t row = 0; row < found->cut_count[found->row]; row++) {
            size_t needed;
            holders_label(drawing, (block_index){slab, row, column}, most, text);
            needed = svg_text_width(text, LABEL, true);
            width = needed > width ? needed : width;
        }
    }
    return width + 8;
}

static size_t share_of(const layout_drawing *drawing, size_t dimension, size_t index, size_t aimed)
{
    return (size_t)((double)aimed * range_share(&drawing->found, dimension, index) + 0.5);
}

static double drawn_extent(const layout_drawing *drawing, size_t dimension)
{
    const size_t last = drawing->found.cut_count[dimension] - 1;
    return (double)drawing->found.cuts[dimension][last].stop;
}

/* The sides that a plane should have, in proportion as far as both stay readable. */
static void aim_sides(const layout_drawing *drawing, size_t *width, size_t *height)
{
    const blocks *found = &drawing->found;
    const size_t slabs = found->cut_count[found->slab];
    const double most_width = slabs > 1 ? SLAB_WIDTH_AIMED : WIDTH_AIMED;
    const double most_height = slabs > 1 ? SLAB_HEIGHT_AIMED : HEIGHT_AIMED;
    double ratio;

    *width = (size_t)most_width;
    *height = BAR_HEIGHT;
    if (found->row == NO_DIMENSION)
        return;
    ratio = drawn_extent(drawing, found->column) / drawn_extent(drawing, found->row);
    *height = (size_t)most_height;
    if (ratio > most_width / most_height)
        *height = (size_t)(most_width / ratio);
    else
        *width = (size_t)(most_height * ratio);
    *width = *width < SIDE_LEAST ? SIDE_LEAST : *width;
    *height = *height < SIDE_LEAST ? SIDE_LEAST : *height;
}

/* Ranges of one extent are drawn alike, as wide as the widest of them. */
static void level_columns(layout_drawing *drawing)
{
    const size_t count = drawing->found.cut_count[drawing->found.column];
    const cut *cuts = drawing->found.cuts[drawing->found.column];
    size_t widest = 0;

    for (size_t i = 0; i < count; i++) {
        if (cuts[i].stop - cuts[i].start != cuts[0].stop - cuts[0].start)
            return;
        widest = drawing->width[i] > widest ? drawing->width[i] : widest;
    }
    for (size_t i = 0; i < count; i++)
        drawing->width[i] = widest;
}

/* The ranges above the columns lie where all have room. */
static void fit_column_ranges(layout_drawing *drawing)
{
    const size_t dimension = drawing->found.column;
    size_t longest = 0;

    for (size_t i = 0; i < drawing->found.cut_count[dimension]; i++) {
        char text[RANGE_TEXT];
        const size_t range =
            svg_text_width(range_text(&drawing->found, dimension, i, text), SMALL, false) + 6;
        drawing->turned = drawing->turned || range > drawing->width[i];
        longest = range > longest ? range : longest;
    }
    drawing->ranges_height = drawing->turned ? longest : LINE;
    if (dimension == NO_DIMENSION)
        drawing->ranges_height = 0;
}

static size_t fit_columns(layout_drawing *drawing, size_t aimed)
{
    const size_t dimension = drawing->found.column;
    size_t sum = 0;

    for (size_t i = 0; i < drawing->found.cut_count[dimension]; i++) {
        const size_t least = label_width(drawing, i);
        const size_t share = share_of(drawing, dimension, i, aimed);
        drawing->width[i] = share > least ? share : least;
        if (drawing->width[i] < COLUMN_LEAST)
            drawing->width[i] = COLUMN_LEAST;
    }
    level_columns(drawing);
    fit_column_ranges(drawing);
    for (size_t i = 0; i < drawing->found.cut_count[dimension]; i++)
        sum += drawing->width[i];
    return sum;
}

static size_t fit_rows(layout_drawing *drawing, size_t aimed)
{
    const size_t dimension = drawing->found.row;
    size_t sum = 0;

    for (size_t i = 0; i < drawing->found.cut_count[dimension]; i++) {
        char text[RANGE_TEXT];
        const size_t range =
            svg_text_width(range_text(&drawing->found, dimension, i, text), SMALL, false);
        const size_t needed = range + 8 + (size_t)2 * LINE;
        const size_t share = share_of(drawing, dimension, i, aimed);
        drawing->height[i] = share > ROW_LEAST ? share : ROW_LEAST;
        if (needed > drawing->rows_width)
            drawing->rows_width = needed;
        sum += drawing->height[i];
    }
    if (dimension == NO_DIMENSION)
        drawing->rows_width = 0;
    return sum;
}

static bool near_to(double a, double b)
{
    return a < 1.1 * b + 2 && b < 1.1 * a + 2;
}

/* Whether sides and parts have the sizes that their extents ask for. */
static bool is_to_scale(const layout_drawing *drawing)
{
    const blocks *found = &drawing->found;
    const double pixels = (double)drawing->plane_width / drawn_extent(drawing, found->column);
    bool scaled = found->row == NO_DIMENSION || near_to((double)drawing->plane_height,
                                                        pixels * drawn_extent(drawing, found->row));

    for (size_t i = 0; i < found->cut_count[found->column]; i++)
        scaled =
            scaled && near_to((double)drawing->width[i],
                              (double)share_of(drawing, found->column, i, drawing->plane_width));
    for (size_t i = 0; i < found->cut_count[found->row]; i++)
        scaled = scaled && near_to((double)drawing->height[i],
                                   (double)share_of(drawing, found->row, i, drawing->plane_height));
    return scaled;
}

void layout_drawing_make(layout_drawing *drawing, const clshard_layout *layout, clshard_dtype dtype)
{
    size_t width;
    size_t height;

    memset(drawing, 0, sizeof *drawing);
    drawing->layout = layout;
    drawing->dtype = dtype;
    drawing->why_not = blocks_find(layout, true, &drawing->found);
    if (drawing->why_not != NULL)
        return;
    layout_drawing_colour(drawing);
    aim_sides(drawing, &width, &height);
    drawing->plane_width = fit_columns(drawing, width);
    drawing->plane_height = fit_rows(drawing, height);
    drawing->to_scale = is_to_scale(drawing);
}
