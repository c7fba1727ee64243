/* SPDX-License-Identifier: Apache-2.0 */
#include "support/plain.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint checks;
static atomic_uint failures;

bool plain_expect(bool good, const char *file, int line, const char *what, const char *format, ...)
{
    char text[600];
    va_list arguments;

    atomic_fetch_add(&checks, 1);
    if (good)
        return true;
    atomic_fetch_add(&failures, 1);
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "%s:%d: not so: %s; %s\n", file, line, what, text);
    return false;
}

bool plain_works(clshard_status status, const clshard_error *err, const char *file, int line,
                 const char *call)
{
    return plain_expect(status == CLSHARD_OK, file, line, call, "%s: %s",
                        clshard_status_name(status), err->message);
}

bool plain_refused(clshard_status status, clshard_status wanted, const char *words,
                   const clshard_error *err, const char *file, int line, const char *call)
{
    return plain_expect(status == wanted && strstr(err->message, words) != NULL, file, line, call,
                        "'%s' with '%s' is wanted; it answered %s: %s", clshard_status_name(wanted),
                        words, clshard_status_name(status), err->message);
}

void plain_start_over(void)
{
    atomic_store(&checks, 0);
    atomic_store(&failures, 0);
}

int plain_result(void)
{
    const unsigned made = atomic_load(&checks);
    const unsigned failed = atomic_load(&failures);

    (void)printf("%u checks, %u failed\n", made, failed);
    return made > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

typedef struct team {
    void (*member)(void *context, size_t number);
    void *context;
    pthread_barrier_t start;
} team;

typedef struct place {
    team *of;
    size_t number;
} place;

static void *begin(void *context)
{
    const place *own = context;
    (void)pthread_barrier_wait(&own->of->start);
    own->of->member(own->of->context, own->number);
    return NULL;
}

void plain_team(void (*member)(void *context, size_t number), void *context)
{
    team all = {.member = member, .context = context};
    pthread_t threads[PLAIN_TEAM];
    place places[PLAIN_TEAM];

    /* A thread that is missing would leave the others at the barrier. */
    if (pthread_barrier_init(&all.start, NULL, PLAIN_TEAM) != 0)
        abort();
    for (size_t i = 0; i < PLAIN_TEAM; i++) {
        places[i] = (place){&all, i};
        if (pthread_create(&threads[i], NULL, begin, &places[i]) != 0)
            abort();
    }
    for (size_t i = 0; i < PLAIN_TEAM; i++)
        (void)pthread_join(threads[i], NULL);
    (void)pthread_barrier_destroy(&all.start);
}

clshard_runtime *plain_open(const clshard_runtime_options *options)
{
    const char *chosen = getenv("CLSHARD_DEVICES");
    const char *selector = chosen != NULL && chosen[0] != '\0' ? NULL : "*";
    clshard_runtime *runtime = NULL;
    clshard_error err = {0};

    if (!works(clshard_runtime_open(selector, options, &runtime, &err), &err))
        return NULL;
    (void)expect(clshard_runtime_device_count(runtime) > 0, "there is no device");
    return runtime;
}

clshard_sharding *plain_sharding(const clshard_runtime *runtime, const char *axes, const char *spec)
{
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_error err = {0};

    if (!works(clshard_mesh_parse(runtime, axes,
                                  runtime == NULL
                                      ? NULL
                                      : CLSHARD_WITH(clshard_mesh_options, .repeat_devices = true),
                                  &mesh, &err),
               &err))
        return NULL;
    (void)works(clshard_sharding_parse(
                    mesh, spec, CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_PAD),
                    &sharding, &err),
                &err);
    clshard_mesh_release(mesh);
    return sharding;
}
