/* compress.c - moves the elements that match together: flags become masks of 64 bits, whose elements a vector at a time
 * are shifted to the front of a register, written whole, and overwritten by what follows. */
#include "burst.h"
#include "chunks.h"
#include "kernels.h"
#include "rows.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include "neon.h"
#endif

/* ---- masks ---- */

/* Bit i is set where flags[i] is not 0. */
SK_INLINE uint64_t few_flags(const uint8_t *flags, size_t n)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < n; i++)
        mask |= (uint64_t)(flags[i] != 0) << i;
    return mask;
}

SK_INLINE uint64_t all_flags(const uint8_t *flags)
{
#if defined(__AVX512BW__)
    __m512i x = _mm512_loadu_si512(flags);
    return _mm512_test_epi8_mask(x, x);
#elif defined(__AVX2__)
    const __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)flags), zero);
    __m256i high = _mm256_cmpeq_epi8(_mm256_loadu_si256((const void *)(flags + 32)), zero);
    return ~((uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low));
#elif defined(__SSE2__)
    uint64_t zeros = 0;
    for (unsigned i = 0; i < 64; i += 16) {
        __m128i x = _mm_cmpeq_epi8(_mm_loadu_si128((const void *)(flags + i)), _mm_setzero_si128());
        zeros |= (uint64_t)(unsigned)_mm_movemask_epi8(x) << i;
    }
    return ~zeros;
#elif defined(__aarch64__)
    uint8x16_t set[4];
    for (unsigned i = 0; i < 4; i++) {
        uint8x16_t x = vld1q_u8(flags + 16 * i);
        set[i] = vtstq_u8(x, x);
    }
    return sk_neon_mask(set[0], set[1], set[2], set[3]);
#else
    return few_flags(flags, 64);
#endif
}

static void masks(const uint8_t *flags, size_t n, uint64_t *mask)
{
    size_t words = n / 64, rest = n % 64;
    for (size_t w = 0; w < words; w++) {
        sk_will_read_page(flags + 64 * w, 64);
        mask[w] = all_flags(flags + 64 * w);
    }
    if (rest > 0)
        mask[words] = few_flags(flags + 64 * words, rest);
}

static size_t choose(const uint64_t *mask, size_t n, bool invert, uint64_t *chosen)
{
    const uint64_t turn = invert ? UINT64_MAX : 0;
    size_t count = 0, words = (n + 63) / 64;
    for (size_t w = 0; w < words; w++) {
        uint64_t word = mask[w] ^ turn;
        __asm__("" : "+r"(word)); /* no vectors, which would wait for the words just written */
        if (w == n / 64)
            word &= sk_low_mask((unsigned)(n % 64));
        chosen[w] = word;
        count += (size_t)__builtin_popcountll(word);
    }
    return count;
}

/* ---- moving one by one ---- */

/* The elements whose bits are set in one mask; returns the end of the output. */
SK_INLINE char *move_word(const char *in, size_t size, size_t chunk, uint64_t mask, char *out)
{
    for (; mask != 0; mask &= mask - 1, out += size)
        sk_copy_chunks(out, in + (size_t)__builtin_ctzll(mask) * size, size, chunk);
    return out;
}

SK_INLINE void move_each(const char *in, size_t size, size_t chunk, const uint64_t *mask, size_t n, char *out)
{
    for (size_t i = 0; i < n; i += 64, in += 64 * size, mask++) {
        if (*mask == UINT64_MAX) {
            memcpy(out, in, 64 * size);
            out += 64 * size;
        } else {
            out = move_word(in, size, chunk, *mask, out);
        }
    }
}

/* ---- moving a register at a time: CHUNK_size elements, of a mask's lowest bits; all of a register is written ---- */

#if SK_HAS_ROWS
#define CHUNK_4 (REGISTER / 4)
#define CHUNK_8 (REGISTER / 8)
#define COMPRESS(size, bits)                                             \
    typedef sk_row row_##size;                                           \
    SK_INLINE sk_row compress_##size(const char *in, unsigned mask)      \
    {                                                                    \
        return SK_COMPRESS(bits, (sk_mask_##bits)mask, SK_LOAD_ROW(in)); \
    }                                                                    \
    SK_INLINE void put_##size(char *out, sk_row x)                       \
    {                                                                    \
        SK_STORE_ROW(out, x);                                            \
    }
COMPRESS(4, 32)
COMPRESS(8, 64)

/* A Zen 1 takes 58 ns for the instruction that gathers bits of a word. */
#define CHUNK_1 8
typedef __m128i row_1, row_2;
SK_INLINE __m128i compress_1(const char *in, unsigned mask)
{
    const __m128i kept = _mm_loadl_epi64((const void *)&sk_set_bits[mask]);
    return _mm_shuffle_epi8(_mm_loadl_epi64((const void *)in), kept);
}

SK_INLINE void put_1(char *out, __m128i x)
{
    _mm_storel_epi64((void *)out, x);
}

#define CHUNK_2 8
SK_INLINE __m128i compress_2(const char *in, unsigned mask)
{
    const __m128i kept = _mm_loadl_epi64((const void *)&sk_set_bits[mask]), low = _mm_add_epi8(kept, kept);
    const __m128i bytes = _mm_unpacklo_epi8(low, _mm_or_si128(low, _mm_set1_epi8(1)));
    return _mm_shuffle_epi8(_mm_loadu_si128((const void *)in), bytes);
}

SK_INLINE void put_2(char *out, __m128i x)
{
    _mm_storeu_si128((void *)out, x);
}

#elif defined(__aarch64__)
/* For each mask of four bits the bytes of those lanes. */
#define LANE(l) 4 * (l), 4 * (l) + 1, 4 * (l) + 2, 4 * (l) + 3
#define ORDER(a, b, c, d)                  \
    {                                      \
        LANE(a), LANE(b), LANE(c), LANE(d) \
    }
static const uint8_t orders[16][16] = {ORDER(0, 0, 0, 0), ORDER(0, 0, 0, 0), ORDER(1, 0, 0, 0), ORDER(0, 1, 0, 0),
                                       ORDER(2, 0, 0, 0), ORDER(0, 2, 0, 0), ORDER(1, 2, 0, 0), ORDER(0, 1, 2, 0),
                                       ORDER(3, 0, 0, 0), ORDER(0, 3, 0, 0), ORDER(1, 3, 0, 0), ORDER(0, 1, 3, 0),
                                       ORDER(2, 3, 0, 0), ORDER(0, 2, 3, 0), ORDER(1, 2, 3, 0), ORDER(0, 1, 2, 3)};

#define CHUNK_4 4
SK_INLINE void compress_4(const char *in, unsigned mask, char *out)
{
    vst1q_u8((uint8_t *)out, vqtbl1q_u8(vld1q_u8((const uint8_t *)in), vld1q_u8(orders[mask])));
}

#define CHUNK_8 2
SK_INLINE void compress_8(const char *in, unsigned mask, char *out)
{
    static const uint8_t halves[4] = {0x0, 0x3, 0xc, 0xf};
    compress_4(in, halves[mask], out);
}
#endif

/* Moves 64 elements by the registers of their word; returns the end of the output. */
#if defined(__aarch64__)
/* A count takes four instructions, through a vector register: each register begins where the one before has ended. */
#define MOVE_WORD(size)                                                             \
    SK_INLINE char *move_chunks_##size(const char *in, uint64_t word, char *out)    \
    {                                                                               \
        for (unsigned at = 0; at < 64; at += CHUNK_##size, word >>= CHUNK_##size) { \
            unsigned chunk = (unsigned)(word & ((1u << CHUNK_##size) - 1));         \
            compress_##size(in + at * (size), chunk, out);                          \
            out += (0x4332322132212110 >> (4 * chunk) & 15) * (size);               \
        }                                                                           \
        return out;                                                                 \
    }
#else
#define TOGETHER 4 /* registers that are compressed before one of them is stored: see kernel/pick.c */

/* Each register's place comes from the word, not from the register before: otherwise they wait for one another, 22
 * cycles for 64 numbers of 4 bytes instead of 14 on a Zen 4. */
#define MOVE_WORD(size)                                                                                            \
    SK_INLINE void put_chunk_##size(char *out, uint64_t word, unsigned at, row_##size x)                           \
    {                                                                                                              \
        size_t before = at > 0 ? (size_t)__builtin_popcountll(word & sk_low_mask(at)) : 0;                         \
        put_##size(out + before * (size), x);                                                                      \
    }                                                                                                              \
    SK_INLINE char *move_chunks_##size(const char *in, uint64_t word, char *out)                                   \
    {                                                                                                              \
        row_##size x[TOGETHER];                                                                                    \
        SK_UNROLL for (unsigned at = 0; at < 64; at += TOGETHER * CHUNK_##size)                                    \
        {                                                                                                          \
            SK_UNROLL for (unsigned i = 0; i < TOGETHER; i++)                                                      \
            {                                                                                                      \
                const unsigned from = at + i * CHUNK_##size;                                                       \
                x[i] = compress_##size(in + from * (size), (unsigned)(word >> from & ((1u << CHUNK_##size) - 1))); \
            }                                                                                                      \
            SK_UNROLL for (unsigned i = 0; i < TOGETHER; i++)                                                      \
                put_chunk_##size(out, word, at + i * CHUNK_##size, x[i]);                                          \
        }                                                                                                          \
        return out + (size_t)__builtin_popcountll(word) * (size);                                                  \
    }
#endif

/* The last elements go one by one: a register there might read past the end of the array. */
#define MOVE_CHUNKS(size)                                                              \
    MOVE_WORD(size)                                                                    \
    static void move_##size(const char *in, const uint64_t *mask, size_t n, char *out) \
    {                                                                                  \
        size_t i = 0;                                                                  \
        for (; i + 64 <= n; i += 64, in += 64 * (size), mask++) {                      \
            sk_will_read_page(in, 64 * (size));                                        \
            if (*mask == UINT64_MAX) {                                                 \
                memcpy(out, in, 64 * (size));                                          \
                out += 64 * (size);                                                    \
            } else if (*mask != 0) {                                                   \
                out = move_chunks_##size(in, *mask, out);                              \
            }                                                                          \
        }                                                                              \
        if (i < n)                                                                     \
            move_word(in, size, size, *mask, out);                                     \
    }
#define MOVE_EACH(size)                                                                \
    static void move_##size(const char *in, const uint64_t *mask, size_t n, char *out) \
    {                                                                                  \
        move_each(in, size, size, mask, n, out);                                       \
    }

#if defined(CHUNK_1)
MOVE_CHUNKS(1)
MOVE_CHUNKS(2)
#else
MOVE_EACH(1)
MOVE_EACH(2)
#endif
#if defined(CHUNK_4)
MOVE_CHUNKS(4)
MOVE_CHUNKS(8)
#else
MOVE_EACH(4)
MOVE_EACH(8)
#endif
MOVE_EACH(16)

static void move(const void *in, size_t size, const uint64_t *mask, size_t n, void *out)
{
    switch (size) {
#define X(constant) \
    case constant: move_##constant(in, mask, n, out); return;
        X(1) X(2) X(4) X(8) X(16)
#undef X
    }
    if (size < 4)
        move_each(in, size, 2, mask, n, out);
    else if (size < 8)
        move_each(in, size, 4, mask, n, out);
    else if (size < 16)
        move_each(in, size, 8, mask, n, out);
    else if (size < 256)
        move_each(in, size, 16, mask, n, out);
    else
        move_each(in, size, size, mask, n, out);
}

/* ---- the places of the bits ---- */

#if defined(__AVX512F__)
SK_INLINE uint32_t *places_of(uint64_t mask, uint32_t first, uint32_t *out)
{
    const __m512i order = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (unsigned at = 0; at < 64; at += 16) {
        __mmask16 chunk = (__mmask16)(mask >> at);
        __m512i place = _mm512_add_epi32(_mm512_set1_epi32((int)(first + at)), order);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(chunk, place));
        out += __builtin_popcount(chunk);
    }
    return out;
}

SK_INLINE uint64_t *positions_of(uint64_t mask, uint64_t first, uint64_t *out)
{
    const __m512i order = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    SK_UNROLL for (unsigned at = 0; at < 64; at += 8)
    {
        size_t before = at > 0 ? (size_t)__builtin_popcountll(mask & sk_low_mask(at)) : 0;
        __m512i place = _mm512_add_epi64(_mm512_set1_epi64((int64_t)(first + at)), order);
        _mm512_storeu_si512(out + before, _mm512_maskz_compress_epi64((__mmask8)(mask >> at), place));
    }
    return out + __builtin_popcountll(mask);
}

#elif defined(__AVX2__)
SK_INLINE uint32_t *places_of(uint64_t mask, uint32_t first, uint32_t *out)
{
    for (unsigned at = 0; at < 64; at += 8, mask >>= 8) {
        const __m256i from = _mm256_set1_epi32((int)(first + at));
        _mm256_storeu_si256((void *)out, _mm256_add_epi32(SK_KEPT_32(mask & 255), from));
        out += __builtin_popcountll(mask & 255);
    }
    return out;
}

SK_INLINE uint64_t *positions_of(uint64_t mask, uint64_t first, uint64_t *out)
{
    for (unsigned at = 0; at < 64; at += 8, mask >>= 8) {
        const __m256i from = _mm256_set1_epi64x((int64_t)(first + at));
        const __m128i kept = _mm_loadl_epi64((const void *)&sk_set_bits[mask & 255]);
        _mm256_storeu_si256((void *)out, _mm256_add_epi64(_mm256_cvtepu8_epi64(kept), from));
        _mm256_storeu_si256((void *)(out + 4), _mm256_add_epi64(_mm256_cvtepu8_epi64(_mm_srli_epi64(kept, 32)), from));
        out += __builtin_popcountll(mask & 255);
    }
    return out;
}

#else
SK_INLINE uint32_t *places_of(uint64_t mask, uint32_t first, uint32_t *out)
{
    for (; mask != 0; mask &= mask - 1)
        *out++ = first + (uint32_t)__builtin_ctzll(mask);
    return out;
}

SK_INLINE uint64_t *positions_of(uint64_t mask, uint64_t first, uint64_t *out)
{
    for (; mask != 0; mask &= mask - 1)
        *out++ = first + (uint64_t)__builtin_ctzll(mask);
    return out;
}
#endif

static void find_places(const uint64_t *mask, size_t n, uint32_t first, uint32_t *out)
{
    for (size_t i = 0; i < n; i += 64, mask++, first += 64)
        if (*mask != 0)
            out = places_of(*mask, first, out);
}

static void find_positions(const uint64_t *mask, size_t n, uint64_t first, uint64_t *out)
{
    for (size_t i = 0; i < n; i += 64, mask++, first += 64)
        if (*mask != 0)
            out = positions_of(*mask, first, out);
}

const sk_compress_kernels SK_ISA_NAME(sk_compress) = {
    .masks = masks,
    .choose = choose,
    .move = move,
    .places = find_places,
    .positions = find_positions,
    .stream = sk_stream,
    .stream_part = sk_stream_bytes,
    .stream_end = sk_stream_end,
};
