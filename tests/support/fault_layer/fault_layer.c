/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fault_layer/fault_layer.h"

#include <CL/cl_layer.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/fault_layer/entries.h"

#define EXPORT __attribute__((visibility("default")))

#define ENTRY_ENUM(kind, type, name, code_a, code_b, parameters, arguments) ENTRY_##name,
typedef enum entry { FAULT_ENTRIES(ENTRY_ENUM) ENTRY_COUNT } entry;

#define ENTRY_ROW(kind, type, name, code_a, code_b, parameters, arguments)                         \
    {#name, {code_a, code_b}},
static const struct {
    const char *name;
    cl_int code[2];
} rows[] = {FAULT_ENTRIES(ENTRY_ROW)};

static const struct _cl_icd_dispatch *next;

static struct {
    pthread_mutex_t lock; /* guards the rest */
    unsigned long calls[ENTRY_COUNT], all_calls, fail_at;
    entry fail_entry; /* ENTRY_COUNT: all together */
    const char *failed;
    cl_int failed_code;
    long live[FAULT_OBJECTS];
    unsigned delay;
    bool synchronous, told; /* told: FAULT_LAYER is set, and stderr does not know yet */
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_entry = ENTRY_COUNT};

/* ---- what every call goes through ---- */

static void sleep_for(unsigned microseconds)
{
    const struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000L};
    (void)nanosleep(&time, NULL);
}

/* Counts the call; what it must fail with, or CL_SUCCESS. */
static cl_int begin(entry which)
{
    cl_int code = CL_SUCCESS;
    unsigned pause = 0;

    (void)pthread_mutex_lock(&state.lock);
    if (state.told)
        (void)fprintf(stderr, "fault layer: called\n");
    state.told = false;
    state.all_calls++;
    state.calls[which]++;
    if (state.delay > 0)
        pause = (unsigned)(state.all_calls * 2654435761u >> 7) % state.delay;
    if (state.fail_at != 0 &&
        (state.fail_entry == ENTRY_COUNT
             ? state.all_calls == state.fail_at
             : state.fail_entry == which && state.calls[which] == state.fail_at)) {
        code = rows[which].code[state.fail_at % 2];
        state.failed = rows[which].name;
        state.failed_code = code;
    }
    (void)pthread_mutex_unlock(&state.lock);
    if (pause > 0)
        sleep_for(pause);
    return code;
}

static void count(fault_object object, long change)
{
    (void)pthread_mutex_lock(&state.lock);
    state.live[object] += change;
    (void)pthread_mutex_unlock(&state.lock);
}

static void enqueued(cl_command_queue queue, const cl_event *event)
{
    bool finish;

    (void)pthread_mutex_lock(&state.lock);
    state.live[FAULT_EVENT] += event != NULL;
    finish = state.synchronous;
    (void)pthread_mutex_unlock(&state.lock);
    if (finish)
        (void)next->clFinish(queue);
}

/* ---- one function per entry point ---- */

#define OBJECT_OF(type)                                                                            \
    _Generic((type)NULL, cl_context                                                                \
             : FAULT_CONTEXT, cl_command_queue                                                     \
             : FAULT_QUEUE, cl_mem                                                                 \
             : FAULT_BUFFER, cl_program                                                            \
             : FAULT_PROGRAM, cl_kernel                                                            \
             : FAULT_KERNEL, cl_event                                                              \
             : FAULT_EVENT)

#define DEFINE_QUERY(type, name, parameters, arguments)                                            \
    static type CL_API_CALL fault_##name parameters                                                \
    {                                                                                              \
        const cl_int fault = begin(ENTRY_##name);                                                  \
        return fault != CL_SUCCESS ? fault : next->name arguments;                                 \
    }

#define DEFINE_CREATE(type, name, parameters, arguments)                                           \
    static type CL_API_CALL fault_##name parameters                                                \
    {                                                                                              \
        const cl_int fault = begin(ENTRY_##name);                                                  \
        type made = fault != CL_SUCCESS ? NULL : next->name arguments;                             \
        if (fault != CL_SUCCESS && code != NULL)                                                   \
            *code = fault;                                                                         \
        count(OBJECT_OF(type), made != NULL);                                                      \
        return made;                                                                               \
    }

#define DEFINE_RETAIN(type, name, parameters, arguments)                                           \
    static cl_int CL_API_CALL fault_##name parameters                                              \
    {                                                                                              \
        const cl_int fault = begin(ENTRY_##name);                                                  \
        const cl_int answer = fault != CL_SUCCESS ? fault : next->name arguments;                  \
        count(OBJECT_OF(type), answer == CL_SUCCESS);                                              \
        return answer;                                                                             \
    }

#define DEFINE_RELEASE(type, name, parameters, arguments)                                          \
    static cl_int CL_API_CALL fault_##name parameters                                              \
    {                                                                                              \
        const cl_int fault = begin(ENTRY_##name);                                                  \
        const cl_int answer = next->name arguments;                                                \
        count(OBJECT_OF(type), answer == CL_SUCCESS ? -1 : 0);                                     \
        return fault != CL_SUCCESS ? fault : answer;                                               \
    }

#define DEFINE_WAIT(type, name, parameters, arguments)                                             \
    static type CL_API_CALL fault_##name parameters                                                \
    {                                                                                              \
        const cl_int fault = begin(ENTRY_##name);                                                  \
        const cl_int answer = fault == rows[ENTRY_##name].code[1] ? fault : next->name arguments;  \
        return fault != CL_SUCCESS ? fault : answer;                                               \
    }

#define DEFINE_ENQUEUE(type, name, parameters, arguments)                                          \
    static type CL_API_CALL fault_##name parameters                                                \
    {                                                                                              \
        const cl_int fault = begin(ENTRY_##name);                                                  \
        const cl_int answer = fault != CL_SUCCESS ? fault : next->name arguments;                  \
        if (answer == CL_SUCCESS)                                                                  \
            enqueued(queue, event);                                                                \
        return answer;                                                                             \
    }

#define DEFINE_MAP(type, name, parameters, arguments)                                              \
    static type CL_API_CALL fault_##name parameters                                                \
    {                                                                                              \
        const cl_int fault = begin(ENTRY_##name);                                                  \
        void *mapped = fault != CL_SUCCESS ? NULL : next->name arguments;                          \
        if (fault != CL_SUCCESS && code != NULL)                                                   \
            *code = fault;                                                                         \
        if (mapped != NULL)                                                                        \
            enqueued(queue, event);                                                                \
        return mapped;                                                                             \
    }

#define DEFINE(kind, type, name, code_a, code_b, parameters, arguments)                            \
    DEFINE_##kind(type, name, parameters, arguments)
FAULT_ENTRIES(DEFINE)

/* ---- what a test steers ---- */

static entry find(const char *name)
{
    int i = 0;
    while (i < ENTRY_COUNT && (name == NULL || strcmp(rows[i].name, name) != 0))
        i++;
    if (i == ENTRY_COUNT && name != NULL) {
        (void)fprintf(stderr, "fault layer: no entry point is called '%s'\n", name);
        abort();
    }
    return (entry)i;
}

static void arm(const char *name, unsigned long n)
{
    const entry which = find(name);

    (void)pthread_mutex_lock(&state.lock);
    memset(state.calls, 0, sizeof state.calls);
    state.all_calls = 0;
    state.fail_at = n;
    state.fail_entry = which;
    state.failed = NULL;
    (void)pthread_mutex_unlock(&state.lock);
}

static unsigned long calls(const char *name)
{
    const entry which = find(name);
    unsigned long made;

    (void)pthread_mutex_lock(&state.lock);
    made = which == ENTRY_COUNT ? state.all_calls : state.calls[which];
    (void)pthread_mutex_unlock(&state.lock);
    return made;
}

static const char *failed(int *out_code)
{
    const char *name;

    (void)pthread_mutex_lock(&state.lock);
    name = state.failed;
    *out_code = name == NULL ? CL_SUCCESS : state.failed_code;
    (void)pthread_mutex_unlock(&state.lock);
    return name;
}

static long live(fault_object object)
{
    long claims;

    (void)pthread_mutex_lock(&state.lock);
    claims = state.live[object];
    (void)pthread_mutex_unlock(&state.lock);
    return claims;
}

static void set_delay(unsigned microseconds)
{
    (void)pthread_mutex_lock(&state.lock);
    state.delay = microseconds;
    (void)pthread_mutex_unlock(&state.lock);
}

static void set_synchronous(bool on)
{
    (void)pthread_mutex_lock(&state.lock);
    state.synchronous = on;
    (void)pthread_mutex_unlock(&state.lock);
}

EXPORT fault_layer_getter fault_layer_get;
const fault_layer *fault_layer_get(void)
{
    static const fault_layer layer = {.arm = arm,
                                      .calls = calls,
                                      .failed = failed,
                                      .live = live,
                                      .delay = set_delay,
                                      .synchronous = set_synchronous};
    return &layer;
}

/* ---- what the loader calls ---- */

static cl_int answer_info(const void *value, size_t bytes, size_t room, void *out,
                          size_t *out_bytes)
{
    if (out != NULL && room < bytes)
        return CL_INVALID_VALUE;
    if (out != NULL)
        memcpy(out, value, bytes);
    if (out_bytes != NULL)
        *out_bytes = bytes;
    return CL_SUCCESS;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info parameter, size_t room,
                                                      void *out, size_t *out_bytes)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char name[] = "clshard's fault layer";

    switch (parameter) {
    case CL_LAYER_API_VERSION:
        return answer_info(&version, sizeof version, room, out, out_bytes);
    case CL_LAYER_NAME:
        return answer_info(name, sizeof name, room, out, out_bytes);
    default:
        return CL_INVALID_VALUE;
    }
}

/* A mode that nobody knows must not look like a test that passed. */
static bool read_environment(void)
{
    const char *mode = getenv("FAULT_LAYER");
    unsigned microseconds;

    if (mode == NULL)
        return true;
    state.told = true;
    if (strcmp(mode, "synchronous") == 0)
        set_synchronous(true);
    else if (sscanf(mode, "delay=%u", &microseconds) == 1)
        set_delay(microseconds);
    else
        return false;
    return true;
}

EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries,
                                                   const struct _cl_icd_dispatch *target,
                                                   cl_uint *out_entries,
                                                   const struct _cl_icd_dispatch **out_dispatch)
{
    static struct _cl_icd_dispatch own;
    const size_t room = sizeof own / sizeof own.clGetPlatformIDs;

    if (target == NULL || out_entries == NULL || out_dispatch == NULL || !read_environment())
        return CL_INVALID_VALUE;
    memcpy(&own, target, (entries < room ? entries : room) * sizeof own.clGetPlatformIDs);
    next = target;
#define INSTALL(kind, type, name, code_a, code_b, parameters, arguments) own.name = fault_##name;
    FAULT_ENTRIES(INSTALL)
    *out_entries = (cl_uint)(entries < room ? entries : room);
    *out_dispatch = &own;
    return CL_SUCCESS;
}
