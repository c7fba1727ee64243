/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_RESHARD_H
#define TOOL_RESHARD_H

/* The moves that --to asks for. */

#include "plan.h"

/* made is the source. runtime NULL: the mesh of --to-mesh is abstract too. */
clshard_status reshard_show(const options *read, const clshard_runtime *runtime, const plan *made,
                            clshard_error *err);

#endif
