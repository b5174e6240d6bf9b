/* large-passes.c - sorts by digits of arrays for which a GPU takes large tiles. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

typedef struct large_case {
    scankit_type type; /* of 4 or 8 bytes, an integer */
    unsigned value_size;
    size_t n;
    int descending;
} large_case;

/* The order of words is that of keys. */
static uint64_t word_of(const large_case *c, uint64_t key)
{
    const unsigned bits = 8 * (unsigned)oracle_size(c->type);
    const uint64_t sign = c->type == SCANKIT_I32 || c->type == SCANKIT_I64 ? UINT64_C(1) << (bits - 1) : 0;
    return (c->descending ? ~key : key) ^ sign;
}

/* Spread, small, and like the key before. */
static void fill_keys(const large_case *c, uint64_t *keys)
{
    const uint64_t mask = UINT64_MAX >> (64 - 8 * oracle_size(c->type));
    random_state random = random_seeded(c->n);
    uint64_t last = 0;
    for (size_t i = 0; i < c->n; i++) {
        const uint64_t drawn = random_next(&random), way = drawn & 7;
        if (way > 1)
            last = way == 2 ? drawn >> 40 : drawn ^ drawn << 29;
        keys[i] = last & mask;
    }
}

/* The stable order of the keys, by 16 bits at a time. */
static void order_keys(const large_case *c, const uint64_t *keys, uint32_t *order)
{
    uint32_t *from = data_allocate(c->n, sizeof *from);
    size_t *begin = data_allocate(65536 + 1, sizeof *begin);
    for (size_t i = 0; i < c->n; i++)
        order[i] = (uint32_t)i;
    for (unsigned bit = 0; bit < 8 * oracle_size(c->type); bit += 16) {
        memcpy(from, order, c->n * sizeof *from);
        memset(begin, 0, (65536 + 1) * sizeof *begin);
        for (size_t i = 0; i < c->n; i++)
            begin[(word_of(c, keys[i]) >> bit & 0xffff) + 1]++;
        for (size_t d = 0; d < 65536; d++)
            begin[d + 1] += begin[d];
        for (size_t i = 0; i < c->n; i++)
            order[begin[word_of(c, keys[from[i]]) >> bit & 0xffff]++] = from[i];
    }
    free(from);
    free(begin);
}

static void *packed(const large_case *c, const uint64_t *keys, const uint32_t *order)
{
    const size_t size = oracle_size(c->type);
    char *to = data_allocate(c->n, size);
    for (size_t i = 0; i < c->n; i++)
        memcpy(to + i * size, &keys[order != NULL ? order[i] : i], size);
    return to;
}

/* The values of the pairs are their places. */
static void check_large(device *d, const large_case *c)
{
    const size_t size = oracle_size(c->type), bytes = c->n * size, value_bytes = c->n * c->value_size;
    scankit_sort_options options = {.algorithm = SCANKIT_RADIX, .descending = c->descending};
    tap_begin("%s with %u bytes, n %zu, %s: by digits", scankit_type_name(c->type), c->value_size, c->n,
              c->descending ? "falling" : "rising");
    uint64_t *keys = data_allocate(c->n, sizeof *keys);
    uint32_t *order = data_allocate(c->n, sizeof *order);
    fill_keys(c, keys);
    order_keys(c, keys, order);
    void *unsorted = packed(c, keys, NULL), *sorted = packed(c, keys, order);
    const void *in = device_put(d, KEYS_IN, unsorted, bytes, 0);
    void *out = device_put(d, KEYS_OUT, NULL, bytes, 0);
    if (c->value_size == 0) {
        if (DEVICE_DID(d, scankit_sort(d->context, c->type, in, out, c->n, &options)))
            device_expect(d, KEYS_OUT, sorted, c->n, size, "keys");
    } else {
        uint32_t *places = data_allocate(c->n, sizeof *places);
        for (size_t i = 0; i < c->n; i++)
            places[i] = (uint32_t)i;
        const void *values_in = device_put(d, VALUES_IN, places, value_bytes, 0);
        void *values_out = device_put(d, VALUES_OUT, NULL, value_bytes, 0);
        if (DEVICE_DID(d, scankit_sort_pairs(d->context, c->type, in, out, c->value_size, values_in, values_out, c->n,
                                             &options))) {
            device_expect(d, KEYS_OUT, sorted, c->n, size, "keys");
            device_expect(d, VALUES_OUT, order, c->n, c->value_size, "values");
        }
        free(places);
    }
    free(keys);
    free(order);
    free(unsorted);
    free(sorted);
    tap_end();
}

int main(void)
{
    static const large_case cases[] = {
        {SCANKIT_U32, 0, 60000011, 0}, {SCANKIT_I64, 0, 13000027, 0}, {SCANKIT_U64, 0, 12000000, 1},
        {SCANKIT_I32, 4, 13000001, 0}, {SCANKIT_U32, 4, 12000005, 1}, {SCANKIT_U64, 4, 13000029, 0},
        {SCANKIT_I64, 4, 12000007, 1},
    };
    device d = {0};
    if (!device_has_free_gpu("sorts of large arrays by digits"))
        return tap_finish();
    if (device_open(&d, "cuda", "cuda")) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            check_large(&d, &cases[i]);
        device_close(&d);
    }
    return tap_finish();
}
