/* rooms.c - many keys, out of place. A GPU scatters evenly spread keys to buckets with slack regions, without counting
 * them first. Keys that a region has no room for are spilled. If a bucket becomes too large for a block, because of a
 * frequent value or a dense part of the range that the sample missed, the keys are counted after all. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* One pass and two; the most keys for a number of buckets, and one more. A CPU, which has no such buckets, gets fewer.
 */
static const size_t sizes[] = {4194305, 4300007, 8400007, 8499200, 8499201, ((size_t)1 << 24) + 5};

enum { TYPES = 6 };
static const scankit_type types[TYPES] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64, SCANKIT_I32, SCANKIT_I64};

enum { CALLS = 1000, HOST_CALLS = 20 };

/* Cases that ran, and how many of them counted after all. */
typedef struct ways {
    unsigned all, counted_again;
} ways;

/* The result of a radix sort, which sort.c compares with the oracle. */
static void sort(device *d, scankit_type type, data_shape shape, size_t s, ways *seen)
{
    sort_case c = {.type = type, .shape = shape, .seed = s, .lead = {s % 3, s / 2 % 3}};
    c.n = sizes[s] / (scankit_is_host(d->context) ? 32 : 1);
    c.options.descending = (int)(s + shape) % 2;
    scankit_sort_options by_digits = c.options;
    by_digits.algorithm = SCANKIT_RADIX;
    if (!check_sort_alike(d, &c, &by_digits))
        return;
    seen->all++;
    seen->counted_again += strcmp(scankit_last_algorithm(d->context), "hybrid-recounted") == 0;
}

/* Checks that a GPU took the path that the shape is for. The dense part needs more than the regions of the first pass
 * have. */
static void check_ways(device *d, data_shape shape, const ways *seen)
{
    tap_case("%s: %u of %u counted again", data_shape_name(shape), seen->counted_again, seen->all);
    if ((shape == DATA_UNIFORM || shape == DATA_DENSE) && seen->counted_again > 0)
        tap_fail("there was room");
    if (shape == DATA_CROWD && seen->counted_again == 0 && seen->all > TYPES && !scankit_is_host(d->context))
        tap_fail("there was room for all");
}

/* Uniform keys, but 2^-9 of the range has 1.5 times its share. On a GPU about 8 of 4,096 buckets overflow, and no
 * sample shows them. */
static void fill_with_dense_part(void *keys, scankit_type type, size_t n)
{
    const uint64_t part = 301, step = 1024;
    data_fill(keys, type, DATA_UNIFORM, n, 5);
    for (size_t i = 0; i < n; i += step) {
        if (type == SCANKIT_U32)
            ((uint32_t *)keys)[i] = (uint32_t)(part << 23) | ((uint32_t *)keys)[i] >> 9;
        else
            ((uint64_t *)keys)[i] = part << 55 | ((uint64_t *)keys)[i] >> 9;
    }
}

/* Uniform keys, but each of `places` has `each` more, which differ in the bits of `mask`. On a GPU each makes a bucket
 * overflow, which a block can sort all the same. */
static void fill_with_places(void *keys, scankit_type type, size_t n, unsigned places, unsigned each, uint64_t mask)
{
    random_state random = random_seeded(n + mask);
    data_fill(keys, type, DATA_UNIFORM, n, 6);
    for (unsigned p = 0; p < places; p++) {
        uint64_t base = random_next(&random);
        for (unsigned i = 0; i < each; i++) {
            uint64_t key = (base & ~mask) | (random_next(&random) & mask);
            size_t at = random_next(&random) % n;
            if (type == SCANKIT_U32)
                ((uint32_t *)keys)[at] = (uint32_t)key;
            else
                ((uint64_t *)keys)[at] = key;
        }
    }
}

/* Sorts the keys `calls` times, and compares the last result with a radix sort's, which sort.c compares with the
 * oracle. Frees the keys. */
static void sort_repeatedly(device *d, scankit_type type, void *keys, size_t n, int calls)
{
    size_t size = oracle_size(type);
    void *in = device_put(d, 0, keys, n * size, 0), *out = device_put(d, 1, NULL, n * size, 0);
    scankit_sort_options by_digits = {.algorithm = SCANKIT_RADIX};
    if (DEVICE_DID(d, scankit_sort(d->context, type, in, out, n, &by_digits)))
        device_get(d, 1, keys);
    for (int call = 0; call < calls && DEVICE_DID(d, scankit_sort(d->context, type, in, out, n, NULL)); call++)
        continue;
    tap_case("by %s", scankit_last_algorithm(d->context));
    device_expect(d, 1, keys, n, size, "keys");
    free(keys);
}

/* On a GPU, blocks begin while others find out that a region is too small. */
static void sort_again_and_again(device *d, scankit_type type)
{
    bool is_host = scankit_is_host(d->context);
    size_t n = 14029875 / (is_host ? 512 : 1);
    void *keys = data_allocate(n, oracle_size(type));
    tap_begin("%s: %s, dense in one place, again and again", d->name, scankit_type_name(type));
    fill_with_dense_part(keys, type, n);
    sort_repeatedly(d, type, keys, n, is_host ? HOST_CALLS : CALLS);
    tap_end();
}

/* Copies of one value; of many; keys that differ. Buckets with 2,100 keys on average, and with 3,400. */
static void sort_spilled(device *d, scankit_type type)
{
    static const struct {
        size_t n;
        unsigned places, each;
        uint64_t mask;
    } cases[] = {{4300007, 1, 1500, 0},       {4300007, 20, 1300, 0}, {4300007, 1, 900, 1},
                 {4300007, 30, 1200, 0xffff}, {7100003, 1, 1200, 0},  {7100003, 40, 1150, 0xfff}};
    tap_begin("%s: %s, keys that are spilled", d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_host = scankit_is_host(d->context);
        size_t n = cases[i].n / (is_host ? 64 : 1);
        void *keys = data_allocate(n, oracle_size(type));
        fill_with_places(keys, type, n, cases[i].places, cases[i].each, cases[i].mask);
        sort_repeatedly(d, type, keys, n, 1);
        if (!is_host && strcmp(scankit_last_algorithm(d->context), "hybrid-uncounted") != 0)
            tap_fail("%s with %zu keys", scankit_last_algorithm(d->context), n);
    }
    tap_end();
}

static void test(device *d)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_CROWD, DATA_DENSE, DATA_BITS, DATA_FB};
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        tap_begin("%s: many keys, %s", d->name, data_shape_name(shapes[i]));
        ways seen = {0, 0};
        for (size_t t = 0; t < TYPES; t++)
            sort(d, types[t], shapes[i], (t + 2 * i) % count, &seen);
        sort(d, types[i % 2], shapes[i], 2, &seen);
        check_ways(d, shapes[i], &seen);
        tap_end();
    }
    sort_again_and_again(d, SCANKIT_U32);
    sort_again_and_again(d, SCANKIT_U64);
    sort_spilled(d, SCANKIT_U32);
    sort_spilled(d, SCANKIT_U64);
}

int main(void)
{
    return device_each("sort without counting", test);
}
