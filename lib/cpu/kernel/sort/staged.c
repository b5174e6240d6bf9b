/* staged.c - keys to the places of their digits, a block at a time. The block is first sorted by the digit in a stage
 * in the second cache, where a digit's keys follow its last line that is not full; then all full lines go around the
 * caches. So a branch is mispredicted where a digit's lines end, and not for each line that becomes full. */
#include "cpu/kernel/kernels.h"
#include "cpu/kernel/stream.h"

#define AHEAD ((size_t)2 << 10) /* bytes of keys that are asked for before they are read */
#define GROUP 8                 /* keys for each line that is asked for, so of 8 bytes at most */
#define TABLES 4                /* of counts, so that equal neighbours do not wait for each other */

/* bytes: digits are bytes of the keys. */
SK_INLINE unsigned digit_of(const char *key, size_t size, unsigned bit, unsigned mask, bool bytes)
{
    uint16_t half;
    uint32_t narrow;
    uint64_t wide;
    if (bytes)
        return (uint8_t)key[bit / 8];
    switch (size) {
    case 1: return (unsigned)(uint8_t)*key >> bit & mask;
    case 2: memcpy(&half, key, sizeof half); return (unsigned)half >> bit & mask;
    case 4: memcpy(&narrow, key, sizeof narrow); return narrow >> bit & mask;
    default: memcpy(&wide, key, sizeof wide); return (unsigned)(wide >> bit) & mask;
    }
}

SK_INLINE void count_keys(const char *keys, size_t n, size_t size, unsigned bit, unsigned mask, bool bytes,
                          uint16_t *counts)
{
    uint16_t table[TABLES][SK_STAGED_DIGITS] = {0};
    const size_t whole = n / GROUP * GROUP;
    for (size_t i = 0; i < whole; i += GROUP) {
        sk_will_read(keys + i * size, AHEAD);
        for (size_t j = 0; j < GROUP; j++)
            table[j % TABLES][digit_of(keys + (i + j) * size, size, bit, mask, bytes)]++;
    }
    for (size_t i = whole; i < n; i++)
        table[0][digit_of(keys + i * size, size, bit, mask, bytes)]++;
    for (size_t d = 0; d <= mask; d++)
        counts[d] = (uint16_t)(table[0][d] + table[1][d] + table[2][d] + table[3][d]);
}

SK_INLINE void sort_key(const char *key, size_t size, unsigned bit, unsigned mask, bool bytes, uint32_t *place,
                        char *stage)
{
    const unsigned digit = digit_of(key, size, bit, mask, bytes);
    const uint32_t at = place[digit];
    place[digit] = at + (uint32_t)size;
    memcpy(stage + at, key, size);
}

/* Keys to stage + place[digit]. All of one digit are a copy. */
SK_INLINE void sort_block(const char *keys, size_t n, size_t size, unsigned bit, unsigned mask, bool bytes,
                          const uint16_t *counts, uint32_t *place, char *stage)
{
    const unsigned first = digit_of(keys, size, bit, mask, bytes);
    const size_t whole = n / GROUP * GROUP;
    if (counts[first] == n) {
        memcpy(stage + place[first], keys, n * size);
        place[first] += (uint32_t)(n * size);
        return;
    }
    for (size_t i = 0; i < whole; i += GROUP) {
        sk_will_read(keys + i * size, AHEAD);
        for (size_t j = i; j < i + GROUP; j++)
            sort_key(keys + j * size, size, bit, mask, bytes, place, stage);
    }
    for (size_t i = whole; i < n; i++)
        sort_key(keys + i * size, size, bit, mask, bytes, place, stage);
}

/* Each digit's part of the stage, of whole lines, begins with the line that is not full. */
static void open_stage(size_t size, unsigned mask, const uint16_t *counts, const sk_outlet *outlets, const char *held,
                       uint32_t *place, char *stage)
{
    uint32_t begin = 0;
    for (size_t d = 0; d <= mask; d++) {
        memcpy(stage + begin, held + d * 64, 64);
        place[d] = begin + outlets[d].filled;
        begin = (place[d] + counts[d] * (uint32_t)size + 63) & ~(uint32_t)63;
    }
}

/* Writes the full lines of a digit, and holds the rest. */
SK_INLINE void write_lines(sk_outlet *outlet, const char *from, const char *end, char *held)
{
    char *to = outlet->line;
    if (end - from >= 64 && outlet->first > 0) {
        memcpy(to + outlet->first, from + outlet->first, 64 - outlet->first);
        from += 64, to += 64;
        outlet->first = 0;
    }
    for (; end - from >= 64; from += 64, to += 64)
        sk_stream_line(to, from);
    memcpy(held, from, 64);
    outlet->line = to;
    outlet->filled = (uint32_t)(end - from);
}

static void empty_stage(unsigned mask, const uint32_t *place, const char *stage, sk_outlet *outlets, char *held)
{
    uint32_t begin = 0;
    for (size_t d = 0; d <= mask; d++) {
        write_lines(&outlets[d], stage + begin, stage + place[d], held + d * 64);
        begin = (place[d] + 63) & ~(uint32_t)63;
    }
}

#define STAGED(size)                                                                                         \
    static void count_##size(const void *keys, size_t n, unsigned bit, unsigned mask, uint16_t *counts)      \
    {                                                                                                        \
        if (SK_DIGITS_ARE_BYTES && mask == 255 && bit % 8 == 0)                                              \
            count_keys(keys, n, size, bit, mask, true, counts);                                              \
        else                                                                                                 \
            count_keys(keys, n, size, bit, mask, false, counts);                                             \
    }                                                                                                        \
    static void move_##size(const void *keys, size_t n, unsigned bit, unsigned mask, const uint16_t *counts, \
                            sk_outlet *outlets, char *held, char *stage)                                     \
    {                                                                                                        \
        uint32_t place[SK_STAGED_DIGITS];                                                                    \
        open_stage(size, mask, counts, outlets, held, place, stage);                                         \
        if (SK_DIGITS_ARE_BYTES && mask == 255 && bit % 8 == 0)                                              \
            sort_block(keys, n, size, bit, mask, true, counts, place, stage);                                \
        else                                                                                                 \
            sort_block(keys, n, size, bit, mask, false, counts, place, stage);                               \
        empty_stage(mask, place, stage, outlets, held);                                                      \
    }
#define SK_DIGITS_ARE_BYTES (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
STAGED(1)
STAGED(2)
STAGED(4)
STAGED(8)

const sk_staged_kernels SK_ISA_NAME(sk_staged_table)[] = {
    {count_1, move_1}, {count_2, move_2}, {count_4, move_4}, {count_8, move_8}};
