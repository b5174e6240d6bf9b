/* copies.c - keys that have a number of copies each, alone and among keys that have none. A GPU sorts buckets by bins:
 * bins of equal keys, of few values, and of both need different steps. Few values are counted, and what is between them
 * is sorted by itself. */
#include <stdlib.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

enum { TYPES = 4 };
static const scankit_type types[TYPES] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};

typedef struct copies_case {
    scankit_type type;
    size_t n, copies;
    unsigned others;  /* one key of that many has a value of its own; 0: none */
    uint64_t first;   /* of the values, in the upper half for keys of 4 bytes */
    unsigned leading; /* random bits above values that are near to each other; 0: other values */
    bool logarithmic; /* these */
    unsigned spikes;  /* one key of that many has the value `first`; 0: none */
    unsigned zeros;   /* last bits of all keys */
    size_t value_size;
    bool in_place;
    scankit_sort_options options;
} copies_case;

static bool is_float(scankit_type type)
{
    return type == SCANKIT_F32 || type == SCANKIT_F64;
}

/* Values that share a bin of a bucket: most are the same, and the others lie on both sides of it, or are the denser the
 * nearer they are to it. */
static uint64_t near_value(random_state *random, const copies_case *c, bool is_other)
{
    const uint64_t bits = random_next(random) >> (64 - c->leading) << (64 - c->leading);
    if (c->logarithmic)
        return bits | (is_other ? random_next(random) >> c->leading >> random_below(random, 40) : 0);
    return bits | (is_other ? random_below(random, 200) : 100) << 32;
}

/* Words of floats are the bits of positive ones. */
static void fill(void *keys, const copies_case *c)
{
    const size_t values = c->n / c->copies;
    random_state random = random_seeded(c->n + c->copies);
    for (size_t i = 0; i < c->n; i++) {
        bool is_other = c->others > 0 && random_below(&random, c->others) == 0;
        uint64_t word =
            is_other ? random_next(&random) : c->first + random_below(&random, values) * 0x9e3779b97f4a7c15u;
        if (c->leading > 0)
            word = near_value(&random, c, is_other);
        if (c->spikes > 0 && random_below(&random, c->spikes) == 0)
            word = c->first;
        word = word >> (is_float(c->type) ? 2 : 0) & UINT64_MAX << (c->zeros + 64 - 8 * scankit_type_size(c->type));
        if (scankit_type_size(c->type) == 4)
            ((uint32_t *)keys)[i] = (uint32_t)(word >> 32);
        else
            ((uint64_t *)keys)[i] = word;
    }
}

/* Positions, which tell whether equal keys have kept their order. */
static void fill_positions(void *values, size_t n, size_t size)
{
    for (size_t i = 0; i < n; i++)
        if (size == 4)
            ((uint32_t *)values)[i] = (uint32_t)i;
        else if (size == 8)
            ((uint64_t *)values)[i] = i;
}

static bool sort(device *d, const copies_case *c, const void *keys, const void *values,
                 const scankit_sort_options *options)
{
    size_t size = scankit_type_size(c->type);
    const bool in_place = c->in_place && options == &c->options;
    void *out = device_put(d, KEYS_OUT, in_place ? keys : NULL, c->n * size, 0);
    const void *in = in_place ? out : device_put(d, KEYS_IN, keys, c->n * size, 0);
    if (c->value_size == 0)
        return DEVICE_DID(d, scankit_sort(d->context, c->type, in, out, c->n, options));
    const void *values_in = device_put(d, VALUES_IN, values, c->n * c->value_size, 0);
    void *values_out = device_put(d, VALUES_OUT, NULL, c->n * c->value_size, 0);
    return DEVICE_DID(
        d, scankit_sort_pairs(d->context, c->type, in, out, c->value_size, values_in, values_out, c->n, options));
}

/* The result of a radix sort, which sort.c and pairs.c compare with the oracle, is expected. */
static void check(device *d, const copies_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = scankit_type_size(c->type), bytes = c->n * c->value_size;
    void *keys = data_allocate(c->n, size), *values = data_allocate(bytes + 1, 1);
    void *sorted = data_allocate(c->n, size), *moved = data_allocate(bytes + 1, 1);
    scankit_sort_options by_digits = c->options;
    by_digits.algorithm = SCANKIT_RADIX;
    tap_case("%s n %zu copies %zu others %u first %llx leading %u%s spikes %u zeros %u value_size %zu%s algorithm %d "
             "bits %u to %u",
             scankit_type_name(c->type), c->n, c->copies, c->others, (unsigned long long)c->first, c->leading,
             c->logarithmic ? " logarithmic" : "", c->spikes, c->zeros, c->value_size, c->in_place ? " in place" : "",
             c->options.algorithm, c->options.begin_bit, c->options.end_bit);
    fill(keys, c);
    fill_positions(values, c->n, c->value_size);
    if (sort(d, c, keys, values, &by_digits)) {
        device_get(d, KEYS_OUT, sorted);
        if (c->value_size > 0)
            device_get(d, VALUES_OUT, moved);
    }
    if (sort(d, c, keys, values, &c->options)) {
        device_expect(d, KEYS_OUT, sorted, c->n, size, "keys");
        if (c->value_size > 0)
            device_expect(d, VALUES_OUT, moved, c->n, c->value_size, "values");
    }
    free(keys), free(values), free(sorted), free(moved);
}

static void numbers_of_copies(device *d, scankit_type type, size_t value_size)
{
    static const size_t copies[] = {2, 4, 8, 13, 30, 45, 100, 150, 300, 700, 3000};
    const bool is_host = scankit_is_host(d->context);
    const unsigned bits = (unsigned)(8 * scankit_type_size(type));
    tap_begin("%s: %s with %zu bytes: copies", d->name, scankit_type_name(type), value_size);
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        for (unsigned others = 0; others <= 2; others += 2) {
            copies_case c = {.type = type, .copies = copies[i], .others = others, .value_size = value_size};
            c.n = (i % 3 == 0 ? 8600003 : 4300007) / (is_host ? 64 : 1);
            c.options.descending = i % 3 == 2;
            c.options.algorithm = others == 2 || i % 4 == 1 ? SCANKIT_HYBRID : SCANKIT_AUTO;
            check(d, &c);
            c.options.begin_bit = 3;
            c.options.end_bit = bits - (unsigned)i % 2;
            if (value_size > 0 && others == 0 && !is_float(type))
                check(d, &c);
        }
    tap_end();
}

/* Few values that most keys have. An implementation may reserve a key, such as a hash table's free slot: the GPU's is
 * one of the values, or the only one. */
static void few_values(device *d, scankit_type type)
{
    static const unsigned values[] = {1, 3, 40, 100}, others[] = {2, 4, 5, 40, 2000, 500000, 0};
    static const uint64_t first[] = {0x5bd1e9955bd1e995u, 0};
    const size_t n = scankit_is_host(d->context) ? 50007 : 4600003;
    tap_begin("%s: %s: few values and others", d->name, scankit_type_name(type));
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
            copies_case c = {.type = type, .n = n + o, .copies = (n + o) / values[v], .others = others[o]};
            c.first = first[v % 2];
            c.in_place = o % 2 == 1;
            c.options.descending = o % 3 == 1;
            check(d, &c);
        }
    tap_end();
}

/* Bins with one popular value. */
static void popular_in_bins(device *d, scankit_type type, size_t value_size)
{
    static const unsigned others[] = {3, 6, 12, 40}, leading[] = {12, 13, 14};
    tap_begin("%s: %s with %zu bytes: popular values in bins", d->name, scankit_type_name(type), value_size);
    for (size_t o = 0; o < sizeof others / sizeof *others; o++)
        for (size_t l = 0; l < 2 * sizeof leading / sizeof *leading; l++) {
            copies_case c = {.type = type, .copies = 1, .others = others[o], .leading = leading[l / 2]};
            c.value_size = value_size;
            c.n = (scankit_is_host(d->context) ? 67003 : 4300007) + o;
            c.logarithmic = l % 2 == 1;
            c.options.descending = l == 2;
            check(d, &c);
        }
    tap_end();
}

/* Buckets that are too large for a block, in which three of four keys have the same value: the least of the bucket, or
 * one in the middle. */
static void popular_in_large_buckets(device *d, scankit_type type)
{
    tap_begin("%s: %s: popular values in large buckets", d->name, scankit_type_name(type));
    for (unsigned leading = 1; leading <= 3; leading++)
        for (int logarithmic = 0; logarithmic <= 1; logarithmic++) {
            copies_case c = {.type = type, .copies = 1, .others = 4, .leading = leading};
            c.n = (scankit_is_host(d->context) ? 67003 : 4600007) + leading;
            c.logarithmic = logarithmic;
            c.in_place = leading == 2;
            check(d, &c);
        }
    tap_end();
}

/* One bucket is too large, or a few are, of keys that have others in even buckets. A GPU counts digits after buckets
 * then, if the keys are few. Last bits that are zero make a digit constant. Sizes are about those from which on buckets
 * have two levels, passes clear their own descriptors, or rounds take less time than digits. */
static void spikes(device *d, scankit_type type)
{
    static const size_t sizes[] = {2200001, 4249600, 4249601, 4330003, 8388607, 8388608};
    tap_begin("%s: %s: a value among even keys", d->name, scankit_type_name(type));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned i = 0; i < 2; i++) {
            copies_case c = {.type = type, .copies = 1, .others = 1, .first = 0x9e3779b97f4a7c15u};
            c.n = sizes[s] / (scankit_is_host(d->context) ? 64 : 1);
            c.spikes = (i + s / 3) % 2 == 0 ? 200 : 40;
            c.zeros = i == 0 ? 0 : 8;
            c.in_place = (i + s) % 3 == 0;
            c.options.descending = (i + s) % 4 == 3;
            check(d, &c);
        }
    tap_end();
}

static void test(device *d)
{
    for (size_t t = 0; t < TYPES; t++)
        spikes(d, types[t]);
    for (size_t t = 0; t < TYPES; t++)
        for (size_t value_size = 0; value_size <= 8; value_size += 4)
            popular_in_bins(d, types[t], value_size);
    for (size_t t = 0; t < TYPES; t++)
        popular_in_large_buckets(d, types[t]);
    for (size_t t = 0; t < TYPES; t++)
        few_values(d, types[t]);
    for (size_t t = 0; t < TYPES; t++)
        for (size_t value_size = 0; value_size <= 8; value_size += 4)
            numbers_of_copies(d, types[t], value_size);
}

int main(void)
{
    return device_each("sort of copies", test);
}
