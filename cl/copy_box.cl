/* SPDX-License-Identifier: Apache-2.0 */
/* Copies an n-dimensional box of words between two buffers, each with its own strides.
 *
 * WORD is the type that is moved: the host chooses the widest that divides every offset and stride. */

#pragma OPENCL FP_CONTRACT OFF

#ifndef WORD
#define WORD uchar
#endif

enum { DIMENSIONS = 9 }; /* an array's eight, and the run of words inside an innermost row */

/* As clshard__box_arguments of src/transfer/kernel_copy.c; all in words. */
typedef struct box_arguments {
    ulong count; /* words in all */
    long from_offset, to_offset;
    ulong rank;
    ulong extent[DIMENSIONS]; /* slowest first */
    long from_stride[DIMENSIONS];
    long to_stride[DIMENSIONS];
} box_arguments;

kernel void copy_box(global const WORD *from, global WORD *to, const box_arguments box)
{
    for (ulong i = get_global_id(0); i < box.count; i += get_global_size(0)) {
        ulong left = i;
        long source = box.from_offset;
        long target = box.to_offset;
        for (long d = (long)box.rank - 1; d >= 0; d--) {
            const long coordinate = (long)(left % box.extent[d]);
            left /= box.extent[d];
            source += coordinate * box.from_stride[d];
            target += coordinate * box.to_stride[d];
        }
        to[target] = from[source];
    }
}
