/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the members of public structs lie on 64-bit machines: programs that were compiled against
 * an earlier patch version rely on it. Compiled as C11 and as C++17; abi/pinned.sh finds what is
 * missing.
 *
 * FROZEN: a value; size and members never change. GROWS: options (which say their size) and facts
 * (which the library owns); members may be added at the end. A change here is a line under ABI in
 * CHANGELOG.md.
 */
#include <assert.h>
#include <stddef.h>

#include <clshard/clshard.h>

#define FROZEN(type, bytes) static_assert(sizeof(type) == (bytes), #type " is frozen")
#define GROWS(type, bytes) static_assert(sizeof(type) >= (bytes), #type " shrank")
#define MEMBER(type, member, place)                                                                \
    static_assert(offsetof(type, member) == (place), #type "." #member " moved")

FROZEN(clshard_error, 512);
MEMBER(clshard_error, status, 0);
MEMBER(clshard_error, native, 4);
MEMBER(clshard_error, position, 8);
MEMBER(clshard_error, message, 16);

FROZEN(clshard_shape, 72);
MEMBER(clshard_shape, rank, 0);
MEMBER(clshard_shape, extent, 8);

FROZEN(clshard_box, 136);
MEMBER(clshard_box, rank, 0);
MEMBER(clshard_box, offset, 8);
MEMBER(clshard_box, extent, 72);

FROZEN(clshard_part, 280);
MEMBER(clshard_part, box, 0);
MEMBER(clshard_part, valid, 136);
MEMBER(clshard_part, replica, 272);

FROZEN(clshard_tensor, 160);
MEMBER(clshard_tensor, data, 0);
MEMBER(clshard_tensor, dtype, 8);
MEMBER(clshard_tensor, shape, 16);
MEMBER(clshard_tensor, strides, 88);
MEMBER(clshard_tensor, bytes, 152);

GROWS(clshard_platform_info, 48);
MEMBER(clshard_platform_info, id, 0);
MEMBER(clshard_platform_info, name, 8);
MEMBER(clshard_platform_info, vendor, 16);
MEMBER(clshard_platform_info, version, 24);
MEMBER(clshard_platform_info, device_count, 32);
MEMBER(clshard_platform_info, problem, 40);

GROWS(clshard_device_info, 104);
MEMBER(clshard_device_info, index, 0);
MEMBER(clshard_device_info, id, 8);
MEMBER(clshard_device_info, name, 16);
MEMBER(clshard_device_info, vendor, 24);
MEMBER(clshard_device_info, platform, 32);
MEMBER(clshard_device_info, version, 40);
MEMBER(clshard_device_info, driver, 48);
MEMBER(clshard_device_info, type, 56);
MEMBER(clshard_device_info, compute_units, 60);
MEMBER(clshard_device_info, memory_bytes, 64);
MEMBER(clshard_device_info, largest_buffer_bytes, 72);
MEMBER(clshard_device_info, host_memory, 80);
MEMBER(clshard_device_info, f64, 81);
MEMBER(clshard_device_info, f16, 82);
MEMBER(clshard_device_info, excluded, 88);
MEMBER(clshard_device_info, disabled, 96);

GROWS(clshard_runtime_options, 48);
MEMBER(clshard_runtime_options, size, 0);
MEMBER(clshard_runtime_options, contexts, 8);
MEMBER(clshard_runtime_options, keep_duplicates, 12);
MEMBER(clshard_runtime_options, pool_bytes, 16);
MEMBER(clshard_runtime_options, log, 24);
MEMBER(clshard_runtime_options, log_context, 32);
MEMBER(clshard_runtime_options, cache_folder, 40);

FROZEN(clshard_axis, 16);
MEMBER(clshard_axis, name, 0);
MEMBER(clshard_axis, size, 8);

GROWS(clshard_mesh_options, 40);
MEMBER(clshard_mesh_options, size, 0);
MEMBER(clshard_mesh_options, devices, 8);
MEMBER(clshard_mesh_options, device_count, 16);
MEMBER(clshard_mesh_options, repeat_devices, 24);
MEMBER(clshard_mesh_options, processes, 32);

FROZEN(clshard_spec_entry, 256);
MEMBER(clshard_spec_entry, axis, 0);

FROZEN(clshard_spec, 2056);
MEMBER(clshard_spec, rank, 0);
MEMBER(clshard_spec, entry, 8);

FROZEN(clshard_rule, 288);
MEMBER(clshard_rule, name, 0);
MEMBER(clshard_rule, axes, 32);

FROZEN(clshard_rules, 18440);
MEMBER(clshard_rules, count, 0);
MEMBER(clshard_rules, rule, 8);

FROZEN(clshard_split, 48);
MEMBER(clshard_split, axis, 0);
MEMBER(clshard_split, policy, 8);
MEMBER(clshard_split, weights, 16);
MEMBER(clshard_split, sizes, 24);
MEMBER(clshard_split, count, 32);
MEMBER(clshard_split, granule, 40);

FROZEN(clshard_share, 16);
MEMBER(clshard_share, index, 0);
MEMBER(clshard_share, count, 8);

FROZEN(clshard_range, 24);
MEMBER(clshard_range, start, 0);
MEMBER(clshard_range, step, 8);
MEMBER(clshard_range, count, 16);

GROWS(clshard_sharding_options, 32);
MEMBER(clshard_sharding_options, size, 0);
MEMBER(clshard_sharding_options, uneven, 8);
MEMBER(clshard_sharding_options, splits, 16);
MEMBER(clshard_sharding_options, split_count, 24);

FROZEN(clshard_move, 160);
MEMBER(clshard_move, from, 0);
MEMBER(clshard_move, to, 8);
MEMBER(clshard_move, box, 16);
MEMBER(clshard_move, reach, 152);

FROZEN(clshard_shard, 304);
MEMBER(clshard_shard, position, 0);
MEMBER(clshard_shard, device, 8);
MEMBER(clshard_shard, part, 16);
MEMBER(clshard_shard, bytes, 296);

GROWS(clshard_report, 32);
MEMBER(clshard_report, position, 0);
MEMBER(clshard_report, route, 8);
MEMBER(clshard_report, bytes, 16);
MEMBER(clshard_report, seconds, 24);

GROWS(clshard_transfer_options, 32);
MEMBER(clshard_transfer_options, size, 0);
MEMBER(clshard_transfer_options, route, 8);
MEMBER(clshard_transfer_options, fill, 16);
MEMBER(clshard_transfer_options, compare_replicas, 24);

GROWS(clshard_finding, 48);
MEMBER(clshard_finding, test, 0);
MEMBER(clshard_finding, verdict, 8);
MEMBER(clshard_finding, sentence, 16);
MEMBER(clshard_finding, device, 24);
MEMBER(clshard_finding, other, 32);
MEMBER(clshard_finding, seconds, 40);

GROWS(clshard_check_options, 16);
MEMBER(clshard_check_options, size, 0);
MEMBER(clshard_check_options, quick, 8);
