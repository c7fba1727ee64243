/* SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"

bool read_number(const char *text, size_t length, size_t *out_value)
{
    size_t value = 0;

    for (size_t i = 0; i < length; i++) {
        const size_t digit = (size_t)(unsigned char)text[i] - '0';
        if (text[i] < '0' || text[i] > '9' || value > (SIZE_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    if (length == 0)
        return false;
    *out_value = value;
    return true;
}

static size_t items_in(const char *text)
{
    size_t count = 1;
    for (; *text != '\0'; text++)
        count += *text == ',';
    return count;
}

static clshard_status read_items(const char *option, const char *text, const char *items,
                                 size_t most, axis_list *list, clshard_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const size_t length = strcspn(items, ",");
        const size_t before = (size_t)(items - text);
        if (!read_number(items, length, &list->number[i]) || list->number[i] > most)
            return fail(err, CLSHARD_ERR_SPLIT,
                        "%s '%.*s>>>%.*s<<<%s': at character %zu: a whole number from 0 to %zu "
                        "must stand here",
                        option, (int)before, text, (int)length, items, items + length, before + 1,
                        most);
        items += length + 1;
    }
    return CLSHARD_OK;
}

clshard_status axis_list_read(const char *option, const char *text, size_t most, axis_list *out,
                              clshard_error *err)
{
    const char *equals = strchr(text, '=');
    axis_list list = {0};

    if (equals == NULL || equals == text)
        return fail(err, CLSHARD_ERR_ARGUMENT,
                    "%s '%s': an axis, '=' and numbers are needed, such as 'data=3,1'", option,
                    text);
    list.count = items_in(equals + 1);
    list.number = calloc(list.count, sizeof *list.number);
    list.axis = strndup(text, (size_t)(equals - text));
    if (list.number == NULL || list.axis == NULL)
        fail_memory(err, option);
    else if (!read_items(option, text, equals + 1, most, &list, err)) {
        *out = list;
        return CLSHARD_OK;
    }
    axis_list_free(&list);
    return err->status;
}

void axis_list_free(axis_list *list)
{
    free(list->axis);
    free(list->number);
    list->axis = NULL;
    list->number = NULL;
}
