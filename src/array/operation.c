/* SPDX-License-Identifier: Apache-2.0 */
#include "array/operation.h"

#include <stdatomic.h>

#include "array/operation_report.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fork.h"
#include "base/lock.h"
#include "base/refcount.h"
#include "opencl/code.h"
#include "opencl/wait.h"

struct clshard__operation {
    clshard__refcount claims;
    const char *what;
    clshard__memory *memory;
    pid_t process; /* that issued it */
    clshard__step *step;
    size_t step_count;
    clshard__lock lock; /* held by the thread that settles; guards told */
    atomic_bool
        settled; /* all steps are done and what they used is freed; then all below is fixed */
    clshard_error failure;
    clshard_report *report;
    bool told; /* a user knows of the failure */
};

clshard_status clshard__operation_create(const char *what, size_t most_steps,
                                         clshard__memory *memory,
                                         clshard__operation **out_operation, clshard_error *err)
{
    clshard__operation *operation = clshard__alloc(1, sizeof *operation);
    clshard_status status;

    if (operation == NULL)
        return clshard__no_memory(err, what);
    operation->step = clshard__alloc(most_steps, sizeof *operation->step);
    operation->report = clshard__alloc(most_steps, sizeof *operation->report);
    status = operation->step == NULL || operation->report == NULL
                 ? clshard__no_memory(err, what)
                 : clshard__lock_init(&operation->lock, err);
    if (status != CLSHARD_OK) {
        clshard__free(operation->step);
        clshard__free(operation->report);
        clshard__free(operation);
        return status;
    }
    clshard__refcount_init(&operation->claims);
    atomic_init(&operation->settled, false);
    operation->what = what;
    operation->memory = memory;
    operation->process = clshard__fork_mark();
    *out_operation = operation;
    return CLSHARD_OK;
}

clshard__operation *clshard__operation_retain(clshard__operation *operation)
{
    clshard__refcount_retain(&operation->claims);
    return operation;
}

void clshard__operation_release(clshard__operation *operation)
{
    if (operation == NULL || !clshard__refcount_release(&operation->claims))
        return;
    (void)clshard__operation_wait(operation, false, NULL);
    clshard__lock_end(&operation->lock);
    clshard__free(operation->step);
    clshard__free(operation->report);
    clshard__free(operation);
}

clshard__step *clshard__operation_add(clshard__operation *operation, size_t position)
{
    clshard__step *step = &operation->step[operation->step_count++];
    step->position = position;
    step->issued = clshard__seconds();
    return step;
}

static bool is_settled(const clshard__operation *operation)
{
    return atomic_load_explicit(&operation->settled, memory_order_acquire);
}

static void keep_first(clshard__operation *operation, const clshard_error *failure)
{
    if (operation->failure.status == CLSHARD_OK)
        operation->failure = *failure;
}

static void run_aftermath(clshard__operation *operation, const clshard__step *step)
{
    const clshard__aftermath *after = &step->after;
    clshard_error failure = {CLSHARD_OK, 0, -1, ""};

    if (after->copy.run == 0)
        return;
    if (!after->compare) {
        clshard__copy_run(&after->copy, after->to, step->staging.handle);
    } else if (!clshard__copy_equal(&after->copy, after->to, step->staging.handle)) {
        (void)clshard__fail(&failure, CLSHARD_ERR_REPLICAS,
                            "%s: the replica at position %zu on device %s '%s' differs from the "
                            "first replica of its slice",
                            operation->what, step->position, step->worker.device->info.id,
                            step->worker.device->info.name);
        clshard__error_at(&failure, step->position);
        keep_first(operation, &failure);
    }
}

/* Waits for a step's commands, and gives back what the driver holds for it. */
static cl_int end_commands(const clshard__operation *operation, clshard__step *step,
                           clshard_report *report)
{
    cl_int code;

    clshard__worker_enter(&step->worker);
    code = step->last == NULL ? CL_SUCCESS : clshard__wait(step->worker.queue, step->last);
    clshard__report_fill(report, step, clshard__seconds());
    if (step->first != NULL)
        (void)clReleaseEvent(step->first);
    if (step->last != NULL)
        (void)clReleaseEvent(step->last);
    if (step->temporary.handle != NULL)
        clshard__memory_give(operation->memory, &step->worker, step->temporary, code == CL_SUCCESS);
    clshard__worker_leave(&step->worker);
    return code;
}

static void settle_step(clshard__operation *operation, clshard__step *step, clshard_report *report)
{
    const cl_int code = end_commands(operation, step, report);

    if (code != CL_SUCCESS) {
        clshard_error failure;
        (void)clshard__fail_code(&failure, code, operation->what, step->worker.device->info.name);
        clshard__error_at(&failure, step->position);
        keep_first(operation, &failure);
    } else if (operation->failure.status == CLSHARD_OK) {
        run_aftermath(operation, step);
    }
    clshard__memory_unstage(operation->memory, step->staging);
}

/* Steps settle by rising position, so that a slice's first replica is there before others are
 * compared. */
static void settle(clshard__operation *operation)
{
    if (is_settled(operation))
        return;
    for (size_t i = 0; i < operation->step_count; i++)
        settle_step(operation, &operation->step[i], &operation->report[i]);
    atomic_store_explicit(&operation->settled, true, memory_order_release);
}

clshard_status clshard__operation_wait(clshard__operation *operation, bool tell, clshard_error *err)
{
    clshard_status status = clshard__fork_check(operation->process, err);

    if (status != CLSHARD_OK)
        return status;
    clshard__lock_take(&operation->lock);
    settle(operation);
    status = operation->failure.status;
    if (status != CLSHARD_OK && err != NULL)
        *err = operation->failure;
    operation->told = operation->told || tell;
    clshard__lock_leave(&operation->lock);
    return status;
}

static bool step_ended(const clshard__step *step)
{
    cl_int state = CL_COMPLETE;
    cl_int code = CL_SUCCESS;

    if (!clshard__worker_try_enter(&step->worker))
        return false;
    if (step->last != NULL)
        code = clGetEventInfo(step->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                              NULL);
    clshard__worker_leave(&step->worker);
    return code != CL_SUCCESS || state <= CL_COMPLETE;
}

bool clshard__operation_done(clshard__operation *operation)
{
    bool done = true;

    if (is_settled(operation) || clshard__fork_check(operation->process, NULL) != CLSHARD_OK)
        return true;
    if (!clshard__lock_try(&operation->lock))
        return false; /* another thread waits, or asks; a caller that asks must not wait with it */
    for (size_t i = 0; done && !is_settled(operation) && i < operation->step_count; i++)
        done = step_ended(&operation->step[i]);
    if (done)
        settle(operation);
    clshard__lock_leave(&operation->lock);
    return done;
}

bool clshard__operation_untold(clshard__operation *operation)
{
    bool untold;

    if (!is_settled(operation) || operation->failure.status == CLSHARD_OK)
        return false;
    clshard__lock_take(&operation->lock);
    untold = !operation->told;
    clshard__lock_leave(&operation->lock);
    return untold;
}

size_t clshard__operation_reports(clshard__operation *operation, const clshard_report **out_report)
{
    *out_report = operation->report;
    return is_settled(operation) && operation->failure.status == CLSHARD_OK ? operation->step_count
                                                                            : 0;
}
