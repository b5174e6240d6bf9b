/* bins.c - keys that are spread evenly, which a CPU sorts by bins: bins of every length, at the ends and in the middle,
 * as many as have room and more; copies; floats that are even as numbers; and as many keys as are sorted so, and more.
 */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* X(enumerator, description) */
#define PLACINGS(X)                                                 \
    X(WHOLE, "over the whole range, with its ends")                 \
    X(NARROW, "over a range of eight times as many values as keys") \
    X(SHORT, "over fewer values than there are bins")               \
    X(STEPS, "as far apart as can be, in no order")                 \
    X(CROWD, "evenly, but some keys are neighbours of one")         \
    X(CROWDED_ENDS, "evenly, but some keys are the least or most")  \
    X(COPIES, "evenly, each value three times")                     \
    X(VALUES, "floats of [0, 1), evenly as numbers")                \
    X(HALVES, "one half twice as dense as the other")

typedef enum placing {
#define X(enumerator, text) enumerator,
    PLACINGS(X)
#undef X
        PLACING_COUNT
} placing;

static const char *const placing_names[] = {
#define X(enumerator, text) text,
    PLACINGS(X)
#undef X
};

/* The bits of the float. */
static uint64_t bits_of(scankit_type type, double value)
{
    const float narrow = (float)value;
    uint32_t bits;
    uint64_t wide;
    memcpy(&bits, &narrow, sizeof bits);
    memcpy(&wide, &value, sizeof wide);
    return type == SCANKIT_F32 ? bits : wide;
}

/* crowd: keys of CROWD and CROWDED_ENDS that lie together. */
static uint64_t word_of(random_state *random, scankit_type type, placing where, size_t i, size_t n, uint64_t last,
                        size_t crowd)
{
    const uint64_t base = last / 5 * 2;
    switch (where) {
    case WHOLE: return i < 2 ? i * last : random_below(random, last);
    case NARROW: return base + random_below(random, 8 * n);
    case SHORT: return base + random_below(random, n / 8);
    case STEPS: return (uint64_t)((i * 7919) % n) * (last / n);
    case CROWD: return i % (n / crowd) == 0 ? base + i % 5 : random_below(random, last);
    case CROWDED_ENDS: return i % (n / crowd) == 0 ? i % 2 * last : random_below(random, last);
    case COPIES: return (uint64_t)((i * 7919) % n / 3) * (last / n);
    case VALUES:
        if (type == SCANKIT_F32 || type == SCANKIT_F64)
            return bits_of(type, (double)random_below(random, 1 << 24) / (1 << 24));
        return random_below(random, last);
    default:
        return random_below(random, 3) != 0 ? random_below(random, last / 2)
                                            : last / 2 + random_below(random, last / 2);
    }
}

static void check(device *d, scankit_type type, placing where, size_t n, size_t crowd, bool descending)
{
    const size_t size = oracle_size(type);
    const bool is_unsigned = type == SCANKIT_U32 || type == SCANKIT_U64;
    const unsigned width =
        is_unsigned ? 8 * (unsigned)size : 8 * (unsigned)size - 2; /* positive numbers keep the order */
    const scankit_sort_options options = {.descending = descending};
    if (!device_case_is_due())
        return;
    tap_case("%s n %zu crowd %zu%s", placing_names[where], n, crowd, descending ? " descending" : "");
    uint64_t *words = data_allocate(n, sizeof *words);
    char *keys = data_allocate(n, size), *sorted = data_allocate(n, size);
    random_state random = random_seeded(n + crowd + (uint64_t)where);
    for (size_t i = 0; i < n; i++) {
        words[i] = word_of(&random, type, where, i, n, UINT64_MAX >> (64 - width), crowd);
        oracle_store(type, keys, i, words[i]);
    }
    void *in = device_put(d, KEYS_IN, keys, n * size, size);
    sort_words(words, n);
    for (size_t i = 0; i < n; i++)
        oracle_store(type, sorted, descending ? n - 1 - i : i, words[i]);
    if (DEVICE_DID(d, scankit_sort(d->context, type, in, in, n, &options)))
        device_expect(d, KEYS_IN, sorted, n, size, "keys");
    free(words);
    free(keys);
    free(sorted);
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64, SCANKIT_I32, SCANKIT_I64};
    static const size_t sizes[] = {513,  514,   575,   576,   1000,  1023,  2048,  2049,  2100,  4095,  4097,
                                   7168, 16384, 20011, 49151, 49152, 49153, 65536, 69120, 69121, 140001};
    static const size_t crowds[] = {4, 6, 9, 10, 12, 17, 24, 25, 26, 40};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        tap_begin("%s: %s: keys that are even", d->name, scankit_type_name(types[t]));
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int where = 0; where < PLACING_COUNT; where++)
                check(d, types[t], (placing)where, sizes[s], crowds[s % 10], (s + (size_t)where) % 2 != 0);
        tap_end();
        tap_begin("%s: %s: bins of any length", d->name, scankit_type_name(types[t]));
        for (size_t n = 2100; n <= 20011; n += 17911)
            for (size_t crowd = 1; crowd <= 40; crowd++)
                for (int ends = 0; ends < 2; ends++)
                    check(d, types[t], ends ? CROWDED_ENDS : CROWD, n, crowd, crowd % 2 != 0);
        tap_end();
    }
}

int main(void)
{
    return device_each("sort by bins", test);
}
