/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_ARRAY_OPERATION_REPORT_H
#define CLSHARD_ARRAY_OPERATION_REPORT_H

/* What a finished step tells the user. */

#include "array/operation.h"

/* ended: clshard__seconds() when the step was seen to be done. Its events must be alive. */
void clshard__report_fill(clshard_report *report, const clshard__step *step, double ended);

/* The reports of an operation that was waited for and succeeded; 0 else. */
size_t clshard__operation_reports(clshard__operation *operation, const clshard_report **out_report);

#endif
