/* SPDX-License-Identifier: Apache-2.0 */
#include "layout_svg.h"

#include <string.h>

#include "placement.h"
#include "terminal.h"

enum { PAGE_WIDTH = 1100, GAP = 28 /* between planes */ };

static const char black[] = "#000000";
static const char grey[] = "#444444";
static const char light_grey[] = "#d0d0d0";

/* What a block says when the pointer rests on it. */
static void block_tooltip(const layout_drawing *drawing, block_index at, char buffer[SVG_LINE])
{
    const members set = block_holders(&drawing->found, at);
    const clshard_box box = block_box(&drawing->found, at);
    const cut_kind kind = block_kind(&drawing->found, at);
    char text[SVG_LINE];
    const size_t count = members_text(&set, text, sizeof text);

    if (kind == CUT_DROPPED)
        svg_line(buffer, "no position holds %s", ranges_text(&box).text);
    else
        svg_line(buffer, "position%s %s: %s%s", count == 1 ? "" : "s", text,
                 kind == CUT_PADDING ? "padding " : "", ranges_text(&box).text);
}

static size_t any_holder(const layout_drawing *drawing, block_index at)
{
    const members set = block_holders(&drawing->found, at);
    size_t position = 0;
    while (position + 1 < drawing->found.position_count && !set.is[position])
        position++;
    return position;
}

/* Positions, and where there is room the extents and the bytes. */
static void put_label(const layout_drawing *drawing, svg *sheet, block_index at, svg_box where)
{
    const clshard_box box = block_box(&drawing->found, at);
    const bool has_dtype = drawing->dtype != CLSHARD_DTYPE_NONE;
    svg_text how = {where.x + where.width / 2, 0, LABEL, SVG_MIDDLE, black, true, false};
    char text[SVG_LINE];
    char bytes[BYTES_TEXT] = "";
    const short_text extents = extent_text(&box);
    size_t lines = 1;

    if (has_dtype)
        bytes_text(box_bytes(&box, drawing->dtype), bytes);
    if (block_kind(&drawing->found, at) == CUT_HELD && where.height >= (size_t)2 * LINE &&
        svg_text_width(extents.text, SMALL, false) + 8 <= where.width)
        lines += 1 + (size_t)(has_dtype && where.height >= (size_t)3 * LINE &&
                              svg_text_width(bytes, SMALL, false) + 8 <= where.width);
    holders_label(drawing, at, where.width - 6, text);
    how.y = where.y + (where.height - lines * LINE) / 2 + LINE - 4;
    if (block_kind(&drawing->found, at) == CUT_PADDING) {
        const size_t width = svg_text_width(text, LABEL, true) + 2;
        svg_rect(sheet, (svg_box){how.x - width / 2, how.y - LABEL + 1, width, LINE}, "#ffffff",
                 "none");
    }
    svg_write(sheet, how, text);
    how.bold = false;
    how.size = SMALL;
    for (size_t i = 1; i < lines; i++) {
        how.y += LINE - 1;
        svg_write(sheet, how, i == 1 ? extents.text : bytes);
    }
}

static void put_block(const layout_drawing *drawing, svg *sheet, block_index at, svg_box where)
{
    static const char *const names[] = {"block", "padding", "dropped"};
    const cut_kind kind = block_kind(&drawing->found, at);
    char tooltip[SVG_LINE];

    block_tooltip(drawing, at, tooltip);
    svg_group(sheet, names[kind], tooltip);
    svg_rect(sheet, where,
             kind == CUT_DROPPED ? light_grey : position_colour(drawing, any_holder(drawing, at)),
             "#333333");
    if (kind == CUT_PADDING)
        svg_rect(sheet, where, "url(#padding)", "#333333");
    put_label(drawing, sheet, at, where);
    svg_group_end(sheet);
}

static void dimension_text(const layout_drawing *drawing, size_t dimension, char name[SVG_LINE],
                           char cut_by[SVG_LINE])
{
    char axes[AXES_TEXT];

    dimension_axes(drawing->layout, dimension, axes);
    svg_line(name, "dimension %zu (%zu)", dimension, drawing->found.shape.extent[dimension]);
    svg_line(cut_by, "%s%s", axes[0] == '\0' ? "not cut" : "cut by ", axes);
}

/* The dimension across, above the first plane. */
static void put_column_title(const layout_drawing *drawing, svg *sheet, size_t x, size_t y)
{
    const size_t least = (size_t)2 * SIDE_LEAST;
    const size_t room = drawing->plane_width > least ? drawing->plane_width : least;
    char name[SVG_LINE];
    char cut_by[SVG_LINE];
    char text[SVG_LINE];
    char fitted[SVG_LINE];

    if (drawing->found.column == NO_DIMENSION)
        return;
    dimension_text(drawing, drawing->found.column, name, cut_by);
    svg_line(text, "%s, %s", name, cut_by);
    svg_write(sheet, (svg_text){x, y, NORMAL, SVG_START, black, false, false},
              svg_fit(text, NORMAL, room, fitted));
}

/* The dimension downwards and its ranges, left of a plane whose corner is x, y. */
static void put_rows_title(const layout_drawing *drawing, svg *sheet, size_t x, size_t y)
{
    const size_t left = x - drawing->rows_width;
    svg_text how = {left + 12, y + drawing->plane_height / 2, NORMAL, SVG_MIDDLE, black, false,
                    true};
    char name[SVG_LINE];
    char cut_by[SVG_LINE];
    char fitted[SVG_LINE];

    if (drawing->found.row == NO_DIMENSION)
        return;
    dimension_text(drawing, drawing->found.row, name, cut_by);
    svg_write(sheet, how, svg_fit(name, how.size, drawing->plane_height, fitted));
    how.x += LINE - 2;
    svg_write(sheet, how, svg_fit(cut_by, how.size, drawing->plane_height, fitted));
    for (size_t i = 0; i < drawing->found.cut_count[drawing->found.row]; i++) {
        char text[RANGE_TEXT];
        range_text(&drawing->found, drawing->found.row, i, text);
        svg_write(
            sheet,
            (svg_text){x - 6, y + drawing->height[i] / 2 + 4, SMALL, SVG_END, grey, false, false},
            text);
        y += drawing->height[i];
    }
}

static void put_column_ranges(const layout_drawing *drawing, svg *sheet, size_t x, size_t y)
{
    for (size_t i = 0; i < drawing->found.cut_count[drawing->found.column]; i++) {
        svg_text how = {x + drawing->width[i] / 2, y - 6, SMALL, SVG_MIDDLE, grey, false, false};
        char text[RANGE_TEXT];
        if (drawing->turned) {
            how.x += 4;
            how.anchor = SVG_START;
            how.upwards = true;
        }
        if (range_text(&drawing->found, drawing->found.column, i, text)[0] != '\0')
            svg_write(sheet, how, text);
        x += drawing->width[i];
    }
}

/* The thick frame is the array: padding lies outside. */
static void put_frame(const layout_drawing *drawing, svg *sheet, size_t x, size_t y)
{
    const blocks *found = &drawing->found;
    svg_box frame = {x, y, 0, 0};

    for (size_t i = 0; i < found->cut_count[found->column]; i++)
        if (found->cuts[found->column][i].kind != CUT_PADDING)
            frame.width += drawing->width[i];
    for (size_t i = 0; i < found->cut_count[found->row]; i++)
        if (found->cuts[found->row][i].kind != CUT_PADDING)
            frame.height += drawing->height[i];
    svg_frame(sheet, frame);
}

static void put_plane(const layout_drawing *drawing, svg *sheet, size_t slab, size_t x, size_t y)
{
    const blocks *found = &drawing->found;
    svg_box where = {x, y, 0, 0};

    put_column_ranges(drawing, sheet, x, y);
    for (size_t row = 0; row < found->cut_count[found->row]; row++) {
        where.x = x;
        where.height = drawing->height[row];
        for (size_t column = 0; column < found->cut_count[found->column]; column++) {
            where.width = drawing->width[column];
            put_block(drawing, sheet, (block_index){slab, row, column}, where);
            where.x += where.width;
        }
        where.y += where.height;
    }
    if (found->cuts[found->slab][slab].kind != CUT_PADDING)
        put_frame(drawing, sheet, x, y);
}

static void put_slab_title(const layout_drawing *drawing, svg *sheet, size_t slab, size_t x,
                           size_t y)
{
    char range[RANGE_TEXT];
    char text[SVG_LINE];

    range_text(&drawing->found, drawing->found.slab, slab, range);
    svg_line(text, "slab %s", range);
    svg_write(sheet, (svg_text){x, y, NORMAL, SVG_START, black, true, false}, text);
}

/* Planes side by side, so that the lines of them are about as long. */
static size_t planes_per_line(const layout_drawing *drawing)
{
    const size_t room = drawing->rows_width < PAGE_WIDTH ? PAGE_WIDTH - drawing->rows_width : 0;
    const size_t most = (room + GAP) / (drawing->plane_width + GAP);
    const size_t count = drawing->found.cut_count[drawing->found.slab];
    const size_t lines = most == 0 ? count : (count + most - 1) / most;

    return (count + lines - 1) / lines;
}

static void put_slabs_title(const layout_drawing *drawing, svg *sheet, size_t x, size_t y)
{
    char name[SVG_LINE];
    char cut_by[SVG_LINE];
    char text[SVG_LINE];

    dimension_text(drawing, drawing->found.slab, name, cut_by);
    svg_line(text, "slabs: %s, %s", name, cut_by);
    svg_write(sheet, (svg_text){x, y, NORMAL, SVG_START, black, false, false},
              svg_fit(text, NORMAL, PAGE_WIDTH / 2, name));
}

size_t layout_drawing_width(const layout_drawing *drawing)
{
    const size_t per_line = drawing->why_not == NULL ? planes_per_line(drawing) : 0;
    return per_line == 0 ? 0 : drawing->rows_width + per_line * (drawing->plane_width + GAP) - GAP;
}

/* Returns where the planes end. */
static size_t put_planes(const layout_drawing *drawing, svg *sheet, size_t x, size_t y)
{
    const blocks *found = &drawing->found;
    const bool has_slabs = found->slab != NO_DIMENSION;
    const size_t head = drawing->ranges_height + (has_slabs ? LINE : 0);
    const size_t per_line = planes_per_line(drawing);
    size_t plane_x = x + drawing->rows_width;

    if (has_slabs)
        put_slabs_title(drawing, sheet, plane_x, y + NORMAL);
    y += has_slabs ? LINE : 0;
    put_column_title(drawing, sheet, plane_x, y + NORMAL);
    y += LINE;
    for (size_t slab = 0; slab < found->cut_count[found->slab]; slab++) {
        if (slab % per_line == 0) {
            y += slab == 0 ? head : drawing->plane_height + GAP + head;
            plane_x = x + drawing->rows_width;
            put_rows_title(drawing, sheet, plane_x, y);
        }
        if (has_slabs)
            put_slab_title(drawing, sheet, slab, plane_x, y - drawing->ranges_height - 4);
        put_plane(drawing, sheet, slab, plane_x, y);
        plane_x += drawing->plane_width + GAP;
    }
    return y + drawing->plane_height;
}

void put_key(svg *sheet, size_t x, size_t y, const char *fill, const char *text)
{
    svg_rect(sheet, (svg_box){x, y, LABEL, LABEL}, fill, "#333333");
    svg_write(sheet,
              (svg_text){x + LABEL + 6, y + NORMAL - 1, NORMAL, SVG_START, black, false, false},
              text);
}

/* "position 3 WHAT"; nothing without members. */
static size_t put_members(svg *sheet, size_t x, size_t y, members set, const char *fill,
                          const char *what)
{
    char text[SVG_LINE];
    char note[SVG_LINE];
    char fitted[SVG_LINE];
    const size_t count = members_text(&set, text, 120);

    if (count == 0)
        return y;
    svg_line(note, "%s: position%s %s", what, count == 1 ? "" : "s", text);
    put_key(sheet, x, y, fill, svg_fit(note, NORMAL, PAGE_WIDTH, fitted));
    return y + LINE + 4;
}

static size_t put_line(svg *sheet, size_t x, size_t y, const char *text)
{
    svg_write(sheet, (svg_text){x, y + NORMAL, NORMAL, SVG_START, grey, false, false}, text);
    return y + LINE;
}

static bool has_tail(const blocks *found)
{
    for (size_t i = 0; i < found->shape.rank; i++)
        if (found->cuts[i][found->cut_count[i] - 1].kind == CUT_DROPPED)
            return true;
    return false;
}

/* Returns where the notes end. */
static size_t put_notes(const layout_drawing *drawing, svg *sheet, size_t x, size_t y)
{
    const blocks *found = &drawing->found;
    char text[SVG_LINE];

    y = put_members(sheet, x, y, positions_with_padding(found), "url(#padding)",
                    "padding past the array's end");
    y = put_members(sheet, x, y, positions_without_data(found), "#ffffff", "no elements");
    if (has_tail(found)) {
        put_key(sheet, x, y, light_grey, "dropped: no position holds it");
        y += LINE + 4;
    }
    for (size_t i = 0; i < found->shape.rank; i++) {
        if (i == found->slab || i == found->row || i == found->column)
            continue;
        svg_line(text, "dimension %zu (%zu) is not drawn: it is not cut", i,
                 found->shape.extent[i]);
        y = put_line(sheet, x, y, text);
    }
    if (!drawing->to_scale)
        y = put_line(sheet, x, y, "not to scale: short sides and small parts are drawn larger");
    return y;
}

size_t layout_drawing_put(const layout_drawing *drawing, svg *sheet, size_t x, size_t y)
{
    char text[SVG_LINE];

    if (drawing->why_not != NULL) {
        svg_line(text, "The blocks are not drawn: %s.", drawing->why_not);
        return put_line(sheet, x, y, text);
    }
    y = put_planes(drawing, sheet, x, y);
    return put_notes(drawing, sheet, x, y + LINE);
}
