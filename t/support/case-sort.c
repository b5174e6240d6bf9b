/* case-sort.c - the sorts of keys, pairs and positions against the oracle: see cases.h */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

sort_case few_sort_case(scankit_type type, size_t size, size_t value_size, random_state *random)
{
    static const size_t sizes[FEW_SORT_SIZES] = {1,     2,     33,    511,    513,    1023,   1024,  1025,  1537,
                                                 2047,  2048,  2049,  3584,   3585,   4096,   4097,  5120,  5121,
                                                 8192,  8193,  16384, 16385,  40001,  40960,  40961, 57344, 57345,
                                                 65535, 65536, 65537, 100003, 131071, 131072, 131073};
    static const data_shape shapes[] = {DATA_UNIFORM,  DATA_SIXTEEN, DATA_EQUAL,  DATA_SPECIAL,
                                        DATA_REVERSED, DATA_ZIPF,    DATA_SORTED, DATA_OUTLIERS};
    sort_case c = {.type = type, .n = sizes[size], .value_size = value_size};
    c.shape = shapes[random_below(random, sizeof shapes / sizeof *shapes)];
    c.seed = random_next(random);
    return c;
}

struct arrays {
    void *keys, *values, *expected;
    const uint64_t *positions;
};

/* The oracle's answer, kept for calls that differ only in algorithm and place. */
static const uint64_t *sorted_positions(const sort_case *c, const void *keys)
{
    static sort_case last;
    static uint64_t *positions;
    bool known = positions != NULL && last.type == c->type && last.shape == c->shape && last.n == c->n &&
                 last.seed == c->seed && last.options.descending == c->options.descending &&
                 last.options.begin_bit == c->options.begin_bit && last.options.end_bit == c->options.end_bit;
    if (!known) {
        free(positions);
        positions = data_allocate(c->n, sizeof *positions);
        oracle_argsort(c->type, &c->options, keys, positions, c->n);
        last = *c;
    }
    return positions;
}

static const scankit_sort_options *options_of(const sort_case *c)
{
    const scankit_sort_options *o = &c->options;
    bool plain =
        !o->descending && o->begin_bit == 0 && o->end_bit == 0 && o->algorithm == SCANKIT_AUTO && !o->overwrite_input;
    return plain && c->seed % 2 == 0 ? NULL : o;
}

static struct arrays prepare(const sort_case *c, const char *what, size_t value_size)
{
    size_t size = oracle_size(c->type), widest = size > value_size ? size : value_size;
    struct arrays a = {.keys = data_allocate(c->n, size),
                       .values = data_allocate(c->n, value_size),
                       .expected = data_allocate(c->n, widest)};
    tap_case("%s %s%s bits %u-%u %s n %zu value %zu%s%s%s shape %s leads %zu %zu %zu %zu seed %llu", what,
             scankit_type_name(c->type), c->options.descending ? " descending" : "", c->options.begin_bit,
             c->options.end_bit, c->gallery != NULL ? c->gallery : scankit_algorithm_name(c->options.algorithm), c->n,
             value_size, c->keys_in_place ? " keys in place" : "", c->values_in_place ? " values in place" : "",
             c->options.overwrite_input ? " overwriting" : "", data_shape_name(c->shape), c->lead[KEYS_IN],
             c->lead[KEYS_OUT], c->lead[VALUES_IN], c->lead[VALUES_OUT], (unsigned long long)c->seed);
    data_fill(a.keys, c->type, c->shape, c->n, c->seed);
    data_fill_bytes(a.values, c->n * value_size, ~c->seed);
    a.positions = sorted_positions(c, a.keys);
    return a;
}

static void finish(struct arrays *a)
{
    free(a->keys);
    free(a->values);
    free(a->expected);
}

/* One column, in and out: its arrays, and its expected content after the sort. */
static void *put_out(device *d, bool in_place, unsigned in, size_t bytes, size_t lead)
{
    return in_place ? d->area[in].data : device_put(d, in + 1, NULL, bytes, lead);
}

static void expect_sorted(device *d, const sort_case *c, struct arrays *a, unsigned in, const void *before, size_t size)
{
    bool in_place = in == KEYS_IN ? c->keys_in_place : c->values_in_place;
    oracle_gather(size, before, a->positions, a->expected, c->n);
    device_expect(d, in_place ? in : in + 1, a->expected, c->n, size, in == KEYS_IN ? "keys" : "values");
}

static void expect_column(device *d, const sort_case *c, struct arrays *a, unsigned in, const void *before, size_t size)
{
    bool in_place = in == KEYS_IN ? c->keys_in_place : c->values_in_place;
    expect_sorted(d, c, a, in, before, size);
    if (!in_place)
        device_expect(d, in, before, c->n, size, in == KEYS_IN ? "keys in" : "values in");
}

static scankit_error sort_keys(device *d, const sort_case *c, const void *in, void *out)
{
    if (c->gallery != NULL)
        return scankit_gallery_sort(d->context, c->gallery, c->type, c->options.descending, in, out, 0, NULL, NULL,
                                    c->n);
    return scankit_sort(d->context, c->type, in, out, c->n, options_of(c));
}

static scankit_error sort_pairs(device *d, const sort_case *c, const void *keys_in, void *keys_out,
                                const void *values_in, void *values_out)
{
    if (c->gallery != NULL)
        return scankit_gallery_sort(d->context, c->gallery, c->type, c->options.descending, keys_in, keys_out,
                                    c->value_size, values_in, values_out, c->n);
    return scankit_sort_pairs(d->context, c->type, keys_in, keys_out, c->value_size, values_in, values_out, c->n,
                              options_of(c));
}

void check_sort(device *d, const sort_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(c->type);
    struct arrays a = prepare(c, "sort", 0);
    const void *in = device_put(d, KEYS_IN, a.keys, c->n * size, c->lead[KEYS_IN] * size);
    void *out = put_out(d, c->keys_in_place, KEYS_IN, c->n * size, c->lead[KEYS_OUT] * size);
    if (DEVICE_DID(d, sort_keys(d, c, in, out))) {
        if (c->options.overwrite_input) {
            expect_sorted(d, c, &a, KEYS_IN, a.keys, size);
            device_expect(d, KEYS_IN, NULL, 0, size, "keys in"); /* checks the guards only */
        } else {
            expect_column(d, c, &a, KEYS_IN, a.keys, size);
        }
    }
    finish(&a);
}

bool check_sort_alike(device *d, const sort_case *c, const scankit_sort_options *other)
{
    size_t n = c->n, size = oracle_size(c->type);
    if (!device_case_is_due())
        return false;
    void *keys = data_allocate(n, size);
    tap_case("%s %s n %zu", scankit_type_name(c->type), data_shape_name(c->shape), n);
    data_fill(keys, c->type, c->shape, n, c->seed);
    void *in = device_put(d, KEYS_IN, keys, n * size, c->lead[KEYS_IN] * size);
    void *out = device_put(d, KEYS_OUT, NULL, n * size, 0);
    if (DEVICE_DID(d, scankit_sort(d->context, c->type, in, out, n, other)))
        device_get(d, KEYS_OUT, keys);
    out = c->keys_in_place ? in : device_put(d, KEYS_OUT, NULL, n * size, c->lead[KEYS_OUT] * size);
    if (DEVICE_DID(d, scankit_sort(d->context, c->type, in, out, n, &c->options))) {
        device_expect(d, c->keys_in_place ? KEYS_IN : KEYS_OUT, keys, n, size, "keys");
        device_expect(d, c->keys_in_place ? KEYS_OUT : KEYS_IN, NULL, 0, size, "other keys");
    }
    free(keys);
    return true;
}

bool check_sort_pairs(device *d, const sort_case *c)
{
    if (!device_case_is_due())
        return false;
    size_t size = oracle_size(c->type), v = c->value_size;
    struct arrays a = prepare(c, "sort_pairs", v);
    const void *keys_in = device_put(d, KEYS_IN, a.keys, c->n * size, c->lead[KEYS_IN] * size);
    const void *values_in = device_put(d, VALUES_IN, a.values, c->n * v, c->lead[VALUES_IN]);
    void *keys_out = put_out(d, c->keys_in_place, KEYS_IN, c->n * size, c->lead[KEYS_OUT] * size);
    void *values_out = put_out(d, c->values_in_place, VALUES_IN, c->n * v, c->lead[VALUES_OUT]);
    if (DEVICE_DID(d, sort_pairs(d, c, keys_in, keys_out, values_in, values_out))) {
        expect_column(d, c, &a, KEYS_IN, a.keys, size);
        expect_column(d, c, &a, VALUES_IN, a.values, v);
    }
    finish(&a);
    return true;
}

void check_argsort(device *d, const sort_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(c->type);
    struct arrays a = prepare(c, "argsort", 0);
    const void *in = device_put(d, KEYS_IN, a.keys, c->n * size, c->lead[KEYS_IN] * size);
    void *positions = device_put(d, VALUES_OUT, NULL, c->n * 8, c->lead[VALUES_OUT] * 8);
    if (DEVICE_DID(d, scankit_argsort(d->context, c->type, in, positions, c->n, options_of(c)))) {
        device_expect(d, VALUES_OUT, a.positions, c->n, 8, "positions");
        device_expect(d, KEYS_IN, a.keys, c->n, size, "keys in");
    }
    finish(&a);
}

void check_is_sorted(device *d, const sort_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(c->type), first = ~(size_t)0;
    struct arrays a = prepare(c, "is_sorted", 0);
    size_t expected = oracle_first_descent(c->type, options_of(c), a.keys, c->n);
    const void *in = device_put(d, KEYS_IN, a.keys, c->n * size, c->lead[KEYS_IN] * size);
    if (DEVICE_DID(d, scankit_is_sorted(d->context, c->type, in, c->n, options_of(c), &first)) && first != expected)
        tap_fail("first is %zu, should be %zu", first, expected);
    device_expect(d, KEYS_IN, a.keys, c->n, size, "keys in");
    finish(&a);
}
