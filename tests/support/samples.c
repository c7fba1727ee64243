/* SPDX-License-Identifier: Apache-2.0 */
#include "support/samples.h"

#include <stdio.h>
#include <string.h>

static const char axis_names[SAMPLE_AXES][2] = {"a", "b", "c"};

static void choose_mesh(random_source *random, sample *made, size_t *sizes)
{
    for (size_t i = 0; i < SAMPLE_AXES; i++)
        sizes[i] = uniform_between(random, 1, i == 0 ? 4 : 2);
    (void)snprintf(made->mesh, sizeof made->mesh, "a=%zu,b=%zu,c=%zu", sizes[0], sizes[1],
                   sizes[2]);
}

/* Deals the axes out to the dimensions; out_parts receives the parts of each. */
static void choose_spec(random_source *random, sample *made, const size_t *sizes, size_t *out_parts)
{
    char entry[CLSHARD_RANK_MAX][16] = {""};

    for (size_t d = 0; d < made->shape.rank; d++)
        out_parts[d] = 1;
    for (size_t i = 0; i < SAMPLE_AXES; i++) {
        const size_t axis = (i + 2) % SAMPLE_AXES;
        const size_t d = uniform(random, made->shape.rank + 1);
        if (d == made->shape.rank)
            continue;
        if (entry[d][0] != '\0')
            strcat(entry[d], "+");
        strcat(entry[d], axis_names[axis]);
        out_parts[d] *= sizes[axis];
        if (made->policy == CLSHARD_WEIGHTED) {
            for (size_t k = 0; k < sizes[axis]; k++)
                made->weights[axis][k] = (uint32_t)uniform_between(random, k == 0, 5);
            made->splits[made->split_count++] = (clshard_split){.axis = axis_names[axis],
                                                                .policy = CLSHARD_WEIGHTED,
                                                                .weights = made->weights[axis],
                                                                .count = sizes[axis],
                                                                .granule = uniform(random, 4)};
        }
    }
    made->spec[0] = '\0';
    for (size_t d = 0; d < made->shape.rank; d++) {
        strcat(made->spec, d > 0 ? "," : "");
        strcat(made->spec, entry[d][0] != '\0' ? entry[d] : "_");
    }
}

static void choose_shape(random_source *random, sample *made, const size_t *parts)
{
    static const size_t largest[CLSHARD_RANK_MAX] = {40, 12, 6, 4, 3, 2, 2, 2};
    made->elements = 1;
    for (size_t d = 0; d < made->shape.rank; d++) {
        size_t extent = uniform(random, 12) == 0 ? 0 : uniform_between(random, 1, largest[d]);
        if (made->policy == CLSHARD_EVEN)
            extent = (extent + parts[d] - 1) / parts[d] * parts[d];
        made->shape.extent[d] = extent;
        made->elements *= extent;
    }
}

/* Permuted, reversed, with gaps; or dense one time in three. Returns the bytes from the first to
 * the last element. */
static size_t choose_strides(random_source *random, sample *made, unsigned char *memory)
{
    const bool dense = uniform(random, 3) == 0;
    size_t order[CLSHARD_RANK_MAX];
    size_t stride = clshard_dtype_bytes(made->dtype);
    size_t first = 0;

    made->host = (clshard_tensor){.data = memory, .dtype = made->dtype, .shape = made->shape};
    if (dense || made->elements == 0)
        return made->elements * stride;
    for (size_t d = 0; d < made->shape.rank; d++) {
        const size_t other = uniform(random, 3) == 0 ? uniform(random, d + 1) : d;
        order[d] = order[other];
        order[other] = d;
    }
    for (size_t i = made->shape.rank; i-- > 0;) {
        const size_t d = order[i];
        const bool reversed = uniform(random, 5) == 0;
        made->host.strides[d] = reversed ? -(ptrdiff_t)stride : (ptrdiff_t)stride;
        first += reversed ? stride * (made->shape.extent[d] - 1) : 0;
        stride *= made->shape.extent[d] + (uniform(random, 3) == 0);
    }
    made->host.data = memory + first;
    return stride;
}

static size_t choose(random_source *random, sample *made, unsigned char *memory)
{
    static const clshard_policy policies[] = {CLSHARD_EVEN, CLSHARD_BALANCED, CLSHARD_CEIL,
                                              CLSHARD_PAD,  CLSHARD_DROP,     CLSHARD_WEIGHTED};
    size_t sizes[SAMPLE_AXES];
    size_t parts[CLSHARD_RANK_MAX];

    memset(made, 0, sizeof *made);
    made->policy = policies[uniform(random, sizeof policies / sizeof *policies)];
    made->dtype = (clshard_dtype)uniform_between(random, CLSHARD_BOOL, CLSHARD_F64);
    made->shape.rank = uniform(random, uniform(random, 4) == 0 ? CLSHARD_RANK_MAX + 1 : 4);
    choose_mesh(random, made, sizes);
    choose_spec(random, made, sizes, parts);
    choose_shape(random, made, parts);
    return choose_strides(random, made, memory);
}

void sample_make(random_source *random, sample *made, unsigned char *memory)
{
    char shape[128];

    while (choose(random, made, memory) > SAMPLE_HOST_BYTES)
        continue;
    (void)clshard_shape_format(made->shape, shape, sizeof shape);
    (void)snprintf(made->text, sizeof made->text, "mesh %s, spec %s, %s, %s %s", made->mesh,
                   made->spec, clshard_policy_name(made->policy), shape,
                   clshard_dtype_name(made->dtype));
}

unsigned char *sample_element(const clshard_tensor *tensor, size_t i)
{
    unsigned char *at = tensor->data;
    size_t dense = clshard_dtype_bytes(tensor->dtype);
    bool zero = true;

    for (size_t d = 0; d < tensor->shape.rank; d++)
        zero = zero && tensor->strides[d] == 0;
    for (size_t d = tensor->shape.rank; d-- > 0;) {
        const size_t extent = tensor->shape.extent[d];
        at += (ptrdiff_t)(i % extent) * (zero ? (ptrdiff_t)dense : tensor->strides[d]);
        dense *= extent;
        i /= extent;
    }
    return at;
}

size_t sample_global_index(clshard_shape shape, const clshard_box *box, size_t i)
{
    size_t index = 0;
    size_t factor = 1;

    for (size_t d = shape.rank; d-- > 0;) {
        index += (box->offset[d] + i % box->extent[d]) * factor;
        i /= box->extent[d];
        factor *= shape.extent[d];
    }
    return index;
}
