/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "layout/copy.h"
#include "layout/strides.h"
#include "support/random.h"

enum { ROUNDS = 3000, HOST_BYTES = 1 << 16 };

/* A random box inside a random host array whose dimensions are permuted, reversed or stepped over.
 */
typedef struct sample {
    clshard_shape box;
    size_t item_bytes;
    ptrdiff_t host_stride[CLSHARD_RANK_MAX];
    ptrdiff_t dense_stride[CLSHARD_RANK_MAX];
    ptrdiff_t first; /* the box's first element in the host memory */
    size_t count;
} sample;

static bool make_sample(random_source *random, sample *made)
{
    static const size_t items[] = {1, 2, 4, 8};
    size_t order[CLSHARD_RANK_MAX];
    size_t stride;

    memset(made, 0, sizeof *made);
    made->item_bytes = items[uniform(random, 4)];
    made->box.rank = uniform(random, CLSHARD_RANK_MAX + 1);
    stride = made->item_bytes;
    for (size_t d = 0; d < made->box.rank; d++) {
        const size_t other = uniform(random, d + 1);
        order[d] = order[other];
        order[other] = d;
        made->box.extent[d] = uniform_between(random, 1, 5);
    }
    for (size_t i = 0; i < made->box.rank; i++) {
        const size_t d = order[i];
        const bool reversed = uniform(random, 4) == 0;
        made->host_stride[d] = reversed ? -(ptrdiff_t)stride : (ptrdiff_t)stride;
        if (reversed)
            made->first += (ptrdiff_t)(stride * (made->box.extent[d] - 1));
        stride *= made->box.extent[d] + uniform(random, 2) * uniform(random, 3);
        if (stride > HOST_BYTES)
            return false;
    }
    clshard__dense_strides(made->box, made->item_bytes, made->dense_stride);
    made->count = clshard__element_count(made->box);
    return true;
}

/* Where element i of the box lies on either side, by the definition. */
static ptrdiff_t place(const sample *s, const ptrdiff_t *strides, size_t i)
{
    ptrdiff_t at = 0;
    for (size_t d = s->box.rank; d-- > 0;) {
        at += (ptrdiff_t)(i % s->box.extent[d]) * strides[d];
        i /= s->box.extent[d];
    }
    return at;
}

static unsigned char host[HOST_BYTES], dense[HOST_BYTES], back[HOST_BYTES];

static void fill_host(random_source *random)
{
    for (size_t i = 0; i < HOST_BYTES; i++)
        host[i] = (unsigned char)random_u64(random);
}

Test(copy, packs_every_element_where_the_definition_puts_it)
{
    random_source random = {1};
    sample s;

    fill_host(&random);
    for (int round = 0; round < ROUNDS; round++) {
        clshard__copy copy;
        if (!make_sample(&random, &s))
            continue;
        copy = clshard__copy_of(s.box, s.host_stride, s.dense_stride, s.item_bytes);
        cr_assert_eq(clshard__copy_bytes(&copy), s.count * s.item_bytes);
        clshard__copy_run(&copy, dense, host + s.first);
        for (size_t i = 0; i < s.count; i++)
            cr_assert_arr_eq(dense + place(&s, s.dense_stride, i),
                             host + s.first + place(&s, s.host_stride, i), s.item_bytes);
        cr_assert(clshard__copy_equal(&copy, dense, host + s.first));
        dense[uniform(&random, s.count * s.item_bytes)] ^= 1;
        cr_assert_not(clshard__copy_equal(&copy, dense, host + s.first));
    }
}

Test(copy, unpacking_touches_nothing_between_the_elements)
{
    random_source random = {2};
    sample s;

    fill_host(&random);
    for (int round = 0; round < ROUNDS; round++) {
        clshard__copy pack;
        clshard__copy unpack;
        size_t changed = 0;
        if (!make_sample(&random, &s))
            continue;
        pack = clshard__copy_of(s.box, s.host_stride, s.dense_stride, s.item_bytes);
        unpack = clshard__copy_of(s.box, s.dense_stride, s.host_stride, s.item_bytes);
        clshard__copy_run(&pack, dense, host + s.first);
        for (size_t i = 0; i < HOST_BYTES; i++)
            back[i] = (unsigned char)~host[i];
        clshard__copy_run(&unpack, back + s.first, dense);
        for (size_t i = 0; i < HOST_BYTES; i++)
            changed += back[i] == host[i];
        cr_assert_eq(changed, s.count * s.item_bytes);
        cr_assert(clshard__copy_equal(&unpack, back + s.first, dense));
    }
}

Test(copy, runs_are_joined_as_far_as_both_sides_allow)
{
    const clshard_shape box = CLSHARD_SHAPE(4, 3, 8);
    const ptrdiff_t whole[] = {96, 32, 4};
    const ptrdiff_t wider[] = {128, 32, 4};
    clshard__copy copy = clshard__copy_of(box, whole, whole, 4);

    cr_assert(copy.rank == 0 && copy.run == 384);
    copy = clshard__copy_of(box, wider, whole, 4);
    cr_assert(copy.rank == 1 && copy.run == 96 && copy.extent[0] == 4 && copy.from[0] == 128);
    copy = clshard__copy_of(CLSHARD_SHAPE(4, 0, 8), whole, whole, 4);
    cr_assert(copy.run == 0 && clshard__copy_bytes(&copy) == 0);
}

Test(copy, a_dense_side_takes_the_runs_in_order)
{
    random_source random = {3};
    sample s;

    fill_host(&random);
    for (int round = 0; round < ROUNDS; round++) {
        clshard__copy copy;
        clshard__copy pack;
        clshard__copy unpack;
        if (!make_sample(&random, &s))
            continue;
        copy = clshard__copy_of(s.box, s.host_stride, s.dense_stride, s.item_bytes);
        pack = clshard__copy_to_dense(&copy);
        unpack = clshard__copy_from_dense(&copy);
        clshard__copy_run(&copy, back, host + s.first);
        clshard__copy_run(&pack, dense, host + s.first);
        memset(host, 0, 64);
        clshard__copy_run(&unpack, host, dense);
        cr_assert_arr_eq(host, back, s.count * s.item_bytes);
        fill_host(&random);
    }
}

Test(copy, words_divide_all_that_they_meet)
{
    random_source random = {4};
    sample s;

    for (int round = 0; round < ROUNDS; round++) {
        const size_t from_offset = uniform(&random, 3) * 8;
        const size_t to_offset = uniform(&random, 3) * 4;
        clshard__copy copy;
        size_t word;
        if (!make_sample(&random, &s))
            continue;
        copy = clshard__copy_of(s.box, s.host_stride, s.dense_stride, s.item_bytes);
        word = clshard__copy_word(&copy, from_offset, to_offset);
        cr_assert(word >= 1 && word <= 16 && (word & (word - 1)) == 0);
        cr_assert(copy.run % word == 0 && from_offset % word == 0 && to_offset % word == 0);
        for (size_t d = 0; d < copy.rank; d++)
            cr_assert(copy.from[d] % (ptrdiff_t)word == 0 && copy.to[d] % (ptrdiff_t)word == 0);
    }
}

Test(copy, pieces_are_the_whole_and_keep_their_bound)
{
    random_source random = {5};
    sample s;

    fill_host(&random);
    for (int round = 0; round < ROUNDS; round++) {
        const size_t bound = uniform_between(&random, 1, 512);
        clshard__piece_cursor cursor = {0};
        clshard__piece piece;
        clshard__copy copy;
        size_t moved = 0;
        if (!make_sample(&random, &s))
            continue;
        copy = clshard__copy_of(s.box, s.host_stride, s.dense_stride, s.item_bytes);
        memset(dense, 0, s.count * s.item_bytes);
        while (clshard__copy_next_piece(&copy, bound, &cursor, &piece)) {
            ptrdiff_t low;
            ptrdiff_t high;
            clshard__copy_source_span(&piece.copy, &low, &high);
            cr_assert((size_t)(high - low) <= bound ||
                      clshard__copy_bytes(&piece.copy) == copy.run);
            moved += clshard__copy_bytes(&piece.copy);
            clshard__copy_run(&piece.copy, dense + piece.to_offset,
                              host + s.first + piece.from_offset);
        }
        cr_assert_eq(moved, s.count * s.item_bytes);
        cr_assert(clshard__copy_equal(&copy, dense, host + s.first));
    }
}
