/* SPDX-License-Identifier: Apache-2.0 */
/* Self-tests of memory that the host and the device share, and of the device's clock. */

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "opencl/code.h"
#include "opencl/wait.h"
#include "transfer/self_test.h"

enum {
    WORDS = 1 << 14, /* whole pages, as some drivers need them to share memory at all */
    TIMED_BYTES = 16 << 20
};

/* A buffer over memory of the host. */
typedef struct shared {
    const clshard__check *check;
    uint32_t *words;
    cl_mem buffer;
} shared;

static clshard_status failed(const clshard__check *check, cl_int code, const char *call,
                             clshard_error *err)
{
    return clshard__fail_code(err, code, call, check->worker.device->info.name);
}

/* The device adds 1 to each word, and is done. */
static clshard_status count_up(const shared *memory, clshard_error *err)
{
    const clshard__trial trial = {.kernel = "check_count", .build_options = "", .items = WORDS};
    cl_event event = NULL;
    cl_int code;
    const clshard_status status =
        clshard__trial_enqueue(memory->check, &trial, &memory->buffer, 1, &event, err);

    if (status != CLSHARD_OK)
        return status;
    code = clshard__check_settle(memory->check, event);
    return code == CL_SUCCESS ? CLSHARD_OK : failed(memory->check, code, "check_count", err);
}

/* Number of words that are not start + i. */
static size_t count_wrong(const uint32_t *words, uint32_t start)
{
    size_t wrong = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        wrong += words[i] != start + i;
    return wrong;
}

static void set_words(uint32_t *words, uint32_t start)
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = start + i;
}

/* Lets the host look, and write other words when it is told to. */
static clshard_status map_words(const shared *memory, uint32_t start, uint32_t next,
                                clshard__found *found, clshard_error *err)
{
    cl_command_queue queue = memory->check->worker.queue;
    const size_t bytes = WORDS * sizeof(uint32_t);
    cl_event event = NULL;
    cl_int code = CL_SUCCESS;
    uint32_t *words = clEnqueueMapBuffer(queue, memory->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                         0, bytes, 0, NULL, &event, &code);

    if (code == CL_SUCCESS)
        code = clshard__check_settle(memory->check, event);
    if (code != CL_SUCCESS)
        return failed(memory->check, code, "clEnqueueMapBuffer", err);
    if (words != memory->words)
        clshard__found_set(found, CLSHARD_FAILED,
                           "a buffer over the host's memory is mapped to another address");
    else if (count_wrong(words, start) != 0)
        clshard__found_set(
            found, CLSHARD_FAILED,
            "the host sees %zu of %d words that the device wrote wrong after mapping",
            count_wrong(words, start), (int)WORDS);
    set_words(words, next);
    code = clEnqueueUnmapMemObject(queue, memory->buffer, words, 0, NULL, &event);
    if (code == CL_SUCCESS)
        code = clshard__check_settle(memory->check, event);
    return code == CL_SUCCESS ? CLSHARD_OK
                              : failed(memory->check, code, "clEnqueueUnmapMemObject", err);
}

/* What the device has, by a read of its own. */
static clshard_status read_words(const shared *memory, uint32_t start, clshard__found *found,
                                 clshard_error *err)
{
    const size_t bytes = WORDS * sizeof(uint32_t);
    uint32_t *copy = clshard__alloc(WORDS, sizeof *copy);
    cl_event event = NULL;
    cl_int code;

    if (copy == NULL)
        return clshard__no_memory(err, "a self-test");
    code = clEnqueueReadBuffer(memory->check->worker.queue, memory->buffer, CL_FALSE, 0, bytes,
                               copy, 0, NULL, &event);
    if (code == CL_SUCCESS)
        code = clshard__check_settle(memory->check, event);
    if (code == CL_SUCCESS && found->verdict == CLSHARD_PASSED && count_wrong(copy, start) != 0)
        clshard__found_set(found, CLSHARD_FAILED,
                           "the device sees %zu of %d words that the host wrote wrong after "
                           "unmapping",
                           count_wrong(copy, start), (int)WORDS);
    clshard__free(copy);
    return code == CL_SUCCESS ? CLSHARD_OK
                              : failed(memory->check, code, "clEnqueueReadBuffer", err);
}

/* First what the specification promises, then what it does not: whether the host's own memory is
 * what the device works in, without a map between. */
static clshard_status look(const shared *memory, clshard__found *found, clshard_error *err)
{
    const uint32_t first = 1000;
    const uint32_t second = 5000000;
    bool in_place;
    clshard_status status = count_up(memory, err);

    if (status == CLSHARD_OK)
        status = map_words(memory, first + 1, second, found, err);
    if (status == CLSHARD_OK)
        status = count_up(memory, err);
    in_place = status == CLSHARD_OK && count_wrong(memory->words, second + 1) == 0;
    if (status == CLSHARD_OK)
        status = read_words(memory, second + 1, found, err);
    if (status != CLSHARD_OK || found->verdict != CLSHARD_PASSED)
        return status;
    if (in_place)
        clshard__found_set(found, CLSHARD_PASSED,
                           "a buffer over the host's memory is used in place, and is coherent");
    else
        clshard__found_set(found, CLSHARD_UNSUPPORTED,
                           "the driver copies a buffer over the host's memory, correctly");
    return status;
}

clshard_status clshard__test_shared_memory(const clshard__check *check, clshard__found *found,
                                           clshard_error *err)
{
    const size_t bytes = WORDS * sizeof(uint32_t);
    shared memory = {.check = check, .words = clshard__alloc_pages(bytes)};
    cl_int code = CL_SUCCESS;
    clshard_status status;

    if (memory.words == NULL)
        return clshard__no_memory(err, "a self-test");
    set_words(memory.words, 1000);
    clshard__worker_enter(&check->worker);
    memory.buffer = clCreateBuffer(check->worker.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                   bytes, memory.words, &code);
    if (code == CL_SUCCESS) {
        status = look(&memory, found, err);
        (void)clFinish(check->worker.queue);
        (void)clReleaseMemObject(memory.buffer);
    } else {
        status = failed(check, code, "clCreateBuffer over the host's memory", err);
    }
    clshard__worker_leave(&check->worker);
    clshard__free(memory.words);
    return status;
}

/* Times of a command: nanoseconds on the device's clock. */
typedef struct stamps {
    cl_ulong queued, submitted, started, ended;
} stamps;

static cl_int read_stamps(cl_event event, stamps *out)
{
    const struct {
        cl_profiling_info parameter;
        cl_ulong *value;
    } queries[] = {{CL_PROFILING_COMMAND_QUEUED, &out->queued},
                   {CL_PROFILING_COMMAND_SUBMIT, &out->submitted},
                   {CL_PROFILING_COMMAND_START, &out->started},
                   {CL_PROFILING_COMMAND_END, &out->ended}};
    cl_int code = CL_SUCCESS;
    for (size_t i = 0; code == CL_SUCCESS && i < sizeof queries / sizeof queries[0]; i++)
        code = clGetEventProfilingInfo(event, queries[i].parameter, sizeof(cl_ulong),
                                       queries[i].value, NULL);
    return code;
}

/* Writes into the buffer; its times as the device and the host saw them. */
static cl_int time_write(const clshard__check *check, cl_mem buffer, size_t bytes, const void *from,
                         stamps *out, double *out_seconds)
{
    const double start = clshard__seconds();
    cl_event event = NULL;
    cl_int flushed;
    cl_int code = clEnqueueWriteBuffer(check->worker.queue, buffer, CL_FALSE, 0, bytes, from, 0,
                                       NULL, &event);

    if (code != CL_SUCCESS)
        return code;
    flushed = clFlush(check->worker.queue);
    code = clshard__wait(check->worker.queue, event);
    code = flushed != CL_SUCCESS ? flushed : code;
    *out_seconds = clshard__seconds() - start;
    if (code == CL_SUCCESS)
        code = read_stamps(event, out);
    (void)clReleaseEvent(event);
    return code;
}

/* No memory is faster than 100 TB/s, and a command does not take longer than waiting for it. */
static void judge_times(const stamps *seen, size_t bytes, double seconds, clshard__found *found)
{
    const double fastest = 1e14;
    const double slack = 1e-3;
    const double device = 1e-9 * ((double)seen->ended - (double)seen->started);

    if (seen->queued > seen->submitted || seen->submitted > seen->started)
        clshard__found_set(found, CLSHARD_FAILED,
                           "a command was queued at %llu, submitted at %llu, started at %llu ns",
                           (unsigned long long)seen->queued, (unsigned long long)seen->submitted,
                           (unsigned long long)seen->started);
    else if (device < (double)bytes / fastest || device > seconds + slack)
        clshard__found_set(found, CLSHARD_FAILED,
                           "a write of %zu bytes took %.3g s by the device's clock, %.3g s by the "
                           "host's",
                           bytes, device, seconds);
    else
        clshard__found_set(found, CLSHARD_PASSED,
                           "a write of %zu bytes took %.3g s by the device's clock, %.3g s by the "
                           "host's",
                           bytes, device, seconds);
}

static clshard_status time_into(const clshard__check *check, size_t bytes, const void *from,
                                clshard__found *found, clshard_error *err)
{
    clshard__memory *memory = clshard__engine_memory(check->engine);
    clshard__pool_block block = {NULL, 0};
    stamps seen = {0, 0, 0, 0};
    double seconds = 0;
    cl_int code;
    clshard_status status = clshard__memory_take(memory, &check->worker, bytes, &block, err);

    if (status != CLSHARD_OK)
        return status;
    code = time_write(check, block.handle, bytes, from, &seen, &seconds);
    clshard__memory_give(memory, &check->worker, block, code == CL_SUCCESS);
    if (code != CL_SUCCESS)
        return failed(check, code, "timing a write", err);
    judge_times(&seen, bytes, seconds, found);
    return CLSHARD_OK;
}

clshard_status clshard__test_device_times(const clshard__check *check, clshard__found *found,
                                          clshard_error *err)
{
    const uint64_t most = check->worker.device->info.largest_buffer_bytes;
    const size_t bytes = most < TIMED_BYTES ? (size_t)most : TIMED_BYTES;
    void *from;
    clshard_status status;

    if (!check->worker.device_times) {
        clshard__found_set(found, CLSHARD_DISABLED, "%s", check->worker.device->info.disabled);
        return CLSHARD_OK;
    }
    from = clshard__alloc(bytes, 1);
    if (from == NULL)
        return clshard__no_memory(err, "a self-test");
    clshard__worker_enter(&check->worker);
    status = time_into(check, bytes, from, found, err);
    clshard__worker_leave(&check->worker);
    clshard__free(from);
    return status;
}
