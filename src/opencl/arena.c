/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/arena.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"

/* Room for one more text, so that what is made next can be kept. */
static clshard_status make_room(clshard__arena *arena, clshard_error *err)
{
    void *texts = arena->texts;
    if (!clshard__grow(&texts, &arena->capacity, arena->count + 1, sizeof *arena->texts))
        return clshard__no_memory(err, "the facts about devices");
    arena->texts = texts;
    return CLSHARD_OK;
}

static clshard_status keep(clshard__arena *arena, const char **out, char *text, clshard_error *err)
{
    if (text == NULL)
        return clshard__no_memory(err, "the facts about devices");
    arena->texts[arena->count++] = text;
    *out = text;
    return CLSHARD_OK;
}

clshard_status clshard__arena_print(clshard__arena *arena, const char **out, clshard_error *err,
                                    const char *format, ...)
{
    clshard_status status = make_room(arena, err);
    va_list arguments;
    char *text;
    int length;

    if (status != CLSHARD_OK)
        return status;
    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return clshard__fail(err, CLSHARD_ERR_INTERNAL, "a fact about devices cannot be printed");
    text = clshard__alloc((size_t)length + 1, 1);
    if (text != NULL) {
        va_start(arguments, format);
        (void)vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    return keep(arena, out, text, err);
}

clshard_status clshard__arena_copy(clshard__arena *arena, const char **out, const char *text,
                                   size_t length, clshard_error *err)
{
    const clshard_status status = make_room(arena, err);
    return status != CLSHARD_OK ? status : keep(arena, out, clshard__copy_text(text, length), err);
}

void clshard__arena_end(clshard__arena *arena)
{
    for (size_t i = 0; i < arena->count; i++)
        clshard__free(arena->texts[i]);
    clshard__free(arena->texts);
    *arena = (clshard__arena){0};
}
