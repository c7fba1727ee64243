/* SPDX-License-Identifier: Apache-2.0 */
#include "transfer/route.h"

#include <string.h>

#include "base/env.h"
#include "base/error.h"
#include "base/text.h"

static size_t list_routes(char *buffer, size_t buffer_bytes)
{
    clshard__writer writer = clshard__writer_of(buffer, buffer_bytes);
    const char *name;
    for (int i = 0; (name = clshard_route_name((clshard_route)i)) != NULL; i++)
        clshard__write(&writer, "%s%s", i > 0 ? ", " : "", name);
    return writer.needed;
}

static clshard_status from_environment(clshard_route *out_route, clshard_error *err)
{
    const char *asked = clshard__env_get(CLSHARD__ENV_ROUTE);
    char routes[128];
    const char *name;

    *out_route = CLSHARD_ROUTE_AUTO;
    if (asked == NULL)
        return CLSHARD_OK;
    for (int i = 0; (name = clshard_route_name((clshard_route)i)) != NULL; i++)
        if (strcmp(name, asked) == 0) {
            *out_route = (clshard_route)i;
            return CLSHARD_OK;
        }
    (void)list_routes(routes, sizeof routes);
    return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "CLSHARD_ROUTE is '%s'; it may be one of: %s",
                         clshard__quote(asked).text, routes);
}

clshard_status clshard__route_forced(clshard_route option, const char *operation,
                                     clshard_route *out_route, clshard_error *err)
{
    char routes[128];

    if (clshard_route_name(option) == NULL) {
        (void)list_routes(routes, sizeof routes);
        return clshard__fail(err, CLSHARD_ERR_ARGUMENT, "%s: %d is no route; they are 0 and up: %s",
                             operation, (int)option, routes);
    }
    if (option == CLSHARD_ROUTE_AUTO)
        return from_environment(out_route, err);
    *out_route = option;
    return CLSHARD_OK;
}

/* On a device that works in the host's memory the host packs as fast as a kernel would, without
 * moving a slab first. Elsewhere a slab pays as long as not much more crosses the bus than is
 * wanted. */
clshard_route clshard__route_choose(clshard_route forced, const clshard__device *device,
                                    const clshard__copy *copy)
{
    ptrdiff_t low;
    ptrdiff_t high;

    if (forced != CLSHARD_ROUTE_AUTO)
        return forced;
    if (copy->rank == 0 || !device->own_memory)
        return CLSHARD_ROUTE_LINEAR;
    clshard__copy_source_span(copy, &low, &high);
    return (size_t)(high - low) / 2 <= clshard__copy_bytes(copy) ? CLSHARD_ROUTE_KERNEL
                                                                 : CLSHARD_ROUTE_LINEAR;
}
