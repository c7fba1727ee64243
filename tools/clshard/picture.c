/* SPDX-License-Identifier: Apache-2.0 */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "fail.h"

enum {
    LABEL_MOST = 18,  /* characters of the positions in a block */
    WIDTH_AIMED = 56, /* of all blocks of a row together, where the terminal allows */
    HEIGHT_AIMED = 8, /* of all blocks of a column together, where there are few */
    LINES_MOST = 120  /* of a picture */
};

/* The pieces that lines are made of. */
typedef struct pen {
    const char *left[3]; /* top, middle, bottom */
    const char *cross[3];
    const char *right[3];
    const char *across;
    const char *down;
} pen;

static const pen box_pen = {{"┌", "├", "└"}, {"┬", "┼", "┴"}, {"┐", "┤", "┘"}, "─", "│"};
static const pen plain_pen = {{"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}, "-", "|"};

typedef struct picture {
    blocks found;
    const clshard_layout *layout;
    const terminal *screen;
    const pen *with;
    size_t margin; /* columns left of the blocks */
    size_t width[RANGES_MOST];
    size_t height[RANGES_MOST];
} picture;

static void block_label(const picture *drawn, block_index at, char *buffer, size_t buffer_bytes)
{
    const members set = block_holders(&drawn->found, at);
    if (block_kind(&drawn->found, at) == CUT_HELD)
        members_text(&set, buffer, buffer_bytes);
    else
        memcpy(buffer, "-", sizeof "-");
}

/* The least width of a column of blocks: its range, and the longest list of positions in it. */
static size_t least_width(const picture *drawn, size_t column)
{
    const blocks *found = &drawn->found;
    char text[RANGE_TEXT];
    size_t width = strlen(range_text(found, found->column, column, text));

    for (size_t slab = 0; slab < found->cut_count[found->slab]; slab++) {
        for (size_t row = 0; row < found->cut_count[found->row]; row++) {
            block_label(drawn, (block_index){slab, row, column}, text, LABEL_MOST);
            if (strlen(text) > width)
                width = strlen(text);
        }
    }
    return width + 2;
}

/* The part of `aimed` that a range deserves by its extent; at least `least`. */
static size_t fair_share(const picture *drawn, size_t dimension, size_t index, size_t aimed,
                         size_t least)
{
    const size_t share =
        (size_t)((double)aimed * range_share(&drawn->found, dimension, index) + 0.5);
    return share > least ? share : least;
}

static bool fit_columns(picture *drawn)
{
    const size_t dimension = drawn->found.column;
    const size_t count = drawn->found.cut_count[dimension];
    const size_t taken = drawn->margin + count + 2;
    const size_t room = drawn->screen->width > taken ? drawn->screen->width - taken : 0;
    size_t least[RANGES_MOST];
    size_t least_sum = 0;
    size_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        least[i] = least_width(drawn, i);
        drawn->width[i] =
            fair_share(drawn, dimension, i, room < WIDTH_AIMED ? room : WIDTH_AIMED, least[i]);
        least_sum += least[i];
        sum += drawn->width[i];
    }
    if (sum > room)
        memcpy(drawn->width, least, count * sizeof *least);
    return least_sum <= room;
}

/* Rows of one extent need only their label's line; a single row looks better with some air. */
static void level_rows(picture *drawn, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (drawn->height[i] != drawn->height[0])
            return;
    for (size_t i = 0; i < count; i++)
        drawn->height[i] = count == 1 ? 3 : 1;
}

static bool fit_rows(picture *drawn)
{
    const size_t dimension = drawn->found.row;
    const size_t count = drawn->found.cut_count[dimension];
    size_t lines = 4 + count;

    for (size_t i = 0; i < count; i++) {
        char text[RANGE_TEXT];
        const size_t length = strlen(range_text(&drawn->found, dimension, i, text));
        if (length > drawn->margin)
            drawn->margin = length;
        drawn->height[i] = fair_share(drawn, dimension, i, HEIGHT_AIMED, 1);
    }
    level_rows(drawn, count);
    for (size_t i = 0; i < count; i++)
        lines += drawn->height[i];
    return lines * drawn->found.cut_count[drawn->found.slab] <= LINES_MOST;
}

static void print_line(const picture *drawn, int place)
{
    const pen *with = drawn->with;
    const size_t count = drawn->found.cut_count[drawn->found.column];

    printf("%*s %s", (int)drawn->margin, "", with->left[place]);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < drawn->width[i]; j++)
            fputs(with->across, stdout);
        fputs(i + 1 < count ? with->cross[place] : with->right[place], stdout);
    }
    putchar('\n');
}

static void print_centred(const char *text, size_t width, const char *on, const char *off)
{
    const size_t free_columns = width - strlen(text);
    const size_t before = free_columns / 2;
    printf("%*s%s%s%s%*s", (int)before, "", on, text, off, (int)(free_columns - before), "");
}

static void print_column_ranges(const picture *drawn)
{
    const terminal *screen = drawn->screen;

    if (drawn->found.column == NO_DIMENSION)
        return;
    printf("%*s ", (int)drawn->margin, "");
    for (size_t i = 0; i < drawn->found.cut_count[drawn->found.column]; i++) {
        char text[RANGE_TEXT];
        range_text(&drawn->found, drawn->found.column, i, text);
        putchar(' ');
        print_centred(text, drawn->width[i], screen->faint, screen->normal);
    }
    putchar('\n');
}

/* A list that was cut short when widths were chosen may use all the width that came of it. */
static size_t label_bytes(const picture *drawn, size_t column)
{
    const size_t bytes = drawn->width[column] - 1;
    return bytes < RANGE_TEXT ? bytes : RANGE_TEXT;
}

static void print_row(const picture *drawn, size_t slab, size_t row)
{
    const terminal *screen = drawn->screen;
    const size_t middle = (drawn->height[row] - 1) / 2;

    for (size_t line = 0; line < drawn->height[row]; line++) {
        char text[RANGE_TEXT] = "";
        if (line == middle)
            range_text(&drawn->found, drawn->found.row, row, text);
        printf("%s%*s%s %s", screen->faint, (int)drawn->margin, text, screen->normal,
               drawn->with->down);
        for (size_t i = 0; i < drawn->found.cut_count[drawn->found.column]; i++) {
            text[0] = '\0';
            if (line == middle)
                block_label(drawn, (block_index){slab, row, i}, text, label_bytes(drawn, i));
            print_centred(text, drawn->width[i], screen->bold, screen->normal);
            fputs(drawn->with->down, stdout);
        }
        putchar('\n');
    }
}

static void print_dimension(const picture *drawn, size_t dimension, const char *title)
{
    char axes[AXES_TEXT];

    if (dimension == NO_DIMENSION)
        return;
    dimension_axes(drawn->layout, dimension, axes);
    printf("%-8s dimension %zu, %s%s\n", title, dimension, axes[0] == '\0' ? "not cut" : "cut by ",
           axes);
}

static void print_slab(const picture *drawn, size_t slab)
{
    const size_t rows = drawn->found.cut_count[drawn->found.row];

    if (drawn->found.slab != NO_DIMENSION) {
        char text[RANGE_TEXT];
        range_text(&drawn->found, drawn->found.slab, slab, text);
        printf("%s%s of dimension %zu\n", slab > 0 ? "\n" : "", text, drawn->found.slab);
    }
    print_column_ranges(drawn);
    for (size_t row = 0; row < rows; row++) {
        print_line(drawn, row == 0 ? 0 : 1);
        print_row(drawn, slab, row);
    }
    print_line(drawn, 2);
}

static void print_note(members set, const char *what)
{
    char text[60];
    const size_t count = members_text(&set, text, sizeof text);
    if (count > 0)
        printf("position%s %s %s\n", count == 1 ? "" : "s", text, what);
}

static void print_notes(const picture *drawn)
{
    const blocks *found = &drawn->found;
    bool dropped = false;

    for (size_t i = 0; i < found->shape.rank; i++)
        dropped = dropped || found->cuts[i][found->cut_count[i] - 1].kind == CUT_DROPPED;
    if (dropped)
        puts("- is dropped: no position holds it");
    print_note(positions_without_data(found), "without data");
    print_note(positions_with_padding(found), "with padding past the array's end");
}

clshard_status picture_print(const clshard_layout *layout, const terminal *screen, bool *out_drawn,
                             clshard_error *err)
{
    picture *drawn = calloc(1, sizeof *drawn);

    if (drawn == NULL)
        return fail_memory(err, "picture");
    drawn->layout = layout;
    drawn->screen = screen;
    drawn->with = screen->utf8 ? &box_pen : &plain_pen;
    *out_drawn =
        blocks_find(layout, false, &drawn->found) == NULL && fit_rows(drawn) && fit_columns(drawn);
    if (*out_drawn) {
        print_dimension(drawn, drawn->found.slab, "slabs");
        print_dimension(drawn, drawn->found.row, "rows");
        print_dimension(drawn, drawn->found.column, "columns");
        puts("blocks   name the positions that hold them\n");
        for (size_t i = 0; i < drawn->found.cut_count[drawn->found.slab]; i++)
            print_slab(drawn, i);
        print_notes(drawn);
    }
    free(drawn);
    return CLSHARD_OK;
}
