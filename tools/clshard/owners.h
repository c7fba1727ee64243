/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_OWNERS_H
#define TOOL_OWNERS_H

/* Which process owns which positions, and what they hold together. */

#include <jansson.h>

#include "plan.h"
#include "terminal.h"

/* `overflow` when what a process stores exceeds 2^64 bytes. */
clshard_status owners_print_rows(const plan *made, const terminal *screen, clshard_error *err);
clshard_status owners_print_tsv(const plan *made, clshard_error *err);

/* Frees the head: what the document says before the processes. */
clshard_status owners_print_json(const plan *made, json_t *head, clshard_error *err);

#endif
