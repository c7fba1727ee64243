/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_RUNTIME_H
#define CLSHARD_RUNTIME_H

/**
 * @file
 * The devices of this machine, of every OpenCL platform: facts, and the engine that drives them.
 *
 * A runtime is opaque and shared: a mesh made from it keeps it alive, and the creator may release
 * its own claim at any time, in any order. Opening one makes no context; contexts and queues are
 * made when a mesh first uses a device. In a child of fork() what would touch a driver through the
 * parent's runtime is `forked`; facts can be read, and everything can be released.
 *
 * Thread class: internally locked.
 */

#include <clshard/status.h>

/** The devices, and what drives them. */
typedef struct clshard_runtime clshard_runtime;

/** Bits of clshard_device_info::type. A device may have several. */
enum {
    CLSHARD_DEVICE_CPU = 1,        /**< the host's own cores */
    CLSHARD_DEVICE_GPU = 2,        /**< a graphics processor */
    CLSHARD_DEVICE_ACCELERATOR = 4 /**< any other processor */
};

/** How many OpenCL contexts are made for the devices that meshes use. */
typedef enum clshard_context_policy {
    CLSHARD_CONTEXT_AUTO =
        0, /**< per platform among devices that share the host's memory, else per device */
    CLSHARD_CONTEXT_PER_PLATFORM = 1, /**< one for all used devices of a platform */
    CLSHARD_CONTEXT_PER_DEVICE = 2    /**< one each */
} clshard_context_policy;

/** Facts about a platform. Owned by the runtime; may grow at its end. Strings are never NULL unless
 * said. */
typedef struct clshard_platform_info {
    const char *id;      /**< its number in the loader's order, as clinfo counts: "1" */
    const char *name;    /**< CL_PLATFORM_NAME */
    const char *vendor;  /**< CL_PLATFORM_VENDOR */
    const char *version; /**< CL_PLATFORM_VERSION */
    size_t device_count; /**< devices that it lists, in use or not */
    const char *problem; /**< why its devices could not be listed; NULL: none */
} clshard_platform_info;

/** Facts about a device. Owned by the runtime; may grow at its end. Strings are never NULL unless
 * said. */
typedef struct clshard_device_info {
    size_t index;                  /**< in this runtime */
    const char *id;                /**< "P.D": platform and device as clinfo counts them */
    const char *name;              /**< CL_DEVICE_NAME */
    const char *vendor;            /**< CL_DEVICE_VENDOR */
    const char *platform;          /**< the name of its platform */
    const char *version;           /**< CL_DEVICE_VERSION */
    const char *driver;            /**< CL_DRIVER_VERSION */
    uint32_t type;                 /**< CLSHARD_DEVICE_* bits */
    uint32_t compute_units;        /**< CL_DEVICE_MAX_COMPUTE_UNITS */
    uint64_t memory_bytes;         /**< CL_DEVICE_GLOBAL_MEM_SIZE */
    uint64_t largest_buffer_bytes; /**< the most that one shard may take */
    bool host_memory;              /**< works in the host's memory */
    bool f64;                      /**< computes in f64 */
    bool f16;                      /**< computes in f16 */
    const char *excluded;          /**< why it is left out; NULL: it is in use */
    const char *disabled; /**< features turned off for its driver, with the reason; "": none */
} clshard_device_info;

/** Options of clshard_runtime_open(). */
typedef struct clshard_runtime_options {
    size_t size;                     /**< of this struct */
    clshard_context_policy contexts; /**< how contexts are shared */
    bool keep_duplicates;            /**< one physical device under two drivers counts twice, the
                                          host's CPU included; a selector never looks at this */
    size_t pool_bytes; /**< most bytes of released buffers that are kept for new ones, per device
                          and as much for staging; 0: an eighth of a device's memory, 256 MiB of
                            staging; 1: none */
    void (*log)(void *context,
                const char *line); /**< one line of log, without newline; called in any thread that
                                        uses the runtime, one at a time, while locks are held: it
                                      may call nothing of clshard but queries */
    void *log_context;             /**< passed to `log` */
    const char *cache_folder;      /**< absolute path of the folder that keeps built kernels between
                                        processes, made when missing; `off`: none; NULL: as
                                        docs/cache.md says, `CLSHARD_CACHE_DIR` first */
} clshard_runtime_options;

CLSHARD_BEGIN_DECLS

/**
 * Lists the devices of every platform and chooses those to use.
 *
 * Without a selector: one per physical device; accelerators and GPUs if there are any, else the
 * CPUs of one platform (see docs/devices.md). A selector is a comma-separated list of terms, each
 * either
 * `*` (everything), `P.D` (a device by its id), `P.*` (a platform's devices), a type (`cpu`, `gpu`,
 * `accelerator`; a device whose CPU bit is set is a CPU), or any other text: a part of the device's
 * or the platform's name or vendor, upper or lower case alike. A number of one or two digits is no
 * such text, since it looks like an id. Terms apply from left to right; one after `-` leaves out
 * what it names; a list that starts so starts from `*`. A list of `P.D` alone also gives the order.
 * A selector takes exactly what it names, also one device under two drivers and simulators; devices
 * that are not available are never taken.
 * @param selector NULL: `CLSHARD_DEVICES` from the environment, and without it the defaults.
 * @param options may be NULL.
 * @param out_runtime receives the runtime; end with clshard_runtime_release(). A machine without
 * any device is no failure: the runtime then has none.
 * @param err may be NULL.
 * @return OK; `text` for a selector that does not parse; `no_devices` for a term that matches
 * nothing (the message lists what exists) and for a selector that leaves nothing;
 * `duplicate_device` for an id named twice; `argument` for unknown options or environment values,
 * and for a cache folder whose path is not absolute; `opencl` where the loader itself fails;
 * `memory`.
 */
CLSHARD_CHECKED clshard_status clshard_runtime_open(const char *selector,
                                                    const clshard_runtime_options *options,
                                                    clshard_runtime **out_runtime,
                                                    clshard_error *err);

/** Gives up the caller's claim. NULL is allowed. */
CLSHARD_API void clshard_runtime_release(clshard_runtime *runtime);

/**
 * Gives the memory of released arrays, which is kept for new ones, back to drivers and system.
 * @return OK; `forked`; `argument` for NULL.
 */
CLSHARD_CHECKED clshard_status clshard_runtime_trim(clshard_runtime *runtime, clshard_error *err);

/** Number of platforms, those without devices included. */
CLSHARD_API size_t clshard_runtime_platform_count(const clshard_runtime *runtime);

/** Facts about a platform, in the loader's order; NULL past the last. Lives as long as the runtime.
 */
CLSHARD_API const clshard_platform_info *clshard_runtime_platform(const clshard_runtime *runtime,
                                                                  size_t index);

/** Number of devices in use. */
CLSHARD_API size_t clshard_runtime_device_count(const clshard_runtime *runtime);

/** Number of devices left out; they are numbered after those in use. */
CLSHARD_API size_t clshard_runtime_excluded_count(const clshard_runtime *runtime);

/**
 * Facts about a device; NULL past the last. The order of those in use does not depend on the order
 * in which the loader lists platforms: accelerators and GPUs before CPUs, then by platform name,
 * PCI address and number in the platform. Lives as long as the runtime.
 */
CLSHARD_API const clshard_device_info *clshard_runtime_device(const clshard_runtime *runtime,
                                                              size_t index);

CLSHARD_END_DECLS

#endif
