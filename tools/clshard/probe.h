/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_PROBE_H
#define TOOL_PROBE_H

/* The entries of OpenCL's loader, each tried in a child process. */

#include <jansson.h>

#include <clshard/status.h>

typedef struct probe_result {
    const char *folder; /* or the one file that OCL_ICD_VENDORS names */
    json_t *entries;    /* [{"file", "library", "verdict", "platforms", "devices", "sentence"}] */
    size_t broken;
    char *vendors; /* OCL_ICD_VENDORS without what crashes or hangs; NULL: as it is */
    char *scratch; /* the folder behind `vendors`; NULL: none */
} probe_result;

/* Each entry may take so many seconds. `io` when the system gives no child or no scratch folder. A
 * folder that cannot be read has no entries. Free it also after a failure. */
clshard_status probe_entries(double seconds, probe_result *out, clshard_error *err);
void probe_free(probe_result *result);

/* In the child: tells what the entries that it sees show, or what is wrong with the library. */
clshard_status probe_tell(const char *library, clshard_error *err);

#endif
