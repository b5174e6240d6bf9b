/* encode.c - elements to key words and back, by many threads. */
#include "cpu/cpu.h"

#define CACHE_LINE ((size_t)64) /* the cost of a word from a longer element */

typedef struct encode_job {
    const sk_encode_kernels *kernels;
    const sk_word *word;   /* to encode */
    const sk_piece *piece; /* to decode */
    size_t stride;
    unsigned word_size;
    const char *in;
    char *out;
} encode_job;

static void encode_slice(const void *state, sk_range mine)
{
    const encode_job *job = state;
    job->kernels->encode(job->word, job->stride, job->in + mine.begin * job->stride, job->word_size,
                         job->out + mine.begin * job->word_size, mine.end - mine.begin);
}

scankit_error sk_cpu_encode(sk_device *device, const sk_word *word, size_t stride, const void *in, unsigned word_size,
                            void *out, size_t n)
{
    const encode_job job = {.kernels = sk_kernels_of(device)->encode,
                            .word = word,
                            .stride = stride,
                            .word_size = word_size,
                            .in = in,
                            .out = out};
    if (sk_rehearses(device))
        return SCANKIT_OK;
    sk_cpu_slices(device, n * (sk_min(stride, CACHE_LINE) + word_size), n, encode_slice, &job);
    return SCANKIT_OK;
}

static void decode_slice(const void *state, sk_range mine)
{
    const encode_job *job = state;
    size_t size = job->piece->size;
    job->kernels->decode(job->piece, job->in + mine.begin * size, job->out + mine.begin * size, mine.end - mine.begin);
}

scankit_error sk_cpu_decode(sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n)
{
    const encode_job job = {.kernels = sk_kernels_of(device)->encode, .piece = piece, .in = in, .out = out};
    if (sk_rehearses(device))
        return SCANKIT_OK;
    sk_cpu_slices(device, 2 * n * piece->size, n, decode_slice, &job);
    return SCANKIT_OK;
}
