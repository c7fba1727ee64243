/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: quotients, as the host rounds them. */

#pragma OPENCL FP_CONTRACT OFF

kernel void check_divide(global const float *a, global const float *b, global float *out,
                         const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        out[i] = a[i] / b[i];
}
