/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/transfer.h>

#include "transfer/issue.h"

clshard_status clshard_scatter(clshard_array *to, const clshard_tensor *from,
                               const clshard_transfer_options *options, clshard_event **out_event,
                               clshard_error *err)
{
    return clshard__issue(CLSHARD__SCATTER, to, from, options, out_event, err);
}

clshard_status clshard_gather(const clshard_tensor *to, const clshard_array *from,
                              const clshard_transfer_options *options, clshard_event **out_event,
                              clshard_error *err)
{
    return clshard__issue(CLSHARD__GATHER, from, to, options, out_event, err);
}
