/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_PLAN_H
#define CLSHARD_PLAN_H

/**
 * @file
 * The plan of a reshard: which position of one layout takes which elements from which position of
 * another, both of one shape. It moves only what a position lacks, each element once, from the
 * nearest position that has it.
 *
 * Needs no device, and makes no context. Opaque, with a single owner; it keeps both layouts alive.
 *
 * Thread class: immutable.
 */

#include <clshard/sharding.h>

/** The moves between two layouts. */
typedef struct clshard_plan clshard_plan;

/** How far away a move's source is, the nearest first. */
typedef enum clshard_reach {
    CLSHARD_REACH_SELF = 0,    /**< the position has it, being the same device in both meshes */
    CLSHARD_REACH_DEVICE = 1,  /**< another position of the same device */
    CLSHARD_REACH_CONTEXT = 2, /**< another device in the same OpenCL context */
    CLSHARD_REACH_HOST = 3,    /**< another context: through the host's memory */
    CLSHARD_REACH_PROCESS = 4  /**< another process */
} clshard_reach;

/** Elements that one position takes from another, or keeps. Frozen. */
typedef struct clshard_move {
    size_t from;         /**< position in the source's mesh */
    size_t to;           /**< position in the target's mesh */
    clshard_box box;     /**< in global indices; inside what is valid on both sides, never empty */
    clshard_reach reach; /**< SELF: nothing moves */
} clshard_move;

/** What a reshard is called where it is a single collective operation. */
typedef enum clshard_collective {
    CLSHARD_COLLECTIVE_NONE = 0,       /**< no single one of these */
    CLSHARD_COLLECTIVE_SLICE = 1,      /**< every position has what it wants already */
    CLSHARD_COLLECTIVE_ALL_GATHER = 2, /**< groups of positions, each member of which gets the
                                          slices of all */
    CLSHARD_COLLECTIVE_ALL_TO_ALL = 3, /**< groups of one size, in which each member takes a piece
                                          from each */
    CLSHARD_COLLECTIVE_PERMUTE = 4     /**< whole slices change places */
} clshard_collective;

CLSHARD_BEGIN_DECLS

/**
 * Plans how an array gets from one layout to another.
 *
 * Of several positions that have an element the nearest gives it, of equally near ones the lowest.
 * Elements that no position of the source has (the tail under `drop`) are not moved:
 * clshard_plan_missing() counts them. On abstract meshes every position is a device of its own, and
 * all devices of a process are in one context. Devices of two runtimes can be the same one; their
 * contexts never are. Time and memory grow with the positions of the target and the moves.
 * @param to the target; kept alive.
 * @param from the source; kept alive. The meshes may differ.
 * @param out_plan receives the plan; end with clshard_plan_release().
 * @param err may be NULL.
 * @return OK; `shape` for layouts of two shapes; `abstract` when one mesh has devices and the other
 * has none; `overflow` when the elements of all positions exceed 64 bits; `argument` for NULL;
 * `memory`.
 */
CLSHARD_CHECKED clshard_status clshard_plan_create(const clshard_layout *to,
                                                   const clshard_layout *from,
                                                   clshard_plan **out_plan, clshard_error *err);

/** Ends the plan. NULL is allowed. */
CLSHARD_API void clshard_plan_release(clshard_plan *plan);

/** Number of moves, those of reach SELF included. */
CLSHARD_API size_t clshard_plan_move_count(const clshard_plan *plan);

/**
 * A move by value, sorted by target position, then by the place of the box. O(rank). Past the last:
 * an empty box of rank 0, from and to SIZE_MAX.
 */
CLSHARD_API clshard_move clshard_plan_move(const clshard_plan *plan, size_t index);

/** Elements that all moves of a reach move together; 0 for no reach of ours. */
CLSHARD_API uint64_t clshard_plan_elements(const clshard_plan *plan, clshard_reach reach);

/** Elements that positions of the target want and no position of the source has. */
CLSHARD_API uint64_t clshard_plan_missing(const clshard_plan *plan);

/** Which single collective the plan amounts to. It depends on the layouts alone, not on which
 * replica a move takes from. */
CLSHARD_API clshard_collective clshard_plan_collective(const clshard_plan *plan);

/** The text of a reach ("self", "device", ...); NULL past the last, so a tool can search by name.
 */
CLSHARD_API const char *clshard_reach_name(clshard_reach reach);

/** The text of a collective ("none", "slice", "all-gather", "all-to-all", "permute"); NULL past the
 * last. */
CLSHARD_API const char *clshard_collective_name(clshard_collective collective);

CLSHARD_END_DECLS

#endif
