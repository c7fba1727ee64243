/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_PICTURE_H
#define TOOL_PICTURE_H

/* An array drawn as blocks, each with the positions that hold it. */

#include <clshard/sharding.h>

#include "terminal.h"

/* Up to three cut dimensions are drawn: the last across, the one before it down, the first as
 * slabs below each other. *out_drawn is false, and nothing is printed, for a layout that does not
 * fit: too many positions, dimensions or blocks. */
clshard_status picture_print(const clshard_layout *layout, const terminal *screen, bool *out_drawn,
                             clshard_error *err);

#endif
