/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_SELECTOR_H
#define CLSHARD_OPENCL_SELECTOR_H

/* The text that chooses devices: terms separated by commas, with blanks around them or not.
 *
 *   TERM    = ['-'] NAMES
 *   NAMES   = '*' | P '.' D | P '.*' | 'cpu' | 'gpu' | 'accelerator' | TEXT
 *
 * Terms apply from left to right: one adds what it names, one after '-' removes it. TEXT is part of
 * the name or vendor of the device or its platform. What looks like a slip is refused: words of
 * digits, dots and stars that are no id (a number of three or more digits is TEXT, as in '4090').
 */

#include "opencl/arena.h"
#include "opencl/device.h"

typedef enum clshard__term_kind {
    CLSHARD__TERM_ALL,
    CLSHARD__TERM_ID,
    CLSHARD__TERM_PLATFORM,
    CLSHARD__TERM_TYPE,
    CLSHARD__TERM_TEXT
} clshard__term_kind;

typedef struct clshard__term {
    clshard__term_kind kind;
    bool removes;
    size_t platform, device; /* ID, PLATFORM */
    uint32_t type;           /* TYPE: a CLSHARD_DEVICE_* bit */
    const char *text;        /* what it names, inside the selector's text */
    size_t length;
} clshard__term;

typedef struct clshard__selector {
    const char *text; /* the caller's: must live as long */
    clshard__term *terms;
    size_t term_count;
    bool ordered; /* ids alone: they also give the order */
} clshard__selector;

/* End with clshard__selector_end() on OK. TEXT with the place marked, DUPLICATE_DEVICE or MEMORY.
 */
clshard_status clshard__selector_parse(const char *text, clshard__selector *out_selector,
                                       clshard_error *err);
void clshard__selector_end(clshard__selector *selector);

/* Whether a term names a device; one whose CPU bit is set is a CPU whatever its other bits. */
bool clshard__term_matches(const clshard__term *term, const clshard__device *device);

/* Leaves out, with the reason, each device that the selector does not take, and ranks those that it
 * orders. Devices that are left out already are never taken. NO_DEVICES for a term that names no
 * device that could be used, or when nothing is left; MEMORY. */
clshard_status clshard__selector_apply(const clshard__selector *selector, clshard__device *devices,
                                       size_t count, clshard__arena *arena, clshard_error *err);

#endif
