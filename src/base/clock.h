/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_BASE_CLOCK_H
#define CLSHARD_BASE_CLOCK_H

/* Seconds since some fixed moment; never goes back. */
double clshard__seconds(void);

#endif
