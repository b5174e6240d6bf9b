/* digits.h - decimal digits, eight at a time in a register: Johnny Lee, "Fast numeric string to int", 2016, and Daniel
 * Lemire, "Quickly parsing eight digits", 2018. Sixteen at a time by SSE2: Wojciech Mula, "SIMD-ized conversion of
 * decimal numbers", 2014. Text is read up to DIGITS_AHEAD bytes past the digits. */
#ifndef DIGITS_H
#define DIGITS_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define DIGITS_AHEAD 16

static const uint64_t digits_powers[] = {1,
                                         10,
                                         100,
                                         1000,
                                         10000,
                                         100000,
                                         1000000,
                                         10000000,
                                         100000000,
                                         1000000000,
                                         10000000000,
                                         100000000000,
                                         1000000000000,
                                         10000000000000,
                                         100000000000000,
                                         1000000000000000,
                                         10000000000000000,
                                         100000000000000000,
                                         1000000000000000000,
                                         10000000000000000000U};

/* ---- reading ---- */

/* Eight bytes of text: digits become their values, other bytes more than 9. */
static inline uint64_t load_eight(const char *text)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return le64toh(bytes) ^ 0x3030303030303030;
}

/* The highest bit of each byte that is more than 9. */
static inline uint64_t find_others(uint64_t bytes)
{
    return (((bytes & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | bytes) & 0x8080808080808080;
}

static inline uint64_t eight_value(uint64_t bytes)
{
    bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ff;
    bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffff;
    return (bytes * 10000 + (bytes >> 32)) & 0xffffffff;
}

/* The number that up to eight digits make. Returns how many there are. */
static inline unsigned eight_digits(const char *text, uint64_t *number)
{
    uint64_t bytes = load_eight(text), others = find_others(bytes);
    unsigned count = others == 0 ? 8 : (unsigned)__builtin_ctzll(others) / 8;
    if (count == 0)
        return 0;
    *number = eight_value(bytes << (64 - 8 * count)); /* zeros come in front */
    return count;
}

/* Appends digits to a number, and returns their end; if there are more than 19, the number is meaningless. Eight or
 * more are a branch. Fewer are not: their count cannot be predicted. */
static inline const char *append_digits(const char *text, uint64_t *number)
{
    uint64_t bytes, others;
    while (bytes = load_eight(text), others = find_others(bytes), others == 0) {
        *number = *number * digits_powers[8] + eight_value(bytes);
        text += 8;
    }
    unsigned count = (unsigned)__builtin_ctzll(others) / 8;
    *number = *number * digits_powers[count] + eight_value(bytes << (56 - 8 * count) << 8);
    return text + count;
}

/* The number that up to sixteen digits make with zeros behind them, as if there were sixteen. Returns how many there
 * are. */
#ifdef __SSE2__
static inline unsigned sixteen_digits(const char *text, uint64_t *number)
{
    static const char ones[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    __m128i others = _mm_cmpgt_epi8(_mm_add_epi8(bytes, _mm_set1_epi8(128 - '0')), _mm_set1_epi8(9 - 128));
    unsigned count = (unsigned)__builtin_ctz((unsigned)_mm_movemask_epi8(others) | 1 << 16);
    __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)(ones + 16 - count));
    bytes = _mm_and_si128(_mm_and_si128(bytes, mask), _mm_set1_epi8(15));
    __m128i twos = _mm_add_epi16(_mm_mullo_epi16(bytes, _mm_set1_epi16(10)), _mm_srli_epi16(bytes, 8));
    __m128i fours = _mm_madd_epi16(_mm_and_si128(twos, _mm_set1_epi16(255)), _mm_set1_epi32(100 | 1 << 16));
    fours = _mm_packs_epi32(fours, fours);
    uint64_t eights = (uint64_t)_mm_cvtsi128_si64(_mm_madd_epi16(fours, _mm_set1_epi32(10000 | 1 << 16)));
    *number = (eights & 0xffffffff) * digits_powers[8] + (eights >> 32);
    return count;
}
#else
static inline unsigned sixteen_digits(const char *text, uint64_t *number)
{
    uint64_t first = load_eight(text), second = load_eight(text + 8), others = find_others(first),
             rest = find_others(second);
    unsigned count = others != 0 ? (unsigned)__builtin_ctzll(others) / 8
                     : rest != 0 ? 8 + (unsigned)__builtin_ctzll(rest) / 8
                                 : 16;
    first &= ((others & -others) >> 7) - 1; /* bytes in front of the first other one */
    second &= others != 0 ? 0 : ((rest & -rest) >> 7) - 1;
    *number = eight_value(first) * digits_powers[8] + eight_value(second);
    return count;
}
#endif

/* Reads digits, and moves *text behind them. Returns false if there are none, or if the number exceeds 64 bits. */
static inline bool read_digits(const char **text, uint64_t *number)
{
    uint64_t part, value = 0;
    unsigned count = eight_digits(*text, &value);
    bool good = count > 0;
    *text += count;
    while (count == 8) {
        count = eight_digits(*text, &part);
        *text += count;
        if (count > 0)
            good &= !__builtin_mul_overflow(value, digits_powers[count], &value) &&
                    !__builtin_add_overflow(value, part, &value);
    }
    *number = value;
    return good;
}

/* ---- writing ---- */

/* From the number of bits, which gives the digits but for one. 0 has one. */
static inline unsigned count_digits(uint64_t value)
{
    uint64_t odd = value | 1;
    unsigned bits = 64 - (unsigned)__builtin_clzll(odd), least = bits * 1233 >> 12;
    return least + (odd >= digits_powers[least]);
}

/* Writes sixteen digits. Each step divides all parts of the number by the same power of ten, by multiplication. */
#ifdef __SSE2__
static inline void put_sixteen(char *to, uint64_t value)
{
    uint64_t first = value / digits_powers[8];
    __m128i eights = _mm_set_epi64x((int64_t)(value - first * digits_powers[8]), (int64_t)first);
    __m128i quotients = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi32((int)0xd1b71759)), 45);
    __m128i rests = _mm_sub_epi32(eights, _mm_mul_epu32(quotients, _mm_set1_epi32(10000)));
    __m128i fours = _mm_or_si128(quotients, _mm_slli_epi64(rests, 32));
    quotients = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
    rests = _mm_sub_epi32(fours, _mm_madd_epi16(quotients, _mm_set1_epi32(100)));
    __m128i twos = _mm_or_si128(quotients, _mm_slli_epi32(rests, 16));
    quotients = _mm_mulhi_epu16(twos, _mm_set1_epi16(6554));
    rests = _mm_sub_epi16(twos, _mm_mullo_epi16(quotients, _mm_set1_epi16(10)));
    __m128i digits = _mm_or_si128(quotients, _mm_slli_epi16(rests, 8));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_or_si128(digits, _mm_set1_epi8('0')));
}
#else
static inline void put_eight(char *to, uint64_t value)
{
    uint64_t quotients = value / 10000, numbers = quotients | (value - quotients * 10000) << 32;
    quotients = (numbers * 10486 >> 20) & 0x0000007f0000007f;
    numbers = quotients | (numbers - quotients * 100) << 16;
    quotients = (numbers * 103 >> 10) & 0x000f000f000f000f;
    numbers = htole64((quotients | (numbers - quotients * 10) << 8) | 0x3030303030303030);
    memcpy(to, &numbers, sizeof numbers);
}

static inline void put_sixteen(char *to, uint64_t value)
{
    put_eight(to, value / digits_powers[8]);
    put_eight(to + 8, value % digits_powers[8]);
}
#endif

#endif
