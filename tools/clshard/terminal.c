/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 40, WIDTH_MOST = 160 };

static bool locale_is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static size_t columns_of(int descriptor)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    size_t width = WIDTH_DEFAULT;

    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    else if (columns != NULL && columns[0] != '\0' && strspn(columns, "0123456789") < 5)
        width = (size_t)strtoul(columns, NULL, 10);
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
}

/* https://no-color.org: set and not empty means no colours. */
static bool colours_wanted(int descriptor)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return isatty(descriptor) != 0 && (no_color == NULL || no_color[0] == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

terminal terminal_of_stdout(void)
{
    const bool colour = colours_wanted(STDOUT_FILENO);
    const terminal result = {
        .utf8 = locale_is_utf8(),
        .width = columns_of(STDOUT_FILENO),
        .bold = colour ? "\033[1m" : "",
        .faint = colour ? "\033[2m" : "",
        .normal = colour ? "\033[0m" : "",
    };
    return result;
}

/* Printable characters by their first two bytes: no controls, C1 included, no long forms, no
 * surrogates, nothing past U+10FFFF. */
typedef struct form {
    unsigned char first[2]; /* least and most */
    unsigned char second[2];
    unsigned char bytes;
} form;

static const form forms[] = {
    {{0x20, 0x7e}, {0x00, 0xff}, 1}, {{0xc2, 0xc2}, {0xa0, 0xbf}, 2},
    {{0xc3, 0xdf}, {0x80, 0xbf}, 2}, {{0xe0, 0xe0}, {0xa0, 0xbf}, 3},
    {{0xe1, 0xec}, {0x80, 0xbf}, 3}, {{0xed, 0xed}, {0x80, 0x9f}, 3},
    {{0xee, 0xef}, {0x80, 0xbf}, 3}, {{0xf0, 0xf0}, {0x90, 0xbf}, 4},
    {{0xf1, 0xf3}, {0x80, 0xbf}, 4}, {{0xf4, 0xf4}, {0x80, 0x8f}, 4},
};

static bool has_form(const unsigned char *text, const form *shape)
{
    if (text[0] < shape->first[0] || text[0] > shape->first[1])
        return false;
    if (text[1] < shape->second[0] || text[1] > shape->second[1])
        return false;
    for (size_t i = 2; i < shape->bytes; i++)
        if ((text[i] & 0xc0) != 0x80)
            return false;
    return true;
}

/* Bytes of the printable UTF-8 character that text starts with; 0: malformed, or a control. */
static size_t character_bytes(const unsigned char *text)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (has_form(text, &forms[i]))
            return forms[i].bytes;
    return 0;
}

/* Writes what stands for the first character of text; returns the bytes read. */
static size_t clean_character(const char *text, bool utf8, char out[8])
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t length = character_bytes(bytes);

    if (length == 1 || (length > 1 && utf8)) {
        memcpy(out, text, length);
        out[length] = '\0';
        return length;
    }
    (void)snprintf(out, 8, "\\x%02x", bytes[0]);
    return 1;
}

size_t clean_text(const char *text, bool utf8, char *buffer, size_t buffer_bytes)
{
    size_t needed = 0;
    char piece[8];

    if (buffer_bytes > 0)
        buffer[0] = '\0';
    while (*text != '\0') {
        text += clean_character(text, utf8, piece);
        if (needed + strlen(piece) < buffer_bytes)
            memcpy(buffer + needed, piece, strlen(piece) + 1);
        needed += strlen(piece);
    }
    return needed;
}

void print_clean(FILE *out, const char *text)
{
    const bool utf8 = locale_is_utf8();
    char piece[8];

    while (*text != '\0') {
        text += clean_character(text, utf8, piece);
        fputs(piece, out);
    }
}

size_t text_columns(const char *text)
{
    size_t columns = 0;
    for (; *text != '\0'; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}

const char *bytes_text(uint64_t bytes, char buffer[BYTES_TEXT])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes / 1024;
    size_t unit = 0;

    if (bytes < 1024) {
        (void)snprintf(buffer, BYTES_TEXT, "%u byte%s", (unsigned)bytes, bytes == 1 ? "" : "s");
        return buffer;
    }
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        value /= 1024;
    (void)snprintf(buffer, BYTES_TEXT, "%.4g %s", value, units[unit]);
    return buffer;
}

const char *exact_bytes_text(uint64_t bytes, char buffer[EXACT_BYTES_TEXT])
{
    char about[BYTES_TEXT];

    bytes_text(bytes, about);
    if (bytes < 1024)
        (void)snprintf(buffer, EXACT_BYTES_TEXT, "%s", about);
    else
        (void)snprintf(buffer, EXACT_BYTES_TEXT, "%llu bytes (%s)", (unsigned long long)bytes,
                       about);
    return buffer;
}

const char *rate_text(uint64_t bytes, double seconds, char buffer[BYTES_TEXT])
{
    if (bytes == 0 || !(seconds > 0))
        return "-";
    (void)snprintf(buffer, BYTES_TEXT, "%.3g GB/s", (double)bytes / seconds / 1e9);
    return buffer;
}
