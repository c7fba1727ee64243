/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BENCH_MEASURE_H
#define CLSHARD_BENCH_MEASURE_H

/* One kind of measurement each, listed in bench.c; and what they measure with. */

#include <clshard/status.h>

/* Most repeats of one measurement. */
enum { REPEATS_MAX = 1001 };

typedef struct measurement {
    const char *name;
    const char *what; /* one line for --help and for the reader of the table */
    const char *unit;
    double goal;
    bool lower_is_better;
    /* Measures that many times; *out_median is in the unit. */
    clshard_status (*run)(size_t repeats, double *out_median, clshard_error *err);
} measurement;

extern const measurement measure_first_scatter, measure_first_scatter_warm,
    measure_first_kernel_warm;
extern const measurement measure_layout_part;
extern const measurement measure_reshard_plan;

/* Seconds from some fixed point in time. */
double now(void);

/* Sorts the values. */
double median_of(double *values, size_t count);

#endif
