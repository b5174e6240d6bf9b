/* digits.h - decimal digits, eight at a time in a register: Johnny Lee, "Fast numeric string to int", 2016, and Daniel
 * Lemire, "Quickly parsing eight digits", 2018. Text is read up to DIGITS_AHEAD bytes past the digits. */
#ifndef DIGITS_H
#define DIGITS_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DIGITS_AHEAD 8

static const uint32_t digits_powers[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/* The number that up to eight digits make. Returns how many there are. */
static inline unsigned eight_digits(const char *text, uint64_t *number)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    bytes = le64toh(bytes) ^ 0x3030303030303030;
    uint64_t others = (((bytes & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | bytes) & 0x8080808080808080;
    unsigned count = others == 0 ? 8 : (unsigned)__builtin_ctzll(others) / 8;
    if (count == 0)
        return 0;
    bytes <<= 64 - 8 * count; /* zeros come in front */
    bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ff;
    bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffff;
    *number = (bytes * 10000 + (bytes >> 32)) & 0xffffffff;
    return count;
}

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
            good &= !__builtin_mul_overflow(value, (uint64_t)digits_powers[count], &value) &&
                    !__builtin_add_overflow(value, part, &value);
    }
    *number = value;
    return good;
}

#endif
