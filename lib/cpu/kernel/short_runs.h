/* short_runs.h - runs of few elements each back to elements, without a branch that depends on their lengths: where runs
 * begin, a byte is set; the sums of these bytes say which value an element has, and a permutation brings it there. */
#ifndef SK_SHORT_RUNS_H
#define SK_SHORT_RUNS_H

#include "kernels.h"
#include "stream.h"

/* Elements whose runs are marked at a time. With 256, 512 and 1024, a Zen 4 decodes distinct u32 at 0.59, 0.58 and 0.53
 * of a copy of the same bytes, and runs of 8 at 0.84, 0.90 and 0.88. */
#define SK_MARKED ((size_t)512)
#define SK_MARK_GROUP 8    /* runs that are looked at together */
#define SK_MARK_LONGEST 64 /* elements of these at most, each */
#define SK_MARK_ROOM (SK_MARKED + SK_MARK_GROUP * SK_MARK_LONGEST + 64)

#if defined(__AVX512BW__)
#define SK_MARK_AHEAD ((size_t)2 << 10) /* bytes of counts that are asked for before they are read */

/* Whether all of the next runs have 1 to SK_MARK_LONGEST elements. */
SK_INLINE bool sk_are_short(const uint64_t *counts)
{
    const __m512i less = _mm512_sub_epi64(_mm512_loadu_si512(counts), _mm512_set1_epi64(1));
    return _mm512_cmpge_epu64_mask(less, _mm512_set1_epi64(SK_MARK_LONGEST)) == 0;
}

/* Sets heads[i] where element i begins a run after the current one. Returns how many elements are known, the element
 * after them begins a run too. */
SK_INLINE size_t sk_mark_heads(const sk_expansion *from, size_t size, uint8_t *heads)
{
    size_t at = from->left, runs = 0;
    for (; at < SK_MARKED && sk_are_short(from->counts + runs); runs += SK_MARK_GROUP) {
        sk_will_read(from->counts + runs, SK_MARK_AHEAD);
        sk_will_read(from->value + runs * size, SK_MARK_AHEAD * size / sizeof *from->counts);
        for (size_t r = 0; r < SK_MARK_GROUP; r++) {
            heads[at] = 1;
            at += from->counts[runs + r];
        }
    }
    heads[at] = 1;
    return at;
}

/* Goes on to element number `whole`, which is less than 64 before what is marked. `runs` begin before it. */
SK_INLINE void sk_skip_marked(sk_expansion *from, size_t size, size_t runs, uint8_t *heads, size_t whole)
{
    const __m512i rest = _mm512_loadu_si512(heads + whole);
    from->left = (size_t)__builtin_ctzll(_mm512_test_epi8_mask(rest, rest));
    from->value += runs * size;
    from->counts += runs;
    _mm512_storeu_si512(heads + whole, _mm512_setzero_si512());
}

/* Of each group of bytes but its first one, the sums up to each. */
SK_INLINE __m512i sk_ranks_32(__m512i heads)
{
    heads = _mm512_maskz_mov_epi8(0xfffefffefffefffe, heads);
    heads = _mm512_add_epi8(heads, _mm512_bslli_epi128(heads, 1));
    heads = _mm512_add_epi8(heads, _mm512_bslli_epi128(heads, 2));
    heads = _mm512_add_epi8(heads, _mm512_bslli_epi128(heads, 4));
    return _mm512_add_epi8(heads, _mm512_bslli_epi128(heads, 8));
}

SK_INLINE __m512i sk_ranks_64(__m512i heads)
{
    heads = _mm512_maskz_mov_epi8(0xfefefefefefefefe, heads);
    heads = _mm512_add_epi8(heads, _mm512_slli_epi64(heads, 8));
    heads = _mm512_add_epi8(heads, _mm512_slli_epi64(heads, 16));
    return _mm512_add_epi8(heads, _mm512_slli_epi64(heads, 32));
}

SK_INLINE __m512i sk_spread_32(const uint8_t *ranks, const char *values)
{
    return _mm512_permutexvar_epi32(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)ranks)),
                                    _mm512_loadu_si512(values));
}

SK_INLINE __m512i sk_spread_64(const uint8_t *ranks, const char *values)
{
    return _mm512_permutexvar_epi64(_mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)ranks)),
                                    _mm512_loadu_si512(values));
}

/* short_runs_NAME: writes elements of short runs, in whole lines, n at most. Answers how many. heads are 0 before and
 * after the call. */
#define SK_SHORT_RUNS(bits)                                                                                   \
    static size_t sk_short_runs_##bits(sk_expansion *from, char *out, size_t n, bool stream, uint8_t *heads)  \
    {                                                                                                         \
        enum { LANES = 512 / (bits), SIZE = (bits) / 8 };                                                     \
        if (n < SK_MARK_ROOM || from->left > SK_MARK_LONGEST ||                                               \
            from->end - from->counts < (ptrdiff_t)(SK_MARKED + SK_MARK_GROUP + LANES))                        \
            return 0;                                                                                         \
        const size_t whole = sk_mark_heads(from, SIZE, heads) & ~(size_t)63;                                  \
        size_t runs = 0;                                                                                      \
        for (size_t at = 0; at < whole; at += 64) {                                                           \
            _Alignas(64) uint8_t ranks[64];                                                                   \
            const __m512i marked = _mm512_loadu_si512(heads + at);                                            \
            const uint64_t mask = _mm512_test_epi8_mask(marked, marked);                                      \
            _mm512_storeu_si512(heads + at, _mm512_setzero_si512());                                          \
            _mm512_store_si512(ranks, sk_ranks_##bits(marked));                                               \
            for (size_t lane = 0; lane < 64; lane += LANES) {                                                 \
                const size_t first = runs + (size_t)__builtin_popcountll(mask & (((uint64_t)2 << lane) - 1)); \
                const __m512i line = sk_spread_##bits(ranks + lane, from->value + first * SIZE);              \
                if (stream)                                                                                   \
                    _mm512_stream_si512((void *)(out + (at + lane) * SIZE), line);                            \
                else                                                                                          \
                    _mm512_storeu_si512(out + (at + lane) * SIZE, line);                                      \
            }                                                                                                 \
            runs += (size_t)__builtin_popcountll(mask);                                                       \
        }                                                                                                     \
        sk_skip_marked(from, SIZE, runs, heads, whole);                                                       \
        return whole;                                                                                         \
    }
SK_SHORT_RUNS(32)
SK_SHORT_RUNS(64)

static size_t sk_write_short_runs(sk_expansion *from, size_t size, char *out, size_t n, bool stream, uint8_t *heads)
{
    if ((uintptr_t)out % 64 != 0)
        return 0;
    switch (size) {
    case 4: return sk_short_runs_32(from, out, n, stream, heads);
    case 8: return sk_short_runs_64(from, out, n, stream, heads);
    default: return 0;
    }
}
#else
static size_t sk_write_short_runs(sk_expansion *from, size_t size, char *out, size_t n, bool stream, uint8_t *heads)
{
    (void)from, (void)size, (void)out, (void)n, (void)stream, (void)heads;
    return 0;
}
#endif

#endif
