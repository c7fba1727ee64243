/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_CHECK_JOBS_H
#define TOOL_CHECK_JOBS_H

/* The tests of all devices, then of all pairs: numbered jobs, so that a child can go on after the
 * one that ended another child. */

#include <jansson.h>

#include <clshard/status.h>

typedef struct check_jobs {
    const char *devices; /* selector; NULL: CLSHARD_DEVICES, and without it all */
    bool quick;
    const char *vendors; /* OCL_ICD_VENDORS of the child; NULL: as it is */
    double seconds;      /* that a child may take for one test */
} check_jobs;

/* In the child: runs the jobs from `first` on, and tells what they find. */
clshard_status check_jobs_tell(const check_jobs *jobs, size_t first, clshard_error *err);

/* In the parent: children until all jobs are done. *out_devices: [{"id", "name", "platform",
 * "version", "driver", "findings"}]; *out_pairs: [{"from", "to", "findings"}]; each finding:
 * {"test", "verdict", "sentence", "seconds"}. Both are set, also after a failure. */
clshard_status check_jobs_run(const check_jobs *jobs, json_t **out_devices, json_t **out_pairs,
                              clshard_error *err);

#endif
