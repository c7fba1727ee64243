/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_CLSHARD_H
#define CLSHARD_CLSHARD_H

/**
 * @file
 * Everything: devices, meshes, shardings, plans, arrays, transfers, self-tests and .npy files.
 *
 * Thread class: as each header says.
 */

#include <clshard/check.h>
#include <clshard/npy.h>
#include <clshard/plan.h>
#include <clshard/transfer.h>
#include <clshard/version.h>

#endif
