/* descent.c - where an array of key words first goes down. */
#include "cpu/cpu.h"

#define BLOCK ((size_t)16 << 10)

/* The first i of the range with word[i] < word[i - 1], or the range's end: steps of 256 without a branch inside. */
#define FIRST(BITS)                                               \
    static size_t first_##BITS(const void *words, sk_range range) \
    {                                                             \
        const uint##BITS##_t *word = words;                       \
        for (size_t i = range.begin; i < range.end; i += 256) {   \
            size_t end = sk_min(i + 256, range.end), found = 0;   \
            for (size_t j = i; j < end; j++)                      \
                found += word[j] < word[j - 1];                   \
            for (size_t j = i; found > 0; j++)                    \
                if (word[j] < word[j - 1])                        \
                    return j;                                     \
        }                                                         \
        return range.end;                                         \
    }
FIRST(8)
FIRST(16)
FIRST(32)
FIRST(64)

static bool goes_down(unsigned size, unsigned columns, const void *words, size_t n, size_t i)
{
    for (unsigned c = 0; c < columns; c++) {
        uint64_t before = sk_word_at(words, size, c * n + i - 1), here = sk_word_at(words, size, c * n + i);
        if (here != before)
            return here < before;
    }
    return false;
}

static size_t first_in(unsigned size, unsigned columns, const void *words, size_t n, sk_range range)
{
    if (columns == 1)
        switch (size) {
        case 1: return first_8(words, range);
        case 2: return first_16(words, range);
        case 4: return first_32(words, range);
        default: return first_64(words, range);
        }
    size_t i = range.begin;
    while (i < range.end && !goes_down(size, columns, words, n, i))
        i++;
    return i;
}

scankit_error sk_cpu_first_descent(sk_device *device, unsigned word_size, unsigned columns, const void *words, size_t n,
                                   size_t *first)
{
    size_t best = n;
    /* Blocks are taken in order, so those past the first find are passed over. */
#pragma omp parallel for schedule(monotonic : dynamic) num_threads(sk_cpu_team(device, n *columns *word_size))
    for (size_t begin = 1; begin < n; begin += BLOCK) {
        sk_range range = {begin, sk_min(begin + BLOCK, n)};
        size_t known;
#pragma omp atomic read
        known = best;
        if (begin >= known)
            continue;
        size_t found = first_in(word_size, columns, words, n, range);
        if (found == range.end)
            continue;
#pragma omp critical(sk_first_descent)
        if (found < best) {
#pragma omp atomic write
            best = found;
        }
    }
    *first = best;
    return SCANKIT_OK;
}
