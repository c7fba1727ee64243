/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_MOVE_MATRIX_H
#define TOOL_MOVE_MATRIX_H

/* Which position gives how much to which, as a table of coloured cells on a sheet. */

#include <clshard/plan.h>

#include "svg.h"

/* Draws up to 64 by 64 positions below *y, and what the colours mean; without a dtype elements are
 * shown instead of bytes. Moves *y to where it ends. `memory`. */
clshard_status move_matrix_put(const clshard_plan *moves, clshard_dtype dtype, size_t from_count,
                               size_t to_count, svg *sheet, size_t *y, clshard_error *err);

#endif
