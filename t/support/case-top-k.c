/* case-top-k.c - the first k elements in order against the oracle's stable sort: see cases.h */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

struct arrays {
    void *keys, *values, *expected;
    uint64_t *positions;
};

static struct arrays prepare(const sort_case *c, const void *keys)
{
    size_t size = oracle_size(c->type), widest = size > c->value_size ? size : c->value_size;
    struct arrays a = {.keys = data_allocate(c->n, size),
                       .values = data_allocate(c->n, c->value_size),
                       .expected = data_allocate(c->n, widest),
                       .positions = data_allocate(c->n, sizeof(uint64_t))};
    if (keys != NULL)
        memcpy(a.keys, keys, c->n * size);
    else
        data_fill(a.keys, c->type, c->shape, c->n, c->seed);
    data_fill_bytes(a.values, c->n * c->value_size, ~c->seed);
    oracle_argsort(c->type, &c->options, a.keys, a.positions, c->n);
    return a;
}

/* The oracle's answer, kept for calls that differ only in k. */
static struct arrays *prepared(const sort_case *c, const void *keys)
{
    static sort_case last;
    static bool given;
    static struct arrays a;
    bool known = a.keys != NULL && keys == NULL && !given && last.type == c->type && last.shape == c->shape &&
                 last.n == c->n && last.seed == c->seed && last.value_size == c->value_size &&
                 last.options.descending == c->options.descending && last.options.begin_bit == c->options.begin_bit &&
                 last.options.end_bit == c->options.end_bit;
    if (!known) {
        free(a.keys);
        free(a.values);
        free(a.expected);
        free(a.positions);
        a = prepare(c, keys);
        last = *c;
        given = keys != NULL;
    }
    return &a;
}

static void expect_keys(device *d, const sort_case *c, const struct arrays *a, size_t k)
{
    size_t size = oracle_size(c->type);
    oracle_gather(size, a->keys, a->positions, a->expected, k);
    device_expect(d, KEYS_OUT, a->expected, k, size, "keys");
    device_expect(d, KEYS_IN, a->keys, c->n, size, "keys in");
}

static void check_pairs(device *d, const sort_case *c, const struct arrays *a, const void *in, size_t k)
{
    size_t size = oracle_size(c->type), v = c->value_size;
    const void *values = device_put(d, VALUES_IN, a->values, c->n * v, c->lead[VALUES_IN]);
    void *out = device_put(d, KEYS_OUT, NULL, k * size, c->lead[KEYS_OUT] * size);
    void *values_out = device_put(d, VALUES_OUT, NULL, k * v, c->lead[VALUES_OUT]);
    if (!DEVICE_DID(d, scankit_top_k_pairs(d->context, c->type, in, out, v, values, values_out, c->n, k, &c->options)))
        return;
    expect_keys(d, c, a, k);
    oracle_gather(v, a->values, a->positions, a->expected, k);
    device_expect(d, VALUES_OUT, a->expected, k, v, "values");
}

void check_top_k(device *d, const sort_case *c, const void *keys, size_t k)
{
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(c->type);
    const struct arrays *a = prepared(c, keys);
    tap_case("top_k %s%s bits %u-%u n %zu k %zu value %zu shape %s leads %zu %zu seed %llu", scankit_type_name(c->type),
             c->options.descending ? " descending" : "", c->options.begin_bit, c->options.end_bit, c->n, k,
             c->value_size, data_shape_name(c->shape), c->lead[KEYS_IN], c->lead[KEYS_OUT],
             (unsigned long long)c->seed);
    const void *in = device_put(d, KEYS_IN, a->keys, c->n * size, c->lead[KEYS_IN] * size);
    void *out = device_put(d, KEYS_OUT, NULL, k * size, c->lead[KEYS_OUT] * size);
    if (DEVICE_DID(d, scankit_top_k(d->context, c->type, in, out, c->n, k, &c->options)))
        expect_keys(d, c, a, k);
    uint64_t *positions = device_put(d, VALUES_OUT, NULL, k * sizeof *positions, 0);
    if (DEVICE_DID(d, scankit_top_k_positions(d->context, c->type, in, positions, c->n, k, &c->options)))
        device_expect(d, VALUES_OUT, a->positions, k, sizeof *positions, "positions");
    if (c->value_size > 0)
        check_pairs(d, c, a, in, k);
}
