/* SPDX-License-Identifier: Apache-2.0 */
#include "base/env.h"

#include <stddef.h>
#include <stdlib.h>

#define ENV_TEXT(name, text) text,

const char *clshard__env_name(clshard__env variable)
{
    static const char *const names[] = {CLSHARD__ENV_MAP(ENV_TEXT)};
    return variable < CLSHARD__ENV_COUNT ? names[variable] : NULL;
}

const char *clshard__env_get(clshard__env variable)
{
    const char *name = clshard__env_name(variable);
    const char *value = name == NULL ? NULL : getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}
