/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: f32 to u8, to nearest even and saturating. */

#pragma OPENCL FP_CONTRACT OFF

kernel void check_to_u8(global const float *x, global uchar *out, const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        out[i] = convert_uchar_sat_rte(x[i]);
}
