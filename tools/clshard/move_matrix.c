/* SPDX-License-Identifier: Apache-2.0 */
#include "move_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "layout_svg.h"
#include "terminal.h"

enum {
    POSITIONS_DRAWN = 64, /* on each side */
    POSITIONS_ROOMY = 16, /* cells have text up to here */
    ROOMY_WIDTH = 68,
    ROOMY_HEIGHT = 34,
    TIGHT = 18,
    TINY = 9, /* size of a font */
    HEAD = 20 /* of the positions above and left of the cells */
};

static const char black[] = "#000000";
static const char grey[] = "#444444";

/* One letter tells reaches apart without colours. */
typedef struct reach_style {
    const char *colour;
    const char *letter;
    const char *meaning;
} reach_style;

static const reach_style styles[] = {
    [CLSHARD_REACH_SELF] = {"#e4e4e4", "s", "the position has it, and keeps it"},
    [CLSHARD_REACH_DEVICE] = {"#99ddff", "d", "from another position of the same device"},
    [CLSHARD_REACH_CONTEXT] = {"#c9a6e4", "c", "from another device in the same context"},
    [CLSHARD_REACH_HOST] = {"#eedd88", "h", "from another context, through the host"},
    [CLSHARD_REACH_PROCESS] = {"#ee8866", "p", "from another process"},
};

typedef struct cell {
    uint64_t elements; /* 0: nothing moves */
    clshard_reach reach;
} cell;

typedef struct matrix {
    clshard_dtype dtype;
    size_t from_count;
    size_t to_count;
    size_t width; /* of a cell */
    size_t height;
    cell *cells; /* a row for each position that gives */
} matrix;

static const char *amount_text(clshard_dtype dtype, uint64_t elements, char buffer[BYTES_TEXT])
{
    if (dtype != CLSHARD_DTYPE_NONE)
        return bytes_text(elements * clshard_dtype_bytes(dtype), buffer);
    (void)snprintf(buffer, BYTES_TEXT, "%llu", (unsigned long long)elements);
    return buffer;
}

static clshard_status make_matrix(matrix *made, const clshard_plan *moves, clshard_error *err)
{
    const bool roomy = made->from_count <= POSITIONS_ROOMY && made->to_count <= POSITIONS_ROOMY;

    made->width = roomy ? ROOMY_WIDTH : TIGHT;
    made->height = roomy ? ROOMY_HEIGHT : TIGHT;
    made->cells = calloc(made->from_count * made->to_count, sizeof *made->cells);
    if (made->cells == NULL)
        return fail_memory(err, "--svg");
    for (size_t i = 0; i < clshard_plan_move_count(moves); i++) {
        const clshard_move move = clshard_plan_move(moves, i);
        cell *at = &made->cells[move.from * made->to_count + move.to];
        uint64_t elements = 1;
        for (size_t d = 0; d < move.box.rank; d++)
            elements *= move.box.extent[d];
        at->elements += elements;
        at->reach = move.reach;
    }
    return CLSHARD_OK;
}

static void put_cell(const matrix *made, svg *sheet, size_t from, size_t to, svg_box where)
{
    const cell *at = &made->cells[from * made->to_count + to];
    svg_text how = {where.x + where.width / 2,
                    where.y + where.height / 2 + 4,
                    SMALL,
                    SVG_MIDDLE,
                    black,
                    false,
                    false};
    char amount[BYTES_TEXT];
    char tooltip[SVG_LINE];

    amount_text(made->dtype, at->elements, amount);
    svg_line(tooltip, "%zu to %zu: %llu elements%s%s, %s", from, to,
             (unsigned long long)at->elements, made->dtype == CLSHARD_DTYPE_NONE ? "" : ", ",
             made->dtype == CLSHARD_DTYPE_NONE ? "" : amount, clshard_reach_name(at->reach));
    svg_group(sheet, at->reach == CLSHARD_REACH_SELF ? "kept" : "move", tooltip);
    svg_rect(sheet, where, styles[at->reach].colour, "#333333");
    if (where.width == ROOMY_WIDTH) {
        how.y -= 5;
        svg_write(sheet, how, svg_fit(amount, SMALL, where.width - 4, tooltip));
        how.y += SMALL + 1;
        how.size = TINY;
        svg_write(sheet, how, clshard_reach_name(at->reach));
    } else {
        svg_write(sheet, how, styles[at->reach].letter);
    }
    svg_group_end(sheet);
}

/* The empty cells, or the full ones, whose borders must not be drawn over. */
static void put_all(const matrix *made, svg *sheet, svg_box first, bool full)
{
    for (size_t from = 0; from < made->from_count; from++) {
        for (size_t to = 0; to < made->to_count; to++) {
            const svg_box where = {first.x + to * made->width, first.y + from * made->height,
                                   made->width, made->height};
            const bool moves = made->cells[from * made->to_count + to].elements > 0;
            if (full && moves)
                put_cell(made, sheet, from, to, where);
            else if (!full && !moves)
                svg_rect(sheet, where, "none", "#d0d0d0");
        }
    }
}

/* The numbers of the positions: down for those that give, across for those that take. */
static void put_numbers(const matrix *made, svg *sheet, size_t x, size_t y)
{
    svg_text how = {0, y - 5, SMALL, SVG_MIDDLE, grey, false, false};
    char number[SVG_LINE];

    for (size_t to = 0; to < made->to_count; to++) {
        how.x = x + to * made->width + made->width / 2;
        svg_write(sheet, how, svg_line(number, "%zu", to));
    }
    how.x = x - 5;
    how.anchor = SVG_END;
    for (size_t from = 0; from < made->from_count; from++) {
        how.y = y + from * made->height + made->height / 2 + 4;
        svg_write(sheet, how, svg_line(number, "%zu", from));
    }
}

/* Returns where the cells end. */
static size_t put_cells(const matrix *made, svg *sheet, size_t x, size_t y)
{
    const size_t head = (size_t)2 * HEAD;
    const size_t height = made->from_count * made->height;
    svg_text how = {x + head, y + NORMAL, NORMAL, SVG_START, black, false, false};

    svg_write(sheet, how, "to position");
    x += head;
    y += head;
    put_numbers(made, sheet, x, y);
    how = (svg_text){x - HEAD - 8, y + height / 2, NORMAL, SVG_MIDDLE, black, false, true};
    svg_write(sheet, how, height < (size_t)5 * HEAD ? "from" : "from position");
    put_all(made, sheet, (svg_box){x, y, made->width, made->height}, false);
    put_all(made, sheet, (svg_box){x, y, made->width, made->height}, true);
    return y + height;
}

/* What the colours mean, and what all moves of each come to. */
static size_t put_sums(const clshard_plan *moves, clshard_dtype dtype, svg *sheet, size_t x,
                       size_t y)
{
    for (int i = 0; clshard_reach_name((clshard_reach)i) != NULL; i++) {
        const uint64_t elements = clshard_plan_elements(moves, (clshard_reach)i);
        char amount[BYTES_TEXT];
        char text[SVG_LINE];

        if (elements == 0)
            continue;
        svg_line(text, "%s: %s%s, %s", clshard_reach_name((clshard_reach)i),
                 amount_text(dtype, elements, amount),
                 dtype == CLSHARD_DTYPE_NONE ? " elements" : "", styles[i].meaning);
        put_key(sheet, x, y, styles[i].colour, text);
        y += LINE + 4;
    }
    return y;
}

clshard_status move_matrix_put(const clshard_plan *moves, clshard_dtype dtype, size_t from_count,
                               size_t to_count, svg *sheet, size_t *y, clshard_error *err)
{
    matrix made = {.dtype = dtype, .from_count = from_count, .to_count = to_count};

    if (from_count <= POSITIONS_DRAWN && to_count <= POSITIONS_DRAWN) {
        if (make_matrix(&made, moves, err))
            return err->status;
        *y = put_cells(&made, sheet, SVG_MARGIN, *y) + LINE;
        free(made.cells);
    } else {
        svg_write(sheet, (svg_text){SVG_MARGIN, *y + NORMAL, NORMAL, SVG_START, grey, false, false},
                  "The moves are not drawn: a mesh has more than 64 positions.");
        *y += (size_t)2 * LINE;
    }
    *y = put_sums(moves, dtype, sheet, SVG_MARGIN, *y);
    return CLSHARD_OK;
}
