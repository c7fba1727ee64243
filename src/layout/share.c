/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "layout/split.h"

static const char *const policy_names[] = {
    [CLSHARD_EVEN] = "even",   [CLSHARD_BALANCED] = "balanced", [CLSHARD_CEIL] = "ceil",
    [CLSHARD_PAD] = "pad",     [CLSHARD_DROP] = "drop",         [CLSHARD_WEIGHTED] = "weighted",
    [CLSHARD_SIZES] = "sizes",
};

const char *clshard_policy_name(clshard_policy policy)
{
    const size_t index = (size_t)policy;
    return index < sizeof policy_names / sizeof policy_names[0] ? policy_names[index] : NULL;
}

static clshard_status check_share(size_t total, clshard_share share, clshard_policy policy,
                                  const clshard_range *out_range, clshard_error *err)
{
    if (out_range == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "split: out_range is NULL");
    if (clshard_policy_name(policy) == NULL)
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "split: %d is no policy", (int)policy);
    if (share.index >= share.count)
        return clshard__fail(err, CLSHARD_ERR_INDEX,
                             "split: share %zu of %zu does not exist; shares are numbered from 0",
                             share.index, share.count);
    if (policy == CLSHARD_EVEN && total % share.count != 0)
        return clshard__fail(err, CLSHARD_ERR_INDIVISIBLE,
                             "split: %zu rows are not divisible by %zu shares; the policies "
                             "balanced and drop accept it",
                             total, share.count);
    return CLSHARD_OK;
}

static clshard_status refuse_policy(clshard_policy policy, const char *form, clshard_error *err)
{
    return clshard__fail(err, CLSHARD_ERR_SPLIT, "split: the policy '%s' does not make a %s share",
                         clshard_policy_name(policy), form);
}

clshard_status clshard_split_contiguous(size_t total, clshard_share share, clshard_policy policy,
                                        clshard_range *out_range, clshard_error *err)
{
    const clshard_status status = check_share(total, share, policy, out_range, err);
    clshard__cut cut;
    clshard__slice slice;

    if (status != CLSHARD_OK)
        return status;
    if (policy == CLSHARD_WEIGHTED || policy == CLSHARD_SIZES)
        return refuse_policy(policy, "contiguous", err);
    cut = clshard__cut_closed(policy, total, share.count);
    slice = clshard__cut_slice(&cut, share.index);
    *out_range = (clshard_range){slice.valid_offset, 1, slice.valid_extent};
    return CLSHARD_OK;
}

clshard_status clshard_split_strided(size_t total, clshard_share share, clshard_policy policy,
                                     clshard_range *out_range, clshard_error *err)
{
    const clshard_status status = check_share(total, share, policy, out_range, err);
    size_t extra;

    if (status != CLSHARD_OK)
        return status;
    if (policy != CLSHARD_EVEN && policy != CLSHARD_BALANCED && policy != CLSHARD_DROP)
        return refuse_policy(policy, "strided", err);
    extra = policy == CLSHARD_BALANCED && share.index < total % share.count;
    *out_range = (clshard_range){share.index, share.count, total / share.count + extra};
    return CLSHARD_OK;
}
