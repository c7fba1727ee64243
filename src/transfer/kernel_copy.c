/* SPDX-License-Identifier: Apache-2.0 */
/* The route `kernel`: a slab of contiguous memory crosses to or from the device in one transfer,
 * and the kernel cl/copy_box.cl packs or unpacks the box there. */

#include "transfer/move.h"

enum {
    SLAB_BYTES = 16 << 20, /* most of the host's memory that is uploaded at once */
    WORK_ITEMS = 1 << 16   /* most at once; each then copies several words */
};

/* The arguments of cl/copy_box.cl after the two buffers; all in words. */
typedef struct box_arguments {
    cl_ulong count, run;
    cl_long from_offset, to_offset;
    cl_ulong8 extent;
    cl_long8 from_stride, to_stride;
} box_arguments;

/* One side of a kernel's copy. */
typedef struct buffer_place {
    cl_mem memory;
    size_t offset;
} buffer_place;

#define FOR_RANKS(word)                                                                            \
    {                                                                                              \
        "-DRANK=0 -DWORD=" word, "-DRANK=1 -DWORD=" word, "-DRANK=2 -DWORD=" word,                 \
            "-DRANK=3 -DWORD=" word, "-DRANK=4 -DWORD=" word, "-DRANK=5 -DWORD=" word,             \
            "-DRANK=6 -DWORD=" word, "-DRANK=7 -DWORD=" word, "-DRANK=8 -DWORD=" word              \
    }

/* One program per word and rank, built when first needed: loops that a box does not have cost
 * nothing. */
static const char *build_options(size_t word, size_t rank)
{
    static const char *const options[][CLSHARD_RANK_MAX + 1] = {
        FOR_RANKS("uchar"), FOR_RANKS("ushort"), FOR_RANKS("uint"), FOR_RANKS("ulong"),
        FOR_RANKS("uint4")};
    size_t row = 0;
    while ((size_t)1 << row < word)
        row++;
    return options[row][rank];
}

static box_arguments arguments_of(const clshard__copy *copy, size_t word, size_t from_offset,
                                  size_t to_offset)
{
    const cl_long bytes = (cl_long)word;
    box_arguments box = {.count = clshard__copy_bytes(copy) / word,
                         .run = copy->run / word,
                         .from_offset = (cl_long)from_offset / bytes,
                         .to_offset = (cl_long)to_offset / bytes};
    for (size_t d = 0; d < copy->rank; d++) {
        box.extent.s[d] = copy->extent[d];
        box.from_stride.s[d] = copy->from[d] / bytes;
        box.to_stride.s[d] = copy->to[d] / bytes;
    }
    return box;
}

static cl_int set_arguments(cl_kernel kernel, cl_mem from, cl_mem to, const box_arguments *box)
{
    const struct {
        size_t bytes;
        const void *value;
    } argument[] = {{sizeof from, &from},
                    {sizeof to, &to},
                    {sizeof box->count, &box->count},
                    {sizeof box->run, &box->run},
                    {sizeof box->from_offset, &box->from_offset},
                    {sizeof box->to_offset, &box->to_offset},
                    {sizeof box->extent, &box->extent},
                    {sizeof box->from_stride, &box->from_stride},
                    {sizeof box->to_stride, &box->to_stride}};
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; code == CL_SUCCESS && i < sizeof argument / sizeof *argument; i++)
        code = clSetKernelArg(kernel, i, argument[i].bytes, argument[i].value);
    return code;
}

static clshard_status copy_on_device(clshard__move *move, const clshard__copy *copy,
                                     buffer_place from, buffer_place to, clshard_error *err)
{
    const size_t word = clshard__copy_word(copy, from.offset, to.offset);
    const box_arguments box = arguments_of(copy, word, from.offset, to.offset);
    const size_t items = box.count < WORK_ITEMS ? (size_t)box.count : WORK_ITEMS;
    const char *call = "clEnqueueNDRangeKernel of copy_box";
    clshard__kernel *kernel = NULL;
    cl_event event = NULL;
    cl_int code;
    clshard_status status =
        clshard__engine_kernel_take(move->engine, &move->shard->worker, "copy_box",
                                    build_options(word, copy->rank), &kernel, err);

    if (status != CLSHARD_OK)
        return status;
    code = set_arguments(kernel->handle, from.memory, to.memory, &box);
    if (code != CL_SUCCESS)
        call = "clSetKernelArg of copy_box";
    else
        code = clEnqueueNDRangeKernel(move->shard->worker.queue, kernel->handle, 1, NULL, &items,
                                      NULL, 0, NULL, &event);
    clshard__engine_kernel_give(move->engine, kernel);
    if (code != CL_SUCCESS)
        return clshard__move_fail(move, code, call, err);
    clshard__move_command(move, event);
    return CLSHARD_OK;
}

static clshard_status make_temporary(clshard__move *move, size_t bytes, clshard_error *err)
{
    return clshard__memory_take(clshard__engine_memory(move->engine), &move->shard->worker, bytes,
                                &move->step->temporary, err);
}

/* Uploads the memory that one piece spans, then unpacks it. Pieces share the temporary buffer: the
 * queue is in order. */
static clshard_status scatter_piece(clshard__move *move, const clshard__piece *piece,
                                    clshard_error *err)
{
    const buffer_place to = {move->shard->memory, (size_t)piece->to_offset};
    buffer_place from = {move->step->temporary.handle, 0};
    cl_event event = NULL;
    ptrdiff_t low;
    ptrdiff_t high;
    cl_int code;

    clshard__copy_source_span(&piece->copy, &low, &high);
    from.offset = (size_t)-low;
    code = clEnqueueWriteBuffer(move->shard->worker.queue, from.memory, CL_FALSE, 0,
                                (size_t)(high - low), move->host + piece->from_offset + low, 0,
                                NULL, &event);
    if (code != CL_SUCCESS)
        return clshard__move_fail(move, code, "clEnqueueWriteBuffer of a slab", err);
    clshard__move_command(move, event);
    return copy_on_device(move, &piece->copy, from, to, err);
}

static size_t slab_bound(const clshard__move *move)
{
    const uint64_t limit = move->shard->worker.device->info.largest_buffer_bytes;
    const size_t bound = limit < SLAB_BYTES ? (size_t)limit : SLAB_BYTES;
    return bound > move->copy.run ? bound : move->copy.run;
}

clshard_status clshard__kernel_scatter(clshard__move *move, clshard_error *err)
{
    const size_t bound = slab_bound(move);
    clshard__piece_cursor cursor = {0};
    clshard__piece piece;
    ptrdiff_t low;
    ptrdiff_t high;
    clshard_status status = move->fill == NULL ? CLSHARD_OK : clshard__move_fill(move, err);

    if (status != CLSHARD_OK || move->copy.run == 0)
        return status;
    clshard__copy_source_span(&move->copy, &low, &high);
    status = make_temporary(move, (size_t)(high - low) < bound ? (size_t)(high - low) : bound, err);
    while (status == CLSHARD_OK && clshard__copy_next_piece(&move->copy, bound, &cursor, &piece))
        status = scatter_piece(move, &piece, err);
    return status;
}

clshard_status clshard__kernel_gather(clshard__move *move, clshard_error *err)
{
    const clshard__copy pack = clshard__copy_to_dense(&move->copy);
    const clshard__copy unpack = clshard__copy_from_dense(&move->copy);
    const size_t bytes = clshard__copy_bytes(&move->copy);
    const buffer_place from = {move->shard->memory, 0};
    buffer_place to = {NULL, 0};
    void *target = move->host;
    cl_event event = NULL;
    cl_int code;
    clshard_status status = make_temporary(move, bytes, err);

    to.memory = move->step->temporary.handle;
    if (status == CLSHARD_OK)
        status = copy_on_device(move, &pack, from, to, err);
    if (status == CLSHARD_OK && (unpack.rank > 0 || move->compare)) {
        status = clshard__move_stage(move, bytes, err);
        target = move->step->staging.handle;
    }
    if (status != CLSHARD_OK)
        return status;
    code = clEnqueueReadBuffer(move->shard->worker.queue, to.memory, CL_FALSE, 0, bytes, target, 0,
                               NULL, &event);
    if (code != CL_SUCCESS)
        return clshard__move_fail(move, code, "clEnqueueReadBuffer of a slab", err);
    clshard__move_command(move, event);
    if (target != move->host)
        move->step->after =
            (clshard__aftermath){.copy = unpack, .to = move->host, .compare = move->compare};
    return CLSHARD_OK;
}
