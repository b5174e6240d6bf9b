/* runs.c - which elements differ from the one before them, as masks of 64 bits; and how far apart places are. */
#include "kernels.h"
#include "stream.h"

#if defined(__aarch64__)
#include "neon.h"
#endif

/* ---- where all bytes of 1, 2, 4, 8 or 16 count: same_size(in) has a bit for each of 64 elements from `in` on, set
 * where it equals the one before ---- */

#define BEFORE(in, size) ((in) - (size))
#if defined(__AVX512BW__)
#define HAS_SAME
#define EQUAL(size, bits, in) \
    _mm512_cmpeq_epi##bits##_mask(_mm512_loadu_si512(in), _mm512_loadu_si512(BEFORE(in, size)))
SK_INLINE uint64_t same_1(const char *in)
{
    return EQUAL(1, 8, in);
}

/* Masks are joined as masks: gcc 12 may spill 32 bits of one and take 64 back where it becomes an integer. */
SK_INLINE uint64_t same_2(const char *in)
{
    return _mm512_kunpackd(EQUAL(2, 16, in + 64), EQUAL(2, 16, in));
}

SK_INLINE __mmask32 equal_4(const char *in)
{
    return _mm512_kunpackw(EQUAL(4, 32, in + 64), EQUAL(4, 32, in));
}

SK_INLINE uint64_t same_4(const char *in)
{
    return _mm512_kunpackd(equal_4(in + 128), equal_4(in));
}

SK_INLINE __mmask32 equal_8(const char *in)
{
    __mmask16 low = _mm512_kunpackb(EQUAL(8, 64, in + 64), EQUAL(8, 64, in));
    return _mm512_kunpackw(_mm512_kunpackb(EQUAL(8, 64, in + 192), EQUAL(8, 64, in + 128)), low);
}

SK_INLINE uint64_t same_8(const char *in)
{
    return _mm512_kunpackd(equal_8(in + 256), equal_8(in));
}

#define HAS_SAME_16
/* Bits 0, 2, 4 and so on, side by side. */
SK_INLINE uint64_t even_bits(uint64_t x)
{
    x &= 0x5555555555555555;
    x = (x | x >> 1) & 0x3333333333333333;
    x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x >> 4) & 0x00ff00ff00ff00ff;
    x = (x | x >> 8) & 0x0000ffff0000ffff;
    return (x | x >> 16) & UINT32_MAX;
}

/* Of 32 elements, by their halves. */
SK_INLINE uint64_t equal_16(const char *in)
{
    uint64_t halves = 0;
    for (unsigned i = 0; i < 8; i++)
        halves |= (uint64_t)EQUAL(16, 64, in + 64 * i) << 8 * i;
    return even_bits(halves & halves >> 1);
}

SK_INLINE uint64_t same_16(const char *in)
{
    return equal_16(in + 512) << 32 | equal_16(in);
}

#elif defined(__AVX2__)
#define LANES(size) (32 / (size))
#define SAME(in, size, bits) \
    _mm256_cmpeq_epi##bits(_mm256_loadu_si256((const void *)(in)), _mm256_loadu_si256((const void *)BEFORE(in, size)))
SK_INLINE uint64_t equal_1(const char *in)
{
    return (uint32_t)_mm256_movemask_epi8(SAME(in, 1, 8));
}

SK_INLINE uint64_t equal_2(const char *in)
{
    __m256i same = SAME(in, 2, 16);
    __m128i packed = _mm_packs_epi16(_mm256_castsi256_si128(same), _mm256_extracti128_si256(same, 1));
    return (uint32_t)_mm_movemask_epi8(packed);
}

SK_INLINE uint64_t equal_4(const char *in)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(SAME(in, 4, 32)));
}

SK_INLINE uint64_t equal_8(const char *in)
{
    return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(SAME(in, 8, 64)));
}

#define HAS_SAME_16
SK_INLINE uint64_t equal_16(const char *in)
{
    const __m256i halves = SAME(in, 16, 64), both = _mm256_and_si256(halves, _mm256_shuffle_epi32(halves, 0x4e));
    const unsigned twice = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(both));
    return (twice & 1) | (twice >> 1 & 2);
}

#elif defined(__SSE2__)
#define LANES(size) (16 / (size))
#define SAME(in, size, bits) \
    _mm_cmpeq_epi##bits(_mm_loadu_si128((const void *)(in)), _mm_loadu_si128((const void *)BEFORE(in, size)))
SK_INLINE uint64_t equal_1(const char *in)
{
    return (uint32_t)_mm_movemask_epi8(SAME(in, 1, 8));
}

SK_INLINE uint64_t equal_2(const char *in)
{
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(SAME(in, 2, 16), _mm_setzero_si128()));
}

SK_INLINE uint64_t equal_4(const char *in)
{
    return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(SAME(in, 4, 32)));
}

SK_INLINE uint64_t equal_8(const char *in)
{
    __m128i halves = SAME(in, 8, 32), others = _mm_shuffle_epi32(halves, _MM_SHUFFLE(2, 3, 0, 1));
    return (uint32_t)_mm_movemask_pd(_mm_castsi128_pd(_mm_and_si128(halves, others)));
}
#endif

#if defined(__aarch64__)
#define HAS_SAME
#define LOAD(bits, in) vreinterpretq_u##bits##_u8(vld1q_u8((const uint8_t *)(in)))
#define SAME(size, bits, in) vceqq_u##bits(LOAD(bits, in), LOAD(bits, BEFORE(in, size)))
/* The even parts of the lanes of two registers. */
#define NARROW(bits, wide, a, b) vuzp1q_u##bits(vreinterpretq_u##bits##_u##wide(a), vreinterpretq_u##bits##_u##wide(b))

/* Of 16 elements. */
SK_INLINE uint8x16_t equal_1(const char *in)
{
    return vceqq_u8(vld1q_u8((const uint8_t *)in), vld1q_u8((const uint8_t *)BEFORE(in, 1)));
}

SK_INLINE uint8x16_t equal_2(const char *in)
{
    return NARROW(8, 16, SAME(2, 16, in), SAME(2, 16, in + 16));
}

SK_INLINE uint16x8_t eight_4(const char *in)
{
    return NARROW(16, 32, SAME(4, 32, in), SAME(4, 32, in + 16));
}

SK_INLINE uint8x16_t equal_4(const char *in)
{
    return NARROW(8, 16, eight_4(in), eight_4(in + 32));
}

SK_INLINE uint32x4_t four_8(const char *in)
{
    return NARROW(32, 64, SAME(8, 64, in), SAME(8, 64, in + 16));
}

SK_INLINE uint16x8_t eight_8(const char *in)
{
    return NARROW(16, 32, four_8(in), four_8(in + 32));
}

SK_INLINE uint8x16_t equal_8(const char *in)
{
    return NARROW(8, 16, eight_8(in), eight_8(in + 64));
}

#define SAME_64(size)                                                                                         \
    SK_INLINE uint64_t same_##size(const char *in)                                                            \
    {                                                                                                         \
        return sk_neon_mask(equal_##size(in), equal_##size(in + 16 * (size)), equal_##size(in + 32 * (size)), \
                            equal_##size(in + 48 * (size)));                                                  \
    }
SAME_64(1)
SAME_64(2)
SAME_64(4)
SAME_64(8)
#endif

#ifdef LANES
#define HAS_SAME
#define SAME_64(size)                                     \
    SK_INLINE uint64_t same_##size(const char *in)        \
    {                                                     \
        uint64_t same = 0;                                \
        for (unsigned at = 0; at < 64; at += LANES(size)) \
            same |= equal_##size(in + at * (size)) << at; \
        return same;                                      \
    }
SAME_64(1)
SAME_64(2)
SAME_64(4)
SAME_64(8)
#ifdef HAS_SAME_16
SAME_64(16)
#endif
#endif

/* ---- where any bytes count ---- */

SK_INLINE uint64_t differ_8(const char *a, const char *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x ^ y;
}

/* True if any of the bytes differ; the last eight may overlap the ones before. */
SK_INLINE bool differs(const char *a, const char *b, size_t size)
{
    uint64_t any = 0;
    if (size > 64 || size < 8)
        return memcmp(a, b, size) != 0;
    for (size_t at = 0; at + 8 < size; at += 8)
        any |= differ_8(a + at, b + at);
    return (any | differ_8(a + size - 8, b + size - 8)) != 0;
}

SK_INLINE uint64_t differ_each(const char *in, size_t stride, size_t size, size_t n)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < n; i++, in += stride)
        mask |= (uint64_t)differs(in, in - stride, size) << i;
    return mask;
}

/* Of n elements, up to 64, whose bytes to compare begin at in + i * stride. */
static uint64_t differ_span(const char *in, size_t stride, size_t size, size_t n)
{
    switch (size) {
    case 1: return differ_each(in, stride, 1, n);
    case 2: return differ_each(in, stride, 2, n);
    case 4: return differ_each(in, stride, 4, n);
    case 8: return differ_each(in, stride, 8, n);
    case 16: return differ_each(in, stride, 16, n);
    default: return differ_each(in, stride, size, n);
    }
}

static size_t heads_any(const sk_runs *what, const char *in, size_t n, uint64_t *mask)
{
    size_t stride = what->element_size, count = 0;
    for (size_t i = 0; i < n; i += 64, in += 64 * stride, mask++) {
        *mask = 0;
        for (const sk_span *span = what->span; span < what->span + what->span_count; span++)
            *mask |= differ_span(in + span->begin, stride, span->end - span->begin, sk_min(64, n - i));
        count += (size_t)__builtin_popcountll(*mask);
    }
    return count;
}

#ifdef HAS_SAME
#define HEADS_AHEAD ((size_t)4096) /* bytes by which elements are asked for, also while what was found is used */
#define HEADS(size)                                                      \
    static size_t heads_##size(const char *in, size_t n, uint64_t *mask) \
    {                                                                    \
        size_t count = 0;                                                \
        for (; n >= 64; n -= 64, in += (size_t)64 * (size), mask++) {    \
            for (size_t line = 0; line < 64 * (size); line += 64)        \
                sk_will_read(in, HEADS_AHEAD + line);                    \
            *mask = ~same_##size(in);                                    \
            count += (size_t)__builtin_popcountll(*mask);                \
        }                                                                \
        if (n > 0) {                                                     \
            *mask = differ_each(in, size, size, n);                      \
            count += (size_t)__builtin_popcountll(*mask);                \
        }                                                                \
        return count;                                                    \
    }
HEADS(1)
HEADS(2)
HEADS(4)
HEADS(8)
#ifdef HAS_SAME_16
HEADS(16)
#endif
#endif

static size_t heads(const sk_runs *what, const void *in, size_t n, uint64_t *mask)
{
#ifdef HAS_SAME
    if (sk_compares_all(what))
        switch (what->element_size) {
        case 1: return heads_1(in, n, mask);
        case 2: return heads_2(in, n, mask);
        case 4: return heads_4(in, n, mask);
        case 8: return heads_8(in, n, mask);
#ifdef HAS_SAME_16
        case 16: return heads_16(in, n, mask);
#endif
        default:;
        }
#endif
    return heads_any(what, in, n, mask);
}

/* ---- lengths ---- */

static void lengths(const uint32_t *places, size_t n, uint64_t *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = places[i + 1] - places[i];
}

const sk_run_kernels SK_ISA_NAME(sk_run_kernels) = {.heads = heads, .lengths = lengths};
