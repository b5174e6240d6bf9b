/* running.c - sums of integers in one pass, a register of 64 bytes at a time: in log2 of its lanes steps, each adds
 * what lies twice as far before as the last one (Hillis and Steele 1986). Then all add the sum before the register,
 * which waits for one addition a register. */
#include "kernels.h"
#include "stream.h"

#if defined(__AVX512BW__)

/* x with zeros, or other lanes, moved in from below. */
#define UP_32(x, lanes) _mm512_alignr_epi32(x, _mm512_setzero_si512(), 16 - (lanes))
#define UP_64(x, lanes) _mm512_alignr_epi64(x, _mm512_setzero_si512(), 8 - (lanes))

SK_INLINE __m512i scanned_u64(__m512i x)
{
    x = _mm512_add_epi64(x, UP_64(x, 1));
    x = _mm512_add_epi64(x, UP_64(x, 2));
    return _mm512_add_epi64(x, UP_64(x, 4));
}

SK_INLINE __m512i last_u64(__m512i x)
{
    return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), x);
}

SK_INLINE __m512i scanned_u32(__m512i x)
{
    x = _mm512_add_epi32(x, UP_32(x, 1));
    x = _mm512_add_epi32(x, UP_32(x, 2));
    x = _mm512_add_epi32(x, UP_32(x, 4));
    return _mm512_add_epi32(x, UP_32(x, 8));
}

SK_INLINE __m512i last_u32(__m512i x)
{
    return _mm512_permutexvar_epi32(_mm512_set1_epi32(15), x);
}

/* Lanes move within quarters of a register. So these are scanned, and then their sums, which `last` repeats over each.
 */
#define QUARTERS(bits, x, last)                                     \
    const __m512i sums = UP_64(_mm512_shuffle_epi8(x, last), 2);    \
    const __m512i two = _mm512_add_epi##bits(sums, UP_64(sums, 2)); \
    return _mm512_add_epi##bits(x, _mm512_add_epi##bits(two, UP_64(two, 4)))

SK_INLINE __m512i scanned_u16(__m512i x)
{
    x = _mm512_add_epi16(x, _mm512_bslli_epi128(x, 2));
    x = _mm512_add_epi16(x, _mm512_bslli_epi128(x, 4));
    x = _mm512_add_epi16(x, _mm512_bslli_epi128(x, 8));
    QUARTERS(16, x, _mm512_set1_epi16(0x0f0e));
}

SK_INLINE __m512i last_u16(__m512i x)
{
    return _mm512_permutexvar_epi16(_mm512_set1_epi16(31), x);
}

SK_INLINE __m512i scanned_u8(__m512i x)
{
    x = _mm512_add_epi8(x, _mm512_bslli_epi128(x, 1));
    x = _mm512_add_epi8(x, _mm512_bslli_epi128(x, 2));
    x = _mm512_add_epi8(x, _mm512_bslli_epi128(x, 4));
    x = _mm512_add_epi8(x, _mm512_bslli_epi128(x, 8));
    QUARTERS(8, x, _mm512_set1_epi8(15));
}

SK_INLINE __m512i last_u8(__m512i x)
{
    __m512i quarter = _mm512_shuffle_i64x2(x, x, 0xff);
    return _mm512_shuffle_epi8(quarter, _mm512_set1_epi8(15));
}

#define AHEAD ((size_t)2048) /* bytes by which elements are asked for before they are read */

#define RUNNING(T, bits)                                                                                         \
    SK_INLINE void each_##T(const sk_##T *x, sk_##T *y, size_t n, sk_##T *sum, bool exclusive)                   \
    {                                                                                                            \
        for (size_t i = 0; i < n; i++) {                                                                         \
            sk_##T before = *sum;                                                                                \
            *sum = (sk_##T)(before + x[i]);                                                                      \
            y[i] = exclusive ? before : *sum;                                                                    \
        }                                                                                                        \
    }                                                                                                            \
    SK_INLINE void lines_##T(const sk_##T *x, sk_##T *y, size_t n, sk_##T *sum, bool exclusive, bool stream)     \
    {                                                                                                            \
        __m512i before = _mm512_set1_epi##bits((int##bits##_t) * sum);                                           \
        for (size_t i = 0; i < n; i += 64 / sizeof *x) {                                                         \
            __m512i line = _mm512_loadu_si512(x + i), scanned = scanned_##T(line);                               \
            __m512i result = _mm512_add_epi##bits(scanned, before);                                              \
            before = _mm512_add_epi##bits(before, last_##T(scanned));                                            \
            result = exclusive ? _mm512_sub_epi##bits(result, line) : result;                                    \
            if (stream) {                                                                                        \
                sk_will_read(x, i * sizeof *x + AHEAD);                                                          \
                _mm512_stream_si512((void *)(y + i), result);                                                    \
            } else {                                                                                             \
                _mm512_storeu_si512(y + i, result);                                                              \
            }                                                                                                    \
        }                                                                                                        \
        *sum = (sk_##T)_mm_cvtsi128_si64(_mm512_castsi512_si128(before));                                        \
    }                                                                                                            \
    static void running_##T(const void *in, void *out, size_t n, void *sum, scankit_scan_kind kind, bool stream) \
    {                                                                                                            \
        const sk_##T *x = in;                                                                                    \
        sk_##T *y = out, before;                                                                                 \
        bool exclusive = kind == SCANKIT_EXCLUSIVE;                                                              \
        memcpy(&before, sum, sizeof before);                                                                     \
        stream = stream && (uintptr_t)out % sizeof *y == 0;                                                      \
        size_t head = stream ? sk_min(n, -(uintptr_t)out % 64 / sizeof *y) : 0;                                  \
        size_t lines = (n - head) & ~(64 / sizeof *x - 1);                                                       \
        each_##T(x, y, head, &before, exclusive);                                                                \
        if (stream && exclusive)                                                                                 \
            lines_##T(x + head, y + head, lines, &before, true, true);                                           \
        else if (stream)                                                                                         \
            lines_##T(x + head, y + head, lines, &before, false, true);                                          \
        else if (exclusive)                                                                                      \
            lines_##T(x + head, y + head, lines, &before, true, false);                                          \
        else                                                                                                     \
            lines_##T(x + head, y + head, lines, &before, false, false);                                         \
        each_##T(x + head + lines, y + head + lines, n - head - lines, &before, exclusive);                      \
        if (stream)                                                                                              \
            sk_stream_end();                                                                                     \
        memcpy(sum, &before, sizeof before);                                                                     \
    }
RUNNING(u8, 8)
RUNNING(u16, 16)
RUNNING(u32, 32)
RUNNING(u64, 64)

sk_running_function *SK_ISA_NAME(sk_running)(scankit_type type, scankit_operator op)
{
    if (op == SCANKIT_SUM)
        switch (sk_canonical_type(type, op)) {
        case SCANKIT_U8: return running_u8;
        case SCANKIT_U16: return running_u16;
        case SCANKIT_U32: return running_u32;
        case SCANKIT_U64: return running_u64;
        default:;
        }
    return NULL;
}

#else

/* Narrower registers take more steps for each of their lanes than one by one does. */
sk_running_function *SK_ISA_NAME(sk_running)(scankit_type type, scankit_operator op)
{
    (void)type, (void)op;
    return NULL;
}

#endif
