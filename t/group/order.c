/* order.c - is_sorted and merge over a group. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "support/device.h"
#include "support/tap.h"

static void sort_alone(scankit_type type, void *keys, size_t n)
{
    if (scankit_sort(parts_alone(), type, keys, keys, n, NULL) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
}

static void check_first(scankit_group *group, scankit_type type, const void *host, size_t n, parts_way way,
                        const scankit_sort_options *options)
{
    random_state random = random_seeded(n);
    size_t lengths[PARTS_MAX], first = SIZE_MAX, expected = 0;
    parts in;
    parts_divide(lengths, group, n, way, &random);
    parts_put(&in, group, host, scankit_type_size(type), lengths, 0);
    if (scankit_is_sorted(parts_alone(), type, host, n, options, &expected) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    if (PARTS_DID(group,
                  scankit_group_is_sorted(group, type, (const void *const *)in.data, lengths, options, &first)) &&
        first != expected)
        tap_fail("first %zu, not %zu", first, expected);
    parts_free(&in);
}

/* Sorted keys, and then with one of them out of its place. */
static void check_descents(scankit_group *group, scankit_type type, parts_way way, uint64_t seed)
{
    static const scankit_sort_options low_bits = {.begin_bit = 0, .end_bit = 5};
    random_state random = random_seeded(seed);
    size_t n = 2 + random_size(&random, 5000), size = scankit_type_size(type);
    char *host = data_allocate(n, size);
    data_fill(host, type, DATA_UNIFORM, n, seed);
    sort_alone(type, host, n);
    check_first(group, type, host, n, way, NULL);
    for (int i = 0; i < 5; i++) {
        size_t at = (size_t)random_below(&random, n);
        memset(host + at * size, i % 2 == 0 ? 0 : 0xff, size);
        check_first(group, type, host, n, way, NULL);
    }
    if (type == SCANKIT_I32)
        check_first(group, type, host, n, way, &low_bits);
    free(host);
}

static void descents(scankit_group *group, const char *name)
{
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_I32, SCANKIT_F64};
    tap_begin("%s: is_sorted", name);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t seed = 0; seed < 3 * PARTS_WAY_COUNT; seed++) {
            tap_case("%s, seed %d", scankit_type_name(types[t]), (int)seed);
            if (device_case_is_due())
                check_descents(group, types[t], (parts_way)(seed % PARTS_WAY_COUNT), seed);
        }
    tap_end();
}

static void check_merge_group(scankit_group *group, scankit_type type, uint64_t seed)
{
    random_state random = random_seeded(seed);
    const size_t size = scankit_type_size(type);
    size_t na = random_size(&random, 20000), nb = random_size(&random, 20000);
    size_t a_lengths[PARTS_MAX], b_lengths[PARTS_MAX], out_lengths[PARTS_MAX];
    char *a = data_allocate(na, size), *b = data_allocate(nb, size), *expected = data_allocate(na + nb, size);
    parts a_parts, b_parts, out;
    data_fill(a, type, DATA_ZIPF, na, seed);
    data_fill(b, type, seed % 2 == 0 ? DATA_ZIPF : DATA_UNIFORM, nb, seed + 1);
    sort_alone(type, a, na);
    sort_alone(type, b, nb);
    if (scankit_merge(parts_alone(), type, a, na, b, nb, expected, NULL) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    parts_divide(a_lengths, group, na, (parts_way)(seed % PARTS_WAY_COUNT), &random);
    parts_divide(b_lengths, group, nb, (parts_way)random_below(&random, PARTS_WAY_COUNT), &random);
    parts_divide(out_lengths, group, na + nb, (parts_way)random_below(&random, PARTS_WAY_COUNT), &random);
    parts_put(&a_parts, group, a, size, a_lengths, 0);
    parts_put(&b_parts, group, b, size, b_lengths, size);
    parts_put(&out, group, NULL, size, out_lengths, 0);
    if (PARTS_DID(group,
                  scankit_group_merge(group, type, (const void *const *)a_parts.data, a_lengths,
                                      (const void *const *)b_parts.data, b_lengths, out.data, out_lengths, NULL)))
        parts_expect(&out, out_lengths, expected, na + nb, "merged");
    parts_free(&a_parts);
    parts_free(&b_parts);
    parts_free(&out);
    free(a);
    free(b);
    free(expected);
}

static void merges(scankit_group *group, const char *name)
{
    static const scankit_type types[] = {SCANKIT_U16, SCANKIT_I64, SCANKIT_F32};
    tap_begin("%s: merge", name);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint64_t seed = 0; seed < 3 * PARTS_WAY_COUNT; seed++) {
            tap_case("%s, seed %d", scankit_type_name(types[t]), (int)seed);
            if (device_case_is_due())
                check_merge_group(group, types[t], seed);
        }
    tap_end();
}

/* Equal keys keep the order of the arrays: all of a's before b's, at any cut. */
static void check_stability(scankit_group *group, parts_way way)
{
    static const scankit_key key = {.type = SCANKIT_U32};
    enum { N = 3000 };
    random_state random = random_seeded((uint64_t)way);
    uint32_t(*host)[2] = data_allocate(2 * N, sizeof *host), (*expected)[2] = data_allocate(2 * N, sizeof *host);
    size_t a[PARTS_MAX], b[PARTS_MAX], out_lengths[PARTS_MAX];
    parts a_parts, b_parts, out;
    for (uint32_t i = 0; i < 2 * N; i++) {
        host[i][0] = i % N / 1000;
        host[i][1] = i;
    }
    if (scankit_merge_records(parts_alone(), 8, &key, 1, host, N, host + N, N, expected) != SCANKIT_OK)
        tap_fail("alone: %s", scankit_error_detail(parts_alone()));
    parts_divide(a, group, N, way, &random);
    parts_divide(b, group, N, PARTS_RANDOM, &random);
    parts_divide(out_lengths, group, (size_t)2 * N, PARTS_RANDOM, &random);
    parts_put(&a_parts, group, host, 8, a, 0);
    parts_put(&b_parts, group, host + N, 8, b, 0);
    parts_put(&out, group, NULL, 8, out_lengths, 0);
    if (PARTS_DID(group, scankit_group_merge_records(group, 8, &key, 1, (const void *const *)a_parts.data, a,
                                                     (const void *const *)b_parts.data, b, out.data, out_lengths)))
        parts_expect(&out, out_lengths, expected, (size_t)2 * N, "records");
    parts_free(&a_parts);
    parts_free(&b_parts);
    parts_free(&out);
    free(host);
    free(expected);
}

static void test(scankit_group *group, const char *name)
{
    descents(group, name);
    merges(group, name);
    tap_begin("%s: a stable merge of records", name);
    for (int way = 0; way < PARTS_WAY_COUNT; way++)
        check_stability(group, (parts_way)way);
    tap_end();
}

int main(void)
{
    return parts_each_group(test);
}
