/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_LAYOUT_AXES_H
#define CLSHARD_LAYOUT_AXES_H

/* Named axes over positions, numbered row-major: the last axis is the fastest. */

#include <clshard/tensor.h>

/* As CLSHARD_INFER of mesh.h, which this layer does not see. */
#define CLSHARD__AXES_INFER SIZE_MAX

typedef struct clshard__axes {
    size_t count;
    char name[CLSHARD_RANK_MAX][CLSHARD_NAME_MAX];
    size_t size[CLSHARD_RANK_MAX];
    size_t stride[CLSHARD_RANK_MAX]; /* positions between neighbours; set by finish */
    size_t positions;                /* set by finish */
} clshard__axes;

/* Appends an axis to a zeroed or growing set. NAME, DUPLICATE_AXIS, RANK (too many), MESH_SIZE (0,
 * or a second inferred size). On failure the set is as it was. */
clshard_status clshard__axes_add(clshard__axes *axes, const char *name, size_t size,
                                 clshard_error *err);

/* Reads "data=2,model=-1" into *out; the inferred size stays CLSHARD__AXES_INFER. */
clshard_status clshard__axes_parse(const char *text, clshard__axes *out, clshard_error *err);

/* Infers the missing size from the number of devices (SIZE_MAX: there are none, an inferred size is
 * ABSTRACT; 0 with an inferred size: NO_DEVICES) and sets strides and positions. MESH_SIZE for no
 * axes or a size that does not divide; OVERFLOW. Does not compare positions with devices. */
clshard_status clshard__axes_finish(clshard__axes *axes, size_t device_count, clshard_error *err);

/* "data=2,model=4"; as snprintf. */
size_t clshard__axes_format(const clshard__axes *axes, char *buffer, size_t buffer_bytes);

/* The index of the axis of that name; SIZE_MAX: none. */
size_t clshard__axes_find(const clshard__axes *axes, const char *name);

/* position must be below positions. */
static inline size_t clshard__axes_coordinate(const clshard__axes *axes, size_t axis,
                                              size_t position)
{
    return position / axes->stride[axis] % axes->size[axis];
}

/* INDEX for a coordinate past its axis. */
clshard_status clshard__axes_position(const clshard__axes *axes, const size_t *coordinates,
                                      size_t *out_position, clshard_error *err);

bool clshard__axes_equal(const clshard__axes *a, const clshard__axes *b);

#endif
