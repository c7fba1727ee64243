/* SPDX-License-Identifier: Apache-2.0 */
/* program.c in C++17, where options are filled in by hand and handles end by themselves. */
#include <cstdio>
#include <memory>

#include <clshard/clshard.h>

template <auto release> struct ended_by {
    template <class handle> void operator()(handle *object) const
    {
        release(object);
    }
};

int main()
{
    clshard_error err = {};
    clshard_mesh *mesh = nullptr;
    clshard_sharding *sharding = nullptr;
    clshard_layout *layout = nullptr;
    clshard_sharding_options options = {};
    options.size = sizeof options;
    options.uneven = CLSHARD_BALANCED;
    const bool failed = clshard_mesh_parse(nullptr, "data=4", nullptr, &mesh, &err) ||
                        clshard_sharding_parse(mesh, "data", &options, &sharding, &err) ||
                        clshard_layout_create(sharding, clshard_shape{2, {10, 3}}, &layout, &err);
    const std::unique_ptr<clshard_mesh, ended_by<clshard_mesh_release>> mesh_end(mesh);
    const std::unique_ptr<clshard_sharding, ended_by<clshard_sharding_release>> sharding_end(
        sharding);
    const std::unique_ptr<clshard_layout, ended_by<clshard_layout_release>> layout_end(layout);
    if (failed) {
        std::fprintf(stderr, "%s: %s\n", clshard_status_name(err.status), err.message);
        return 1;
    }
    std::printf("clshard %s: position 1 holds %zu rows\n", clshard_version(),
                clshard_layout_part(layout, 1).box.extent[0]);
}
