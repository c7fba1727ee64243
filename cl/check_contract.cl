/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: a product that is rounded before the sum. */

#pragma OPENCL FP_CONTRACT OFF

kernel void check_contract(global const float *x, global const float *scale,
                           global const float *bias, global float *out, const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        out[i] = x[i] * scale[i] + bias[i];
}
