/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"

enum { MOST_WORDS = 12, CANNOT_START = 127 };

static double seconds_now(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static off_t size_of(FILE *file)
{
    struct stat facts;
    return fstat(fileno(file), &facts) == 0 ? facts.st_size : 0;
}

/* In the child; does not return. */
static void become(const process *child, FILE *out)
{
    const char *words[MOST_WORDS + 2] = {"clshard"};
    const int nothing = open("/dev/null", O_RDWR);

    for (size_t i = 0; i < MOST_WORDS && child->words[i] != NULL; i++)
        words[i + 1] = child->words[i];
    if (child->vendors != NULL && setenv("OCL_ICD_VENDORS", child->vendors, 1) != 0)
        _exit(CANNOT_START);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(fileno(out), STDOUT_FILENO) < 0 ||
        (child->silent && dup2(nothing, STDERR_FILENO) < 0))
        _exit(CANNOT_START);
    (void)execv("/proc/self/exe", (char *const *)words);
    _exit(CANNOT_START);
}

/* Whether it has ended; else sleeps a little. */
static bool has_ended(pid_t id, int *out_state)
{
    const struct timespec little = {0, 2000000};

    if (waitpid(id, out_state, WNOHANG) != 0)
        return true;
    (void)nanosleep(&little, NULL);
    return false;
}

clshard_status process_run(const process *child, FILE *out, process_end *out_end,
                           clshard_error *err)
{
    const process_end none = {false, 0, 0};
    double heard = seconds_now();
    off_t bytes = size_of(out);
    int state = 0;
    pid_t id;

    *out_end = none;
    (void)fflush(NULL);
    id = fork();
    if (id < 0)
        return fail_io(err, "starting", "/proc/self/exe");
    if (id == 0)
        become(child, out);
    while (!has_ended(id, &state)) {
        if (size_of(out) != bytes) {
            bytes = size_of(out);
            heard = seconds_now();
        }
        if (!out_end->timed_out && seconds_now() - heard > child->seconds) {
            out_end->timed_out = true;
            (void)kill(id, SIGKILL);
        }
    }
    out_end->signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    out_end->exit = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
    if (out_end->exit == CANNOT_START)
        return fail(err, CLSHARD_ERR_IO, "check: this program cannot be started as a child");
    return CLSHARD_OK;
}
