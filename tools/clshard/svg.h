/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_SVG_H
#define TOOL_SVG_H

/* A sheet of SVG 1.1 that grows with what is drawn on it. Lengths are whole pixels. */

#include <stddef.h>
#include <stdio.h>

#include <clshard/status.h>

typedef struct svg {
    FILE *out;  /* writes to text */
    char *text; /* what was drawn, without the sheet's head */
    size_t bytes;
    bool failed;  /* memory was short; svg_close() says so */
    size_t right; /* the sheet's size so far, without a margin */
    size_t bottom;
} svg;

typedef struct svg_box {
    size_t x;
    size_t y;
    size_t width;
    size_t height;
} svg_box;

typedef enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END } svg_anchor;

/* A line of text: x and y are its start, middle or end on the base line. */
typedef struct svg_text {
    size_t x;
    size_t y;
    size_t size; /* of the font */
    svg_anchor anchor;
    const char *colour;
    bool bold;
    bool upwards; /* turned to read from below */
} svg_text;

enum { SVG_MARGIN = 24 };

clshard_status svg_open(svg *sheet, clshard_error *err);

/* Ends the drawing. *out_document is the whole file, to be freed. The title is what viewers show.
 * Releases the sheet, also on failure. */
clshard_status svg_close(svg *sheet, const char *title, char **out_document, clshard_error *err);

/* Gives up the sheet. */
void svg_discard(svg *sheet);

/* fill and stroke are colours, "none", or "url(#padding)": hatching. */
void svg_rect(svg *sheet, svg_box at, const char *fill, const char *stroke);

/* A thick line around something. */
void svg_frame(svg *sheet, svg_box at);

/* An arrow to the right. */
void svg_arrow(svg *sheet, size_t x, size_t y, size_t length);

/* Text may be anything; it is cleaned and escaped. */
void svg_write(svg *sheet, svg_text how, const char *text);

/* What is drawn in between belongs together under a class, and has a text that viewers show. */
void svg_group(svg *sheet, const char *name, const char *tooltip);
void svg_group_end(svg *sheet);

/* About the pixels that a text takes. */
size_t svg_text_width(const char *text, size_t size, bool bold);

/* Prints text into the buffer; what does not fit is missing. */
enum { SVG_LINE = 4096 };
const char *svg_line(char buffer[SVG_LINE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Copies as much of text as fits; what does not ends in an ellipsis. */
const char *svg_fit(const char *text, size_t size, size_t width, char buffer[SVG_LINE]);

#endif
