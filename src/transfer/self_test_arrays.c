/* SPDX-License-Identifier: Apache-2.0 */
/* Self-tests of arrays on one device: what scatter and gather leave is compared with the definition
 * of a part, element by element. */

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "layout/strides.h"
#include "transfer/self_test.h"

enum {
    UNTOUCHED = 0x5a,
    LARGE_BYTES = 16 << 20,
    PLACES = 2 /* positions on the device, so that parts have offsets */
};

clshard_status clshard__check_mesh(const clshard__check *check, const size_t *devices,
                                   size_t device_count, size_t positions, clshard_mesh **out_mesh,
                                   clshard_error *err)
{
    const clshard_axis axis = {"a", positions};
    const clshard_mesh_options options = {.size = sizeof options,
                                          .devices = devices,
                                          .device_count = device_count,
                                          .repeat_devices = true};
    return clshard_mesh_create(check->runtime, &axis, 1, &options, out_mesh, err);
}

clshard_status clshard__check_array(const clshard_mesh *mesh, clshard_policy uneven,
                                    clshard_dtype dtype, clshard_shape shape,
                                    clshard_array **out_array, clshard_error *err)
{
    const clshard_sharding_options options = {.size = sizeof options, .uneven = uneven};
    clshard_spec spec = {.rank = shape.rank};
    clshard_sharding *sharding = NULL;
    clshard_status status;

    (void)snprintf(spec.entry[shape.rank - 1].axis[0], sizeof spec.entry[0].axis[0], "a");
    status = clshard_sharding_create(mesh, &spec, &options, &sharding, err);
    if (status == CLSHARD_OK)
        status = clshard_array_create_sharded(sharding, dtype, shape, out_array, err);
    clshard_sharding_release(sharding);
    return status;
}

void clshard__check_fill(void *memory, size_t bytes, uint32_t seed)
{
    unsigned char *byte = memory;
    uint32_t state = seed * 2654435761u + 1;

    for (size_t i = 0; i < bytes; i++) {
        state = state * 1664525u + 1013904223u;
        byte[i] = (unsigned char)(state >> 24);
    }
}

/* A host tensor in memory of its own, and a copy of that memory for what comes back. */
typedef struct host_pair {
    clshard_tensor tensor;
    char *from, *to;
    size_t bytes; /* of each */
} host_pair;

/* How a host tensor lies in its memory. */
typedef enum host_form { DENSE, GAPS, REVERSED, FORMS } host_form;

/* One element more at the start and in each row: offsets and strides that are odd. */
static size_t lay_out(clshard_tensor *tensor, host_form form, size_t item)
{
    const size_t rank = tensor->shape.rank;
    const size_t more = form == DENSE ? 0 : 1;
    size_t bytes = item;

    for (size_t d = rank; d-- > 0;) {
        tensor->strides[d] = (ptrdiff_t)bytes;
        bytes *= tensor->shape.extent[d] + more;
    }
    return bytes + more * item;
}

static clshard_status make_hosts(clshard_dtype dtype, clshard_shape shape, host_form form,
                                 host_pair *out, clshard_error *err)
{
    const size_t item = clshard_dtype_bytes(dtype);

    *out = (host_pair){.tensor = {.dtype = dtype, .shape = shape}};
    out->bytes = lay_out(&out->tensor, form, item);
    out->from = clshard__alloc(out->bytes, 1);
    out->to = clshard__alloc(out->bytes, 1);
    if (out->from == NULL || out->to == NULL)
        return clshard__no_memory(err, "a self-test");
    clshard__check_fill(out->from, out->bytes, (uint32_t)(out->bytes + (size_t)form));
    memset(out->to, UNTOUCHED, out->bytes);
    out->tensor.data = out->from + (form == DENSE ? 0 : item);
    if (form == REVERSED) {
        ptrdiff_t *stride = &out->tensor.strides[shape.rank - 1];
        out->tensor.data =
            (char *)out->tensor.data + (ptrdiff_t)(shape.extent[shape.rank - 1] - 1) * *stride;
        *stride = -*stride;
    }
    return CLSHARD_OK;
}

static void end_hosts(host_pair *hosts)
{
    clshard__free(hosts->from);
    clshard__free(hosts->to);
}

/* Bytes from the tensor's first element to element i, in C order. */
static ptrdiff_t element_offset(const clshard_tensor *tensor, size_t i)
{
    ptrdiff_t offset = 0;
    for (size_t d = tensor->shape.rank; d-- > 0;) {
        offset += (ptrdiff_t)(i % tensor->shape.extent[d]) * tensor->strides[d];
        i /= tensor->shape.extent[d];
    }
    return offset;
}

/* Index of the first byte of what came back that is wrong; SIZE_MAX: none. The memory that was
 * sent is spent: what no element covers becomes what must not have been touched. */
static size_t first_wrong(const host_pair *hosts)
{
    const size_t item = clshard_dtype_bytes(hosts->tensor.dtype);
    const ptrdiff_t start = (char *)hosts->tensor.data - hosts->from;

    for (size_t i = 0; i < clshard__element_count(hosts->tensor.shape); i++) {
        const ptrdiff_t at = start + element_offset(&hosts->tensor, i);
        if (memcmp(hosts->from + at, hosts->to + at, item) != 0)
            return (size_t)at;
        memset(hosts->from + at, UNTOUCHED, item);
        memset(hosts->to + at, UNTOUCHED, item);
    }
    for (size_t i = 0; i < hosts->bytes; i++)
        if ((unsigned char)hosts->to[i] != UNTOUCHED)
            return i;
    return SIZE_MAX;
}

static clshard_status cross(const clshard_array *array, host_pair *hosts, clshard_route route,
                            clshard_error *err)
{
    const clshard_transfer_options options = {.size = sizeof options, .route = route};
    clshard_tensor back = hosts->tensor;
    clshard_status status;

    back.data = hosts->to + ((char *)hosts->tensor.data - hosts->from);
    status = clshard_scatter((clshard_array *)array, &hosts->tensor, &options, NULL, err);
    if (status == CLSHARD_OK)
        status = clshard_gather(&back, array, &options, NULL, err);
    return status;
}

/* One array there and back. */
static clshard_status round_trip(const clshard__check *check, const clshard_array *array,
                                 host_form form, clshard__found *found, clshard_error *err)
{
    const clshard_dtype dtype = clshard_array_dtype(array);
    const clshard_shape shape = clshard_layout_shape(clshard_array_layout(array));
    host_pair hosts;
    char text[64];
    clshard_status status = make_hosts(dtype, shape, form, &hosts, err);

    if (status == CLSHARD_OK)
        status = cross(array, &hosts, check->route, err);
    if (status == CLSHARD_OK) {
        const size_t wrong = first_wrong(&hosts);
        (void)clshard_shape_format(shape, text, sizeof text);
        if (wrong != SIZE_MAX)
            clshard__found_set(found, CLSHARD_FAILED,
                               "%s of shape %s came back wrong, first at byte %zu of %zu of the "
                               "host's memory",
                               clshard_dtype_name(dtype), text, wrong, hosts.bytes);
    }
    end_hosts(&hosts);
    return status;
}

static clshard_status round_trips(const clshard__check *check, const clshard_mesh *mesh,
                                  clshard_dtype dtype, clshard_shape shape, clshard__found *found,
                                  clshard_error *err)
{
    clshard_array *array = NULL;
    clshard_status status = clshard__check_array(mesh, CLSHARD_BALANCED, dtype, shape, &array, err);

    for (int form = DENSE; status == CLSHARD_OK && found->verdict == CLSHARD_PASSED && form < FORMS;
         form++)
        status = round_trip(check, array, (host_form)form, found, err);
    clshard_array_release(array);
    return status;
}

static clshard_status make_mesh(const clshard__check *check, size_t positions,
                                clshard_mesh **out_mesh, clshard_error *err)
{
    return clshard__check_mesh(check, &check->device, 1, positions, out_mesh, err);
}

clshard_status clshard__test_route(const clshard__check *check, clshard__found *found,
                                   clshard_error *err)
{
    static const clshard_dtype all[] = {
#define DTYPE(name, value, text, bytes) CLSHARD_##name,
        CLSHARD_DTYPE_MAP(DTYPE)
#undef DTYPE
    };
    static const clshard_dtype quick[] = {CLSHARD_U8, CLSHARD_F32};
    const clshard_shape shapes[] = {CLSHARD_SHAPE(17, 5, 3), CLSHARD_SHAPE(64, 33),
                                    CLSHARD_SHAPE(3), CLSHARD_SHAPE(1)};
    const size_t dtype_count =
        check->quick ? sizeof quick / sizeof *quick : sizeof all / sizeof *all;
    const size_t shape_count = check->quick ? 1 : sizeof shapes / sizeof *shapes;
    clshard_mesh *mesh = NULL;
    clshard_status status = make_mesh(check, PLACES, &mesh, err);

    for (size_t i = 0; status == CLSHARD_OK && i < dtype_count * shape_count; i++)
        status = round_trips(check, mesh, (check->quick ? quick : all)[i / shape_count],
                             shapes[i % shape_count], found, err);
    clshard_mesh_release(mesh);
    if (status == CLSHARD_OK && found->verdict == CLSHARD_PASSED)
        clshard__found_set(found, CLSHARD_PASSED,
                           "%zu arrays there and back, over %zu dtypes: each byte is right",
                           dtype_count * shape_count * FORMS, dtype_count);
    return status;
}

/* What the second of two shards of 2 columns must hold of 3 columns: one, and the fill. */
static clshard_status look_at_padding(clshard_array *array, const unsigned char *from,
                                      const unsigned char *fill, clshard__found *found,
                                      clshard_error *err)
{
    const size_t item = clshard_dtype_bytes(clshard_array_dtype(array));
    clshard_tensor mapped;
    clshard_status status = clshard_array_map(array, 1, &mapped, err);
    bool right = true;

    if (status != CLSHARD_OK)
        return status;
    for (size_t row = 0; row < 5; row++) {
        const unsigned char *at = (const unsigned char *)mapped.data + row * 2 * item;
        right = right && memcmp(at, from + (row * 3 + 2) * item, item) == 0 &&
                memcmp(at + item, fill, item) == 0;
    }
    if (!right)
        clshard__found_set(found, CLSHARD_FAILED,
                           "the padding of a shard of 5x2 elements of %zu bytes is not the fill",
                           item);
    return clshard_array_unmap(array, 1, err);
}

static clshard_status pad_one(const clshard_mesh *mesh, clshard_dtype dtype, clshard_route route,
                              clshard__found *found, clshard_error *err)
{
    static const unsigned char fill[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const clshard_shape shape = CLSHARD_SHAPE(5, 3);
    const clshard_transfer_options options = {.size = sizeof options, .route = route, .fill = fill};
    unsigned char from[5 * 3 * 8] = {0};
    clshard_array *array = NULL;
    clshard_tensor tensor = clshard_tensor_of(from, dtype, shape);
    clshard_status status = clshard__check_array(mesh, CLSHARD_PAD, dtype, shape, &array, err);

    clshard__check_fill(from, sizeof from, 7);
    if (status == CLSHARD_OK)
        status = clshard_scatter(array, &tensor, &options, NULL, err);
    if (status == CLSHARD_OK)
        status = look_at_padding(array, from, fill, found, err);
    clshard_array_release(array);
    return status;
}

clshard_status clshard__test_padding(const clshard__check *check, clshard__found *found,
                                     clshard_error *err)
{
    static const clshard_dtype dtypes[] = {CLSHARD_I8, CLSHARD_BF16, CLSHARD_U32, CLSHARD_I64};
    clshard_mesh *mesh = NULL;
    clshard_status status = make_mesh(check, PLACES, &mesh, err);

    for (int route = CLSHARD_ROUTE_AUTO;
         status == CLSHARD_OK && clshard_route_name((clshard_route)route) != NULL; route++)
        for (size_t i = 0; status == CLSHARD_OK && i < sizeof dtypes / sizeof *dtypes; i++)
            status = pad_one(mesh, dtypes[i], (clshard_route)route, found, err);
    clshard_mesh_release(mesh);
    if (status == CLSHARD_OK && found->verdict == CLSHARD_PASSED)
        clshard__found_set(found, CLSHARD_PASSED,
                           "elements of 1, 2, 4 and 8 bytes are filled by each route");
    return status;
}

/* Through the mapping the host sees what was scattered, and what it writes is gathered. */
static clshard_status map_and_gather(clshard_array *array, uint32_t *words, size_t count,
                                     clshard__found *found, clshard_error *err)
{
    const clshard_tensor host = clshard_tensor_of(words, CLSHARD_U32, CLSHARD_SHAPE(count));
    clshard_tensor mapped;
    bool right;
    clshard_status status = clshard_scatter(array, &host, NULL, NULL, err);

    if (status == CLSHARD_OK)
        status = clshard_array_map(array, 0, &mapped, err);
    if (status != CLSHARD_OK)
        return status;
    right = memcmp(mapped.data, words, host.bytes) == 0;
    if (!right)
        clshard__found_set(found, CLSHARD_FAILED, "a mapped shard is not what was scattered");
    for (size_t i = 0; i < count; i++)
        ((uint32_t *)mapped.data)[i] = (uint32_t)(i * 2654435761u);
    status = clshard_array_unmap(array, 0, err);
    if (status == CLSHARD_OK)
        status = clshard_gather(&host, array, NULL, NULL, err);
    for (size_t i = 0; status == CLSHARD_OK && i < count; i++)
        right = right && words[i] == (uint32_t)(i * 2654435761u);
    if (status == CLSHARD_OK && !right && found->verdict == CLSHARD_PASSED)
        clshard__found_set(found, CLSHARD_FAILED,
                           "what the host wrote into a mapped shard is not what was gathered");
    return status;
}

clshard_status clshard__test_mapping(const clshard__check *check, clshard__found *found,
                                     clshard_error *err)
{
    enum { COUNT = 4099 };
    uint32_t *words = clshard__alloc(COUNT, sizeof *words);
    clshard_mesh *mesh = NULL;
    clshard_array *array = NULL;
    clshard_status status =
        words == NULL ? clshard__no_memory(err, "a self-test") : make_mesh(check, 1, &mesh, err);

    if (status == CLSHARD_OK)
        status = clshard__check_array(mesh, CLSHARD_EVEN, CLSHARD_U32, CLSHARD_SHAPE(COUNT), &array,
                                      err);
    if (status == CLSHARD_OK) {
        clshard__check_fill(words, COUNT * sizeof *words, 3);
        clshard__found_set(found, CLSHARD_PASSED, "reads and writes through a mapping are right");
        status = map_and_gather(array, words, COUNT, found, err);
    }
    clshard_array_release(array);
    clshard_mesh_release(mesh);
    clshard__free(words);
    return status;
}

clshard_status clshard__test_large(const clshard__check *check, clshard__found *found,
                                   clshard_error *err)
{
    const uint64_t most = check->worker.device->info.largest_buffer_bytes;
    const size_t bytes = most < LARGE_BYTES ? (size_t)most : LARGE_BYTES;
    const clshard_shape shape = CLSHARD_SHAPE(bytes / sizeof(uint32_t));
    clshard_mesh *mesh = NULL;
    clshard_array *array = NULL;
    clshard_status status = make_mesh(check, 1, &mesh, err);

    if (status == CLSHARD_OK)
        status = clshard__check_array(mesh, CLSHARD_EVEN, CLSHARD_U32, shape, &array, err);
    if (status == CLSHARD_OK) {
        clshard__found_set(found, CLSHARD_PASSED, "%zu bytes there and back are right", bytes);
        status = round_trip(check, array, DENSE, found, err);
    }
    clshard_array_release(array);
    clshard_mesh_release(mesh);
    return status;
}

/* A shape of no elements, and one element over two positions. */
clshard_status clshard__test_empty(const clshard__check *check, clshard__found *found,
                                   clshard_error *err)
{
    const clshard_shape shapes[] = {CLSHARD_SHAPE(3, 0), CLSHARD_SHAPE(0), CLSHARD_SHAPE(1),
                                    CLSHARD_SHAPE(4, 1)};
    clshard_mesh *mesh = NULL;
    clshard_status status = make_mesh(check, PLACES, &mesh, err);

    clshard__found_set(found, CLSHARD_PASSED, "arrays without elements, and shards without any");
    for (size_t i = 0; status == CLSHARD_OK && i < sizeof shapes / sizeof *shapes; i++) {
        clshard_array *array = NULL;
        status = clshard__check_array(mesh, CLSHARD_CEIL, CLSHARD_F32, shapes[i], &array, err);
        if (status == CLSHARD_OK)
            status = round_trip(check, array, DENSE, found, err);
        clshard_array_release(array);
    }
    clshard_mesh_release(mesh);
    return status;
}
