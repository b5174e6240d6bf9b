/* large-choice.c - compaction and runs past 2^32 elements: see large.c */
#include "large.h"

#include <stdlib.h>
#include <string.h>

/* ---- compaction: two of three elements are kept, and say so in their lowest bit ---- */

static uint64_t marked_value(size_t i)
{
    return (random_value(i) & ~UINT64_C(1)) | (i % 3 != 0);
}

static uint64_t kept_value(size_t i)
{
    return marked_value(i / 2 * 3 + 1 + i % 2);
}

static uint64_t rejected_value(size_t i)
{
    return marked_value(3 * i);
}

static scankit_predicate *compiled(const char *text)
{
    scankit_predicate *predicate = NULL;
    if (scankit_predicate_compile(&predicate, SCANKIT_U8, text, NULL, NULL) != SCANKIT_OK)
        tap_fail("%s does not compile", text);
    return predicate;
}

void large_compact(void)
{
    const size_t rejected = (PAST + 2) / 3, kept = PAST - rejected;
    size_t count = 0;
    if (!bulk_suffices(PAST + rejected + PAST / 8, "compact"))
        return;
    tap_begin("%s: compact and split of u8 by a predicate, in place", dev->name);
    char *array = bulk_allocate(PAST), *others = bulk_allocate(rejected);
    scankit_predicate *predicate = compiled("x & 1");
    bulk_fill(array, 1, PAST, marked_value);
    if (DEVICE_DID(dev, scankit_compact(ctx, predicate, array, array, PAST, NULL, &count)))
        bulk_expect(array, 1, kept, kept_value);
    TAP_CHECK(count == kept);
    bulk_fill(array, 1, PAST, marked_value);
    if (DEVICE_DID(dev, scankit_split_predicate(ctx, predicate, array, array, others, PAST, NULL, &count)))
        bulk_expect(array, 1, kept, kept_value);
    bulk_expect(others, 1, rejected, rejected_value);
    TAP_CHECK(count == kept);
    scankit_predicate_destroy(predicate);
    scankit_free(ctx, array);
    scankit_free(ctx, others);
    tap_end();
}

static uint64_t is_kept(size_t i)
{
    return i % 3 != 0 ? 128 : 0;
}

void large_compact_flags(void)
{
    const size_t kept = PAST - (PAST + 2) / 3;
    size_t count = 0;
    if (!bulk_suffices(2 * PAST + PAST / 8, "compact by flags"))
        return;
    tap_begin("%s: compact of u8 by flags, in place", dev->name);
    char *array = bulk_allocate(PAST), *flags = bulk_allocate(PAST);
    bulk_fill(array, 1, PAST, marked_value);
    bulk_fill(flags, 1, PAST, is_kept);
    if (DEVICE_DID(dev, scankit_compact_flags(ctx, 1, array, (uint8_t *)flags, array, PAST, NULL, &count)))
        bulk_expect(array, 1, kept, kept_value);
    TAP_CHECK(count == kept);
    scankit_free(ctx, array);
    scankit_free(ctx, flags);
    tap_end();
}

/* Few elements match, so that their positions are soon looked at. */
#define APART ((size_t)1048583)

static uint64_t one_in_many(size_t i)
{
    return i % APART == 7;
}

static void expect_positions(const char *text, char *array, size_t begin, uint64_t first)
{
    enum { ROOM = 5000 };
    const scankit_compact_options options = {.first = first};
    scankit_predicate *predicate = compiled(text);
    uint64_t *positions = bulk_allocate(ROOM * sizeof *positions), got[ROOM];
    size_t count = 0, expected = 0;
    tap_case("%s from %llu", text, (unsigned long long)first);
    if (DEVICE_DID(dev, scankit_compact_positions(ctx, predicate, array, positions, PAST, &options, &count)))
        DEVICE_DID(dev, scankit_download(ctx, got, positions, sizeof got));
    for (size_t i = 7; i < PAST; i += APART)
        if (i >= begin && expected++ < count && got[expected - 1] != first + i)
            tap_fail("position %zu is %llu, should be %llu", expected - 1, (unsigned long long)got[expected - 1],
                     (unsigned long long)(first + i));
    if (count != expected)
        tap_fail("%zu match, should be %zu", count, expected);
    scankit_predicate_destroy(predicate);
    scankit_free(ctx, positions);
}

void large_compact_positions(void)
{
    const uint64_t far = UINT64_C(1) << 40;
    if (!bulk_suffices(PAST + PAST / 8, "positions"))
        return;
    tap_begin("%s: positions, and i, past 2^32", dev->name);
    char *array = bulk_allocate(PAST);
    bulk_fill(array, 1, PAST, one_in_many);
    expect_positions("x", array, 0, 0);
    expect_positions("x", array, 0, far);
    expect_positions("x && i > 4294967295", array, (size_t)1 << 32, 0);
    expect_positions("i % 1048583 == 7", array, 0, 0);
    expect_positions("x && i >= 1103806595072", array, (size_t)1 << 32, far);
    scankit_free(ctx, array);
    tap_end();
}

/* ---- runs: three, of which the second is longer than 2^32 ---- */

static uint64_t three_runs(size_t i)
{
    return i < 777 ? 5 : i < PAST - 99 ? 9 : 5;
}

void large_long_run(void)
{
    enum { ROOM = 3 };
    const uint64_t expected[ROOM] = {777, PAST - 777 - 99, 99};
    const uint8_t expected_values[ROOM] = {5, 9, 5};
    uint64_t lengths[ROOM] = {0};
    uint8_t first[ROOM] = {0};
    size_t runs = 0, n = 0;
    if (!bulk_suffices(PAST + PAST / 8, "a run past 2^32"))
        return;
    tap_begin("%s: a run of u8 past 2^32, encoded and decoded", dev->name);
    char *array = bulk_allocate(PAST), *values = bulk_allocate(ROOM);
    uint64_t *counts = bulk_allocate(sizeof lengths);
    bulk_fill(array, 1, PAST, three_runs);
    if (DEVICE_DID(dev, scankit_run_length_encode(ctx, 1, array, values, counts, PAST, NULL, &runs))) {
        DEVICE_DID(dev, scankit_download(ctx, lengths, counts, sizeof lengths));
        DEVICE_DID(dev, scankit_download(ctx, first, values, sizeof first));
    }
    TAP_CHECK(runs == ROOM && memcmp(lengths, expected, sizeof lengths) == 0);
    TAP_CHECK(memcmp(first, expected_values, sizeof first) == 0);
    bulk_fill(array, 1, PAST, one);
    if (DEVICE_DID(dev, scankit_run_length_decode(ctx, 1, values, counts, ROOM, array, PAST, &n)))
        bulk_expect(array, 1, PAST, three_runs);
    TAP_CHECK(n == PAST);
    scankit_free(ctx, array);
    scankit_free(ctx, values);
    scankit_free(ctx, counts);
    tap_end();
}

/* More runs than 2^32: of each 65537 elements the first two are one run, all others are alone; the value of a run shows
 * that it differs from the next. */
#define TOGETHER ((size_t)65537)

static uint64_t value_of_run(size_t run)
{
    return (random_value(run) & ~UINT64_C(1)) | (run & 1);
}

static uint64_t value_in_runs(size_t i)
{
    size_t place = i % TOGETHER;
    return value_of_run(i / TOGETHER * (TOGETHER - 1) + (place > 0 ? place - 1 : 0));
}

/* What is beside the elements of each run, in sum. */
static uint64_t sum_of_run(size_t run)
{
    size_t begin = run / (TOGETHER - 1) * TOGETHER + run % (TOGETHER - 1);
    return run % (TOGETHER - 1) == 0 ? random_value(begin) + random_value(begin + 1) : random_value(begin + 1);
}

void large_many_runs(void)
{
    const size_t expected = PAST - (PAST + TOGETHER - 2) / TOGETHER;
    size_t runs = 0;
    if (!bulk_suffices(2 * PAST + PAST / 8, "runs past 2^32"))
        return;
    tap_begin("%s: runs of u8 past 2^32, unique and reduced by key, in place", dev->name);
    char *array = bulk_allocate(PAST), *beside = bulk_allocate(PAST);
    bulk_fill(array, 1, PAST, value_in_runs);
    if (DEVICE_DID(dev, scankit_unique(ctx, 1, array, array, PAST, NULL, &runs)))
        bulk_expect(array, 1, expected, value_of_run);
    TAP_CHECK(runs == expected && expected > (size_t)1 << 32);
    bulk_fill(array, 1, PAST, value_in_runs);
    bulk_fill(beside, 1, PAST, random_value);
    if (DEVICE_DID(dev, scankit_reduce_by_key(ctx, 1, array, SCANKIT_U8, SCANKIT_SUM, beside, array, beside, PAST, NULL,
                                              &runs))) {
        bulk_expect(array, 1, expected, value_of_run);
        bulk_expect(beside, 1, expected, sum_of_run);
    }
    TAP_CHECK(runs == expected);
    scankit_free(ctx, array);
    scankit_free(ctx, beside);
    tap_end();
}

/* Ones beside a run that is longer than 2^32. */
void large_reduced_long_run(void)
{
    const uint8_t expected[3] = {777 % 256, (uint8_t)(PAST - 777 - 99), 99};
    uint8_t sums[3] = {0};
    size_t runs = 0;
    if (!bulk_suffices(2 * PAST + PAST / 8, "reduce by key"))
        return;
    tap_begin("%s: reduce by key of a run past 2^32", dev->name);
    char *array = bulk_allocate(PAST), *beside = bulk_allocate(PAST), *out = bulk_allocate(sizeof sums);
    bulk_fill(array, 1, PAST, three_runs);
    bulk_fill(beside, 1, PAST, one);
    if (DEVICE_DID(dev,
                   scankit_reduce_by_key(ctx, 1, array, SCANKIT_U8, SCANKIT_SUM, beside, NULL, out, PAST, NULL, &runs)))
        DEVICE_DID(dev, scankit_download(ctx, sums, out, sizeof sums));
    TAP_CHECK(runs == 3 && memcmp(sums, expected, sizeof sums) == 0);
    scankit_free(ctx, array);
    scankit_free(ctx, beside);
    scankit_free(ctx, out);
    tap_end();
}
