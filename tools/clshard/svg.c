/* SPDX-License-Identifier: Apache-2.0 */
#include "svg.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "terminal.h"

/* No font is known here; these are wide ones' widths, so that nothing overlaps. */
enum { WIDTH_PERCENT = 65, WIDTH_PERCENT_BOLD = 70 };

clshard_status svg_open(svg *sheet, clshard_error *err)
{
    memset(sheet, 0, sizeof *sheet);
    sheet->out = open_memstream(&sheet->text, &sheet->bytes);
    return sheet->out == NULL ? fail_memory(err, "--svg") : CLSHARD_OK;
}

void svg_discard(svg *sheet)
{
    if (sheet->out != NULL)
        (void)fclose(sheet->out);
    free(sheet->text);
    memset(sheet, 0, sizeof *sheet);
}

/* The two code points below U+10000 that UTF-8 has and XML has not. */
static bool is_no_character(const char *text)
{
    return strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0;
}

static void write_escaped(FILE *out, const char *text)
{
    static const char special[] = "<>&\"'";
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};

    for (; *text != '\0'; text++) {
        const char *found = strchr(special, *text);
        if (found != NULL) {
            fputs(entities[found - special], out);
        } else if (is_no_character(text)) {
            fputc('?', out);
            text += 2;
        } else {
            fputc(*text, out);
        }
    }
}

/* Control characters are not even allowed in XML. */
static void write_text(svg *sheet, const char *text)
{
    const size_t bytes = clean_text(text, true, NULL, 0) + 1;
    char *clean = malloc(bytes);

    sheet->failed = sheet->failed || clean == NULL;
    if (clean == NULL)
        return;
    clean_text(text, true, clean, bytes);
    write_escaped(sheet->out, clean);
    free(clean);
}

static void reach(svg *sheet, size_t right, size_t bottom)
{
    sheet->right = right > sheet->right ? right : sheet->right;
    sheet->bottom = bottom > sheet->bottom ? bottom : sheet->bottom;
}

void svg_rect(svg *sheet, svg_box at, const char *fill, const char *stroke)
{
    fprintf(sheet->out,
            "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"%s\" stroke=\"%s\"/>\n",
            at.x, at.y, at.width, at.height, fill, stroke);
    reach(sheet, at.x + at.width, at.y + at.height);
}

void svg_frame(svg *sheet, svg_box at)
{
    fprintf(sheet->out,
            "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"none\" "
            "stroke=\"#000000\" stroke-width=\"2\"/>\n",
            at.x, at.y, at.width, at.height);
    reach(sheet, at.x + at.width, at.y + at.height);
}

void svg_arrow(svg *sheet, size_t x, size_t y, size_t length)
{
    fprintf(sheet->out,
            "<path d=\"M%zu %zu h%zu v-5 l12 8 l-12 8 v-5 h-%zu z\" fill=\"#000000\"/>\n", x, y - 3,
            length - 12, length - 12);
    reach(sheet, x + length, y + 8);
}

void svg_write(svg *sheet, svg_text how, const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    const size_t width = svg_text_width(text, how.size, how.bold);
    const size_t after = how.anchor == SVG_START    ? width
                         : how.anchor == SVG_MIDDLE ? (width + 1) / 2
                                                    : 0;

    fprintf(sheet->out,
            "<text x=\"%zu\" y=\"%zu\" font-size=\"%zu\" fill=\"%s\" text-anchor=\"%s\"", how.x,
            how.y, how.size, how.colour, anchors[how.anchor]);
    if (how.bold)
        fputs(" font-weight=\"bold\"", sheet->out);
    if (how.upwards)
        fprintf(sheet->out, " transform=\"rotate(-90 %zu %zu)\"", how.x, how.y);
    fputs(">", sheet->out);
    write_text(sheet, text);
    fputs("</text>\n", sheet->out);
    reach(sheet, how.upwards ? how.x : how.x + after, how.y + how.size / 4);
}

void svg_group(svg *sheet, const char *name, const char *tooltip)
{
    fprintf(sheet->out, "<g class=\"%s\"><title>", name);
    write_text(sheet, tooltip);
    fputs("</title>\n", sheet->out);
}

void svg_group_end(svg *sheet)
{
    fputs("</g>\n", sheet->out);
}

size_t svg_text_width(const char *text, size_t size, bool bold)
{
    const size_t percent = bold ? WIDTH_PERCENT_BOLD : WIDTH_PERCENT;
    return (text_columns(text) * size * percent + 99) / 100;
}

const char *svg_line(char buffer[SVG_LINE], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(buffer, SVG_LINE, format, arguments) < 0)
        buffer[0] = '\0';
    va_end(arguments);
    return buffer;
}

const char *svg_fit(const char *text, size_t size, size_t width, char buffer[SVG_LINE])
{
    static const char ellipsis[] = "\u2026";
    const size_t columns = width * 100 / (size * WIDTH_PERCENT);
    size_t column = 0;
    size_t kept = 0;

    clean_text(text, true, buffer, SVG_LINE);
    if (text_columns(buffer) <= columns && clean_text(text, true, NULL, 0) < SVG_LINE)
        return buffer;
    for (size_t i = 0; buffer[i] != '\0' && i + sizeof ellipsis <= SVG_LINE; i++) {
        column += ((unsigned char)buffer[i] & 0xc0) != 0x80;
        if (column > columns)
            break;
        if (((unsigned char)buffer[i] & 0xc0) != 0x80)
            kept = i;
    }
    memcpy(buffer + kept, ellipsis, sizeof ellipsis);
    return buffer;
}

static void write_document(svg *sheet, FILE *out, const char *title, const char *drawn)
{
    const size_t width = sheet->right + SVG_MARGIN;
    const size_t height = sheet->bottom + SVG_MARGIN;
    FILE *const body = sheet->out;

    fprintf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%zu\" height=\"%zu\" "
        "viewBox=\"0 0 %zu %zu\" font-family=\"sans-serif\">\n<title>",
        width, height, width, height);
    sheet->out = out;
    write_text(sheet, title);
    sheet->out = body;
    fprintf(out,
            "</title>\n<defs>\n"
            "<pattern id=\"padding\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" "
            "patternTransform=\"rotate(45)\">\n"
            "<rect width=\"8\" height=\"8\" fill=\"#ffffff\" fill-opacity=\"0.6\"/>\n"
            "<rect width=\"2\" height=\"8\" fill=\"#555555\"/>\n"
            "</pattern>\n</defs>\n"
            "<rect width=\"%zu\" height=\"%zu\" fill=\"#ffffff\"/>\n%s</svg>\n",
            width, height, drawn);
}

clshard_status svg_close(svg *sheet, const char *title, char **out_document, clshard_error *err)
{
    char *document = NULL;
    size_t bytes = 0;
    FILE *out = NULL;
    bool whole = !sheet->failed && fflush(sheet->out) == 0 && ferror(sheet->out) == 0;

    if (whole)
        out = open_memstream(&document, &bytes);
    if (out != NULL) {
        write_document(sheet, out, title, sheet->text);
        whole = !sheet->failed && ferror(out) == 0;
        whole = fclose(out) == 0 && whole;
    }
    svg_discard(sheet);
    if (out == NULL || !whole) {
        free(document);
        return fail_memory(err, "--svg");
    }
    *out_document = document;
    return CLSHARD_OK;
}
