/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: arithmetic in f16. */

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void check_half(global const half *a, global const half *b, global half2 *out,
                       const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        out[i] = (half2)(a[i] * b[i], a[i] + b[i]);
}
