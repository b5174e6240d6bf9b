/* encode.c - elements to key words and back, by many threads. */
#include "cpu/cpu.h"

scankit_error sk_cpu_encode(sk_device *device, const sk_word *word, size_t stride, const void *in, unsigned word_size,
                            void *out, size_t n)
{
    const sk_encode_kernels *kernels = sk_kernels_of(device)->encode;
#pragma omp parallel num_threads(sk_cpu_team(device, n *(stride + word_size)))
    {
        sk_range mine = sk_my_slice(n);
        kernels->encode(word, stride, (const char *)in + mine.begin * stride, word_size,
                        (char *)out + mine.begin * word_size, mine.end - mine.begin);
    }
    return SCANKIT_OK;
}

scankit_error sk_cpu_decode(sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n)
{
    const sk_encode_kernels *kernels = sk_kernels_of(device)->encode;
    size_t size = piece->size;
#pragma omp parallel num_threads(sk_cpu_team(device, 2 * n * size))
    {
        sk_range mine = sk_my_slice(n);
        kernels->decode(piece, (const char *)in + mine.begin * size, (char *)out + mine.begin * size,
                        mine.end - mine.begin);
    }
    return SCANKIT_OK;
}
