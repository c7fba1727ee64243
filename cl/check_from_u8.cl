/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: u8 to f32 by scale and bias, with two roundings. */

#pragma OPENCL FP_CONTRACT OFF

kernel void check_from_u8(global const uchar *x, global const float *scale,
                          global const float *bias, global float *out, const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        out[i] = convert_float(x[i]) * scale[i] + bias[i];
}
