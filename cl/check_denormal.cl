/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: products and sums whose operands or results are denormal. */

#pragma OPENCL FP_CONTRACT OFF

kernel void check_denormal(global const float *a, global const float *b, global float2 *out,
                           const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        out[i] = (float2)(a[i] * b[i], a[i] + b[i]);
}
