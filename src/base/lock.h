/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_LOCK_H
#define CLSHARD_BASE_LOCK_H

/* A mutex. pthread, not <threads.h>: the latter's crash under ThreadSanitizer on glibc 2.36. */

#include <pthread.h>
#include <stdbool.h>

#include <clshard/status.h>

typedef struct clshard__lock {
    pthread_mutex_t mutex;
} clshard__lock;

/* For a static lock, which needs no init and no end. */
#define CLSHARD__LOCK_STATIC                                                                       \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER                                                                  \
    }

clshard_status clshard__lock_init(clshard__lock *lock, clshard_error *err);
void clshard__lock_end(clshard__lock *lock);
void clshard__lock_take(clshard__lock *lock);

/* False, at once, when another thread has it. */
bool clshard__lock_try(clshard__lock *lock);
void clshard__lock_leave(clshard__lock *lock);

#endif
