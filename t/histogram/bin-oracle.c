/* bin-oracle.c - see bin-oracle.h. */
#include "histogram/bin-oracle.h"

#include <string.h>

bool is_float(scankit_type type)
{
    return type == SCANKIT_F16 || type == SCANKIT_F32 || type == SCANKIT_F64;
}

long double value_at(scankit_type type, const void *values, size_t i)
{
    if (type == SCANKIT_F16)
        return (long double)scankit_f16_to_f32(((const scankit_f16 *)values)[i]);
    switch (type) {
#define ONE(enumerator, ctype) \
    case SCANKIT_##enumerator: return (long double)((const ctype *)values)[i];
        ONE(U8, uint8_t)
        ONE(U16, uint16_t)
        ONE(U32, uint32_t)
        ONE(U64, uint64_t)
        ONE(I8, int8_t)
        ONE(I16, int16_t)
        ONE(I32, int32_t)
        ONE(I64, int64_t)
        ONE(F32, float)
        ONE(F64, double)
#undef ONE
    default: return 0;
    }
}

/* Each returns count for a key that is not counted. */
static size_t even_bin(const histogram_case *c, long double key)
{
    __extension__ typedef unsigned __int128 wide;
    long double low = (long double)c->bins.low, high = (long double)c->bins.high;
    size_t count = c->bins.count, bin;
    if (!(key >= low && key <= high))
        return count;
    if (is_float(c->type))
        bin = (size_t)(((double)key - c->bins.low) * ((double)count / (c->bins.high - c->bins.low)));
    else
        bin = (size_t)((wide)(key - low) * count / (wide)(high - low));
    return bin < count ? bin : count - 1;
}

static size_t edge_bin(const histogram_case *c, long double key)
{
    size_t count = c->bins.count, begin = 0, end = count;
    if (!(key >= value_at(c->type, c->bins.edges, 0) && key <= value_at(c->type, c->bins.edges, count)))
        return count;
    while (end - begin > 1) {
        size_t middle = begin + (end - begin) / 2;
        if (key >= value_at(c->type, c->bins.edges, middle))
            begin = middle;
        else
            end = middle;
    }
    return begin;
}

static size_t value_bin(const histogram_case *c, long double key)
{
    bool negative = c->type >= SCANKIT_I8 && (int64_t)c->bins.first < 0;
    long double first = negative ? (long double)(int64_t)c->bins.first : (long double)c->bins.first;
    return key >= first && key - first < (long double)c->bins.count ? (size_t)(key - first) : c->bins.count;
}

static size_t bin_of(const histogram_case *c, const void *keys, size_t i)
{
    long double key = value_at(c->type, keys, i);
    switch (c->bins.kind) {
    case SCANKIT_BINS_EVEN: return even_bin(c, key);
    case SCANKIT_BINS_EDGES: return edge_bin(c, key);
    default: return value_bin(c, key);
    }
}

/* Adds 1, or the key's weight. */
static void count_one(const histogram_case *c, uint64_t *count, const void *weights, size_t i)
{
    long double weight = c->weights == UNWEIGHTED ? 1 : value_at(c->weights, weights, i);
    double sum;
    if (c->weights != UNWEIGHTED && is_float(c->weights)) {
        memcpy(&sum, count, sizeof sum);
        sum += (double)weight;
        memcpy(count, &sum, sizeof sum);
    } else {
        *count += weight < 0 ? 0 - (uint64_t)-weight : (uint64_t)weight;
    }
}

void count_all(const histogram_case *c, const void *keys, const void *weights, uint64_t *counts)
{
    memset(counts, 0, c->bins.count * sizeof *counts);
    for (size_t i = 0; i < c->n; i++) {
        size_t bin = bin_of(c, keys, i);
        if (bin < c->bins.count)
            count_one(c, &counts[bin], weights, i);
    }
}
