/* SPDX-License-Identifier: Apache-2.0 */
#include "splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"

static clshard_status take_weights(const axis_list *list, uint32_t **out_weights,
                                   clshard_error *err)
{
    uint32_t *weights = calloc(list->count, sizeof *weights);
    if (weights == NULL)
        return fail_memory(err, "--weights");
    for (size_t i = 0; i < list->count; i++)
        weights[i] = (uint32_t)list->number[i];
    *out_weights = weights;
    return CLSHARD_OK;
}

static clshard_status add_weights(splits *made, const char *text, clshard_error *err)
{
    axis_list *list = &made->list[made->count];
    clshard_split *split = &made->split[made->count];

    if (axis_list_read("--weights", text, UINT32_MAX, list, err) ||
        take_weights(list, &made->weights[made->count], err))
        return err->status;
    split->axis = list->axis;
    split->policy = CLSHARD_WEIGHTED;
    split->weights = made->weights[made->count];
    split->count = list->count;
    made->count++;
    return CLSHARD_OK;
}

static clshard_status add_sizes(splits *made, const char *text, clshard_error *err)
{
    axis_list *list = &made->list[made->count];
    clshard_split *split = &made->split[made->count];

    if (axis_list_read("--sizes", text, SIZE_MAX, list, err))
        return err->status;
    split->axis = list->axis;
    split->policy = CLSHARD_SIZES;
    split->sizes = list->number;
    split->count = list->count;
    made->count++;
    return CLSHARD_OK;
}

static clshard_split *weighted_split(const splits *made, const char *axis)
{
    for (size_t i = 0; i < made->count; i++)
        if (made->split[i].policy == CLSHARD_WEIGHTED && strcmp(made->split[i].axis, axis) == 0)
            return &made->split[i];
    return NULL;
}

static clshard_status set_granule(const splits *made, const char *text, clshard_error *err)
{
    axis_list list;
    clshard_split *split;

    if (axis_list_read("--granule", text, SIZE_MAX, &list, err))
        return err->status;
    split = weighted_split(made, list.axis);
    err->status = CLSHARD_OK;
    if (split == NULL)
        fail(err, CLSHARD_ERR_ARGUMENT, "--granule '%s': there are no --weights for axis '%s'",
             text, list.axis);
    else if (list.count != 1 || list.number[0] == 0)
        fail(err, CLSHARD_ERR_SPLIT, "--granule '%s': one number of 1 or more is needed", text);
    else
        split->granule = list.number[0];
    axis_list_free(&list);
    return err->status;
}

/* An axis is cut in one way. */
static clshard_status check_last(const splits *made, clshard_error *err)
{
    static const char *const names[] = {
        [CLSHARD_WEIGHTED] = "--weights", [CLSHARD_SIZES] = "--sizes"};
    const clshard_split *last = &made->split[made->count - 1];

    for (size_t i = 0; i + 1 < made->count; i++) {
        const clshard_split *other = &made->split[i];
        if (strcmp(other->axis, last->axis) == 0)
            return fail(err, CLSHARD_ERR_DUPLICATE_AXIS,
                        "%s: axis '%s' has %s already; an axis takes weights or sizes once",
                        names[last->policy], last->axis, names[other->policy]);
    }
    return CLSHARD_OK;
}

/* Granules come last: they may stand before the weights they belong to. */
static clshard_status add_all(const options *read, splits *made, clshard_error *err)
{
    for (size_t i = 0; i < read->count; i++) {
        const option_value *value = &read->values[i];
        if (value->id == OPTION_WEIGHTS &&
            (add_weights(made, value->text, err) || check_last(made, err)))
            return err->status;
        if (value->id == OPTION_SIZES &&
            (add_sizes(made, value->text, err) || check_last(made, err)))
            return err->status;
    }
    for (size_t i = 0; i < read->count; i++)
        if (read->values[i].id == OPTION_GRANULE && set_granule(made, read->values[i].text, err))
            return err->status;
    return CLSHARD_OK;
}

clshard_status splits_read(const options *read, splits *out, clshard_error *err)
{
    splits made = {0};

    made.split = calloc(read->count + 1, sizeof *made.split);
    made.list = calloc(read->count + 1, sizeof *made.list);
    made.weights = calloc(read->count + 1, sizeof *made.weights);
    if (made.split == NULL || made.list == NULL || made.weights == NULL)
        fail_memory(err, "splits");
    else if (!add_all(read, &made, err)) {
        *out = made;
        return CLSHARD_OK;
    }
    /* One past the count may be half made. */
    made.count++;
    splits_free(&made);
    return err->status;
}

void splits_free(splits *made)
{
    for (size_t i = 0; i < made->count; i++) {
        if (made->list != NULL)
            axis_list_free(&made->list[i]);
        if (made->weights != NULL)
            free(made->weights[i]);
    }
    free(made->split);
    free(made->list);
    free(made->weights);
}

policy_text policy_from_options(const options *read)
{
    const char *uneven = option_text(read, OPTION_UNEVEN);
    policy_text policy = {""};
    size_t used = 0;

    if (uneven != NULL)
        used = (size_t)snprintf(policy.text, sizeof policy.text, "%s", uneven);
    for (size_t i = 0; i < read->count && used < sizeof policy.text; i++) {
        const option_value *value = &read->values[i];
        if (value->id == OPTION_WEIGHTS || value->id == OPTION_SIZES || value->id == OPTION_GRANULE)
            used += (size_t)snprintf(policy.text + used, sizeof policy.text - used, "%s%s %s",
                                     used > 0 ? ", " : "",
                                     option_name(read, (enum option_id)value->id), value->text);
    }
    return used == 0 ? (policy_text){"even"} : policy;
}
