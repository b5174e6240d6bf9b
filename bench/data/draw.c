/* draw.c - one function for each shape of data, which draws the next value. */
#include "draw.h"

#include <math.h>

/* ---- spread: integers of stream->bits bits ---- */

static uint64_t top_bits(const shape_stream *stream, uint64_t x)
{
    return x >> (64 - stream->bits);
}

uint64_t draw_uniform(shape_stream *stream)
{
    return top_bits(stream, random_bits(&stream->random));
}

static uint64_t draw_at(shape_stream *stream, uint64_t position)
{
    if (stream->step > 1)
        return position * stream->step + random_below(&stream->random, stream->step);
    return position / stream->repeat;
}

uint64_t draw_sorted(shape_stream *stream)
{
    return draw_at(stream, stream->position);
}

uint64_t draw_reversed(shape_stream *stream)
{
    return draw_at(stream, stream->count - 1 - stream->position);
}

uint64_t draw_almost(shape_stream *stream)
{
    return random_below(&stream->random, 100) == 0 ? draw_uniform(stream) : draw_sorted(stream);
}

uint64_t draw_equal(shape_stream *stream)
{
    return top_bits(stream, random_mix(stream->seed));
}

uint64_t draw_few(shape_stream *stream)
{
    return top_bits(stream, random_mix(stream->seed + (random_bits(&stream->random) >> 60)));
}

/* A value that differs from the value before. */
static uint64_t draw_other(shape_stream *stream)
{
    uint64_t value = draw_uniform(stream);
    stream->held = value != stream->held ? value : value ^ 1;
    return stream->held;
}

uint64_t draw_runs8(shape_stream *stream)
{
    return stream->position % 8 == 0 ? draw_other(stream) : stream->held;
}

uint64_t draw_runs256(shape_stream *stream)
{
    return stream->position % 256 == 0 ? draw_other(stream) : stream->held;
}

uint64_t draw_runs100(shape_stream *stream)
{
    bool begins = random_below(&stream->random, 100) == 0 || stream->position == 0;
    return begins ? draw_other(stream) : stream->held;
}

/* A rank below 2^log2_ranks. Rank k has probability of about 1/k: 2 to the power of a uniform number. */
static uint64_t draw_rank(shape_stream *stream, double log2_ranks)
{
    return (uint64_t)exp2(random_unit(&stream->random) * log2_ranks);
}

uint64_t draw_zipf(shape_stream *stream)
{
    return top_bits(stream, random_mix(stream->seed + draw_rank(stream, 20)));
}

uint64_t draw_copies(shape_stream *stream)
{
    return top_bits(stream, random_mix(stream->seed + random_below(&stream->random, stream->count / 64 + 1)));
}

/* The first five bits are the cluster, and the next twelve its place. The other bits are uniform. */
uint64_t draw_clusters(shape_stream *stream)
{
    const uint64_t narrow = (UINT64_C(1) << (64 - 5 - 12)) - 1;
    uint64_t drawn = random_bits(&stream->random), cluster = drawn >> 59;
    uint64_t place = random_mix(stream->seed + cluster) >> 5 & ~narrow;
    return top_bits(stream, cluster << 59 | place | (drawn & narrow));
}

/* Ids of cells along a space-filling curve: two bits per level of ever smaller squares, so that close cells share
 * leading bits. Drawn as a popular region, a popular street in it, and a uniform place. */
uint64_t draw_osm(shape_stream *stream)
{
    uint64_t region = random_mix(stream->seed + draw_rank(stream, 12));
    uint64_t street = random_mix(region + draw_rank(stream, 8));
    uint64_t place = random_bits(&stream->random);
    return top_bits(stream, (region >> 48 << 48) | (street >> 44 << 28) | (place >> 36));
}

/* The low 32 bits of x, one in every second bit. */
static uint64_t spread_bits(uint64_t x)
{
    static const uint64_t masks[] = {UINT64_C(0x0000ffff0000ffff), UINT64_C(0x00ff00ff00ff00ff),
                                     UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x3333333333333333),
                                     UINT64_C(0x5555555555555555)};
    for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++)
        x = (x | x << (16 >> i)) & masks[i];
    return x;
}

/* 32 bits; the plane is as wide as 16 standard deviations. */
static uint64_t draw_coordinate(shape_stream *stream)
{
    double place = (draw_normal(stream) / 16 + 0.5) * 0x1p32;
    return (uint64_t)fmin(fmax(place, 0), 0x1p32 - 1);
}

uint64_t draw_morton(shape_stream *stream)
{
    uint64_t x = draw_coordinate(stream), y = draw_coordinate(stream);
    return top_bits(stream, spread_bits(y) << 1 | spread_bits(x));
}

/* ---- count: integers from 0 up; narrower types scale the constants of the 64-bit data set ---- */

/* Bits of a constant that has bits_of_64 bits in the 64-bit data set. */
static unsigned scaled(const shape_stream *stream, unsigned bits_of_64)
{
    unsigned bits = stream->bits * bits_of_64 / 64;
    return bits < 1 ? 1 : bits;
}

/* A permutation of the integers of `bits` bits: distinct positions give distinct values. */
static uint64_t permute(uint64_t x, unsigned bits, uint64_t seed)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (unsigned round = 0; round < 3; round++) {
        x = (x * (random_mix(seed + round) | 1) + random_mix(~seed + round)) & mask;
        x ^= x >> (bits / 2 + 1);
    }
    return x;
}

uint64_t draw_fb(shape_stream *stream)
{
    if (stream->stride > 0 && stream->position % stream->stride == stream->seed % stream->stride)
        return (UINT64_C(1) << scaled(stream, 59)) + random_below(&stream->random, UINT64_C(1) << scaled(stream, 58));
    return permute(stream->position, scaled(stream, 50), stream->seed);
}

uint64_t draw_zeros(shape_stream *stream)
{
    return random_below(&stream->random, 100) == 0 ? draw_uniform(stream) : 0;
}

uint64_t draw_wiki(shape_stream *stream)
{
    uint64_t span = UINT64_C(1) << (stream->bits < 32 ? stream->bits - 2 : 29);
    uint64_t begin = stream->bits < 32 ? 0 : 979000000;
    if ((random_bits(&stream->random) & 1) != 0)
        return begin + random_below(&stream->random, span);
    uint64_t burst = random_mix(stream->seed + draw_rank(stream, 16)) % span;
    uint64_t late = (uint64_t)(-30 * log(random_unit(&stream->random)));
    return begin + (burst + late) % span;
}

uint64_t draw_books(shape_stream *stream)
{
    double top = ldexp(1.0, (int)stream->bits - 1);
    double value = exp2((double)stream->bits * 0.4 + draw_normal(stream) * (double)stream->bits * 0.05);
    return (uint64_t)(value < top ? value : top);
}

/* One host writes a run of lines, then another. A host's clock lags by up to 2047 ms. */
uint64_t draw_timestamps(shape_stream *stream)
{
    uint64_t choice = random_bits(&stream->random);
    if (choice % 256 == 0) {
        stream->host = (unsigned)(choice >> 60);
        stream->host_clock[stream->host] = stream->clock - ((choice >> 8) & 2047);
    }
    uint64_t *clock = &stream->host_clock[stream->host];
    if ((choice >> 20) % 4 == 0)
        *clock += (uint64_t)(-20 * log(random_unit(&stream->random)));
    if ((choice >> 24) % 4096 == 0)
        *clock += (choice >> 40) % 60000;
    if (*clock > stream->clock)
        stream->clock = *clock;
    return *clock;
}

/* ---- wide ---- */

#define BASES 31     /* of an element, two bits each, the first one in the highest bits */
#define SEGMENT 1024 /* bases that are a repeat or not */

/* Half of the genome are repeats: copies of some families, the first ones the most frequent, in which one base of 64
 * has mutated. */
static uint64_t base_at(const shape_stream *stream, uint64_t position)
{
    uint64_t segment = random_mix(stream->seed + position / SEGMENT), own = random_mix(~stream->seed + position);
    if ((segment & 1) != 0 || (own >> 58) == 0)
        return own & 3;
    uint64_t family = (segment >> 1) % ((segment >> 32) % 256 + 1);
    return random_mix((stream->seed ^ family * SEGMENT) + position % SEGMENT) & 3;
}

static void take_base(shape_stream *stream, uint64_t base)
{
    stream->forward = (stream->forward << 2 | base) & UINT64_MAX >> (64 - 2 * BASES);
    stream->reverse = stream->reverse >> 2 | (3 - base) << (2 * (BASES - 1));
}

/* A strand is read in either direction, so both are one element: the lesser (as in KMC, Deorowicz and others 2015). */
uint64_t draw_kmers(shape_stream *stream)
{
    if (stream->position == 0)
        for (unsigned i = 0; i < BASES - 1; i++)
            take_base(stream, base_at(stream, i));
    take_base(stream, base_at(stream, stream->position + BASES - 1));
    return stream->forward < stream->reverse ? stream->forward : stream->reverse;
}

/* ---- real ---- */

/* Below the top of integers, down to its ratio to 1. */
double draw_loguniform(shape_stream *stream)
{
    return 16 * exp2(-random_unit(&stream->random) * (double)stream->bits);
}

double draw_exponential(shape_stream *stream)
{
    return -log(random_unit(&stream->random));
}

/* Marsaglia's polar method (Marsaglia and Bray, A Convenient Method for Generating Normal Variables, 1964). */
double draw_normal(shape_stream *stream)
{
    if (stream->has_spare) {
        stream->has_spare = false;
        return stream->spare;
    }
    double x, y, square;
    do {
        x = 2 * random_unit(&stream->random) - 1;
        y = 2 * random_unit(&stream->random) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double factor = sqrt(-2 * log(square) / square);
    stream->spare = y * factor;
    stream->has_spare = true;
    return x * factor;
}

double draw_lognormal(shape_stream *stream)
{
    return exp(draw_normal(stream));
}
