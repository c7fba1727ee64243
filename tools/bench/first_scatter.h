/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BENCH_FIRST_SCATTER_H
#define CLSHARD_BENCH_FIRST_SCATTER_H

/* The word after which this program is one of the processes that first_scatter.c measures. */
#define FIRST_SCATTER_CHILD "--first-scatter-child"

/* Prints the seconds; returns the exit status. */
int first_scatter_child(const char *how, const char *cache_folder);

#endif
