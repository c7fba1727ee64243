/* SPDX-License-Identifier: Apache-2.0 */
#include "reshard.h"

#include <stdio.h>

#include <clshard/plan.h>

#include "fail.h"
#include "json_out.h"
#include "reshard_svg.h"
#include "splits.h"
#include "table.h"

enum { REACHES = CLSHARD_REACH_PROCESS + 1 };

/* What is shown: the moves to one position or to all, and what they come to. */
typedef struct reshard {
    const plan *source;
    clshard_layout *to;
    clshard_plan *moves;
    size_t first, end;
    size_t count[REACHES];
    uint64_t elements[REACHES];
    uint64_t missing;
} reshard;

static uint64_t elements_of(const clshard_box *box)
{
    uint64_t elements = 1;
    for (size_t d = 0; d < box->rank; d++)
        elements *= box->extent[d];
    return elements;
}

static bool has_dtype(const reshard *made)
{
    return made->source->dtype != CLSHARD_DTYPE_NONE;
}

static uint64_t bytes_of(const reshard *made, uint64_t elements)
{
    return elements * clshard_dtype_bytes(made->source->dtype);
}

static const clshard_layout *source_of(const reshard *made)
{
    return made->source->placed.layout;
}

/* ---- making ---- */

/* The number of the first move to a position, or to one after it. */
static size_t first_move(const clshard_plan *moves, size_t position)
{
    size_t low = 0;
    size_t high = clshard_plan_move_count(moves);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (clshard_plan_move(moves, middle).to < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static clshard_status choose_moves(reshard *made, clshard_error *err)
{
    const size_t positions = clshard_mesh_position_count(layout_mesh(made->to));
    const size_t position = made->source->position;

    made->end = clshard_plan_move_count(made->moves);
    if (position == SIZE_MAX)
        return CLSHARD_OK;
    if (position >= positions)
        return fail(err, CLSHARD_ERR_INDEX,
                    "--position %zu: the mesh of the target has positions 0 to %zu", position,
                    positions - 1);
    made->first = first_move(made->moves, position);
    made->end = first_move(made->moves, position + 1);
    return CLSHARD_OK;
}

static clshard_status add_up(reshard *made, clshard_error *err)
{
    uint64_t total = 0;

    for (size_t i = made->first; i < made->end; i++) {
        const clshard_move move = clshard_plan_move(made->moves, i);
        const uint64_t elements = elements_of(&move.box);
        made->count[move.reach]++;
        made->elements[move.reach] += elements;
        total += elements;
    }
    made->missing = clshard_plan_missing(made->moves);
    if (made->source->position != SIZE_MAX) {
        const clshard_part part = clshard_layout_part(made->to, made->source->position);
        made->missing = elements_of(&part.valid) - total;
    }
    if (has_dtype(made) && total > UINT64_MAX / bytes_of(made, 1))
        return fail(err, CLSHARD_ERR_OVERFLOW,
                    "--to: what all positions hold together exceeds 2^64 bytes");
    return CLSHARD_OK;
}

/* ---- tab separated, JSON ---- */

static void print_tsv(const reshard *made)
{
    for (size_t i = made->first; i < made->end; i++) {
        const clshard_move move = clshard_plan_move(made->moves, i);
        const uint64_t elements = elements_of(&move.box);
        printf("%zu\t%zu\t%s\t%llu\t%s", move.from, move.to, ranges_text(&move.box).text,
               (unsigned long long)elements, clshard_reach_name(move.reach));
        if (has_dtype(made))
            printf("\t%llu", (unsigned long long)bytes_of(made, elements));
        putchar('\n');
    }
}

static json_t *json_bytes(const reshard *made, uint64_t elements)
{
    return has_dtype(made) ? json_integer((json_int_t)bytes_of(made, elements)) : json_null();
}

static json_t *json_reaches(const reshard *made)
{
    json_t *reaches = json_object();

    for (int r = 0; r < REACHES; r++) {
        json_t *sums =
            json_pack("{s:I, s:I, s:o}", "moves", (json_int_t)made->count[r], "elements",
                      (json_int_t)made->elements[r], "bytes", json_bytes(made, made->elements[r]));
        if (json_object_set_new(reaches, clshard_reach_name((clshard_reach)r), sums) != 0) {
            json_decref(reaches);
            return NULL;
        }
    }
    return reaches;
}

static json_t *json_side(const clshard_layout *layout)
{
    return json_pack("{s:{s:o}, s:o}", "mesh", "axes", json_axes(layout_mesh(layout)), "spec",
                     json_text(spec_text(layout).text));
}

static json_t *json_head(const reshard *made)
{
    const clshard_shape shape = clshard_layout_shape(made->to);
    const clshard_collective collective = clshard_plan_collective(made->moves);

    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:I}", "shape", json_sizes(shape.extent, shape.rank),
        "dtype", json_text(has_dtype(made) ? clshard_dtype_name(made->source->dtype) : NULL),
        "from", json_side(source_of(made)), "to", json_side(made->to), "collective",
        json_text(collective == CLSHARD_COLLECTIVE_NONE ? NULL
                                                        : clshard_collective_name(collective)),
        "missing", (json_int_t)made->missing, "reach", json_reaches(made), "move_count",
        (json_int_t)(made->end - made->first));
}

static json_t *json_move(const reshard *made, size_t index)
{
    const clshard_move move = clshard_plan_move(made->moves, index);
    const uint64_t elements = elements_of(&move.box);

    return json_pack("{s:I, s:I, s:o, s:I, s:o, s:s}", "from", (json_int_t)move.from, "to",
                     (json_int_t)move.to, "box", json_ranges(&move.box), "elements",
                     (json_int_t)elements, "bytes", json_bytes(made, elements), "reach",
                     clshard_reach_name(move.reach));
}

static clshard_status print_json(const reshard *made, clshard_error *err)
{
    if (json_holds(source_of(made), err) || json_holds(made->to, err) ||
        json_holds_count(made->missing, err))
        return err->status;
    for (int r = 0; r < REACHES; r++)
        if (json_holds_count(made->elements[r], err) ||
            json_holds_count(bytes_of(made, made->elements[r]), err))
            return err->status;
    if (json_stream_begin(json_head(made), "moves", err))
        return err->status;
    for (size_t i = made->first; i < made->end; i++)
        if (json_stream_next(json_move(made, i), i == made->first, err))
            return err->status;
    json_stream_end();
    return CLSHARD_OK;
}

/* ---- for people ---- */

static void add_sums(const reshard *made, table *rows, uint64_t elements)
{
    char bytes[BYTES_TEXT];

    table_add(rows, "%llu", (unsigned long long)elements);
    if (has_dtype(made))
        table_add(rows, "%s", bytes_text(bytes_of(made, elements), bytes));
}

static void add_header(const reshard *made, table *rows)
{
    table_add(rows, "elements");
    if (has_dtype(made))
        table_add(rows, "bytes");
}

static clshard_status print_moves(const reshard *made, const terminal *screen, clshard_error *err)
{
    const size_t all = made->end - made->first;
    const size_t shown = all < PLAN_ROWS_MOST ? all : PLAN_ROWS_MOST;
    table rows = table_of(5 + (size_t)has_dtype(made), screen);
    clshard_status status;

    table_add(&rows, "from");
    table_add(&rows, "to");
    table_add(&rows, "slice");
    add_header(made, &rows);
    table_add(&rows, "reach");
    for (size_t i = made->first; i < made->first + shown; i++) {
        const clshard_move move = clshard_plan_move(made->moves, i);
        table_add(&rows, "%zu", move.from);
        table_add(&rows, "%zu", move.to);
        table_add(&rows, "%s", move.box.rank == 0 ? "scalar" : ranges_text(&move.box).text);
        add_sums(made, &rows, elements_of(&move.box));
        table_add(&rows, "%s", clshard_reach_name(move.reach));
    }
    status = table_print(&rows, screen, "", err);
    table_free(&rows);
    if (status == CLSHARD_OK && shown < all)
        printf("%zu moves are not shown; --position N shows those to one position, --tsv and "
               "--json all\n",
               all - shown);
    return status;
}

static clshard_status print_totals(const reshard *made, const terminal *screen, clshard_error *err)
{
    table rows = table_of(3 + (size_t)has_dtype(made), screen);
    clshard_status status;

    table_add(&rows, "reach");
    table_add(&rows, "moves");
    add_header(made, &rows);
    for (int r = 0; r < REACHES; r++) {
        if (made->count[r] == 0)
            continue;
        table_add(&rows, "%s", clshard_reach_name((clshard_reach)r));
        table_add(&rows, "%zu", made->count[r]);
        add_sums(made, &rows, made->elements[r]);
    }
    putchar('\n');
    status = table_print(&rows, screen, "", err);
    table_free(&rows);
    return status;
}

/* One sentence on what all moves together are; NULL when they are no single collective. */
static const char *collective_sentence(const reshard *made)
{
    static const char *const sentences[] = {
        [CLSHARD_COLLECTIVE_NONE] = NULL,
        [CLSHARD_COLLECTIVE_SLICE] =
            "This is a local slice: every position has what it needs, and nothing moves.",
        [CLSHARD_COLLECTIVE_ALL_GATHER] =
            "This is an all-gather: each position gets the slices of its whole group.",
        [CLSHARD_COLLECTIVE_ALL_TO_ALL] =
            "This is an all-to-all: in each group every position takes a piece from every one.",
        [CLSHARD_COLLECTIVE_PERMUTE] = "This is a permute: whole slices change places.",
    };

    if (clshard_layout_equivalent(made->to, source_of(made)))
        return "Both layouts are the same, and nothing moves.";
    return sentences[clshard_plan_collective(made->moves)];
}

static void print_collective(const reshard *made)
{
    const char *sentence = collective_sentence(made);
    if (sentence != NULL)
        printf("\n%s\n", sentence);
}

static void print_target(const reshard *made)
{
    const clshard_mesh *mesh = layout_mesh(made->to);

    printf("to       %s", spec_text(made->to).text);
    if (!clshard_mesh_equal(mesh, made->source->placed.mesh))
        printf(" on %s (%zu positions)", mesh_text(mesh).text, clshard_mesh_position_count(mesh));
    puts("\n");
}

static clshard_status print_for_people(const reshard *made, clshard_error *err)
{
    const terminal screen = terminal_of_stdout();

    plan_print_heading(made->source);
    print_target(made);
    if (made->end > made->first &&
        (print_moves(made, &screen, err) || print_totals(made, &screen, err)))
        return err->status;
    if (made->end == made->first)
        puts("no moves");
    if (made->missing > 0)
        printf("\n%llu wanted elements are held by no position of the source, and stay as they "
               "are.\n",
               (unsigned long long)made->missing);
    if (made->source->position == SIZE_MAX)
        print_collective(made);
    return CLSHARD_OK;
}

static clshard_status write_svg(const options *read, const reshard *made, clshard_error *err)
{
    const policy_text from_policy = policy_from_options(read);
    const char *uneven =
        option_text(read, option_given(read, OPTION_TO_UNEVEN) ? OPTION_TO_UNEVEN : OPTION_UNEVEN);
    const reshard_svg picture = {.from = source_of(made),
                                 .to = made->to,
                                 .moves = made->moves,
                                 .from_policy = from_policy.text,
                                 .to_policy = uneven == NULL ? "even" : uneven,
                                 .dtype = made->source->dtype,
                                 .sentence = collective_sentence(made)};

    return reshard_svg_write(&picture, option_text(read, OPTION_SVG), err);
}

static clshard_status show(const options *read, reshard *made, clshard_error *err)
{
    if (choose_moves(made, err) || add_up(made, err))
        return err->status;
    if (option_given(read, OPTION_SVG) && write_svg(read, made, err))
        return err->status;
    if (option_is_stdout(read, OPTION_SVG))
        return CLSHARD_OK;
    if (option_given(read, OPTION_JSON))
        return print_json(made, err);
    if (!option_given(read, OPTION_TSV))
        return print_for_people(made, err);
    print_tsv(made);
    return CLSHARD_OK;
}

clshard_status reshard_show(const options *read, const clshard_runtime *runtime, const plan *made,
                            clshard_error *err)
{
    reshard shown = {.source = made};
    clshard_status status = target_from_options(read, runtime, &made->placed, &shown.to, err);

    if (status == CLSHARD_OK) {
        status = clshard_plan_create(shown.to, made->placed.layout, &shown.moves, err);
        if (status == CLSHARD_ERR_MEMORY)
            fail_add(err,
                     "; the moves to all %zu positions of the target are made, also with "
                     "--position: a smaller mesh is needed",
                     clshard_mesh_position_count(layout_mesh(shown.to)));
    }
    if (status == CLSHARD_OK)
        status = show(read, &shown, err);
    clshard_plan_release(shown.moves);
    clshard_layout_release(shown.to);
    return status;
}
