/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lock.h"

#include "base/error.h"

clshard_status clshard__lock_init(clshard__lock *lock, clshard_error *err)
{
    const int code = pthread_mutex_init(&lock->mutex, NULL);
    if (code != 0)
        return clshard__fail_native(err, CLSHARD_ERR_THREAD, code,
                                    "the system gave no mutex (code %d)", code);
    return CLSHARD_OK;
}

/* The calls below fail only for a mutex that is not one; there is nothing to do about that. */
void clshard__lock_end(clshard__lock *lock)
{
    (void)pthread_mutex_destroy(&lock->mutex);
}

void clshard__lock_take(clshard__lock *lock)
{
    (void)pthread_mutex_lock(&lock->mutex);
}

bool clshard__lock_try(clshard__lock *lock)
{
    return pthread_mutex_trylock(&lock->mutex) == 0;
}

void clshard__lock_leave(clshard__lock *lock)
{
    (void)pthread_mutex_unlock(&lock->mutex);
}
