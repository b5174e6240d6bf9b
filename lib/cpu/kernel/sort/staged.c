/* staged.c - keys to the places of their digits, a block at a time. The block is first sorted by the digit in a stage
 * in the second cache, where a digit's keys follow its last line that is not full; then all full lines go around the
 * caches. So a branch is mispredicted where a digit's lines end, and not for each line that becomes full. */
#include "cpu/kernel/kernels.h"
#include "cpu/kernel/lanes.h"
#include "cpu/kernel/stream.h"

#define AHEAD ((size_t)2 << 10) /* bytes of keys that are asked for before they are read */
#define GROUP 8                 /* keys for each line that is asked for, so of 8 bytes at most */
#define MEET 12                 /* places are loaded together where one pair of keys in MEET has equal digits */
#define SK_DIGITS_ARE_BYTES (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define TABLES 4 /* of counts, so that equal neighbours do not wait for each other */

SK_INLINE uint64_t key_at(const char *key, size_t size)
{
    uint16_t half;
    uint32_t narrow;
    uint64_t wide;
    switch (size) {
    case 1: return (uint8_t)*key;
    case 2: memcpy(&half, key, sizeof half); return half;
    case 4: memcpy(&narrow, key, sizeof narrow); return narrow;
    default: memcpy(&wide, key, sizeof wide); return wide;
    }
}

/* bytes: digits are bytes of the keys. */
SK_INLINE unsigned digit_of(const char *key, size_t size, unsigned bit, unsigned mask, bool bytes)
{
    return bytes ? (uint8_t)key[bit / 8] : (unsigned)(key_at(key, size) >> bit) & mask;
}

/* ---- counts ---- */

#if defined(__AVX2__)
/* Lanes of 64 bits count up to 16 digits: in 4 bits each for some rows of keys, in 8 bits for more, and in 16 bits for
 * all of a block. A lane of a row has eight bytes of keys. */
#define LANE_DIGITS 16
#define NARROW_ROWS(size) ((size) > 1 ? 12 * (size) / 8 : 1) /* of up to 15 keys a lane */
#define MIDDLE 20                                            /* times these rows, of up to 255 keys */
#define EVERY_OTHER(bits) (~UINT64_C(0) / ((UINT64_C(1) << (bits)) + 1))

typedef uint64_t lane_row __attribute__((vector_size(REGISTER)));

SK_INLINE lane_row count_rows(const char *keys, size_t size, unsigned bit, unsigned mask)
{
    const unsigned right = bit > 2 ? bit - 2 : 0, left = bit < 2 ? 2 - bit : 0;
    const lane_row ones = (lane_row){0} + 1;
    lane_row counts = {0};
    for (size_t at = 0; at < NARROW_ROWS(size) * REGISTER; at += 64)
        sk_will_read(keys + at, AHEAD);
    for (size_t r = 0; r < NARROW_ROWS(size); r++) {
        lane_row row;
        memcpy(&row, keys + r * REGISTER, sizeof row);
        counts += ones << (row >> right << left & 4 * (uint64_t)mask);
        for (size_t k = 1; k < 8 / size; k++)
            counts += ones << (row >> (bit + 8 * size * k - 2) & 4 * (uint64_t)mask);
    }
    return counts;
}

/* Up to 16 digits; returns how many keys were counted. */
SK_INLINE size_t count_few(const char *keys, size_t n, size_t size, unsigned bit, unsigned mask, uint32_t *counts)
{
    const size_t each = NARROW_ROWS(size) * REGISTER, steps = n * size / each;
    lane_row wide[4] = {{0}};
    for (size_t step = 0; step < steps;) {
        const size_t end = sk_min(step + MIDDLE, steps);
        lane_row even = {0}, odd = {0};
        for (; step < end; step++) {
            const lane_row few = count_rows(keys + step * each, size, bit, mask);
            even += few & EVERY_OTHER(4);
            odd += few >> 4 & EVERY_OTHER(4);
        }
        wide[0] += even & EVERY_OTHER(8);
        wide[1] += odd & EVERY_OTHER(8);
        wide[2] += even >> 8 & EVERY_OTHER(8);
        wide[3] += odd >> 8 & EVERY_OTHER(8);
    }
    for (size_t d = 0; d <= mask; d++)
        for (size_t l = 0; l < REGISTER / 8; l++)
            counts[d] += (uint16_t)(wide[d % 4][l] >> 16 * (d / 4));
    return steps * each / size;
}
#endif

SK_INLINE void count_keys(const char *keys, size_t n, size_t size, unsigned bit, unsigned mask, bool bytes,
                          uint16_t *counts)
{
    uint32_t table[TABLES][SK_STAGED_DIGITS] = {0}; /* a Zen 1 adds 1 to 16 bits in 0.87 ns, and to 32 in 0.57 */
    const size_t whole = n / GROUP * GROUP;
    size_t i = 0;
#if defined(__AVX2__)
    if (mask < LANE_DIGITS)
        i = count_few(keys, n, size, bit, mask, table[0]);
#endif
    for (; i < whole; i += GROUP) {
        sk_will_read(keys + i * size, AHEAD);
        for (size_t j = 0; j < GROUP; j++)
            table[j % TABLES][digit_of(keys + (i + j) * size, size, bit, mask, bytes)]++;
    }
    for (; i < n; i++)
        table[0][digit_of(keys + i * size, size, bit, mask, bytes)]++;
    for (size_t d = 0; d <= mask; d++)
        counts[d] = (uint16_t)(table[0][d] + table[1][d] + table[2][d] + table[3][d]);
}

/* ---- keys in registers ---- */

#define BATCH 64 /* bytes of keys that are loaded together */

/* Keys are loaded a batch before they are stored. A load behind a store whose address ends in the same 12 bits may wait
 * for it, and a processor that has seen such a wait expects one at each run of that load: one thread of a Zen 1 moves
 * u32 by 3 bits in 1.2 ns a key at first, and in 4.1 some million keys later. By batches it takes 1.0. */
#if defined(__AVX512F__)
/* A Sapphire Rapids does not wait so, and splits u64 by 3 bits at 0.87 of its speed by batches in registers. */
typedef const char *batch;

SK_INLINE batch load_batch(const char *keys)
{
    return keys;
}

SK_INLINE uint64_t batch_key(const batch *b, size_t k, size_t size)
{
    return key_at(*b + k * size, size);
}
#else
typedef uint64_t two_words __attribute__((vector_size(16)));
typedef struct batch {
    two_words part[BATCH / sizeof(two_words)];
} batch;

SK_INLINE batch load_batch(const char *keys)
{
    batch b;
    SK_UNROLL for (size_t i = 0; i < BATCH / sizeof *b.part; i++) /* not together: they are to stay in registers */
        memcpy(&b.part[i], keys + i * sizeof *b.part, sizeof *b.part);
    return b;
}

/* Key k of a batch, with other keys above it. */
SK_INLINE uint64_t batch_key(const batch *b, size_t k, size_t size)
{
    const size_t at = k * size, within = SK_DIGITS_ARE_BYTES ? at % 8 : 8 - size - at % 8;
    return b->part[at / 16][at % 16 / 8] >> 8 * within;
}
#endif

SK_INLINE void put_key(char *to, uint64_t key, size_t size)
{
    const uint16_t half = (uint16_t)key;
    const uint32_t narrow = (uint32_t)key;
    switch (size) {
    case 1: *to = (char)key; return;
    case 2: memcpy(to, &half, sizeof half); return;
    case 4: memcpy(to, &narrow, sizeof narrow); return;
    default: memcpy(to, &key, sizeof key);
    }
}

/* ---- a key to its place ---- */

#define TOGETHER 4 /* keys that find their places before one of them is stored */

/* The place of the next key of a digit. */
SK_INLINE uint32_t take_place(uint32_t *place, unsigned digit, size_t size)
{
    const uint32_t at = place[digit];
    place[digit] = at + (uint32_t)size;
    return at;
}

/* The places of TOGETHER keys, all of which are loaded before one is stored. The load of a place that was just stored
 * waits for it, a while longer where the processor did not expect that. */
SK_INLINE void take_places(uint32_t *place, const unsigned *digit, size_t size, uint32_t *to)
{
    SK_UNROLL for (size_t k = 0; k < TOGETHER; k++)
    {
        to[k] = place[digit[k]];
        SK_UNROLL for (size_t before = 0; before < k; before++) to[k] += (digit[before] == digit[k]) * (uint32_t)size;
    }
    SK_UNROLL for (size_t k = 0; k < TOGETHER; k++) place[digit[k]] = to[k] + (uint32_t)size;
}

/* A load of a place may wait, needlessly, for the store of the key before. So keys are stored when the places of
 * TOGETHER are known: one thread of a Zen 1 takes 1.1 ns for a u32 instead of 2.1, with 2 keys 1.7 and with 8 1.2. */
SK_INLINE void sort_together(const batch *b, size_t first, size_t size, unsigned bit, unsigned mask, bool meet,
                             uint32_t *place, char *stage)
{
    unsigned digit[TOGETHER];
    uint32_t to[TOGETHER];
    SK_UNROLL for (size_t k = 0; k < TOGETHER; k++) digit[k] = (unsigned)(batch_key(b, first + k, size) >> bit) & mask;
    if (meet)
        take_places(place, digit, size, to);
    else
        SK_UNROLL for (size_t k = 0; k < TOGETHER; k++) to[k] = take_place(place, digit[k], size);
    SK_UNROLL for (size_t k = 0; k < TOGETHER; k++) put_key(stage + to[k], batch_key(b, first + k, size), size);
}

SK_INLINE void sort_one_by_one(const char *keys, size_t n, size_t size, unsigned bit, unsigned mask, uint32_t *place,
                               char *stage)
{
    for (size_t i = 0; i < n; i++, keys += size) {
        const uint64_t key = key_at(keys, size);
        put_key(stage + take_place(place, (unsigned)(key >> bit) & mask, size), key, size);
    }
}

SK_INLINE void sort_keys(const char *keys, size_t n, size_t size, unsigned bit, unsigned mask, bool meet,
                         uint32_t *place, char *stage)
{
    const size_t whole = n * size / BATCH * BATCH;
    if (whole > 0) {
        batch now = load_batch(keys);
        for (size_t at = 0; at < whole;) {
            sk_will_read(keys + at, AHEAD);
            at += BATCH;
            const batch next = load_batch(keys + (at < whole ? at : 0));
            SK_UNROLL for (size_t k = 0; k < BATCH / size; k += TOGETHER)
                sort_together(&now, k, size, bit, mask, meet, place, stage);
            now = next;
        }
    }
    sort_one_by_one(keys + whole, n - whole / size, size, bit, mask, place, stage);
}

/* ---- up to 8 digits ---- */

#define WORD_DIGITS 8 /* counts of a byte each in a word */
#define WORD_KEYS 192 /* that they count, at most; whole batches */

SK_INLINE uint64_t sort_few_key(uint64_t key, size_t size, unsigned turn, unsigned mask, char *const *to,
                                uint64_t counts)
{
    const uint64_t byte = (key >> turn | key << (-turn & 63)) & (8 * (uint64_t)mask);
    char *at;
    memcpy(&at, (const char *)to + byte * sizeof at / 8, sizeof at); /* to[byte / 8] */
    put_key(at + (uint8_t)(counts >> byte) * size, key, size);
    return counts + (UINT64_C(1) << byte);
}

/* Batches whose keys a word counts. The batch behind them is loaded from `then` on. */
SK_INLINE uint64_t sort_few_batches(const char *keys, size_t bytes, const char *then, size_t size, unsigned turn,
                                    unsigned mask, char *const *to, batch *now)
{
    uint64_t counts = 0;
    for (size_t at = 0; at < bytes;) {
        sk_will_read(keys + at, AHEAD);
        at += BATCH;
        const batch next = load_batch(at < bytes ? keys + at : then);
        SK_UNROLL for (size_t first = 0; first < BATCH / size; first += TOGETHER)
        {
            SK_UNROLL for (size_t k = first; k < first + TOGETHER; k++) counts =
                sort_few_key(batch_key(now, k, size), size, turn, mask, to, counts);
        }
        *now = next;
    }
    return counts;
}

/* The keys of each digit since some place are counted in a register, so each key is stored and nothing else. */
SK_INLINE void sort_few(const char *keys, size_t n, size_t size, unsigned bit, unsigned mask, uint32_t *place,
                        char *stage)
{
    const unsigned turn = (bit - 3) & 63; /* so that eight times the digit is left */
    const size_t whole = n * size / BATCH * BATCH;
    batch now = {0};
    if (whole > 0)
        now = load_batch(keys);
    char *to[WORD_DIGITS];
    for (size_t d = 0; d <= mask; d++)
        to[d] = stage + place[d];
    for (size_t at = 0, some; at < whole; at += some) {
        some = sk_min(whole - at, WORD_KEYS * size);
        const char *then = at + some < whole ? keys + at + some : keys;
        const uint64_t counts = sort_few_batches(keys + at, some, then, size, turn, mask, to, &now);
        for (size_t d = 0; d <= mask; d++)
            to[d] += (uint8_t)(counts >> 8 * d) * size;
    }
    for (size_t d = 0; d <= mask; d++)
        place[d] = (uint32_t)(to[d] - stage);
    sort_one_by_one(keys + whole, n - whole / size, size, bit, mask, place, stage);
}

/* ---- blocks ---- */

/* At least one pair of keys in MEET has equal digits. */
SK_INLINE bool often_meet(const uint16_t *counts, unsigned mask, size_t n)
{
    uint64_t pairs = 0;
    for (size_t d = 0; d <= mask; d++)
        pairs += (uint64_t)counts[d] * counts[d];
    return pairs * MEET >= (uint64_t)n * n;
}

/* Keys to stage + place[digit]. All of one digit are a copy. */
SK_INLINE void sort_block(const char *keys, size_t n, size_t size, unsigned bit, unsigned mask, const uint16_t *counts,
                          uint32_t *place, char *stage)
{
    const unsigned first = digit_of(keys, size, bit, mask, false);
    if (counts[first] == n) {
        memcpy(stage + place[first], keys, n * size);
        place[first] += (uint32_t)(n * size);
    } else if (mask < WORD_DIGITS) {
        sort_few(keys, n, size, bit, mask, place, stage);
    } else if (often_meet(counts, mask, n)) {
        sort_keys(keys, n, size, bit, mask, true, place, stage);
    } else {
        sort_keys(keys, n, size, bit, mask, false, place, stage);
    }
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
            sort_block(keys, n, size, bit, 255, counts, place, stage);                                       \
        else                                                                                                 \
            sort_block(keys, n, size, bit, mask, counts, place, stage);                                      \
        empty_stage(mask, place, stage, outlets, held);                                                      \
    }
STAGED(1)
STAGED(2)
STAGED(4)
STAGED(8)

const sk_staged_kernels SK_ISA_NAME(sk_staged_table)[] = {
    {count_1, move_1}, {count_2, move_2}, {count_4, move_4}, {count_8, move_8}};
