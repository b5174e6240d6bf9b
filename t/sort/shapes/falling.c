/* falling.c - keys that fall, with equals among them. Keys alone are turned around. With values that would not be
 * stable, so only keys without equals are. Also keys that rise or fall but for one, wherever a look at them may end. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* n keys of `runs` values. The key at `broken` is in no order, unless that is 0. */
typedef struct falling_case {
    scankit_type type;
    size_t n, runs, broken;
    bool in_place, rises;
} falling_case;

static size_t run_of(const falling_case *c, size_t i)
{
    return (size_t)((double)i / (double)c->n * (double)c->runs);
}

/* The bits of key i, of a positive number. */
static uint64_t word_at(const falling_case *c, size_t i)
{
    const unsigned bits = bits_of_words(c->type) - (oracle_kind(c->type) == ORACLE_SIGNED);
    const uint64_t step = (UINT64_MAX >> (64 - bits)) / c->runs;
    const bool breaks = i > 0 && i == c->broken;
    const size_t run = run_of(c, breaks ? i - 1 : i);
    return (c->rises ? run - breaks : c->runs - 1 - run + breaks) * step;
}

static void store_at(const falling_case *c, void *keys, size_t at, uint64_t word)
{
    memcpy((char *)keys + at * oracle_size(c->type), &word, oracle_size(c->type));
}

static int compare_places(const void *context, uint64_t a, uint64_t b)
{
    const falling_case *c = context;
    const uint64_t first = word_at(c, a), second = word_at(c, b);
    return first < second ? -1 : first > second;
}

static void check_falling(device *d, const falling_case *c)
{
    const size_t size = oracle_size(c->type), bytes = c->n * size, places = c->n * sizeof(uint64_t);
    if (!device_case_is_due())
        return;
    tap_case("%s n %zu of %zu values that %s, broken at %zu%s", scankit_type_name(c->type), c->n, c->runs,
             c->rises ? "rise" : "fall", c->broken, c->in_place ? ", in place" : "");
    void *keys = data_allocate(c->n, size), *sorted = data_allocate(c->n, size);
    uint64_t *order = data_allocate(c->n, sizeof *order);
    for (size_t i = 0; i < c->n; i++) {
        store_at(c, keys, i, word_at(c, i));
        order[i] = i;
    }
    void *in = device_put(d, KEYS_IN, keys, bytes, 0), *values = device_put(d, VALUES_IN, order, places, 0);
    void *out = c->in_place ? in : device_put(d, KEYS_OUT, NULL, bytes, 0);
    oracle_sort_positions(compare_places, c, order, c->n);
    for (size_t i = 0; i < c->n; i++)
        store_at(c, sorted, i, word_at(c, order[i]));
    if (DEVICE_DID(d, scankit_sort(d->context, c->type, in, out, c->n, NULL)))
        device_expect(d, c->in_place ? KEYS_IN : KEYS_OUT, sorted, c->n, size, "keys alone");
    const char *algorithm = scankit_last_algorithm(d->context);
    /* Floats in runs are not encoded as words, which takes longer. */
    const bool by_runs = oracle_kind(c->type) == ORACLE_FLOAT && strcmp(algorithm, "runs") == 0;
    if (scankit_is_host(d->context) && c->broken == 0 && !c->rises && c->runs > 1 && c->n > 1000 && !by_runs &&
        strcmp(algorithm, "reversed") != 0)
        tap_fail("by %s", algorithm);
    in = device_put(d, KEYS_IN, keys, bytes, 0);
    out = c->in_place ? in : device_put(d, KEYS_OUT, NULL, bytes, 0);
    if (DEVICE_DID(d, scankit_sort_pairs(d->context, c->type, in, out, sizeof *order, values, values, c->n, NULL))) {
        device_expect(d, c->in_place ? KEYS_IN : KEYS_OUT, sorted, c->n, size, "keys");
        device_expect(d, VALUES_IN, order, c->n, sizeof *order, "values");
    }
    free(keys), free(sorted), free(order);
}

static void check_type(device *d, scankit_type type)
{
    static const size_t sizes[] = {2, 3, 63, 64, 65, 66, 1000, 1025, 4609, 16385, 16386, 70001, 140003};
    random_state random = random_seeded(type);
    tap_begin("%s: %s: keys that fall", d->name, scankit_type_name(type));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const size_t n = sizes[s], values = oracle_size(type) == 1 ? 100 : oracle_size(type) == 2 ? 30000 : n;
        const size_t most = n < values ? n : values;
        const size_t runs[] = {1, 2, n / 300 + 1, n / 7 + 1, most};
        for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
            for (int broken = 0; broken < 2; broken++) {
                falling_case c = {.type = type, .n = n, .runs = runs[r] < most ? runs[r] : most};
                c.broken = broken ? 1 + random_below(&random, n - 1) : 0;
                c.in_place = random_next(&random) & 1;
                check_falling(d, &c);
            }
    }
    tap_end();
}

/* A CPU looks at 64 pairs, then 512, and at 16384 before it asks whether to go on. */
static void check_breaks(device *d, scankit_type type)
{
    static const size_t places[] = {0,   2,    63,   64,    65,    66,    511,   512,   513,   575,   576,  577,
                                    578, 1088, 1089, 16383, 16384, 16385, 16386, 16448, 16449, 32768, 32769};
    tap_begin("%s: %s: one key in no order", d->name, scankit_type_name(type));
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (int rises = 0; rises < 2; rises++) {
            falling_case c = {.type = type, .n = 33000, .runs = 33000, .broken = places[p], .rises = rises};
            c.in_place = (p + (size_t)rises) % 3 == 0;
            check_falling(d, &c);
            c.n = places[p] + 1;
            c.runs = places[p] + 1;
            check_falling(d, &c);
        }
    tap_end();
}

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U8,  SCANKIT_U16, SCANKIT_U32, SCANKIT_U64,
                                         SCANKIT_I32, SCANKIT_I64, SCANKIT_F32, SCANKIT_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        check_type(d, types[t]);
        if (oracle_size(types[t]) >= 4)
            check_breaks(d, types[t]);
    }
}

int main(void)
{
    return device_each("sort of keys that fall", test);
}
