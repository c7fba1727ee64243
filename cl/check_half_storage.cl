/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: f16 in memory only, which needs no extension. */

#pragma OPENCL FP_CONTRACT OFF

kernel void check_half_storage(global const half *load, global const float *store,
                               global float *loaded, const uint count)
{
    const size_t i = get_global_id(0);
    global half *stored = (global half *)(loaded + count);
    if (i < count) {
        loaded[i] = vload_half(i, load);
        vstore_half_rte(store[i], i, stored);
    }
}
