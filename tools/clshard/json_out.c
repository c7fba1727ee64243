/* SPDX-License-Identifier: Apache-2.0 */
#include "json_out.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "terminal.h"

/* Everything beyond ASCII is escaped, so that a document is fit for any terminal. */
#define JSON_PLAIN (JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6))
#define JSON_LINE (JSON_PLAIN | JSON_COMPACT)

json_t *json_text(const char *text)
{
    const size_t bytes = text == NULL ? 0 : clean_text(text, true, NULL, 0) + 1;
    char *clean;
    json_t *value = NULL;

    if (text == NULL)
        return json_null();
    clean = malloc(bytes);
    if (clean != NULL) {
        clean_text(text, true, clean, bytes);
        value = json_string(clean);
    }
    free(clean);
    return value;
}

json_t *json_append(json_t *array, json_t *value)
{
    if (array == NULL) {
        json_decref(value);
        return NULL;
    }
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

json_t *json_sizes(const size_t *sizes, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        array = json_append(array, json_integer((json_int_t)sizes[i]));
    return array;
}

json_t *json_ranges(const clshard_box *box)
{
    json_t *array = json_array();
    for (size_t i = 0; i < box->rank; i++) {
        const size_t range[2] = {box->offset[i], box->offset[i] + box->extent[i]};
        array = json_append(array, json_sizes(range, 2));
    }
    return array;
}

json_t *json_axes(const clshard_mesh *mesh)
{
    json_t *array = json_array();
    for (size_t i = 0; i < clshard_mesh_axis_count(mesh); i++) {
        const clshard_axis axis = clshard_mesh_axis(mesh, i);
        array = json_append(array, json_pack("{s:o, s:I}", "name", json_text(axis.name), "size",
                                             (json_int_t)axis.size));
    }
    return array;
}

json_t *json_coordinates(const clshard_mesh *mesh, size_t position)
{
    size_t coordinates[CLSHARD_RANK_MAX] = {0};
    if (clshard_mesh_coordinates(mesh, position, coordinates, NULL))
        return NULL;
    return json_sizes(coordinates, clshard_mesh_axis_count(mesh));
}

clshard_status json_print(json_t *document, clshard_error *err)
{
    if (document == NULL)
        return fail_memory(err, "JSON");
    /* A failed write is found at the end, as for every other output. */
    (void)json_dumpf(document, stdout, JSON_PLAIN | JSON_INDENT(2));
    putchar('\n');
    json_decref(document);
    return CLSHARD_OK;
}

clshard_status json_stream_begin(json_t *object, const char *name, clshard_error *err)
{
    char *text = object == NULL ? NULL : json_dumps(object, JSON_LINE);

    json_decref(object);
    if (text == NULL)
        return fail_memory(err, "JSON");
    text[strlen(text) - 1] = '\0';
    printf("%s,\"%s\":[", text, name);
    free(text);
    return CLSHARD_OK;
}

clshard_status json_stream_next(json_t *value, bool first, clshard_error *err)
{
    if (value == NULL)
        return fail_memory(err, "JSON");
    fputs(first ? "\n" : ",\n", stdout);
    (void)json_dumpf(value, stdout, JSON_LINE);
    json_decref(value);
    return CLSHARD_OK;
}

void json_stream_end(void)
{
    puts("\n]}");
}

clshard_status json_holds_count(uint64_t count, clshard_error *err)
{
    if (count <= INT64_MAX)
        return CLSHARD_OK;
    return fail(err, CLSHARD_ERR_OVERFLOW, "--json: counts above 2^63 do not fit JSON's integers");
}

clshard_status json_holds(const clshard_layout *layout, clshard_error *err)
{
    /* A padded box reaches at most once more as far as the shape. */
    const size_t most = SIZE_MAX / 4;
    const clshard_shape shape = clshard_layout_shape(layout);
    const clshard_mesh *mesh = clshard_sharding_mesh(clshard_layout_sharding(layout));
    bool holds = clshard_mesh_position_count(mesh) <= most;

    for (size_t i = 0; i < shape.rank; i++)
        holds = holds && shape.extent[i] <= most;
    if (holds)
        return CLSHARD_OK;
    return fail(err, CLSHARD_ERR_OVERFLOW, "--json: sizes above 2^62 do not fit JSON's integers");
}
