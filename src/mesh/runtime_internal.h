/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_MESH_RUNTIME_INTERNAL_H
#define CLSHARD_MESH_RUNTIME_INTERNAL_H

/* What the layers above need of a runtime. */

#include <clshard/runtime.h>

#include "opencl/engine.h"

/* Another claim. A runtime is immutable to its users, so claims can be taken on a const one. */
clshard_runtime *clshard__runtime_retain(const clshard_runtime *runtime);

/* What drives the devices; borrowed. */
clshard__engine *clshard__runtime_engine(const clshard_runtime *runtime);

/* A device in use or left out; NULL past the last. */
const clshard__device *clshard__runtime_device(const clshard_runtime *runtime, size_t index);

#endif
