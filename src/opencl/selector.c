/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/selector.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Not <ctype.h>: a selector must not depend on the locale. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_letters(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (lower(a[i]) != lower(b[i]))
            return false;
    return true;
}

static uint32_t type_named(const char *text, size_t length)
{
    static const struct {
        const char *name;
        uint32_t bit;
    } types[] = {{"cpu", CLSHARD_DEVICE_CPU},
                 {"gpu", CLSHARD_DEVICE_GPU},
                 {"accelerator", CLSHARD_DEVICE_ACCELERATOR}};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strlen(types[i].name) == length && same_letters(types[i].name, text, length))
            return types[i].bit;
    return 0;
}

static bool has_only(const char *text, size_t length, const char *characters)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(characters, text[i]) == NULL)
            return false;
    return true;
}

/* "P.D" or "P.*", which fill the term. */
static bool parse_id(clshard__term *term)
{
    const char *end = term->text;

    if (clshard__read_size(end, &end, &term->platform) != CLSHARD_OK || *end != '.')
        return false;
    end++;
    term->kind = *end == '*' ? CLSHARD__TERM_PLATFORM : CLSHARD__TERM_ID;
    if (*end == '*')
        end++;
    else if (clshard__read_size(end, &end, &term->device) != CLSHARD_OK)
        return false;
    return end == term->text + term->length;
}

static clshard_status parse_names(const char *whole, clshard__term *term, clshard_error *err)
{
    enum { SHORTEST_NUMBER = 3 };

    term->kind = CLSHARD__TERM_TEXT;
    if (term->length == 1 && term->text[0] == '*') {
        term->kind = CLSHARD__TERM_ALL;
    } else if (has_only(term->text, term->length, "0123456789.*")) {
        const bool is_number = has_only(term->text, term->length, "0123456789");
        if (!(is_number && term->length >= SHORTEST_NUMBER) && !parse_id(term))
            return clshard__fail_text(err, CLSHARD_ERR_TEXT, "selector", whole,
                                      (size_t)(term->text - whole),
                                      "'%s' is no id; a device is named as '0.0', all of a "
                                      "platform as '0.*'",
                                      clshard__quote_span(term->text, term->length).text);
    } else if ((term->type = type_named(term->text, term->length)) != 0) {
        term->kind = CLSHARD__TERM_TYPE;
    }
    return CLSHARD_OK;
}

static const char *skip_blanks(const char *from, const char *end)
{
    while (from < end && is_blank(*from))
        from++;
    return from;
}

static clshard_status parse_term(const char *whole, const char *from, const char *end,
                                 clshard__term *term, clshard_error *err)
{
    from = skip_blanks(from, end);
    if (from < end && *from == '-') {
        term->removes = true;
        from = skip_blanks(from + 1, end);
        if (from < end && *from == '-')
            return clshard__fail_text(err, CLSHARD_ERR_TEXT, "selector", whole,
                                      (size_t)(from - whole), "one '-' before a term is enough");
    }
    if (from == end)
        return clshard__fail_text(
            err, CLSHARD_ERR_TEXT, "selector", whole, (size_t)(from - whole),
            "a term is missing; it may be '*', an id as '0.0' or '0.*', 'cpu', 'gpu', "
            "'accelerator' or part of a name");
    while (is_blank(end[-1]))
        end--;
    term->text = from;
    term->length = (size_t)(end - from);
    return parse_names(whole, term, err);
}

static int compare_ids(const void *left, const void *right)
{
    const clshard__term *const *a = left;
    const clshard__term *const *b = right;
    if ((*a)->platform != (*b)->platform)
        return (*a)->platform < (*b)->platform ? -1 : 1;
    if ((*a)->device != (*b)->device)
        return (*a)->device < (*b)->device ? -1 : 1;
    return (*a > *b) - (*a < *b); /* of one id, the later term later */
}

/* Sorted, so that a list of any length is checked quickly. */
static clshard_status check_ids(const clshard__selector *selector, clshard_error *err)
{
    const clshard__term **ids = clshard__alloc(selector->term_count, sizeof *ids);
    const clshard__term *again = NULL; /* the first that an earlier one names */
    size_t count = 0;

    if (ids == NULL)
        return clshard__no_memory(err, "a selector");
    for (size_t i = 0; i < selector->term_count; i++)
        if (selector->terms[i].kind == CLSHARD__TERM_ID)
            ids[count++] = &selector->terms[i];
    qsort(ids, count, sizeof(const clshard__term *), compare_ids);
    for (size_t i = 1; i < count; i++)
        if (ids[i]->platform == ids[i - 1]->platform && ids[i]->device == ids[i - 1]->device &&
            (again == NULL || ids[i] < again))
            again = ids[i];
    clshard__free(ids);
    return again == NULL
               ? CLSHARD_OK
               : clshard__fail_text(err, CLSHARD_ERR_DUPLICATE_DEVICE, "selector", selector->text,
                                    (size_t)(again->text - selector->text),
                                    "device %zu.%zu is named twice", again->platform,
                                    again->device);
}

clshard_status clshard__selector_parse(const char *text, clshard__selector *out_selector,
                                       clshard_error *err)
{
    clshard__selector selector = {text, NULL, 0, true};
    clshard_status status = CLSHARD_OK;
    const char *from = text;
    size_t commas = 0;

    for (const char *c = text; *c != '\0'; c++)
        commas += *c == ',';
    selector.terms = clshard__alloc(commas + 1, sizeof *selector.terms);
    if (selector.terms == NULL)
        return clshard__no_memory(err, "a selector");
    while (status == CLSHARD_OK && selector.term_count <= commas) {
        const char *end = from + strcspn(from, ",");
        clshard__term *term = &selector.terms[selector.term_count++];
        status = parse_term(text, from, end, term, err);
        selector.ordered &= term->kind == CLSHARD__TERM_ID && !term->removes;
        from = end + 1;
    }
    if (status == CLSHARD_OK)
        status = check_ids(&selector, err);
    if (status == CLSHARD_OK)
        *out_selector = selector;
    else
        clshard__selector_end(&selector);
    return status;
}

void clshard__selector_end(clshard__selector *selector)
{
    clshard__free(selector->terms);
    selector->terms = NULL;
    selector->term_count = 0;
}

static bool has_part(const char *text, const clshard__term *term)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + term->length <= length; i++)
        if (same_letters(text + i, term->text, term->length))
            return true;
    return false;
}

bool clshard__term_matches(const clshard__term *term, const clshard__device *device)
{
    const clshard_device_info *info = &device->info;
    const bool is_cpu = (info->type & CLSHARD_DEVICE_CPU) != 0;

    switch (term->kind) {
    case CLSHARD__TERM_ALL:
        return true;
    case CLSHARD__TERM_ID:
        return term->platform == device->platform_number && term->device == device->device_number;
    case CLSHARD__TERM_PLATFORM:
        return term->platform == device->platform_number;
    case CLSHARD__TERM_TYPE:
        return term->type == CLSHARD_DEVICE_CPU ? is_cpu
                                                : !is_cpu && (info->type & term->type) != 0;
    case CLSHARD__TERM_TEXT:
        break;
    }
    return has_part(info->name, term) || has_part(info->vendor, term) ||
           has_part(info->platform, term) || has_part(device->platform_vendor, term);
}

/* "0.0 NAME, 0.1 NAME and 38 more", as much as fits a message. */
typedef struct device_list {
    char text[240];
} device_list;

static device_list list_devices(const clshard__device *devices, size_t count)
{
    enum { NAME_BYTES = 32, ROOM_FOR_REST = 32 };
    device_list list;
    clshard__writer writer = clshard__writer_of(list.text, sizeof list.text);

    if (count == 0)
        clshard__write(&writer, "no OpenCL device at all");
    for (size_t i = 0; i < count; i++) {
        const char *name = devices[i].info.name;
        const size_t length = strlen(name);
        char entry[160];
        clshard__writer one = clshard__writer_of(entry, sizeof entry);
        clshard__write(&one, "%s%s %s%s%s", i == 0 ? "" : ", ", devices[i].info.id,
                       clshard__quote_span(name, length < NAME_BYTES ? length : NAME_BYTES).text,
                       length > NAME_BYTES ? "..." : "",
                       devices[i].info.excluded == NULL ? "" : " (unusable)");
        if (writer.needed + one.needed + ROOM_FOR_REST > sizeof list.text) {
            clshard__write(&writer, " and %zu more", count - i);
            break;
        }
        clshard__write(&writer, "%s", entry);
    }
    return list;
}

static clshard_status fail_unmatched(const clshard__term *term, const clshard__device *devices,
                                     size_t count, clshard_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (term->kind == CLSHARD__TERM_ID && clshard__term_matches(term, &devices[i]))
            return clshard__fail(err, CLSHARD_ERR_NO_DEVICES,
                                 "selector: device %s cannot be used: %s", devices[i].info.id,
                                 devices[i].info.excluded);
    return clshard__fail(
        err, CLSHARD_ERR_NO_DEVICES, "selector: no device matches '%s'; this machine has %s",
        clshard__quote_span(term->text, term->length).text, list_devices(devices, count).text);
}

/* Adds or removes what a term names; picked is indexed as devices are. */
static clshard_status apply_term(const clshard__term *term, const clshard__device *devices,
                                 size_t count, bool *picked, clshard_error *err)
{
    bool matched = false;

    for (size_t i = 0; i < count; i++)
        if (devices[i].info.excluded == NULL && clshard__term_matches(term, &devices[i])) {
            picked[i] = !term->removes;
            matched = true;
        }
    return matched ? CLSHARD_OK : fail_unmatched(term, devices, count, err);
}

static clshard_status pick(const clshard__selector *selector, const clshard__device *devices,
                           size_t count, bool *picked, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;
    bool any = false;

    for (size_t i = 0; i < count; i++)
        picked[i] = selector->terms[0].removes && devices[i].info.excluded == NULL;
    for (size_t i = 0; status == CLSHARD_OK && i < selector->term_count; i++)
        status = apply_term(&selector->terms[i], devices, count, picked, err);
    for (size_t i = 0; i < count; i++)
        any |= picked[i];
    if (status == CLSHARD_OK && !any)
        return clshard__fail(err, CLSHARD_ERR_NO_DEVICES,
                             "selector '%s' leaves out every device; this machine has %s",
                             clshard__quote(selector->text).text,
                             list_devices(devices, count).text);
    return status;
}

static size_t rank_of(const clshard__selector *selector, const clshard__device *device)
{
    for (size_t i = 0; selector->ordered && i < selector->term_count; i++)
        if (clshard__term_matches(&selector->terms[i], device))
            return i + 1;
    return 0;
}

clshard_status clshard__selector_apply(const clshard__selector *selector, clshard__device *devices,
                                       size_t count, clshard__arena *arena, clshard_error *err)
{
    bool *picked = clshard__alloc(count, sizeof *picked);
    clshard_status status;

    if (picked == NULL)
        return clshard__no_memory(err, "the choice of devices");
    status = pick(selector, devices, count, picked, err);
    for (size_t i = 0; status == CLSHARD_OK && i < count; i++) {
        devices[i].rank = picked[i] ? rank_of(selector, &devices[i]) : 0;
        if (!picked[i] && devices[i].info.excluded == NULL)
            status = clshard__arena_print(arena, &devices[i].info.excluded, err,
                                          "the selector '%s' does not take it",
                                          clshard__quote(selector->text).text);
    }
    clshard__free(picked);
    return status;
}
