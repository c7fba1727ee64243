/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_VERIFY_H
#define TOOL_VERIFY_H

/* Whether what was gathered is what was scattered. */

#include <clshard/sharding.h>

/* Fills to_bytes bytes so that each differs from the one it will be compared with. */
void verify_prepare(unsigned char *to, const unsigned char *from, size_t bytes);

typedef struct verified {
    uint64_t equal_bytes;     /* held by some position, and equal */
    uint64_t untouched_bytes; /* left out by the policy `drop`, and as verify_prepare() left them */
} verified;

/* Compares two dense tensors of the layout's shape. `internal`, with the place, where held bytes
 * differ or others were touched. */
clshard_status verify_gathered(const clshard_layout *layout, const clshard_tensor *gathered,
                               const clshard_tensor *original, verified *out, clshard_error *err);

#endif
