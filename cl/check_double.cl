/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: arithmetic in f64: product, sum, quotient, and a product that is rounded before the
 * sum. */

#if __OPENCL_VERSION__ < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

kernel void check_double(global const double *a, global const double *b, global double4 *out,
                         const uint count)
{
    const size_t i = get_global_id(0);
    if (i < count)
        out[i] = (double4)(a[i] * b[i], a[i] + b[i], a[i] / b[i], a[i] * b[i] + a[i]);
}
