/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: adds 1 to each word of memory that the host shares. */

#pragma OPENCL FP_CONTRACT OFF

kernel void check_count(global uint *words, const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        words[i] += 1;
}
