/* fill.c - the elements of a case: order, distribution, bits, in this order. See case.h. */
#include <math.h>
#include <string.h>

#include "case.h"
#include "data/element.h"
#include "data/random.h"

#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* One part of a case, and what all its elements share. */
typedef struct part_maker {
    const search_part *part;
    size_t n;
    uint64_t seed;
    unsigned width; /* bits of a word */
} part_maker;

static uint64_t hash(const part_maker *m, uint64_t i)
{
    return random_mix(m->seed ^ random_mix(i));
}

/* 64 bits are a number in [0, 1) here. */
static double unit_of(uint64_t x)
{
    return (double)(x >> 11) * 0x1p-53;
}

static uint64_t fixed_of(double unit)
{
    return unit <= 0 ? 0 : unit >= 1 ? UINT64_MAX : (uint64_t)(unit * 0x1p64);
}

/* ---- order: from a position to a rank ---- */

/* The rank of place i of `count` in ascending order. Ranks between two places are drawn. */
static uint64_t rising(const part_maker *m, uint64_t i, uint64_t count)
{
    uint64_t step = count > 1 ? UINT64_MAX / count : UINT64_MAX;
    uint64_t at = i < count ? i : count - 1;
    return at * step + (uint64_t)(((unsigned __int128)hash(m, i) * step) >> 64);
}

/* The same for `pieces` pieces of equal length. */
static uint64_t rising_in_pieces(const part_maker *m, uint64_t i, uint64_t pieces)
{
    uint64_t length = m->n / pieces + 1;
    return rising(m, i % length, length) ^ (hash(m, i / length) >> 40);
}

static uint64_t jittered(const part_maker *m, uint64_t i, unsigned level)
{
    uint64_t most = UINT64_C(1) << level;
    return rising(m, i + (hash(m, i) & (most - 1)), m->n + most);
}

static uint64_t rank_of(const part_maker *m, uint64_t i)
{
    unsigned level = m->part->order.level;
    uint64_t block = i >> level, blocks = (m->n >> level) + 1;
    switch (m->part->order.word) {
    case SEARCH_rising: return rising(m, i, m->n);
    case SEARCH_falling: return rising(m, m->n - 1 - i, m->n);
    case SEARCH_parts: return rising_in_pieces(m, i, UINT64_C(1) << level);
    case SEARCH_turns: return rising(m, block, blocks) / 2 + hash(m, ~(i & ((UINT64_C(1) << level) - 1))) / 2;
    case SEARCH_jitter: return jittered(m, i, level);
    case SEARCH_blocks: return hash(m, ~block) / 2 + rising(m, i - (block << level), m->n) / 2;
    case SEARCH_runs: return hash(m, block);
    case SEARCH_strays: return hash(m, ~i) >> (64 - 1 - level) >> 1 == 0 ? hash(m, i) : rising(m, i, m->n);
    case SEARCH_even: return i * (GOLDEN + (level << 1));
    case SEARCH_pipe: return i < m->n / 2 ? rising(m, 2 * i, m->n) : rising(m, 2 * (m->n - 1 - i), m->n);
    default: return hash(m, i);
    }
}

/* ---- distribution: from a rank to a number ---- */

/* Number j of `count`, at a random place of its share of the range. */
static uint64_t member(const part_maker *m, uint64_t j, uint64_t count)
{
    uint64_t step = UINT64_MAX / count;
    return j * step + (uint64_t)(((unsigned __int128)hash(m, j ^ GOLDEN) * step) >> 64);
}

/* The inverse of the logistic function is near that of the normal one. */
static uint64_t bell(double unit, unsigned level)
{
    double spread = log((unit + 0x1p-54) / (1 - unit)) / 32;
    return fixed_of(0.5 + ldexp(spread, -(int)level));
}

/* Of 2 * depth bits, every other one copies its neighbour. */
static uint64_t cantor(uint64_t rank, unsigned depth)
{
    uint64_t held = rank;
    for (unsigned d = 0; d < depth; d++) {
        uint64_t bit = UINT64_C(1) << (62 - 2 * d);
        held = (held & ~bit) | ((held >> 1) & bit);
    }
    return held;
}

static uint64_t popular(const part_maker *m, uint64_t rank, unsigned level)
{
    uint64_t k = (uint64_t)exp2(unit_of(rank) * level);
    return member(m, k - 1, UINT64_C(1) << level);
}

static uint64_t clustered(const part_maker *m, uint64_t rank, unsigned level)
{
    uint64_t cluster = level > 0 ? rank >> (64 - level) : 0;
    return member(m, cluster, UINT64_C(1) << level) + ((rank << level) >> (level + 12));
}

static uint64_t number_of(const part_maker *m, uint64_t rank)
{
    unsigned level = m->part->distribution.level;
    double powers = ldexp(2.0, (int)level), unit = unit_of(rank);
    switch (m->part->distribution.word) {
    case SEARCH_power: return fixed_of(pow(unit, ldexp(1.0, (int)level)));
    case SEARCH_root: return fixed_of(pow(unit, ldexp(1.0, -(int)level)));
    case SEARCH_logarithmic: return fixed_of(exp2((unit - 1) * powers));
    case SEARCH_normal: return bell(unit, level);
    case SEARCH_set: return member(m, level > 0 ? rank >> (64 - level) : 0, UINT64_C(1) << level);
    case SEARCH_popular: return popular(m, rank, level);
    case SEARCH_clusters: return clustered(m, rank, level);
    case SEARCH_cantor: return cantor(rank, 1U << level);
    case SEARCH_spike: return rank >> (64 - 1 - level) >> 1 == 0 ? rank << level : hash(m, 0);
    default: return rank;
    }
}

/* ---- bits: from a number to a word of the type's width ---- */

static uint64_t mirrored(uint64_t x)
{
    uint64_t to = 0;
    for (unsigned b = 0; b < 64; b++)
        to |= (x >> b & 1) << (63 - b);
    return to;
}

static uint64_t spread_bits(uint64_t x)
{
    uint64_t to = 0;
    for (unsigned b = 0; b < 32; b++)
        to |= (x >> b & 1) << (2 * b);
    return to;
}

/* The `width` lowest bits of the result count. x: 64 bits, the first ones most significant. */
static uint64_t word_of(const part_maker *m, uint64_t x, uint64_t i)
{
    unsigned width = m->width, level = m->part->bits.level % width;
    uint64_t word = x >> (64 - width), low = word >> (width - 1 - level) >> 1;
    switch (m->part->bits.word) {
    case SEARCH_low: return low;
    case SEARCH_offset: return low + hash(m, UINT64_MAX);
    case SEARCH_high: return word >> level << level;
    case SEARCH_rotated: return (word << level) | (word >> (width - 1 - level) >> 1);
    case SEARCH_mirrored: return mirrored(x);
    case SEARCH_scrambled: return word * GOLDEN;
    case SEARCH_spread: return spread_bits(x >> (64 - width / 2));
    case SEARCH_under: return level > 0 ? word >> level | hash(m, ~i) >> (64 - level) << (width - level) : word;
    case SEARCH_gray: return word ^ word >> 1;
    default: return word;
    }
}

/* ---- elements ---- */

/* The width of a word that a float holds whole. */
static unsigned width_of(const search_case *from)
{
    bool by_value = element_is_float(from->type) && from->form.word != SEARCH_word;
    return by_value ? element_bits(from->type) : 8 * (unsigned)element_size(from->type);
}

static bool is_of_second(const search_case *from, const part_maker *m, uint64_t i)
{
    unsigned level = from->mix.level;
    switch (from->mix.word) {
    case SEARCH_among: return hash(m, i ^ GOLDEN) >> (64 - 1 - level) >> 1 == 0;
    case SEARCH_behind: return i >= from->n - (from->n >> level);
    case SEARCH_between: return (i >> level & 1) != 0;
    default: return false;
    }
}

static uint64_t make_word(const part_maker *m, uint64_t i)
{
    return word_of(m, number_of(m, rank_of(m, i)), i);
}

static void store(const search_case *from, unsigned width, uint64_t word, void *out)
{
    word &= UINT64_MAX >> (64 - width);
    if (!element_is_float(from->type) || from->form.word == SEARCH_word) {
        memcpy(out, &word, element_size(from->type));
        return;
    }
    double value = from->form.word == SEARCH_whole ? (double)word : ldexp((double)word, -(int)width);
    element_store(from->type, from->form.word == SEARCH_centred ? value - 0.5 : value, out);
}

void search_fill(const search_case *from, void *out)
{
    unsigned width = width_of(from);
    size_t size = element_size(from->type);
    part_maker maker[2];
    for (unsigned p = 0; p < 2; p++)
        maker[p] = (part_maker){&from->part[p], from->n, random_mix(from->seed + p), width};
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < from->n; i++) {
        const part_maker *m = &maker[is_of_second(from, &maker[0], i)];
        store(from, width, make_word(m, i), (char *)out + i * size);
    }
}
