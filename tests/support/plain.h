/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_PLAIN_H
#define CLSHARD_TESTS_PLAIN_H

/* For tests that are plain programs: Criterion crashes under ThreadSanitizer, and forks itself.
 * What fails is printed and counted, from any thread; main() ends with plain_result(). */

#include <clshard/clshard.h>

enum { PLAIN_TEAM = 8 };

/* True; false, printed and counted, when the condition does not hold. The rest is as for printf. */
#define expect(condition, ...)                                                                     \
    plain_expect((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)

/* The same for a call that must succeed; err is the address that the call was given. */
#define works(call, err) plain_works((call), (err), __FILE__, __LINE__, #call)

/* The same for a call that must fail so, with those words in its message. */
#define refused(call, status, words, err)                                                          \
    plain_refused((call), (status), (words), (err), __FILE__, __LINE__, #call)

bool plain_expect(bool good, const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
bool plain_works(clshard_status status, const clshard_error *err, const char *file, int line,
                 const char *call);
bool plain_refused(clshard_status status, clshard_status wanted, const char *words,
                   const clshard_error *err, const char *file, int line, const char *call);

/* In a child: what its parent counted is not the child's. */
void plain_start_over(void);

/* The program's exit status: 0 when something was checked and nothing failed. */
int plain_result(void);

/* Runs the function in PLAIN_TEAM threads, which start together, and waits for them. */
void plain_team(void (*member)(void *context, size_t number), void *context);

/* The devices that CLSHARD_DEVICES names, else all. None is a failure: a run on nothing must not
 * look like a success. NULL: failed. */
clshard_runtime *plain_open(const clshard_runtime_options *options);

/* Mesh and sharding whose positions share devices where there are too few; the caller may release
 * the mesh and the runtime. NULL: failed. */
clshard_sharding *plain_sharding(const clshard_runtime *runtime, const char *axes,
                                 const char *spec);

#endif
