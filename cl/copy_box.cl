/* SPDX-License-Identifier: Apache-2.0 */
/* Copies an n-dimensional box of words between two buffers, each with its own strides.
 *
 * WORD is the type that is moved: the host chooses the widest that divides every offset and stride.
 * All numbers are in words. The box has RANK loops (a build option, 0 to 8) around a run of words
 * that are contiguous on both sides; component d of the vectors belongs to loop d, the slowest
 * first.
 *
 * No array and no struct is passed: Mesa 22.3.6 crashes on rusticl when a kernel indexes its
 * arguments. */

#pragma OPENCL FP_CONTRACT OFF

#ifndef WORD
#define WORD uchar
#endif
#ifndef RANK
#define RANK 8
#endif

/* Takes the fastest loop that is left off the index, and steps both sides. */
#define LOOP(component)                                                                            \
    {                                                                                              \
        const ulong coordinate = left % extent.component;                                          \
        left /= extent.component;                                                                  \
        source += (long)coordinate * from_stride.component;                                        \
        target += (long)coordinate * to_stride.component;                                          \
    }

kernel void copy_box(global const WORD *from, global WORD *to, const ulong count, const ulong run,
                     const long from_offset, const long to_offset, const ulong8 extent,
                     const long8 from_stride, const long8 to_stride)
{
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
        ulong left = i / run;
        long source = from_offset + (long)(i % run);
        long target = to_offset + (long)(i % run);
#if RANK > 7
        LOOP(s7)
#endif
#if RANK > 6
        LOOP(s6)
#endif
#if RANK > 5
        LOOP(s5)
#endif
#if RANK > 4
        LOOP(s4)
#endif
#if RANK > 3
        LOOP(s3)
#endif
#if RANK > 2
        LOOP(s2)
#endif
#if RANK > 1
        LOOP(s1)
#endif
#if RANK > 0
        LOOP(s0)
#endif
        to[target] = from[source];
    }
}
