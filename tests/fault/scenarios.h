/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_FAULT_SCENARIOS_H
#define CLSHARD_TESTS_FAULT_SCENARIOS_H

/* What the library does while drivers and allocations fail. */

#include <clshard/clshard.h>

/* Right data, but for a fault of the library: what a scenario answers when data is wrong. */
#define WRONG_DATA CLSHARD_ERR_INTERNAL

/* A fault is told by a finding of a self-test: its sentence is the message, without a code. */
#define TOLD_AS_FINDING CLSHARD_ERR_UNSUPPORTED

typedef struct scenario scenario;
struct scenario {
    const char *name;
    /* Makes, uses and releases whatever it is about, on whatever devices the runtime has. OK: every
     * call succeeded, and the data was right. Must be possible again on the same runtime. */
    clshard_status (*run)(const scenario *self, const clshard_runtime *runtime, clshard_error *err);
    clshard_route route;
    clshard_context_policy contexts;
    const char *cache; /* of the scenario's own runtime: a folder to make, "off", or NULL */
    const char *mesh;  /* where positions may share devices; NULL: "a=2,b=2" */
    const char *spec;  /* NULL: "_,a" */
    clshard_policy policy;
    unsigned long step; /* only each step-th fault, where a run takes long; 0: 1 */
    bool fresh;         /* on a runtime that was just opened: contexts and programs are made too */
};

/* Ends with one that has no name. */
extern const scenario scenarios[];

/* All devices, or NULL where CLSHARD_DEVICES says which. */
const char *scenarios_selector(void);

/* Where those that use files make them. Before the first run. */
void scenarios_set_folder(const char *path);

/* Removes the cache of kernels that is in it; whatever else is left there should not be. */
void scenarios_clean_folder(void);

#endif
