# SPDX-License-Identifier: Apache-2.0
# What every test has: a label, a time limit, and what it runs with under sanitizers.

# Criterion does not fail a test whose child leaks or whose behaviour is undefined: the output must be read.
# A warning that memory for more than there is was refused is no report: tests ask for it.
set(clshard_sanitizer_reports
    "ERROR: [A-Za-z]*Sanitizer|WARNING: ThreadSanitizer|Sanitizer: CHECK failed|Sanitizer has encountered|runtime error:")

# Because of drivers: gcc 12's LeakSanitizer dies of a signal when it looks into the thread-local memory of
# llvmpipe's threads beside PoCL's (Mesa 22.3.6), and its AddressSanitizer when a thread of Intel's runtime
# (2026.2) ends that gave the signal stack back.
set(clshard_sanitizer_environment
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0:use_tls=0"
    "ASAN_OPTIONS=use_sigaltstack=0:allocator_may_return_null=1"
    # Children of programs with threads make threads of their own in tests/threads/process_fork.c.
    "TSAN_OPTIONS=die_after_fork=0")

# Tests leave the user's kernel cache alone.
set(clshard_test_environment ${clshard_sanitizer_environment} "CLSHARD_CACHE_DIR=${PROJECT_BINARY_DIR}/kernel-cache")

function(clshard_test_properties test label seconds)
    set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT ${seconds}
                                            FAIL_REGULAR_EXPRESSION "${clshard_sanitizer_reports}"
                                            ENVIRONMENT "${clshard_test_environment}")
endfunction()
