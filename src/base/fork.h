/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_FORK_H
#define CLSHARD_BASE_FORK_H

/* After fork() the drivers' threads are gone in the child, whose calls would hang: they are
 * refused. */

#include <sys/types.h>

#include <clshard/status.h>

/* The process that makes an object. */
pid_t clshard__fork_mark(void);

/* FORKED when that was another process. */
clshard_status clshard__fork_check(pid_t mark, clshard_error *err);

#endif
