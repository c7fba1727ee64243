/* SPDX-License-Identifier: Apache-2.0 */
#include "reshard_svg.h"

#include <stdlib.h>

#include "fail.h"
#include "layout_svg.h"
#include "move_matrix.h"
#include "out_file.h"
#include "placement.h"

enum {
    BESIDE_MOST = 1200, /* width up to which both layouts stand side by side */
    ARROW = 60,
    CAPTION = LINE + 8
};

static const char black[] = "#000000";

/* Too large for a stack. */
typedef struct both {
    layout_drawing from;
    layout_drawing to;
} both;

static void title_text(const reshard_svg *plan, char buffer[SVG_LINE])
{
    const bool has_dtype = plan->dtype != CLSHARD_DTYPE_NONE;

    svg_line(buffer, "reshard of %s%s%s from %s to %s",
             shape_text(clshard_layout_shape(plan->to)).text, has_dtype ? " " : "",
             has_dtype ? clshard_dtype_name(plan->dtype) : "", spec_text(plan->from).text,
             spec_text(plan->to).text);
}

static size_t put_heading(const reshard_svg *plan, svg *sheet)
{
    const short_text from = mesh_text(layout_mesh(plan->from));
    const bool same = clshard_mesh_equal(layout_mesh(plan->from), layout_mesh(plan->to));
    char text[SVG_LINE];
    size_t y = SVG_MARGIN;

    title_text(plan, text);
    y = put_heading_line(sheet, y, TITLE, text);
    svg_line(text, "mesh %s%s%s", from.text, same ? "" : " to ",
             same ? "" : mesh_text(layout_mesh(plan->to)).text);
    y = put_heading_line(sheet, y, NORMAL + 1, text);
    if (plan->sentence != NULL)
        y = put_heading_line(sheet, y, NORMAL + 1, plan->sentence);
    if (clshard_plan_missing(plan->moves) > 0) {
        svg_line(text, "%llu wanted elements are held by no position of the source.",
                 (unsigned long long)clshard_plan_missing(plan->moves));
        y = put_heading_line(sheet, y, NORMAL + 1, text);
    }
    return y + LINE;
}

static void put_caption(svg *sheet, svg_box at, const char *caption)
{
    char fitted[SVG_LINE];

    svg_write(sheet, (svg_text){at.x, at.y + LABEL, LABEL, SVG_START, black, true, false},
              svg_fit(caption, LABEL + 1, (size_t)3 * SIDE_LEAST, fitted));
}

/* Returns where the drawing ends, and sets the size that it took. */
static size_t put_side(const layout_drawing *drawing, svg *sheet, const char *caption, svg_box *at)
{
    const size_t right = sheet->right;
    size_t end;

    sheet->right = 0;
    put_caption(sheet, *at, caption);
    end = layout_drawing_put(drawing, sheet, at->x, at->y + CAPTION);
    at->width = sheet->right - at->x;
    at->height = end - at->y;
    sheet->right = right > sheet->right ? right : sheet->right;
    return end;
}

/* Side by side where there is room, else below each other. Returns where the lower one ends. */
static size_t put_both(const reshard_svg *plan, const both *drawn, svg *sheet, size_t y)
{
    svg_box before = {SVG_MARGIN, y, 0, 0};
    svg_box after = {SVG_MARGIN, y, 0, 0};
    const size_t width = layout_drawing_width(&drawn->to);
    char caption[SVG_LINE];
    size_t before_end;
    size_t after_end;

    svg_line(caption, "before: %s, policy %s", spec_text(plan->from).text, plan->from_policy);
    before_end = put_side(&drawn->from, sheet, caption, &before);
    if (width > 0 && before.x + before.width + ARROW + width <= BESIDE_MOST) {
        after.x = before.x + before.width + ARROW;
        svg_arrow(sheet, after.x - ARROW + ARROW / 5, y + CAPTION + SIDE_LEAST / 2, ARROW * 3 / 5);
    } else {
        after.y = before_end + LINE;
    }
    svg_line(caption, "after: %s, policy %s", spec_text(plan->to).text, plan->to_policy);
    after_end = put_side(&drawn->to, sheet, caption, &after);
    return before_end > after_end ? before_end : after_end;
}

static size_t put_lists(const both *drawn, svg *sheet, size_t y)
{
    const bool both_drawn = drawn->from.why_not == NULL && drawn->to.why_not == NULL;

    /* What is not drawn is listed, and differs even on the same mesh. */
    if (both_drawn &&
        clshard_mesh_equal(layout_mesh(drawn->from.layout), layout_mesh(drawn->to.layout)))
        return layout_legend_put(&drawn->to, false, sheet, SVG_MARGIN, y);
    put_caption(sheet, (svg_box){SVG_MARGIN, y, 0, 0}, "before");
    y = layout_legend_put(&drawn->from, true, sheet, SVG_MARGIN, y + CAPTION);
    put_caption(sheet, (svg_box){SVG_MARGIN, y, 0, 0}, "after");
    return layout_legend_put(&drawn->to, true, sheet, SVG_MARGIN, y + CAPTION);
}

static clshard_status draw(const reshard_svg *plan, both *drawn, char **out_document,
                           clshard_error *err)
{
    const size_t from_count = clshard_mesh_position_count(layout_mesh(plan->from));
    const size_t to_count = clshard_mesh_position_count(layout_mesh(plan->to));
    char title[SVG_LINE];
    svg sheet;
    size_t y;

    if (svg_open(&sheet, err))
        return err->status;
    layout_drawing_make(&drawn->from, plan->from, plan->dtype);
    layout_drawing_make(&drawn->to, plan->to, plan->dtype);
    y = put_heading(plan, &sheet);
    y = put_both(plan, drawn, &sheet, y) + LINE;
    if (move_matrix_put(plan->moves, plan->dtype, from_count, to_count, &sheet, &y, err)) {
        svg_discard(&sheet);
        return err->status;
    }
    put_lists(drawn, &sheet, y + LINE);
    title_text(plan, title);
    return svg_close(&sheet, title, out_document, err);
}

clshard_status reshard_svg_write(const reshard_svg *plan, const char *path, clshard_error *err)
{
    both *drawn = malloc(sizeof *drawn);
    char *document = NULL;
    clshard_status status;

    if (drawn == NULL)
        return fail_memory(err, "--svg");
    status = draw(plan, drawn, &document, err);
    if (status == CLSHARD_OK)
        status = out_file_write("--svg", path, document, err);
    free(document);
    free(drawn);
    return status;
}
