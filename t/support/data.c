/* data.c - see data.h
 *
 * Every shape is made of 64-bit unsigned numbers, which then become values of the type so that their order stays: the
 * leading bits for integers, an even spread over an interval for floats. */
#include "data.h"

#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "tap.h"

static const char *const shape_names[] = {
#define X(enumerator, name, text) name,
    DATA_SHAPES(X)
#undef X
};

const char *data_shape_name(data_shape shape)
{
    return shape_names[shape];
}

void *data_allocate(size_t count, size_t size)
{
    void *memory = calloc(count + !count, size + !size);
    if (memory == NULL)
        tap_bail_out("no memory for %zu elements of %zu bytes", count, size);
    return memory;
}

/* ---- numbers: xoshiro256**, seeded by splitmix64 (Blackman and Vigna, Scrambled Linear Pseudorandom Number
 * Generators, 2021) ---- */

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

random_state random_seeded(uint64_t seed)
{
    random_state random;
    for (int i = 0; i < 4; i++)
        random.state[i] = split_mix(&seed);
    return random;
}

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

uint64_t random_next(random_state *random)
{
    uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t random_below(random_state *random, uint64_t limit)
{
    return limit == 0 ? 0 : random_next(random) % limit;
}

size_t random_size(random_state *random, size_t limit)
{
    unsigned bits = 0;
    while (bits < 63 && (SIZE_MAX >> (63 - bits)) < limit)
        bits++;
    uint64_t size = random_next(random) >> (63 - random_below(random, bits + 1));
    return limit == 0 ? 0 : (size_t)(size % limit);
}

size_list data_edge_sizes(size_t limit)
{
    size_list list = {.count = 1, .size = {0}};
    for (size_t power = 1; power <= limit; power *= 2)
        for (size_t size = power - 1; size <= power + 1; size++)
            if (size > list.size[list.count - 1])
                list.size[list.count++] = size;
    return list;
}

/* ---- values ---- */

/* Maps a 64-bit number to a value of the type, keeping the order. */
static uint64_t value_at(scankit_type type, uint64_t place)
{
    unsigned width = (unsigned)(8 * oracle_size(type));
    double spread = ((double)(place >> 11) / 9007199254740992.0 - 0.5) * 2e6;
    switch (oracle_kind(type)) {
    case ORACLE_UNSIGNED: return place >> (64 - width);
    case ORACLE_SIGNED: return (place ^ UINT64_C(1) << 63) >> (64 - width);
    default: return oracle_float_bits(type, type == SCANKIT_F16 ? spread / 32 : spread); /* below 65504 */
    }
}

/* Values that break sorts and scans of floats: both zeros, infinities, NaNs (quiet, signalling, of several payloads and
 * both signs), the smallest and largest denormals and normals. */
static uint64_t special_float(scankit_type type, random_state *random)
{
    unsigned width = (unsigned)(8 * oracle_size(type)), fraction = oracle_fraction(type);
    uint64_t sign = (random_next(random) & 1) << (width - 1), one = UINT64_C(1);
    uint64_t infinity = ((one << (width - 1 - fraction)) - 1) << fraction, payload = one << fraction;
    switch (random_below(random, 11)) {
    case 0:
    case 1: return sign;
    case 2: return sign | infinity;
    case 3: return sign | infinity | 1;
    case 4: return sign | infinity | payload >> 1;
    case 5: return sign | infinity | (payload - 1);
    case 6: return sign | infinity | (1 + random_below(random, payload - 1));
    case 7: return sign | 1;
    case 8: return sign | (payload - 1 + random_below(random, 2));
    case 9: return sign | (infinity - 1);
    default: return (random_next(random) & (payload - 1)) | sign;
    }
}

static uint64_t special(scankit_type type, random_state *random)
{
    unsigned width = (unsigned)(8 * oracle_size(type));
    uint64_t bit = UINT64_C(1) << random_below(random, width), all = UINT64_MAX >> (64 - width);
    if (oracle_kind(type) == ORACLE_FLOAT)
        return special_float(type, random);
    switch (random_below(random, 5)) {
    case 0: return bit;
    case 1: return all ^ bit;
    case 2: return all >> random_below(random, 2);
    case 3: return (all >> 1) + random_below(random, 2);
    default: return random_below(random, 3);
    }
}

static uint64_t rising(size_t i, size_t n)
{
    return (uint64_t)i * (UINT64_MAX / n);
}

/* Where the GPU's sample sort takes its sample of half a million keys to two millions. */
static bool is_sampled(size_t i, size_t n)
{
    size_t stride = n / (n > (size_t)1 << 20 ? 16384 : 8192);
    return stride > 1 && i % stride == ((uint32_t)(i / stride) * UINT32_C(2654435761) >> 16) % stride;
}

/* Where the CPU's sort by pivots takes its first sample, of many keys: one from each of 256 slices (of 8 byte keys,
 * 128). Returns the number of the slice, from 1, or 0. */
static uint64_t lure(scankit_type type, size_t i, size_t n)
{
    size_t each = n / (1024 / oracle_size(type));
    uint64_t random = n * UINT64_C(0x9e3779b97f4a7c15);
    if (each == 0)
        return 0;
    for (size_t slice = 0; slice <= i / each; slice++)
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return i % each == (random >> 33) * each >> 31 ? i / each + 1 : 0;
}

static uint64_t element(scankit_type type, data_shape shape, size_t i, size_t n, random_state *random)
{
    uint64_t r = random_next(random);
    switch (shape) {
    case DATA_SORTED: return value_at(type, rising(i, n));
    case DATA_REVERSED: return value_at(type, rising(n - 1 - i, n));
    case DATA_ALMOST_SORTED: return value_at(type, r % 50 == 0 ? random_next(random) : rising(i, n));
    case DATA_EQUAL: return value_at(type, UINT64_C(0x2a2b2c2d2e2f3031));
    case DATA_SIXTEEN: return value_at(type, (r % 16) * UINT64_C(0x1111111111111111));
    case DATA_ZIPF: /* the number of a rank is about 1 / rank where the rank's logarithm is uniform */
        return value_at(type, ((r >> 8) % (UINT64_C(1) << r % 17)) * UINT64_C(0x9e3779b97f4a7c15));
    case DATA_FB: return value_at(type, random_below(random, n) < 10 ? r | UINT64_C(31) << 59 : r >> 14);
    case DATA_WIKI: return value_at(type, (UINT64_C(1) << 62) + ((r % 64) << 48) + (random_next(random) % 5 << 46));
    case DATA_OUTLIERS:
        return value_at(type, r % 20 == 0 ? random_next(random) : (r >> 8) % 3 << (64 - oracle_bits(type)));
    case DATA_STEPS: return value_at(type, r & UINT64_C(0xfff0000000000000));
    case DATA_SPECIAL: return special(type, random);
    case DATA_BITS: return r >> (64 - 8 * oracle_size(type));
    case DATA_UNSEEN: return is_sampled(i, n) ? 0 : value_at(type, r);
    case DATA_LOGARITHMIC: return value_at(type, r >> random_below(random, 8 * oracle_size(type)));
    case DATA_LURED: {
        uint64_t slice = lure(type, i, n);
        return value_at(type, slice > 0 ? slice << 40 : r | UINT64_C(1) << 63);
    }
    case DATA_RUNS: return value_at(type, i / 100 * UINT64_C(0x9e3779b97f4a7c15));
    case DATA_CROWD: return value_at(type, r % 700 == 0 ? UINT64_C(0xb7e151628aed2a6b) : random_next(random));
    case DATA_HEAVY:
        return value_at(type, r % n < i / 4 * 3 ? random_next(random) : (r >> 32) % 5 * UINT64_C(0x3333333333333333));
    case DATA_PADDED: return value_at(type, i < n / 3 && r % 8 > 0 ? r : UINT64_C(0x5a5b5c5d5e5f6061));
    case DATA_DENSE: return value_at(type, r % 640 == 0 ? random_next(random) >> 6 : random_next(random));
    default: return value_at(type, r);
    }
}

void data_fill(void *out, scankit_type type, data_shape shape, size_t n, uint64_t seed)
{
    random_state random = random_seeded(seed);
    for (size_t i = 0; i < n; i++)
        oracle_store(type, out, i, element(type, shape, i, n, &random));
}

void data_fill_bytes(void *out, size_t bytes, uint64_t seed)
{
    random_state random = random_seeded(seed);
    unsigned char *byte = out;
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t r = random_next(&random);
        memcpy(byte + i, &r, bytes - i < 8 ? bytes - i : 8);
    }
}
