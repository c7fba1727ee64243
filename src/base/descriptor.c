/* SPDX-License-Identifier: Apache-2.0 */
#include "base/descriptor.h"

#include <errno.h>
#include <unistd.h>

/* Some systems refuse more than INT_MAX in one call. */
enum { CALL_BYTES = 1 << 30 };

static size_t for_one_call(size_t left)
{
    return left < CALL_BYTES ? left : CALL_BYTES;
}

int clshard__descriptor_read(int descriptor, size_t offset, void *out_bytes, size_t count)
{
    size_t done = 0;
    while (done < count) {
        const ssize_t got = pread(descriptor, (char *)out_bytes + done, for_one_call(count - done),
                                  (off_t)(offset + done));
        if (got == 0)
            return CLSHARD__READ_ENDED;
        if (got < 0 && errno != EINTR)
            return errno;
        if (got > 0)
            done += (size_t)got;
    }
    return 0;
}

int clshard__descriptor_write(int descriptor, const void *bytes, size_t count)
{
    size_t done = 0;
    while (done < count) {
        const ssize_t put =
            write(descriptor, (const char *)bytes + done, for_one_call(count - done));
        if (put < 0 && errno != EINTR)
            return errno;
        if (put > 0)
            done += (size_t)put;
    }
    return 0;
}
