/* positions.c - positions in the stable order of short keys: words of a key and its position, made where the positions
 * will lie. No two of them are the same, so they are sorted as keys alone. */
#include "cpu/cpu.h"

#define BLOCK ((size_t)512) /* words made at a time, within the L1 */

/* Up to this many bits a partition of pairs by the whole key is the sort. */
#define FEW_BITS 16

typedef struct positions_job {
    const sk_encode_kernels *kernels;
    const sk_word *word;
    size_t stride;
    const char *in;
    unsigned begin_bit;
    uint64_t mask; /* of the bits from there on that count */
    uint64_t *words;
} positions_job;

static void make_words(const void *state, sk_range mine)
{
    const positions_job *job = state;
    for (size_t begin = mine.begin; begin < mine.end; begin += BLOCK) {
        size_t end = sk_min(begin + BLOCK, mine.end);
        uint64_t *words = job->words;
        job->kernels->encode(job->word, job->stride, job->in + begin * job->stride, sizeof *words,
                             (char *)(words + begin), end - begin);
        for (size_t i = begin; i < end; i++)
            words[i] = (words[i] >> job->begin_bit & job->mask) << 32 | i;
    }
}

static void keep_positions(const void *state, sk_range mine)
{
    const positions_job *job = state;
    for (size_t i = mine.begin; i < mine.end; i++)
        job->words[i] &= UINT32_MAX;
}

scankit_error sk_cpu_sort_positions(sk_device *device, const sk_word *word, size_t stride, const void *in,
                                    unsigned begin_bit, unsigned end_bit, uint64_t *positions, size_t n, bool *done)
{
    const sk_shape shape = {sizeof *positions, 0};
    const unsigned bits = 8 * shape.key_size;
    *done = end_bit - begin_bit > FEW_BITS && sk_sorts_in_registers(device, shape, bits);
    if (!*done)
        return SCANKIT_OK;
    const positions_job job = {sk_kernels_of(device)->encode,    word,     stride, in, begin_bit,
                               sk_low_mask(end_bit - begin_bit), positions};
    sk_cpu_slices(device, n * (stride + sizeof *positions), n, make_words, &job);
    scankit_error error = sk_cpu_sort(device, shape, (sk_const_columns){positions, NULL}, (sk_columns){positions, NULL},
                                      NULL, n, 0, bits, SCANKIT_AUTO);
    if (error == SCANKIT_OK)
        sk_cpu_slices(device, 2 * n * sizeof *positions, n, keep_positions, &job);
    return error;
}
