/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_TERMINAL_H
#define TOOL_TERMINAL_H

/* What standard output can show, and text made fit for it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct terminal {
    bool utf8;        /* the locale's character set; else plain ASCII */
    size_t width;     /* columns; 80 where there is no terminal */
    const char *bold; /* escape sequences, empty without colours */
    const char *faint;
    const char *normal;
} terminal;

terminal terminal_of_stdout(void);

/* Copies text with control characters and malformed or, outside UTF-8, non-ASCII bytes as \xNN, so
 * that nothing a user or a driver names can steer the terminal. Returns the bytes needed, as
 * snprintf(). */
size_t clean_text(const char *text, bool utf8, char *buffer, size_t buffer_bytes);

/* The same onto a stream, by the locale. */
void print_clean(FILE *out, const char *text);

/* Columns that clean text takes: its characters. */
size_t text_columns(const char *text);

/* Bytes for a person: "131072 bytes", "128 KiB", "1.5 GiB". */
enum { BYTES_TEXT = 32 };
const char *bytes_text(uint64_t bytes, char buffer[BYTES_TEXT]);

/* The same, exact: "131072 bytes (128 KiB)", "36 bytes". */
enum { EXACT_BYTES_TEXT = 2 * BYTES_TEXT };
const char *exact_bytes_text(uint64_t bytes, char buffer[EXACT_BYTES_TEXT]);

/* Bytes per second for a person: "1.52 GB/s"; "-" when no time was measured. */
const char *rate_text(uint64_t bytes, double seconds, char buffer[BYTES_TEXT]);

#endif
