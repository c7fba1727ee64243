/* SPDX-License-Identifier: Apache-2.0 */

/* What stands above and below a drawing: headings, and the list of positions. */

#include <string.h>

#include "layout_svg.h"
#include "placement.h"

enum {
    LISTED_MOST = 64,
    WIDTH_LEAST = 760, /* that the list may take */
    ENTRY_MOST = 420,  /* that an entry may take */
    ENTRY_GAP = 14
};

static const char black[] = "#000000";
static const char grey[] = "#444444";

typedef struct legend {
    const layout_drawing *drawing;
    const clshard_mesh *mesh;
    bool with_colours;
    size_t listed;
    size_t entry_width;
    size_t rows;
} legend;

/* A position, its coordinates, its device, and what no drawing shows. */
static const char *entry_text(const legend *list, size_t position, char fitted[SVG_LINE])
{
    const clshard_device_info *device = clshard_mesh_device(list->mesh, position);
    const clshard_part part = clshard_layout_part(list->drawing->layout, position);
    const bool has_ranges = list->drawing->why_not != NULL && part.box.rank > 0;
    char text[SVG_LINE];

    svg_line(text, "%zu (%s)%s%s%s%s%s%s", position, coordinates_text(list->mesh, position).text,
             has_ranges ? " holds " : "", has_ranges ? ranges_text(&part.box).text : "",
             device == NULL ? "" : " ", device == NULL ? "" : device->id, device == NULL ? "" : " ",
             device == NULL ? "" : device->name);
    return svg_fit(text, NORMAL, ENTRY_MOST - LABEL - 6 - ENTRY_GAP, fitted);
}

static legend legend_of(const layout_drawing *drawing, bool with_colours, size_t width)
{
    legend list = {.drawing = drawing,
                   .entry_width = 1,
                   .mesh = layout_mesh(drawing->layout),
                   .with_colours = with_colours && drawing->why_not == NULL};
    const size_t count = clshard_mesh_position_count(list.mesh);
    const size_t room = width > WIDTH_LEAST ? width : WIDTH_LEAST;
    size_t columns;

    list.listed = count < LISTED_MOST ? count : LISTED_MOST;
    for (size_t i = 0; i < list.listed; i++) {
        char text[SVG_LINE];
        const size_t needed =
            svg_text_width(entry_text(&list, i, text), NORMAL, false) + LABEL + 6 + ENTRY_GAP;
        list.entry_width = needed > list.entry_width ? needed : list.entry_width;
    }
    columns = room / list.entry_width;
    list.rows = (list.listed + columns - 1) / columns;
    return list;
}

static size_t put_heading(const legend *list, svg *sheet, size_t x, size_t y)
{
    char text[SVG_LINE] = "Position (";
    char fitted[SVG_LINE];
    size_t used = strlen(text);

    for (size_t i = 0; i < clshard_mesh_axis_count(list->mesh); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? "," : "",
                                 clshard_mesh_axis(list->mesh, i).name);
    (void)snprintf(text + used, sizeof text - used, ")%s",
                   clshard_mesh_device(list->mesh, 0) == NULL ? "" : " and device");
    svg_write(sheet, (svg_text){x, y + NORMAL, NORMAL, SVG_START, black, true, false},
              svg_fit(text, NORMAL, WIDTH_LEAST, fitted));
    return y + LINE + 6;
}

static void colour_text(const legend *list, char buffer[SVG_LINE])
{
    const size_t axis = list->drawing->colour_axis;

    if (axis == SIZE_MAX)
        svg_line(buffer, "One colour for each slice.");
    else
        svg_line(buffer, "One colour for each coordinate on %s%s.",
                 clshard_mesh_axis(list->mesh, axis).name,
                 clshard_mesh_axis(list->mesh, axis).size > COLOUR_COUNT ? "; colours repeat" : "");
}

static void put_entry(const legend *list, svg *sheet, size_t position, size_t x, size_t y)
{
    char text[SVG_LINE];

    entry_text(list, position, text);
    if (list->with_colours)
        put_key(sheet, x, y, position_colour(list->drawing, position), text);
    else
        svg_write(sheet, (svg_text){x, y + NORMAL, NORMAL, SVG_START, black, false, false}, text);
}

size_t layout_legend_put(const layout_drawing *drawing, bool with_colours, svg *sheet, size_t x,
                         size_t y)
{
    const legend list = legend_of(drawing, with_colours, sheet->right > x ? sheet->right - x : 0);
    const size_t count = clshard_mesh_position_count(list.mesh);
    char text[SVG_LINE] = "";

    y = put_heading(&list, sheet, x, y);
    for (size_t i = 0; i < list.listed; i++)
        put_entry(&list, sheet, i, x + i / list.rows * list.entry_width,
                  y + i % list.rows * (LINE + 2));
    y += list.rows * (LINE + 2) + NORMAL + 2;
    if (list.listed < count)
        svg_line(text, "%zu more position%s not listed.", count - list.listed,
                 count - list.listed == 1 ? " is" : "s are");
    else if (list.with_colours)
        colour_text(&list, text);
    if (text[0] != '\0')
        svg_write(sheet, (svg_text){x, y, NORMAL, SVG_START, grey, false, false}, text);
    return y + LINE;
}

size_t put_heading_line(svg *sheet, size_t y, size_t size, const char *text)
{
    const bool is_title = size == TITLE;
    const svg_text how = {SVG_MARGIN, y + size, size, SVG_START, is_title ? black : grey,
                          is_title,   false};
    char fitted[SVG_LINE];

    svg_write(sheet, how, svg_fit(text, size, WIDTH_LEAST, fitted));
    return y + size + 6;
}
