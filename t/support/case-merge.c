/* case-merge.c - merges of keys and pairs against the oracle: see cases.h */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

enum { A, B, BOTH };

struct arrays {
    void *keys[BOTH + 1], *values[BOTH + 1]; /* of a, of b, and the expected result */
    uint64_t *positions;
};

/* True if the next element goes to a. left_a and left_b elements of a and b are still to come. */
static bool deal_to_a(const merge_case *c, size_t left_a, size_t left_b, random_state *random)
{
    if (left_a == 0 || left_b == 0)
        return left_b == 0;
    switch (c->deal) {
    case DEAL_ALTERNATE: return (left_a + left_b) % 2 == 0;
    case DEAL_A_FIRST: return true;
    case DEAL_B_FIRST: return false;
    default: return random_below(random, left_a + left_b) < left_a;
    }
}

static void make_keys(const merge_case *c, struct arrays *a)
{
    size_t n = c->na + c->nb, filled[2] = {0, 0}, length[2] = {c->na, c->nb};
    void *whole = data_allocate(n, oracle_size(c->type));
    random_state random = random_seeded(~c->seed);
    data_fill(whole, c->type, c->shape, n, c->seed);
    oracle_argsort(c->type, &c->options, whole, a->positions, n);
    for (size_t i = 0; i < n; i++) {
        int side = deal_to_a(c, length[A] - filled[A], length[B] - filled[B], &random) ? A : B;
        oracle_store(c->type, a->keys[side], filled[side]++, oracle_load(c->type, whole, a->positions[i]));
    }
    free(whole);
}

static void make_arrays(const merge_case *c, struct arrays *a)
{
    size_t length[] = {c->na, c->nb, c->na + c->nb};
    for (int side = A; side <= BOTH; side++) {
        a->keys[side] = data_allocate(length[side], oracle_size(c->type));
        a->values[side] = data_allocate(length[side], c->value_size);
        data_fill_bytes(a->values[side], length[side] * c->value_size, c->seed + (uint64_t)side);
    }
    a->positions = data_allocate(length[BOTH], sizeof *a->positions);
    make_keys(c, a);
    oracle_merge(c->type, &c->options, a->keys[A], c->na, a->keys[B], c->nb, a->positions);
}

/* The expected result of one column. */
static void interleave(const merge_case *c, void *const *column, size_t size, const uint64_t *positions)
{
    for (size_t i = 0; i < c->na + c->nb; i++) {
        size_t p = positions[i];
        const char *from =
            p < c->na ? (const char *)column[A] + p * size : (const char *)column[B] + (p - c->na) * size;
        memcpy((char *)column[BOTH] + i * size, from, size);
    }
}

static void expect_columns(device *d, const merge_case *c, struct arrays *a)
{
    size_t size = oracle_size(c->type), n = c->na + c->nb, v = c->value_size;
    interleave(c, a->keys, size, a->positions);
    device_expect(d, 2, a->keys[BOTH], n, size, "keys");
    device_expect(d, 0, a->keys[A], c->na, size, "keys of a");
    device_expect(d, 1, a->keys[B], c->nb, size, "keys of b");
    if (v > 0) {
        interleave(c, a->values, v, a->positions);
        device_expect(d, 5, a->values[BOTH], n, v, "values");
        device_expect(d, 3, a->values[A], c->na, v, "values of a");
        device_expect(d, 4, a->values[B], c->nb, v, "values of b");
    }
}

static bool run_merge(device *d, const merge_case *c, struct arrays *a)
{
    size_t size = oracle_size(c->type), n = c->na + c->nb, v = c->value_size, lead = c->lead;
    size_t shift = c->seed % 4 == 0 ? lead : lead * v; /* values need no alignment, but aligned ones are faster */
    const scankit_sort_options *options = c->options.descending || c->options.end_bit ? &c->options : NULL;
    const void *keys_a = device_put(d, 0, a->keys[A], c->na * size, lead * size);
    const void *keys_b = device_put(d, 1, a->keys[B], c->nb * size, lead * 2 * size);
    void *keys_out = device_put(d, 2, NULL, n * size, lead * 3 * size);
    if (v == 0)
        return DEVICE_DID(d, scankit_merge(d->context, c->type, keys_a, c->na, keys_b, c->nb, keys_out, options));
    const void *values_a = device_put(d, 3, a->values[A], c->na * v, shift);
    const void *values_b = device_put(d, 4, a->values[B], c->nb * v, 2 * shift);
    void *values_out = device_put(d, 5, NULL, n * v, 3 * shift);
    return DEVICE_DID(d, scankit_merge_pairs(d->context, c->type, keys_a, values_a, c->na, keys_b, values_b, c->nb,
                                             keys_out, v, values_out, options));
}

void check_merge(device *d, const merge_case *c)
{
    if (!device_case_is_due())
        return;
    struct arrays a;
    static const char *const deals[] = {"random", "alternate", "a first", "b first"};
    tap_case("merge %s%s bits %u-%u na %zu nb %zu %s value %zu shape %s lead %zu seed %llu", scankit_type_name(c->type),
             c->options.descending ? " descending" : "", c->options.begin_bit, c->options.end_bit, c->na, c->nb,
             deals[c->deal], c->value_size, data_shape_name(c->shape), c->lead, (unsigned long long)c->seed);
    make_arrays(c, &a);
    if (run_merge(d, c, &a))
        expect_columns(d, c, &a);
    for (int side = A; side <= BOTH; side++) {
        free(a.keys[side]);
        free(a.values[side]);
    }
    free(a.positions);
}
