/* running.c - scans a register of 64 bytes at a time: in log2 of its lanes steps, each combines what lies twice as far
 * before as the last one (Hillis and Steele 1986). Then all are combined with the result before the register, which
 * waits for one operation a register.
 */
#include "kernels.h"
#include "stream.h"

#if defined(__AVX512BW__)

/* Elements up to the next line. */
SK_INLINE size_t to_line(const void *y, size_t size)
{
    return (-(uintptr_t)y & 63) / size;
}

SK_INLINE void put_line(const sk_pass *pass, void *y, size_t at, __m512i line)
{
    if (pass->stream) {
        sk_will_read(pass->next, at);
        _mm512_stream_si512(y, line);
    } else {
        _mm512_storeu_si512(y, line);
    }
}

/* ---- 1 and 2 bytes, without heads ---- */

/* Zeros, or other lanes, moved in from below. */
#define UP_64(x, lanes) _mm512_alignr_epi64(x, _mm512_setzero_si512(), 8 - (lanes))

/* Zeros change no sum, and no maximum of unsigned numbers. Other extremes are maxima of unsigned numbers, some of whose
 * bits are flipped. */
#define WITH_sum_8 _mm512_add_epi8
#define WITH_sum_16 _mm512_add_epi16
#define WITH_max_8 _mm512_max_epu8
#define WITH_max_16 _mm512_max_epu16

/* Lanes move within quarters of a register. So these are scanned, and then their last lanes, which `last` repeats over
 * each. */
#define SCANNED(op, bits, last)                                               \
    SK_INLINE __m512i scanned_##op##_##bits(__m512i x)                        \
    {                                                                         \
        if ((bits) == 8)                                                      \
            x = WITH_##op##_##bits(x, _mm512_bslli_epi128(x, 1));             \
        x = WITH_##op##_##bits(x, _mm512_bslli_epi128(x, 2));                 \
        x = WITH_##op##_##bits(x, _mm512_bslli_epi128(x, 4));                 \
        x = WITH_##op##_##bits(x, _mm512_bslli_epi128(x, 8));                 \
        const __m512i ends = UP_64(_mm512_shuffle_epi8(x, last), 2);          \
        const __m512i two = WITH_##op##_##bits(ends, UP_64(ends, 2));         \
        return WITH_##op##_##bits(x, WITH_##op##_##bits(two, UP_64(two, 4))); \
    }
SCANNED(sum, 8, _mm512_set1_epi8(15))
SCANNED(max, 8, _mm512_set1_epi8(15))
SCANNED(sum, 16, _mm512_set1_epi16(0x0f0e))
SCANNED(max, 16, _mm512_set1_epi16(0x0f0e))

SK_INLINE __m512i last_8(__m512i x)
{
    __m512i quarter = _mm512_shuffle_i64x2(x, x, 0xff);
    return _mm512_shuffle_epi8(quarter, _mm512_set1_epi8(15));
}

SK_INLINE __m512i last_16(__m512i x)
{
    return _mm512_permutexvar_epi16(_mm512_set1_epi16(31), x);
}

/* What lies before each lane of a line, which is scanned: sums without the line itself, maxima of one lane before. */
#define BEFORE_sum(bits, scanned, line, before) _mm512_sub_epi##bits(_mm512_add_epi##bits(scanned, before), line)
#define BEFORE_max(bits, scanned, line, before) \
    _mm512_max_epu##bits(_mm512_alignr_epi8(scanned, UP_64(scanned, 2), 16 - (bits) / 8), before)

/* op: on the elements; by: on these with some bits flipped. */
#define NARROW(op, T, bits, by, flip)                                                                       \
    SK_INLINE void each_##op##_##T(const sk_##T *x, sk_##T *y, size_t n, sk_##T *all, bool exclusive)       \
    {                                                                                                       \
        for (size_t i = 0; i < n; i++) {                                                                    \
            sk_##T before = *all;                                                                           \
            *all = (sk_##T)SK_COMBINE_##op(T, before, x[i]);                                                \
            y[i] = exclusive ? before : *all;                                                               \
        }                                                                                                   \
    }                                                                                                       \
    SK_INLINE void lines_##op##_##T(const sk_pass *pass, size_t at, size_t n, sk_##T *all, bool exclusive)  \
    {                                                                                                       \
        const sk_##T *x = (const sk_##T *)pass->in + at;                                                    \
        sk_##T *y = (sk_##T *)pass->out + at;                                                               \
        __m512i flips = _mm512_set1_epi##bits((int##bits##_t)(flip));                                       \
        if ((flip) == -1)                                                                                   \
            __asm__("" : "+v"(flips)); /* gcc 12 makes minima of maxima of complements: twice as long */    \
        __m512i before = _mm512_xor_si512(_mm512_set1_epi##bits((int##bits##_t) * all), flips);             \
        for (size_t i = 0; i < n; i += 64 / sizeof *x) {                                                    \
            __m512i line = _mm512_xor_si512(_mm512_loadu_si512(x + i), flips);                              \
            __m512i scanned = scanned_##by##_##bits(line);                                                  \
            __m512i result =                                                                                \
                exclusive ? BEFORE_##by(bits, scanned, line, before) : WITH_##by##_##bits(scanned, before); \
            before = WITH_##by##_##bits(before, last_##bits(scanned));                                      \
            put_line(pass, y + i, i * sizeof *x, _mm512_xor_si512(result, flips));                          \
        }                                                                                                   \
        *all = (sk_##T)_mm_cvtsi128_si64(_mm512_castsi512_si128(_mm512_xor_si512(before, flips)));          \
    }                                                                                                       \
    static void plain_##op##_##T(const sk_pass *pass, const void *carry)                                    \
    {                                                                                                       \
        const sk_##T *x = pass->in;                                                                         \
        sk_##T *y = pass->out, before;                                                                      \
        bool exclusive = pass->kind == SCANKIT_EXCLUSIVE;                                                   \
        memcpy(&before, carry, sizeof before);                                                              \
        size_t head = pass->stream ? sk_min(pass->n, to_line(y, sizeof *y)) : 0;                            \
        size_t lines = (pass->n - head) & ~(64 / sizeof *x - 1), rest = head + lines;                       \
        each_##op##_##T(x, y, head, &before, exclusive);                                                    \
        if (exclusive)                                                                                      \
            lines_##op##_##T(pass, head, lines, &before, true);                                             \
        else                                                                                                \
            lines_##op##_##T(pass, head, lines, &before, false);                                            \
        each_##op##_##T(x + rest, y + rest, pass->n - rest, &before, exclusive);                            \
    }

NARROW(sum, u8, 8, sum, 0)
NARROW(sum, u16, 16, sum, 0)
NARROW(max, u8, 8, max, 0)
NARROW(max, u16, 16, max, 0)
NARROW(max, i8, 8, max, INT8_MIN)
NARROW(max, i16, 16, max, INT16_MIN)
NARROW(min, u8, 8, max, -1)
NARROW(min, u16, 16, max, -1)
NARROW(min, i8, 8, max, INT8_MAX)
NARROW(min, i16, 16, max, INT16_MAX)

/* ---- 2, 4 and 8 bytes, also with heads ---- */

/* Lane l gets lane l - lanes; the lowest ones get others. */
#define TURN_16(x, lanes) \
    _mm512_permutexvar_epi16(_mm512_sub_epi16(FIRST_16, _mm512_set1_epi16(lanes)), x) /* modulo 32 */
#define TURN_32(x, lanes) _mm512_alignr_epi32(x, x, 16 - (lanes))
#define TURN_64(x, lanes) _mm512_alignr_epi64(x, x, 8 - (lanes))
#define LAST_16 last_16
#define LAST_32(x) _mm512_permutexvar_epi32(_mm512_set1_epi32(15), x)
#define LAST_64(x) _mm512_permutexvar_epi64(_mm512_set1_epi64(7), x)
#define FIRST_16                                                                                                      \
    _mm512_set_epi16(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, \
                     6, 5, 4, 3, 2, 1, 0)
#define FIRST_32 _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define FIRST_64 _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0)

typedef __mmask32 mask_16;
typedef __mmask16 mask_32;
typedef __mmask8 mask_64;

/* Which elements from number `at` on are heads, where `some`. */
SK_INLINE mask_16 heads_16(mask_16 some, const uint8_t *heads, ptrdiff_t at)
{
    __m256i bytes = _mm256_maskz_loadu_epi8(some, (const void *)((uintptr_t)heads + (uintptr_t)at));
    return _mm256_test_epi8_mask(bytes, bytes);
}

SK_INLINE mask_32 heads_32(mask_32 some, const uint8_t *heads, ptrdiff_t at)
{
    __m128i bytes = _mm_maskz_loadu_epi8(some, (const void *)((uintptr_t)heads + (uintptr_t)at));
    return _mm_test_epi8_mask(bytes, bytes);
}

SK_INLINE mask_64 heads_64(mask_64 some, const uint8_t *heads, ptrdiff_t at)
{
    return (mask_64)heads_32(some, heads, at);
}

/* What changes no sum. */
#define ZERO_u16 _mm512_setzero_si512()
#define ZERO_i16 ZERO_u16
#define ZERO_f16 ZERO_u16
#define ZERO_u32 _mm512_setzero_si512()
#define ZERO_u64 _mm512_setzero_si512()
#define ZERO_i32 ZERO_u32
#define ZERO_i64 ZERO_u64
#define ZERO_f32 (__m512i) _mm512_set1_ps(-0.0f)
#define ZERO_f64 (__m512i) _mm512_set1_pd(-0.0)

/* Where `some`, y op x; else x. */
#define OP_sum_u16(x, some, y) _mm512_mask_add_epi16(x, some, x, y)
#define OP_sum_u32(x, some, y) _mm512_mask_add_epi32(x, some, x, y)
#define OP_sum_u64(x, some, y) _mm512_mask_add_epi64(x, some, x, y)
#define OP_sum_f32(x, some, y) (__m512i) _mm512_mask_add_ps((__m512)(x), some, (__m512)(y), (__m512)(x))
#define OP_sum_f64(x, some, y) (__m512i) _mm512_mask_add_pd((__m512d)(x), some, (__m512d)(y), (__m512d)(x))
#define OP_max_u16(x, some, y) _mm512_mask_max_epu16(x, some, x, y)
#define OP_max_u32(x, some, y) _mm512_mask_max_epu32(x, some, x, y)
#define OP_max_u64(x, some, y) _mm512_mask_max_epu64(x, some, x, y)
#define OP_max_i16(x, some, y) _mm512_mask_max_epi16(x, some, x, y)
#define OP_max_i32(x, some, y) _mm512_mask_max_epi32(x, some, x, y)
#define OP_max_i64(x, some, y) _mm512_mask_max_epi64(x, some, x, y)
#define OP_max_f16 OP_max_u16
#define OP_max_f32 OP_max_u32
#define OP_max_f64 OP_max_u64
#define OP_min_u16(x, some, y) _mm512_mask_min_epu16(x, some, x, y)
#define OP_min_u32(x, some, y) _mm512_mask_min_epu32(x, some, x, y)
#define OP_min_u64(x, some, y) _mm512_mask_min_epu64(x, some, x, y)
#define OP_min_i16(x, some, y) _mm512_mask_min_epi16(x, some, x, y)
#define OP_min_i32(x, some, y) _mm512_mask_min_epi32(x, some, x, y)
#define OP_min_i64(x, some, y) _mm512_mask_min_epi64(x, some, x, y)
#define OP_min_f16 OP_min_u16
#define OP_min_f32 OP_min_u32
#define OP_min_f64 OP_min_u64

/* What a scan for extremes of floats compares: keys, as of sk_order_f32() and so on. */
#define KEYS(T, bits, first)                                                                           \
    SK_INLINE __m512i keys_##T(__m512i x)                                                              \
    {                                                                                                  \
        const __m512i sign = _mm512_set1_epi##bits(INT##bits##_MIN);                                   \
        const __m512i flip = _mm512_or_si512(_mm512_srai_epi##bits(x, (bits)-1), sign);                \
        return _mm512_sub_epi##bits(_mm512_xor_si512(x, flip), _mm512_set1_epi##bits(first));          \
    }                                                                                                  \
    SK_INLINE __m512i values_##T(__m512i key)                                                          \
    {                                                                                                  \
        const __m512i sign = _mm512_set1_epi##bits(INT##bits##_MIN), ones = _mm512_set1_epi##bits(-1); \
        const __m512i turned = _mm512_add_epi##bits(key, _mm512_set1_epi##bits(first));                \
        const __m512i above = _mm512_srai_epi##bits(turned, (bits)-1);                                 \
        return _mm512_xor_si512(turned, _mm512_or_si512(_mm512_xor_si512(above, ones), sign));         \
    }
KEYS(f16, 16, INT16_C(0x03ff))
KEYS(f32, 32, INT32_C(0x007fffff))
KEYS(f64, 64, INT64_C(0x000fffffffffffff))
#define AS_IT_IS(x) (x)

/* STEP: lanes at most `lanes` before are combined, where `open`: no head lies between. */
#define STEP(name, bits, lanes)                    \
    x = OP_##name(x, open, TURN_##bits(x, lanes)); \
    open = (mask_##bits)(open & (mask_##bits)(open << (lanes)));
#define STEPS_64(name, bits) STEP(name, bits, 1) STEP(name, bits, 2) STEP(name, bits, 4)
#define STEPS_32(name, bits) STEPS_64(name, bits) STEP(name, bits, 8)
#define STEPS_16(name, bits) STEPS_32(name, bits) STEP(name, bits, 16)

/* The lanes of a line that begins at element `at` which are elements 0 to n - 1. */
SK_INLINE uint32_t lanes_within(ptrdiff_t at, size_t n, unsigned lanes)
{
    ptrdiff_t end = (ptrdiff_t)n - at, below = at < 0 ? -at : 0, above = end < 0 ? 0 : end < lanes ? end : lanes;
    return (uint32_t)((((uint64_t)1 << above) - 1) & ~(((uint64_t)1 << below) - 1));
}

/* Results go out as lines of the output, each from two registers of results: of the one before, and of this one. The
 * first line may begin before the output. An exclusive scan goes out one element later. in, out: from elements to what
 * is combined, and back. none: the identity. adds: true if all elements are to be added up, too. */
#define WIDE(name, T, bits, in_, out_, none, adds)                                                                     \
    SK_INLINE __m512i scan_##name(__m512i x, mask_##bits heads, __m512i *before, bool segmented)                       \
    {                                                                                                                  \
        const mask_##bits all = (mask_##bits) - 1, reached = (mask_##bits)(~heads & (heads - 1));                      \
        mask_##bits open = (mask_##bits)(~heads & (mask_##bits) ~1);                                                   \
        STEPS_##bits(name, bits) const __m512i result = OP_##name(x, reached, *before);                                \
        *before = segmented ? LAST_##bits(result) : OP_##name(LAST_##bits(x), all, *before);                           \
        return result;                                                                                                 \
    }                                                                                                                  \
    SK_INLINE __m512i masked_##name(mask_##bits heads, __m512i line)                                                   \
    {                                                                                                                  \
        return _mm512_mask_mov_epi##bits(line, heads, _mm512_set1_epi##bits((int##bits##_t)(none)));                   \
    }                                                                                                                  \
    SK_INLINE void put_some_##name(const sk_pass *pass, ptrdiff_t at, __m512i line, bool segmented, bool exclusive)    \
    {                                                                                                                  \
        mask_##bits some = (mask_##bits)lanes_within(at, pass->n, 512 / (bits));                                       \
        void *to = (void *)((uintptr_t)pass->out + (uintptr_t)(at * (bits) / 8));                                      \
        mask_##bits zero = segmented && exclusive ? heads_##bits(some, pass->heads, at) : 0;                           \
        _mm512_mask_storeu_epi##bits(to, some, masked_##name(zero, out_(line)));                                       \
    }                                                                                                                  \
    SK_INLINE void pass_##name(const sk_pass *pass, const void *carry, bool segmented, bool exclusive)                 \
    {                                                                                                                  \
        enum { LANES = 512 / (bits) };                                                                                 \
        const mask_##bits all = (mask_##bits) - 1;                                                                     \
        const sk_##T *x = pass->in;                                                                                    \
        size_t lead = pass->stream ? to_line(pass->out, sizeof *x) : 0, n = pass->n;                                   \
        lead += exclusive && lead == 0 ? LANES : 0;                                                                    \
        sk_##T *y = (sk_##T *)pass->out;                                                                               \
        const __m512i shift = _mm512_set1_epi##bits((int##bits##_t)lead - exclusive);                                  \
        const __m512i lines = _mm512_add_epi##bits(FIRST_##bits, shift);                                               \
        uint##bits##_t first;                                                                                          \
        memcpy(&first, carry, sizeof first);                                                                           \
        __m512i before = in_(_mm512_set1_epi##bits((int##bits##_t)first)), earlier = before, result, sums = ZERO_##T;  \
        ptrdiff_t i = 0, at = (ptrdiff_t)lead - LANES;                                                                 \
        for (; i + LANES <= (ptrdiff_t)n; i += LANES, at += LANES, earlier = result) {                                 \
            const __m512i line = in_(_mm512_loadu_si512(x + i));                                                       \
            result = scan_##name(line, segmented ? heads_##bits(all, pass->heads, i) : 0, &before, segmented);         \
            if ((adds) && !segmented)                                                                                  \
                sums = OP_##name(line, all, sums);                                                                     \
            const __m512i out = _mm512_permutex2var_epi##bits(earlier, lines, result);                                 \
            if (at < 0) {                                                                                              \
                put_some_##name(pass, at, out, segmented, exclusive);                                                  \
                continue;                                                                                              \
            }                                                                                                          \
            mask_##bits zero = segmented && exclusive ? heads_##bits(all, pass->heads, at) : 0;                        \
            put_line(pass, y + at, (size_t)i * sizeof *x, masked_##name(zero, out_(out)));                             \
            if (segmented && pass->stream)                                                                             \
                sk_will_read(pass->next_heads, (size_t)i);                                                             \
        }                                                                                                              \
        mask_##bits some = (mask_##bits)lanes_within(i, n, LANES);                                                     \
        result = scan_##name(in_(_mm512_maskz_loadu_epi##bits(some, x + i)),                                           \
                             segmented ? heads_##bits(some, pass->heads, i) : 0, &before, segmented);                  \
        put_some_##name(pass, at, _mm512_permutex2var_epi##bits(earlier, lines, result), segmented, exclusive);        \
        put_some_##name(pass, at + LANES, _mm512_permutex2var_epi##bits(result, lines, result), segmented, exclusive); \
        if (pass->sums != NULL)                                                                                        \
            _mm512_storeu_si512(pass->sums, sums);                                                                     \
    }                                                                                                                  \
    static void running_##name(const sk_pass *pass, const void *carry)                                                 \
    {                                                                                                                  \
        bool exclusive = pass->kind == SCANKIT_EXCLUSIVE;                                                              \
        if (pass->heads != NULL && exclusive)                                                                          \
            pass_##name(pass, carry, true, true);                                                                      \
        else if (pass->heads != NULL)                                                                                  \
            pass_##name(pass, carry, true, false);                                                                     \
        else if (exclusive)                                                                                            \
            pass_##name(pass, carry, false, true);                                                                     \
        else                                                                                                           \
            pass_##name(pass, carry, false, false);                                                                    \
    }
WIDE(sum_u16, u16, 16, AS_IT_IS, AS_IT_IS, 0, false)
WIDE(max_u16, u16, 16, AS_IT_IS, AS_IT_IS, 0, false)
WIDE(max_i16, i16, 16, AS_IT_IS, AS_IT_IS, INT16_MIN, false)
WIDE(max_f16, f16, 16, keys_f16, values_f16, sk_value_f16(0), false)
WIDE(min_u16, u16, 16, AS_IT_IS, AS_IT_IS, -1, false)
WIDE(min_i16, i16, 16, AS_IT_IS, AS_IT_IS, INT16_MAX, false)
WIDE(min_f16, f16, 16, keys_f16, values_f16, sk_value_f16(UINT16_MAX), false)
WIDE(sum_u32, u32, 32, AS_IT_IS, AS_IT_IS, 0, false)
WIDE(sum_u64, u64, 64, AS_IT_IS, AS_IT_IS, 0, false)
WIDE(sum_f32, f32, 32, AS_IT_IS, AS_IT_IS, 0, true)
WIDE(sum_f64, f64, 64, AS_IT_IS, AS_IT_IS, 0, true)
WIDE(max_u32, u32, 32, AS_IT_IS, AS_IT_IS, 0, false)
WIDE(max_u64, u64, 64, AS_IT_IS, AS_IT_IS, 0, false)
WIDE(max_i32, i32, 32, AS_IT_IS, AS_IT_IS, INT32_MIN, false)
WIDE(max_i64, i64, 64, AS_IT_IS, AS_IT_IS, INT64_MIN, false)
WIDE(max_f32, f32, 32, keys_f32, values_f32, sk_value_f32(0), false)
WIDE(max_f64, f64, 64, keys_f64, values_f64, sk_value_f64(0), false)
WIDE(min_u32, u32, 32, AS_IT_IS, AS_IT_IS, -1, false)
WIDE(min_u64, u64, 64, AS_IT_IS, AS_IT_IS, -1, false)
WIDE(min_i32, i32, 32, AS_IT_IS, AS_IT_IS, INT32_MAX, false)
WIDE(min_i64, i64, 64, AS_IT_IS, AS_IT_IS, INT64_MAX, false)
WIDE(min_f32, f32, 32, keys_f32, values_f32, sk_value_f32(UINT32_MAX), false)
WIDE(min_f64, f64, 64, keys_f64, values_f64, sk_value_f64(UINT64_MAX), false)

/* ---- bytes with heads, each in a lane of 2 bytes ---- */

/* by: on 2 bytes. none: the identity. */
#define BYTES(op, T, by, widened, none)                                                          \
    SK_INLINE void bytes_##op##_##T(const sk_pass *pass, const void *carry, bool exclusive)      \
    {                                                                                            \
        enum { LANES = 32 };                                                                     \
        const sk_##T *x = pass->in;                                                              \
        sk_##T *y = pass->out, first;                                                            \
        const __m512i last_and_first = _mm512_add_epi16(FIRST_16, _mm512_set1_epi16(LANES - 1)); \
        memcpy(&first, carry, sizeof first);                                                     \
        __m512i before = _mm512_set1_epi16(first), earlier = before;                             \
        for (size_t i = 0; i < pass->n; i += LANES) {                                            \
            const mask_16 some = lanes_within((ptrdiff_t)i, pass->n, LANES);                     \
            const mask_16 heads = heads_16(some, pass->heads, (ptrdiff_t)i);                     \
            const __m512i line = widened(_mm256_maskz_loadu_epi8(some, x + i));                  \
            const __m512i result = scan_##by(line, heads, &before, true);                        \
            __m512i out = result;                                                                \
            if (exclusive) {                                                                     \
                out = _mm512_permutex2var_epi16(earlier, last_and_first, result);                \
                out = _mm512_mask_mov_epi16(out, heads, _mm512_set1_epi16(none));                \
            }                                                                                    \
            _mm256_mask_storeu_epi8(y + i, some, _mm512_cvtepi16_epi8(out));                     \
            earlier = result;                                                                    \
        }                                                                                        \
    }                                                                                            \
    static void running_##op##_##T(const sk_pass *pass, const void *carry)                       \
    {                                                                                            \
        if (pass->kind == SCANKIT_EXCLUSIVE)                                                     \
            bytes_##op##_##T(pass, carry, true);                                                 \
        else                                                                                     \
            bytes_##op##_##T(pass, carry, false);                                                \
    }
BYTES(sum, u8, sum_u16, _mm512_cvtepu8_epi16, 0)
BYTES(max, u8, max_u16, _mm512_cvtepu8_epi16, 0)
BYTES(max, i8, max_i16, _mm512_cvtepi8_epi16, INT8_MIN)
BYTES(min, u8, min_u16, _mm512_cvtepu8_epi16, UINT8_MAX)
BYTES(min, i8, min_i16, _mm512_cvtepi8_epi16, INT8_MAX)

/* ---- halves: a line is two registers of floats. For 32 halves these are 14 additions and 13 shuffles of 64 bytes, and
 * 4 conversions of two operations each: on three pipes of 32 bytes, at least 23 cycles of a Zen 4, of which a copy
 * takes 10 ---- */

SK_INLINE __m512i widened(__m256i halves)
{
    return (__m512i)_mm512_cvtph_ps(halves);
}

SK_INLINE __m512i narrowed(__m512i low, __m512i high)
{
    enum { NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
    const __m256i first = _mm512_cvtps_ph((__m512)low, NEAREST), second = _mm512_cvtps_ph((__m512)high, NEAREST);
    return _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
}

#define HALVES 32 /* of a line */

/* A line of results. Adds the line to the sums. */
SK_INLINE __m512i scan_halves(__m512i line, uint32_t heads, __m512i *before, __m512i *sums, bool segmented)
{
    const __m512i low = widened(_mm512_castsi512_si256(line)), high = widened(_mm512_extracti64x4_epi64(line, 1));
    const __m512i first = scan_sum_f32(low, (mask_32)heads, before, segmented);
    const __m512i second = scan_sum_f32(high, (mask_32)(heads >> 16), before, segmented);
    if (!segmented)
        *sums = OP_sum_f32(high, (mask_32)-1, OP_sum_f32(low, (mask_32)-1, *sums));
    return narrowed(first, second);
}

SK_INLINE void put_halves(const sk_pass *pass, ptrdiff_t at, __m512i line, bool zeros)
{
    const uint32_t some = lanes_within(at, pass->n, HALVES), zero = zeros ? heads_16(some, pass->heads, at) : 0;
    void *to = (void *)((uintptr_t)pass->out + (uintptr_t)(at * 2));
    _mm512_mask_storeu_epi16(to, some, _mm512_maskz_mov_epi16(~zero, line));
}

/* As pass_sum_f32(). */
SK_INLINE void pass_halves(const sk_pass *pass, const void *carry, bool segmented, bool exclusive)
{
    const char *x = pass->in;
    size_t lead = pass->stream ? to_line(pass->out, 2) : 0;
    lead += exclusive && lead == 0 ? HALVES : 0;
    uint16_t order[HALVES];
    for (unsigned l = 0; l < HALVES; l++)
        order[l] = (uint16_t)(l + lead - exclusive);
    const __m512i lines = _mm512_loadu_si512(order);
    float first;
    memcpy(&first, carry, sizeof first);
    __m512i before = (__m512i)_mm512_set1_ps(first), earlier = narrowed(before, before), sums = ZERO_f32, result;
    const ptrdiff_t n = (ptrdiff_t)pass->n;
    ptrdiff_t i = 0, at = (ptrdiff_t)lead - HALVES;
    for (; i + HALVES <= n; i += HALVES, at += HALVES, earlier = result) {
        const uint32_t heads = segmented ? heads_16(UINT32_MAX, pass->heads, i) : 0;
        result = scan_halves(_mm512_loadu_si512(x + 2 * i), heads, &before, &sums, segmented);
        const __m512i out = _mm512_permutex2var_epi16(earlier, lines, result);
        if (at < 0) {
            put_halves(pass, at, out, segmented && exclusive);
            continue;
        }
        const uint32_t zero = segmented && exclusive ? heads_16(UINT32_MAX, pass->heads, at) : 0;
        put_line(pass, (char *)pass->out + 2 * at, 2 * (size_t)i, _mm512_maskz_mov_epi16(~zero, out));
        if (segmented && pass->stream)
            sk_will_read(pass->next_heads, (size_t)i);
    }
    if (pass->sums != NULL)
        _mm512_storeu_si512(pass->sums, sums);
    const uint32_t some = lanes_within(i, pass->n, HALVES);
    result = scan_halves(_mm512_maskz_loadu_epi16(some, x + 2 * i), segmented ? heads_16(some, pass->heads, i) : 0,
                         &before, &sums, segmented);
    put_halves(pass, at, _mm512_permutex2var_epi16(earlier, lines, result), segmented && exclusive);
    put_halves(pass, at + HALVES, _mm512_permutex2var_epi16(result, lines, result), segmented && exclusive);
}

static void running_sum_f16(const sk_pass *pass, const void *carry)
{
    const bool exclusive = pass->kind == SCANKIT_EXCLUSIVE;
    if (pass->heads != NULL && exclusive)
        pass_halves(pass, carry, true, true);
    else if (pass->heads != NULL)
        pass_halves(pass, carry, true, false);
    else if (exclusive)
        pass_halves(pass, carry, false, true);
    else
        pass_halves(pass, carry, false, false);
}

static sk_running_function *running_sum(scankit_type type, bool segmented)
{
    switch (sk_canonical_type(type, SCANKIT_SUM)) {
    case SCANKIT_U8: return segmented ? running_sum_u8 : plain_sum_u8;
    case SCANKIT_U16: return segmented ? running_sum_u16 : plain_sum_u16;
    case SCANKIT_U32: return running_sum_u32;
    case SCANKIT_U64: return running_sum_u64;
    case SCANKIT_F16: return running_sum_f16;
    case SCANKIT_F32: return running_sum_f32;
    case SCANKIT_F64: return running_sum_f64;
    default: return NULL;
    }
}

#define RUNNING(op)                                                                 \
    static sk_running_function *running_##op(scankit_type type, bool segmented)     \
    {                                                                               \
        switch (type) {                                                             \
        case SCANKIT_U8: return segmented ? running_##op##_u8 : plain_##op##_u8;    \
        case SCANKIT_I8: return segmented ? running_##op##_i8 : plain_##op##_i8;    \
        case SCANKIT_U16: return segmented ? running_##op##_u16 : plain_##op##_u16; \
        case SCANKIT_I16: return segmented ? running_##op##_i16 : plain_##op##_i16; \
        case SCANKIT_U32: return running_##op##_u32;                                \
        case SCANKIT_I32: return running_##op##_i32;                                \
        case SCANKIT_U64: return running_##op##_u64;                                \
        case SCANKIT_I64: return running_##op##_i64;                                \
        case SCANKIT_F16: return running_##op##_f16;                                \
        case SCANKIT_F32: return running_##op##_f32;                                \
        case SCANKIT_F64: return running_##op##_f64;                                \
        default: return NULL;                                                       \
        }                                                                           \
    }
RUNNING(max)
RUNNING(min)

sk_running_function *SK_ISA_NAME(sk_running)(scankit_type type, scankit_operator op, bool segmented)
{
    switch (op) {
    case SCANKIT_SUM: return running_sum(type, segmented);
    case SCANKIT_MAX: return running_max(type, segmented);
    case SCANKIT_MIN: return running_min(type, segmented);
    default: return NULL;
    }
}

#else

/* Narrower registers take more steps for each of their lanes than one by one does. */
sk_running_function *SK_ISA_NAME(sk_running)(scankit_type type, scankit_operator op, bool segmented)
{
    (void)type, (void)op, (void)segmented;
    return NULL;
}

#endif
