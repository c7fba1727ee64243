/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fork.h"

#include <unistd.h>

#include "base/error.h"

pid_t clshard__fork_mark(void)
{
    return getpid();
}

clshard_status clshard__fork_check(pid_t mark, clshard_error *err)
{
    const pid_t now = getpid();
    if (now == mark)
        return CLSHARD_OK;
    return clshard__fail(err, CLSHARD_ERR_FORKED,
                         "the runtime was opened by process %ld and cannot be used after fork() in "
                         "process %ld; fork before one is opened, or exec",
                         (long)mark, (long)now);
}
