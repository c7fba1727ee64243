/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_svg.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "layout_svg.h"
#include "out_file.h"
#include "placement.h"
#include "terminal.h"

static void title_text(const plan_svg *plan, char buffer[SVG_LINE])
{
    const bool has_dtype = plan->dtype != CLSHARD_DTYPE_NONE;

    svg_line(buffer, "array %s%s%s on mesh %s", shape_text(clshard_layout_shape(plan->layout)).text,
             has_dtype ? " " : "", has_dtype ? clshard_dtype_name(plan->dtype) : "",
             mesh_text(layout_mesh(plan->layout)).text);
}

static void shard_text(const plan_svg *plan, char buffer[SVG_LINE])
{
    const clshard_shape shard = clshard_layout_shard_shape(plan->layout);
    const size_t count = clshard_mesh_position_count(layout_mesh(plan->layout));
    clshard_box box = {.rank = shard.rank};
    const bool has_dtype = plan->dtype != CLSHARD_DTYPE_NONE;
    char bytes[EXACT_BYTES_TEXT] = "";

    memcpy(box.extent, shard.extent, sizeof box.extent);
    if (has_dtype)
        exact_bytes_text(box_bytes(&box, plan->dtype), bytes);
    svg_line(buffer, "%zu position%s \u00b7 shard shape %s%s%s \u00b7 replicas %zu", count,
             count == 1 ? "" : "s", shape_text(shard).text, has_dtype ? ", " : "", bytes,
             clshard_layout_replica_count(plan->layout));
}

static size_t put_heading(const plan_svg *plan, svg *sheet)
{
    const short_text spec = spec_text(plan->layout);
    char text[SVG_LINE];
    size_t y = SVG_MARGIN;

    title_text(plan, text);
    y = put_heading_line(sheet, y, TITLE, text);
    svg_line(text, "spec %s \u00b7 policy %s", spec.text[0] == '\0' ? "(empty)" : spec.text,
             plan->policy);
    y = put_heading_line(sheet, y, NORMAL + 1, text);
    shard_text(plan, text);
    return put_heading_line(sheet, y, NORMAL + 1, text) + LINE;
}

static clshard_status draw(const plan_svg *plan, layout_drawing *drawing, char **out_document,
                           clshard_error *err)
{
    char title[SVG_LINE];
    svg sheet;
    size_t y;

    if (svg_open(&sheet, err))
        return err->status;
    layout_drawing_make(drawing, plan->layout, plan->dtype);
    y = put_heading(plan, &sheet);
    y = layout_drawing_put(drawing, &sheet, SVG_MARGIN, y);
    layout_legend_put(drawing, true, &sheet, SVG_MARGIN, y + LINE);
    title_text(plan, title);
    return svg_close(&sheet, title, out_document, err);
}

clshard_status plan_svg_write(const plan_svg *plan, const char *path, clshard_error *err)
{
    layout_drawing *drawing = malloc(sizeof *drawing);
    char *document = NULL;
    clshard_status status;

    if (drawing == NULL)
        return fail_memory(err, "--svg");
    status = draw(plan, drawing, &document, err);
    if (status == CLSHARD_OK)
        status = out_file_write("--svg", path, document, err);
    free(document);
    free(drawing);
    return status;
}
