/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_COLLECTIVE_H
#define CLSHARD_LAYOUT_COLLECTIVE_H

/* Which collective the moves of a reshard amount to, decided exactly or not at all. */

#include "layout/moves.h"

/* NONE for sides whose positions are not the same devices, for moves that leave something missing,
 * and for whatever takes more than one collective. */
clshard__collective clshard__collective_of(const clshard__side *to, const clshard__side *from,
                                           const clshard__moves *moves);

#endif
