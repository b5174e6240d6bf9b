/* sample.c - keys at random places of an array. */
#include "cpu/cpu.h"

__extension__ typedef unsigned __int128 wide;

/* The size is a constant for the compiler. */
SK_INLINE void take(const char *keys, size_t size, size_t n, unsigned log2_count, char *words)
{
    uint64_t random = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < (size_t)1 << log2_count; i++) {
        random = sk_next_random(random);
        size_t place = (size_t)((wide)n * ((uint64_t)i << 32 | random >> 32) >> (32 + log2_count));
        memcpy(words + i * size, keys + place * size, size);
    }
}

void sk_take_sample(const sk_sort_task *task, const sk_piece *piece, const void *keys, size_t n, unsigned log2_count,
                    void *words)
{
    switch (task->shape.key_size) {
    case 1: take(keys, 1, n, log2_count, words); break;
    case 2: take(keys, 2, n, log2_count, words); break;
    case 4: take(keys, 4, n, log2_count, words); break;
    default: take(keys, 8, n, log2_count, words);
    }
    if (piece != NULL)
        sk_kernels_of(task->device)->encode->order(piece, words, (size_t)1 << log2_count);
}
