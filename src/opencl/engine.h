/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_ENGINE_H
#define CLSHARD_OPENCL_ENGINE_H

/* What drives the devices of an inventory: contexts, queues and programs, made when first needed.
 * Locked inside. */

#include <sys/types.h>

#include "base/log.h"
#include "opencl/inventory.h"

typedef struct clshard__engine clshard__engine;

/* Takes the inventory on OK. Makes no context. */
clshard_status clshard__engine_create(clshard__inventory *inventory,
                                      clshard_context_policy contexts, clshard__log *log,
                                      clshard__engine **out_engine, clshard_error *err);
void clshard__engine_release(clshard__engine *engine);

const clshard__inventory *clshard__engine_inventory(const clshard__engine *engine);

/* Makes context and queues for these devices (indices of devices in use) where they have none yet.
 * All devices of one call that share a context get it together. FORKED in a child. */
clshard_status clshard__engine_start(clshard__engine *engine, const size_t *devices, size_t count,
                                     clshard_error *err);

/* Of a started device; borrowed. */
cl_context clshard__engine_context(const clshard__engine *engine, size_t device);
cl_command_queue clshard__engine_queue(const clshard__engine *engine, size_t device);

/* FORKED in a child of the process that made the engine. */
clshard_status clshard__engine_check(const clshard__engine *engine, clshard_error *err);

/* A kernel of cl/, built for a started device: SOURCE is the file's name without .cl. The caller
 * uses it alone until it gives it back, so that arguments of two threads never mix. */
clshard_status clshard__engine_kernel_take(clshard__engine *engine, size_t device,
                                           const char *source, const char *kernel,
                                           const char *build_options, cl_kernel *out_kernel,
                                           clshard_error *err);
void clshard__engine_kernel_give(clshard__engine *engine, size_t device, cl_kernel kernel);

#endif
