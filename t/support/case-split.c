/* case-split.c - the three splits against the oracle: see cases.h */
#include <stdlib.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

struct arrays {
    void *keys, *values, *expected;
    uint64_t *positions;
    size_t offsets[257], expected_offsets[257];
};

static void expect_columns(device *d, const split_case *c, struct arrays *a)
{
    size_t size = oracle_size(c->type);
    oracle_gather(size, a->keys, a->positions, a->expected, c->n);
    device_expect(d, KEYS_OUT, a->expected, c->n, size, "keys");
    device_expect(d, KEYS_IN, a->keys, c->n, size, "keys in");
    if (c->value_size > 0) {
        oracle_gather(c->value_size, a->values, a->positions, a->expected, c->n);
        device_expect(d, VALUES_OUT, a->expected, c->n, c->value_size, "values");
        device_expect(d, VALUES_IN, a->values, c->n, c->value_size, "values in");
    }
    size_t count = c->want_offsets ? ((size_t)1 << c->bits) + 1 : 0;
    size_t wrong = first_difference(a->offsets, a->expected_offsets, count, sizeof *a->offsets);
    if (wrong < count)
        tap_fail("offset %zu is %zu, should be %zu", wrong, a->offsets[wrong], a->expected_offsets[wrong]);
}

static void run_split(device *d, const split_case *c, struct arrays *a)
{
    size_t size = oracle_size(c->type), v = c->value_size, *offsets = c->want_offsets ? a->offsets : NULL;
    const void *keys_in = device_put(d, KEYS_IN, a->keys, c->n * size, c->lead[KEYS_IN] * size);
    void *keys_out = device_put(d, KEYS_OUT, NULL, c->n * size, c->lead[KEYS_OUT] * size);
    bool done;
    if (v == 0) {
        done = DEVICE_DID(d, scankit_split(d->context, c->type, keys_in, keys_out, c->n, c->bit, c->bits, offsets));
    } else {
        const void *values_in = device_put(d, VALUES_IN, a->values, c->n * v, c->lead[VALUES_IN]);
        void *values_out = device_put(d, VALUES_OUT, NULL, c->n * v, c->lead[VALUES_OUT]);
        done = DEVICE_DID(d, scankit_split_pairs(d->context, c->type, keys_in, keys_out, v, values_in, values_out, c->n,
                                                 c->bit, c->bits, offsets));
    }
    if (done)
        expect_columns(d, c, a);
}

void check_split(device *d, const split_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(c->type), widest = size > c->value_size ? size : c->value_size;
    struct arrays a = {.keys = data_allocate(c->n, size),
                       .values = data_allocate(c->n, c->value_size),
                       .expected = data_allocate(c->n, widest),
                       .positions = data_allocate(c->n, sizeof *a.positions)};
    tap_case("split %s n %zu bits %u+%u value %zu shape %s leads %zu %zu %zu %zu%s seed %llu",
             scankit_type_name(c->type), c->n, c->bit, c->bits, c->value_size, data_shape_name(c->shape),
             c->lead[KEYS_IN], c->lead[KEYS_OUT], c->lead[VALUES_IN], c->lead[VALUES_OUT],
             c->want_offsets ? " offsets" : "", (unsigned long long)c->seed);
    data_fill(a.keys, c->type, c->shape, c->n, c->seed);
    data_fill_bytes(a.values, c->n * c->value_size, ~c->seed);
    oracle_split(c->type, a.keys, c->n, c->bit, c->bits, a.positions, a.expected_offsets);
    run_split(d, c, &a);
    free(a.keys);
    free(a.values);
    free(a.expected);
    free(a.positions);
}

/* Set flags have any value but 0. Returns the number of clear flags. */
static size_t fill_flags(const flags_case *c, uint8_t *flags, uint64_t *positions)
{
    random_state random = random_seeded(c->seed);
    size_t zeros = 0, out = 0;
    for (size_t i = 0; i < c->n; i++) {
        flags[i] = (uint8_t)(random_below(&random, 256) < c->ones ? 1u << random_below(&random, 8) : 0);
        zeros += flags[i] == 0;
    }
    for (int flag = 0; flag < 2; flag++)
        for (size_t i = 0; i < c->n; i++)
            if ((flags[i] != 0) == flag)
                positions[out++] = i;
    return zeros;
}

void check_split_flags(device *d, const flags_case *c)
{
    if (!device_case_is_due())
        return;
    size_t size = c->element_size, zeros = ~(size_t)0;
    void *in = data_allocate(c->n, size), *expected = data_allocate(c->n, size);
    uint8_t *flags = data_allocate(c->n, 1);
    uint64_t *positions = data_allocate(c->n, sizeof *positions);
    tap_case("split_flags of %zu bytes n %zu ones %u/256 leads %zu %zu %zu%s seed %llu", size, c->n, c->ones,
             c->in_lead, c->flags_lead, c->out_lead, c->want_zeros ? " zeros" : "", (unsigned long long)c->seed);
    data_fill_bytes(in, c->n * size, ~c->seed);
    size_t expected_zeros = fill_flags(c, flags, positions);
    oracle_gather(size, in, positions, expected, c->n);
    const void *from = device_put(d, 0, in, c->n * size, c->in_lead);
    const uint8_t *by = device_put(d, 1, flags, c->n, c->flags_lead);
    void *to = device_put(d, 2, NULL, c->n * size, c->out_lead);
    if (DEVICE_DID(d, scankit_split_flags(d->context, size, from, by, to, c->n, c->want_zeros ? &zeros : NULL))) {
        device_expect(d, 2, expected, c->n, size, "result");
        device_expect(d, 0, in, c->n, size, "input");
        device_expect(d, 1, flags, c->n, 1, "flags");
        if (c->want_zeros && zeros != expected_zeros)
            tap_fail("zeros is %zu, should be %zu", zeros, expected_zeros);
    }
    free(in);
    free(expected);
    free(flags);
    free(positions);
}
