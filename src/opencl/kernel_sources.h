/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_OPENCL_KERNEL_SOURCES_H
#define CLSHARD_OPENCL_KERNEL_SOURCES_H

/* The files of cl/, embedded at build time by cmake/EmbedCl.cmake. */

typedef struct clshard__kernel_source {
    const char *name; /* of the file, without .cl */
    const char *text;
} clshard__kernel_source;

/* Ends with a NULL name. */
extern const clshard__kernel_source clshard__kernel_sources[];

#endif
