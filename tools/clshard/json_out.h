/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_JSON_OUT_H
#define TOOL_JSON_OUT_H

/* The parts that several JSON documents share. A builder returns NULL when memory is short;
 * json_pack passes that on, so that only json_print() needs to look. */

#include <jansson.h>

#include <clshard/sharding.h>

json_t *json_text(const char *text); /* cleaned; NULL text: null */
json_t *json_sizes(const size_t *sizes, size_t count);
json_t *json_ranges(const clshard_box *box); /* [[start, stop], ...] */
json_t *json_axes(const clshard_mesh *mesh); /* [{"name", "size"}, ...] */
json_t *json_coordinates(const clshard_mesh *mesh, size_t position);

/* Appends and passes the array on; frees it and gives NULL when either is NULL. */
json_t *json_append(json_t *array, json_t *value);

/* Prints a document on a line of its own, and frees it. NULL is `memory`. */
clshard_status json_print(json_t *document, clshard_error *err);

/* Prints an object whose last member, an array of that name, is written one by one, so that the
 * document may be larger than memory: json_stream_begin(), json_stream_next() each,
 * json_stream_end(). The values are freed. */
clshard_status json_stream_begin(json_t *object, const char *name, clshard_error *err);
clshard_status json_stream_next(json_t *value, bool first, clshard_error *err);
void json_stream_end(void);

/* `overflow` for numbers, or a layout's extents or positions, past what JSON's integers hold here.
 */
clshard_status json_holds_count(uint64_t count, clshard_error *err);
clshard_status json_holds(const clshard_layout *layout, clshard_error *err);

#endif
