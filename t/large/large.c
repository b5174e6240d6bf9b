/* large.c - past 2^32 elements, on every device: counts, positions and offsets that a 32-bit number cannot hold. Not
 * part of make check: make check-large runs it. What memory does not suffice for is skipped, with the reason.
 *
 * Values are chosen so that arithmetic in 32 bits shows, and so that looking at each result once, with all cores,
 * proves it: a result that follows from its position is compared with that; of a permutation, sorted order and the
 * number of each value. */
#include "large.h"

#include <stdlib.h>
#include <string.h>

device *dev;
scankit_context *ctx;

/* ---- elements ---- */

uint64_t one(size_t i)
{
    (void)i;
    return 1;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t random_value(size_t i)
{
    return mix(i + 1);
}

/* ---- the tests ---- */

static uint64_t position_plus_one(size_t i)
{
    return i + 1;
}

/* Of ones, so that every result is its own position, modulo the type. */
static void scan(scankit_type type)
{
    size_t size = scankit_type_size(type), bytes = PAST * size;
    if (!bulk_suffices(bytes + bytes / 64, "scan"))
        return;
    tap_begin("%s: scan of %s, sum", dev->name, scankit_type_name(type));
    char *array = bulk_allocate(bytes);
    bulk_fill(array, size, PAST, one);
    if (DEVICE_DID(dev, scankit_scan(ctx, type, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, array, array, PAST)))
        bulk_expect(array, size, PAST, position_plus_one);
    scankit_free(ctx, array);
    tap_end();
}

/* Whoever stops, or turns round, at 2^32 does not see the last element. */
static uint64_t only_the_last(size_t i)
{
    return i == PAST - 1 ? 77 : 0;
}

static void reduce(void)
{
    uint8_t result = 0;
    if (!bulk_suffices(PAST, "reduce"))
        return;
    tap_begin("%s: reduce of u8", dev->name);
    char *array = bulk_allocate(PAST);
    bulk_fill(array, 1, PAST, only_the_last);
    if (DEVICE_DID(dev, scankit_reduce(ctx, SCANKIT_U8, SCANKIT_SUM, array, &result, PAST)))
        TAP_CHECK(result == 77);
    if (DEVICE_DID(dev, scankit_reduce(ctx, SCANKIT_U8, SCANKIT_MAX, array, &result, PAST)))
        TAP_CHECK(result == 77);
    scankit_free(ctx, array);
    tap_end();
}

/* By two low bits of hashes of the position: the elements of each digit must be in their old order. */
static void split(void)
{
    size_t offsets[5] = {0};
    if (!bulk_suffices(2 * PAST + PAST / 8, "split"))
        return;
    tap_begin("%s: split of u8 by two bits", dev->name);
    char *in = bulk_allocate(PAST), *out = bulk_allocate(PAST);
    bulk_fill(in, 1, PAST, random_value);
    uint64_t *before = bulk_count_values(in, 1, PAST), digits[5] = {0};
    for (size_t v = 0; v < 256; v++)
        digits[v % 4 + 1] += before[v];
    if (DEVICE_DID(dev, scankit_split(ctx, SCANKIT_U8, in, out, PAST, 0, 2, offsets))) {
        size_t next[4], wrong = 0;
        for (int d = 0; d < 4; d++) {
            digits[d + 1] += digits[d];
            next[d] = digits[d];
            if (offsets[d + 1] != digits[d + 1])
                tap_fail("offset %d is %zu, should be %llu", d + 1, offsets[d + 1], (unsigned long long)digits[d + 1]);
        }
        uint8_t *host = data_allocate(scankit_is_host(ctx) ? 0 : PAST, 1), *result = host;
        if (scankit_is_host(ctx))
            result = (uint8_t *)out;
        else
            DEVICE_DID(dev, scankit_download(ctx, host, out, PAST));
        for (size_t i = 0; i < PAST; i++) {
            uint8_t value = (uint8_t)random_value(i);
            wrong += result[next[value % 4]++] != value;
        }
        if (wrong > 0)
            tap_fail("%zu elements are not in their place", wrong);
        free(host);
    }
    free(before);
    scankit_free(ctx, in);
    scankit_free(ctx, out);
    tap_end();
}

static void split_flags(void)
{
    size_t zeros = 0;
    if (!bulk_suffices(3 * PAST + PAST / 8, "split by flags"))
        return;
    tap_begin("%s: split of u8 by flags", dev->name);
    char *in = bulk_allocate(PAST), *out = bulk_allocate(PAST), *flags = bulk_allocate(PAST);
    bulk_fill(in, 1, PAST, one);
    bulk_fill(flags, 1, PAST, only_the_last);
    if (DEVICE_DID(dev, scankit_split_flags(ctx, 1, in, (uint8_t *)flags, out, PAST, &zeros)))
        TAP_CHECK(zeros == PAST - 1);
    bulk_expect(out, 1, PAST, one);
    bulk_fill(flags, 1, PAST, one);
    bulk_fill(in, 1, PAST, random_value);
    if (DEVICE_DID(dev, scankit_split_flags(ctx, 1, in, (uint8_t *)flags, out, PAST, &zeros)))
        TAP_CHECK(zeros == 0);
    bulk_expect(out, 1, PAST, random_value);
    scankit_free(ctx, in);
    scankit_free(ctx, out);
    scankit_free(ctx, flags);
    tap_end();
}

static void sort(scankit_type type)
{
    size_t size = scankit_type_size(type), bytes = PAST * size;
    if (!bulk_suffices(2 * bytes + bytes / 32, type == SCANKIT_U8 ? "sort of u8" : "sort of u16"))
        return;
    tap_begin("%s: sort of %s", dev->name, scankit_type_name(type));
    char *array = bulk_allocate(bytes);
    bulk_fill(array, size, PAST, random_value);
    uint64_t *counts = bulk_count_values(array, size, PAST);
    if (DEVICE_DID(dev, scankit_sort(ctx, type, array, array, PAST, NULL)))
        bulk_expect_runs(array, size, PAST, counts);
    free(counts);
    scankit_free(ctx, array);
    tap_end();
}

/* 129 values, in runs of 2^25. */
static uint64_t rising(size_t i)
{
    return i >> 25;
}

static void merge(void)
{
    size_t na = PAST - 12345, nb = 7777777;
    if (!bulk_suffices(2 * (na + nb) + PAST / 8, "merge"))
        return;
    tap_begin("%s: merge of u8", dev->name);
    char *a = bulk_allocate(na), *b = bulk_allocate(nb), *out = bulk_allocate(na + nb);
    bulk_fill(a, 1, na, rising);
    bulk_fill(b, 1, nb, one);
    uint64_t *counts = bulk_count_values(a, 1, na);
    counts[1] += nb;
    if (DEVICE_DID(dev, scankit_merge(ctx, SCANKIT_U8, a, na, b, nb, out, NULL)))
        bulk_expect_runs(out, 1, na + nb, counts);
    free(counts);
    scankit_free(ctx, a);
    scankit_free(ctx, b);
    scankit_free(ctx, out);
    tap_end();
}

static uint64_t falls_at_the_end(size_t i)
{
    return i == PAST - 1 ? 0 : 1;
}

static void is_sorted(void)
{
    size_t first = 0;
    if (!bulk_suffices(PAST, "is_sorted"))
        return;
    tap_begin("%s: is_sorted of u8", dev->name);
    char *array = bulk_allocate(PAST);
    bulk_fill(array, 1, PAST, falls_at_the_end);
    if (DEVICE_DID(dev, scankit_is_sorted(ctx, SCANKIT_U8, array, PAST, NULL, &first)))
        TAP_CHECK(first == PAST - 1);
    bulk_fill(array, 1, PAST, one);
    if (DEVICE_DID(dev, scankit_is_sorted(ctx, SCANKIT_U8, array, PAST, NULL, &first)))
        TAP_CHECK(first == PAST);
    scankit_free(ctx, array);
    tap_end();
}

static void test(device *d)
{
    bulk_use(d);
    dev = d;
    ctx = d->context;
    if (strcmp(d->name, "cpu:1") == 0 || strcmp(d->name, "cpu:5") == 0)
        return; /* once with all cores is enough */
    scan(SCANKIT_U8);
    scan(SCANKIT_U32);
    reduce();
    is_sorted();
    split();
    split_flags();
    large_compact();
    large_compact_flags();
    large_compact_positions();
    large_long_run();
    large_many_runs();
    large_reduced_long_run();
    merge();
    sort(SCANKIT_U8);
    sort(SCANKIT_U16);
    large_sort();
    large_sort_narrow();
    large_gallery();
}

int main(void)
{
    return device_each("past 2^32 elements", test);
}
