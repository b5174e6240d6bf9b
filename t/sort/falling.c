/* falling.c - keys that fall, with equals among them. Keys alone are turned around. With values that would not be
 * stable, so only keys without equals are. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* n keys of `runs` values. A key that rises is at `broken`, unless that is 0. */
typedef struct falling_case {
    scankit_type type;
    size_t n, runs, broken;
    bool in_place;
} falling_case;

static size_t run_of(const falling_case *c, size_t i)
{
    return (size_t)((double)i / (double)c->n * (double)c->runs);
}

/* The bits of key i: of a positive number if it is a float. */
static uint64_t word_at(const falling_case *c, size_t i)
{
    const uint64_t step = (UINT64_MAX >> (64 - bits_of_words(c->type))) / c->runs;
    const bool rises = i > 0 && i == c->broken;
    return (c->runs - 1 - run_of(c, rises ? i - 1 : i) + rises) * step;
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
    tap_case("%s n %zu of %zu values, rises at %zu%s", scankit_type_name(c->type), c->n, c->runs, c->broken,
             c->in_place ? ", in place" : "");
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
    if (scankit_is_host(d->context) && c->broken == 0 && c->runs > 1 && c->n > 1000 && !by_runs &&
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

static void test(device *d)
{
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        check_type(d, types[t]);
}

int main(void)
{
    return device_each("sort of keys that fall", test);
}
