/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: 64-bit integers: sum and product wrap, quotient, shift that keeps the sign. */

#pragma OPENCL FP_CONTRACT OFF

kernel void check_long(global const ulong *a, global const ulong *b, global ulong4 *out,
                       const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        out[i] = (ulong4)(a[i] + b[i], a[i] * b[i], a[i] / b[i],
                          as_ulong(as_long(a[i]) >> (int)(b[i] & 63)));
}
