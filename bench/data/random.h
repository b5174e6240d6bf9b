/* random.h - random numbers for test data: fast and seeded.
 * Generators: xoshiro256** seeded by splitmix64 (Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators,
 * 2021). */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

typedef struct random_state {
    uint64_t s[4];
} random_state;

/* One step of splitmix64 from x: a hash. */
static inline uint64_t random_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline void random_seed(random_state *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        random->s[i] = random_mix(seed + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15));
}

static inline uint64_t random_rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

static inline uint64_t random_bits(random_state *random)
{
    uint64_t *s = random->s;
    uint64_t result = random_rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = random_rotate(s[3], 45);
    return result;
}

/* In [0, bound), by multiplication. The bias is below bound / 2^64. */
static inline uint64_t random_below(random_state *random, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)random_bits(random) * bound) >> 64);
}

/* In (0, 1), both ends excluded. */
static inline double random_unit(random_state *random)
{
    return ((double)(random_bits(random) >> 12) + 0.5) * 0x1p-52;
}

#endif
