/* rooms.c - many keys, out of place. A GPU scatters evenly spread keys to buckets with slack regions, without counting
 * them first. Keys that a region has no room for are spilled, and buckets that become too large for a block are divided
 * again. If more keys are spilled than there is room for, because the sample missed them, the keys are counted after
 * all. */
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
 * have, and the crowd makes a bucket too large. */
static void check_ways(data_shape shape, const ways *seen)
{
    tap_case("%s: %u of %u counted again", data_shape_name(shape), seen->counted_again, seen->all);
    if ((shape == DATA_UNIFORM || shape == DATA_DENSE || shape == DATA_CROWD) && seen->counted_again > 0)
        tap_fail("there was room");
}

/* Uniform keys, but 2^-9 of the range has 1.5 times its share. On a GPU about 8 of 4,096 buckets overflow, and no
 * sample shows them. */
static void fill_with_dense_part(void *keys, scankit_type type, size_t n)
{
    const uint64_t part = 301, step = 1024;
    data_fill(keys, type, DATA_UNIFORM, n, 5);
    for (size_t i = 0; i < n; i += step)
        oracle_store(type, keys, i, part << (8 * oracle_size(type) - 9) | oracle_load(type, keys, i) >> 9);
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
            oracle_store(type, keys, random_next(&random) % n, key);
        }
    }
}

/* Where a GPU looks for its i-th sample. */
static size_t sampled_place(uint32_t i, size_t n)
{
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return (i ^ i >> 16) * (uint64_t)n >> 32;
}

/* Uniform keys, but one in 40 has one of 32 values, in all parts of the range, where no sample sees them. */
static void fill_with_unseen(void *keys, scankit_type type, size_t n)
{
    const uint32_t samples = 8 << 12; /* of 2^12 buckets, which are more than there are */
    char *is_seen = data_allocate(n, 1);
    random_state random = random_seeded(n);
    uint64_t low = random_next(&random) >> 5;
    data_fill(keys, type, DATA_UNIFORM, n, 7);
    memset(is_seen, 0, n);
    for (uint32_t i = 0; i < samples; i++)
        is_seen[sampled_place(i, n)] = 1;
    for (size_t i = 0; i < n; i += 40)
        if (!is_seen[i])
            oracle_store(type, keys, i, ((uint64_t)(i / 40 % 32) << 59 | low) >> (64 - 8 * oracle_size(type)));
    free(is_seen);
}

/* Sorts the keys `calls` times, and compares the last result with a radix sort's, which sort.c compares with the
 * oracle. Frees the keys. On a GPU the algorithm is expected, unless it is NULL. */
static void sort_repeatedly(device *d, scankit_type type, void *keys, size_t n, int calls, const char *algorithm)
{
    size_t size = oracle_size(type);
    void *in = device_put(d, 0, keys, n * size, 0), *out = device_put(d, 1, NULL, n * size, 0);
    scankit_sort_options by_digits = {.algorithm = SCANKIT_RADIX};
    if (DEVICE_DID(d, scankit_sort(d->context, type, in, out, n, &by_digits)))
        device_get(d, 1, keys);
    for (int call = 0; call < calls && DEVICE_DID(d, scankit_sort(d->context, type, in, out, n, NULL)); call++)
        continue;
    const char *last = scankit_last_algorithm(d->context);
    tap_case("%zu keys by %s", n, last);
    device_expect(d, 1, keys, n, size, "keys");
    if (algorithm != NULL && !scankit_is_host(d->context) && strcmp(last, algorithm) != 0)
        tap_fail("%s is expected", algorithm);
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
    sort_repeatedly(d, type, keys, n, is_host ? HOST_CALLS : CALLS, NULL);
    tap_end();
}

/* More keys than there is room for are spilled. */
static void sort_unseen(device *d, scankit_type type)
{
    size_t n = 8499200 / (scankit_is_host(d->context) ? 64 : 1);
    void *keys = data_allocate(n, oracle_size(type));
    tap_begin("%s: %s, crowds that no sample sees", d->name, scankit_type_name(type));
    fill_with_unseen(keys, type, n);
    sort_repeatedly(d, type, keys, n, 2, "hybrid-recounted");
    tap_end();
}

/* Copies of one value; of many; keys that differ. Buckets with 2,100 keys on average, and with 3,400; at last, buckets
 * that become too large for a block. */
static void sort_spilled(device *d, scankit_type type)
{
    static const struct {
        size_t n;
        unsigned places, each;
        uint64_t mask;
    } cases[] = {{4300007, 1, 1500, 0},       {4300007, 20, 1300, 0}, {4300007, 1, 900, 1},
                 {4300007, 30, 1200, 0xffff}, {7100003, 1, 1200, 0},  {7100003, 40, 1150, 0xfff},
                 {7100003, 1, 5000, 0},       {7100003, 2, 5000, 1},  {7100003, 3, 5000, 0xfffff}};
    tap_begin("%s: %s, keys that are spilled", d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = cases[i].n / (scankit_is_host(d->context) ? 64 : 1);
        void *keys = data_allocate(n, oracle_size(type));
        fill_with_places(keys, type, n, cases[i].places, cases[i].each, cases[i].mask);
        sort_repeatedly(d, type, keys, n, 1, "hybrid-uncounted");
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
        check_ways(shapes[i], &seen);
        tap_end();
    }
    sort_again_and_again(d, SCANKIT_U32);
    sort_again_and_again(d, SCANKIT_U64);
    sort_spilled(d, SCANKIT_U32);
    sort_spilled(d, SCANKIT_U64);
    sort_unseen(d, SCANKIT_U32);
    sort_unseen(d, SCANKIT_U64);
}

int main(void)
{
    return device_each("sort without counting", test);
}
