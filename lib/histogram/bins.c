/* bins.c - bins are checked, and prepared for the backends. */
#include <math.h>
#include <stdlib.h>

#include "histogram.h"

static bool is_signed(scankit_type type)
{
    return type >= SCANKIT_I8 && type <= SCANKIT_I64;
}

/* The type's least value and 1 past its greatest are powers of two, so they are exact. */
static bool is_integer_end(scankit_type type, double end)
{
    int bits = 8 * (int)scankit_type_size(type);
    double least = is_signed(type) ? -ldexp(1, bits - 1) : 0;
    return end == floor(end) && end >= least && end <= least + ldexp(1, bits);
}

static const char *wrong_range(scankit_type type, const scankit_bins *bins)
{
    if (!isfinite(bins->low) || !isfinite(bins->high) || bins->low >= bins->high)
        return "low is not below high, or one is not finite";
    if (!sk_is_float(type))
        return is_integer_end(type, bins->low) && is_integer_end(type, bins->high)
                   ? NULL
                   : "low and high are no integers that bound values of the type";
    if (!isfinite(bins->high - bins->low) || !isfinite((double)bins->count / (bins->high - bins->low)))
        return "bins are too wide or too narrow for f64";
    return NULL;
}

/* Infinities bound the words of floats; beyond them are NaNs. */
static bool is_number(scankit_type type, uint64_t word)
{
    if (!sk_is_float(type))
        return true;
    if (type == SCANKIT_F64)
        return word >= sk_bin_word_f64(-INFINITY) && word <= sk_bin_word_f64(INFINITY);
    return word >= sk_bin_word_f32(-INFINITY) && word <= sk_bin_word_f32(INFINITY);
}

/* Edge i as a word. */
static uint64_t edge_word(scankit_type type, const void *edges, size_t i)
{
    switch (type) {
#define X(enumerator, name, ctype, kind) \
    case SCANKIT_##enumerator: return sk_bin_word_##name(((const ctype *)edges)[i]);
        SCANKIT_TYPES(X)
#undef X
    default: return 0;
    }
}

static const char *wrong_edges(scankit_type type, const scankit_bins *bins)
{
    uint64_t last = 0, word;
    if (bins->edges == NULL)
        return "no edges";
    for (size_t i = 0; i <= bins->count; i++, last = word) {
        word = edge_word(type, bins->edges, i);
        if (!is_number(type, word))
            return "an edge is not a number";
        if (word < last)
            return "the edges descend";
    }
    return NULL;
}

/* The first value as a word, and whether the type has it. */
static bool first_word(scankit_type type, uint64_t first, uint64_t *word)
{
    unsigned bits = 8 * (unsigned)scankit_type_size(type);
    uint64_t least = is_signed(type) ? 0 - ((uint64_t)1 << (bits - 1)) : 0;
    *word = first - least;
    return bits == 64 || *word >> bits == 0;
}

const char *sk_wrong_bins(scankit_type type, const scankit_bins *bins)
{
    uint64_t word;
    if (bins == NULL || bins->count == 0 || bins->count > SK_BINS_MOST)
        return "no bins, or more than 2^24";
    switch (bins->kind) {
    case SCANKIT_BINS_EVEN: return wrong_range(type, bins);
    case SCANKIT_BINS_EDGES: return wrong_edges(type, bins);
    case SCANKIT_BINS_VALUES:
        return !sk_is_float(type) && first_word(type, bins->first, &word)
                   ? NULL
                   : "the first value is not an integer of the type";
    default: return "no such kind of bins";
    }
}

/* An end as a word. 2^64 is 0, so that differences are right modulo 2^64. */
static uint64_t end_word(scankit_type type, double end)
{
    uint64_t zero = is_signed(type) ? (uint64_t)1 << (8 * scankit_type_size(type) - 1) : 0;
    if (end < 0)
        return zero - (uint64_t)-end;
    return end < 0x1p64 ? zero + (uint64_t)end : 0;
}

static void prepare_integers(scankit_type type, const scankit_bins *bins, sk_bins *to)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t low = end_word(type, bins->low), range = end_word(type, bins->high) - low;
    to->low = low;
    to->range = range;
    to->whole = range != 0 ? bins->count / range : 0;
    to->rest = range != 0 ? bins->count % range : bins->count;
    to->reciprocal = range != 0 ? (uint64_t)(((wide)to->rest << 64) / range) : to->rest;
    to->most_32 = (uint32_t)(low + range > UINT32_MAX ? range - 1 : range);
    to->scale_32 = range != 0 ? (uint64_t)((((wide)to->rest << 64) + (range - 1)) / range) : 0;
}

static scankit_error prepare_edges(scankit_context *context, scankit_type type, const scankit_bins *bins, sk_bins *to)
{
    size_t size = scankit_type_size(type) == 8 ? 8 : 4, edges = bins->count + 1;
    void *words;
    SK_TRY(sk_take(context, edges, size, &words));
    char *host = malloc(edges * size);
    if (host == NULL)
        return SCANKIT_E_MEMORY;
    for (size_t i = 0; i < edges; i++) {
        uint64_t word = edge_word(type, bins->edges, i);
        uint32_t narrow = (uint32_t)word;
        memcpy(host + i * size, size == 8 ? (const void *)&word : &narrow, size);
    }
    scankit_error error = context->backend->upload(context->device, words, host, edges * size);
    free(host);
    to->edges = words;
    for (to->step = 1; to->step <= edges / 2; to->step *= 2)
        continue;
    return error;
}

scankit_error sk_prepare_bins(scankit_context *context, scankit_type type, const scankit_bins *bins, sk_bins *to)
{
    *to = (sk_bins){.kind = bins->kind, .count = (uint32_t)bins->count};
    if (bins->kind == SCANKIT_BINS_EDGES)
        return prepare_edges(context, type, bins, to);
    if (bins->kind == SCANKIT_BINS_VALUES) {
        first_word(type, bins->first, &to->low);
        return SCANKIT_OK;
    }
    if (!sk_is_float(type)) {
        prepare_integers(type, bins, to);
        return SCANKIT_OK;
    }
    to->low_32 = (float)bins->low;
    if ((double)to->low_32 < bins->low)
        to->low_32 = nextafterf(to->low_32, INFINITY);
    to->high_32 = (float)bins->high;
    if ((double)to->high_32 > bins->high)
        to->high_32 = nextafterf(to->high_32, -INFINITY);
    to->float_low = bins->low;
    to->float_high = bins->high;
    to->scale = (double)bins->count / (bins->high - bins->low);
    return SCANKIT_OK;
}
