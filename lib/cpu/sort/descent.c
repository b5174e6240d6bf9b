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

typedef struct descent_job {
    unsigned word_size, columns;
    const void *words;
    size_t n;
    size_t first; /* the first descent that was found; n: none */
} descent_job;

/* Blocks are taken in order, so those past the first find are passed over. */
static void look_at_block(void *state, size_t block, int thread)
{
    descent_job *job = state;
    size_t begin = 1 + block * BLOCK, known;
    sk_range range = {begin, sk_min(begin + BLOCK, job->n)};
    (void)thread;
#pragma omp atomic read
    known = job->first;
    if (begin >= known)
        return;
    size_t found = first_in(job->word_size, job->columns, job->words, job->n, range);
    if (found == range.end)
        return;
#pragma omp critical(sk_first_descent)
    if (found < job->first) {
#pragma omp atomic write
        job->first = found;
    }
}

scankit_error sk_cpu_first_descent(sk_device *device, unsigned word_size, unsigned columns, const void *words, size_t n,
                                   size_t *first)
{
    descent_job job = {word_size, columns, words, n, n};
    if (n > 1 && !sk_rehearses(device))
        sk_cpu_each(sk_cpu_team(device, n * columns * word_size), (n - 2) / BLOCK + 1, look_at_block, &job);
    *first = job.first;
    return SCANKIT_OK;
}
