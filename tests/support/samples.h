/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLSHARD_TESTS_SAMPLES_H
#define CLSHARD_TESTS_SAMPLES_H

/* Random arrays for transfers: a mesh, a spec, a policy per dimension, a shape, a dtype and host
 * strides. */

#include <clshard/clshard.h>

#include "support/random.h"

enum { SAMPLE_AXES = 3, SAMPLE_HOST_BYTES = 1 << 18 };

typedef struct sample {
    char mesh[64], spec[128];
    clshard_policy policy;
    uint32_t weights[SAMPLE_AXES][4]; /* for WEIGHTED: of axes a, b, c */
    clshard_split splits[SAMPLE_AXES];
    size_t split_count;
    clshard_shape shape;
    clshard_dtype dtype;
    clshard_tensor host; /* strided, inside the memory given */
    size_t elements;
    char text[400]; /* all of it, for messages */
} sample;

/* Fills the sample; memory holds SAMPLE_HOST_BYTES. Every sample is valid: no status but OK is
 * right. */
void sample_make(random_source *random, sample *made, unsigned char *memory);

/* Where element number i (C order) of a strided tensor lies. */
unsigned char *sample_element(const clshard_tensor *tensor, size_t i);

/* The number, in C order of the whole shape, of element i (C order) of a box. */
size_t sample_global_index(clshard_shape shape, const clshard_box *box, size_t i);

#endif
