/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_ENV_H
#define CLSHARD_BASE_ENV_H

/* The environment variables that the library reads: all of them. */

#define CLSHARD__ENV_MAP(X)                                                                        \
    X(DEVICES, "CLSHARD_DEVICES")       /* the selector when the caller gives none */              \
    X(LOG, "CLSHARD_LOG")               /* stderr or off: log lines when the caller takes none */  \
    X(ROUTE, "CLSHARD_ROUTE")           /* the route when the caller forces none */                \
    X(CACHE_DIR, "CLSHARD_CACHE_DIR")   /* the folder of the kernel cache, or off */               \
    X(XDG_CACHE_HOME, "XDG_CACHE_HOME") /* the folder that holds it when neither says so */        \
    X(HOME, "HOME")                     /* and without that: .cache in it */

#define CLSHARD__ENV_ENUM(name, text) CLSHARD__ENV_##name,
typedef enum clshard__env { CLSHARD__ENV_MAP(CLSHARD__ENV_ENUM) CLSHARD__ENV_COUNT } clshard__env;

/* The name of the variable. */
const char *clshard__env_name(clshard__env variable);

/* Its value; NULL when it is unset or empty. */
const char *clshard__env_get(clshard__env variable);

#endif
