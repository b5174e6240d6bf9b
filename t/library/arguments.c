/* arguments.c - wrong arguments get the right error and a line that names the function, and change nothing. */
#include "arguments.h"

#include <limits.h>
#include <math.h>
#include <string.h>

scankit_context *ctx;
char *a, *b, *v, *w;
const char *device_name;

void refused(scankit_error error, scankit_error wanted, const char *call)
{
    char function[64];
    const char *detail = scankit_error_detail(ctx);
    size_t length = strcspn(call, "(");
    tap_case("%s", call);
    if (error != wanted)
        tap_fail("%s, should be: %s", scankit_error_string(error), scankit_error_string(wanted));
    memcpy(function, call, length);
    function[length] = '\0';
    if (strstr(detail, function) == NULL || strlen(detail) < length + 8)
        tap_fail("the detail does not help: \"%s\"", detail);
}

static void scan_and_reduce(void)
{
    uint64_t result;
    const scankit_type u32 = SCANKIT_U32, no_type = (scankit_type)99;
    const scankit_scan_kind inc = SCANKIT_INCLUSIVE;
    const uint8_t *bytes = (const uint8_t *)v;
    const uint64_t *offsets = (const uint64_t *)(const void *)v;
    tap_begin("%s: scan and reduce", device_name);
    REFUSED(scankit_scan(ctx, no_type, SCANKIT_SUM, inc, NULL, a, b, N));
    REFUSED(scankit_scan(ctx, SCANKIT_BYTES, SCANKIT_SUM, inc, NULL, a, b, N));
    REFUSED(scankit_scan(ctx, u32, (scankit_operator)99, inc, NULL, a, b, N));
    REFUSED(scankit_scan(ctx, u32, SCANKIT_SUM, (scankit_scan_kind)2, NULL, a, b, N));
    REFUSED(scankit_scan(ctx, u32, SCANKIT_SUM, inc, NULL, NULL, b, N));
    REFUSED(scankit_scan(ctx, u32, SCANKIT_SUM, inc, NULL, a, NULL, N));
    REFUSED(scankit_scan(ctx, u32, SCANKIT_SUM, inc, NULL, a, b, TOO_MANY));
    REFUSED(scankit_reduce(ctx, no_type, SCANKIT_SUM, a, &result, N));
    REFUSED(scankit_reduce(ctx, u32, (scankit_operator)99, a, &result, N));
    REFUSED(scankit_reduce(ctx, u32, SCANKIT_SUM, NULL, &result, N));
    REFUSED(scankit_reduce(ctx, u32, SCANKIT_SUM, a, NULL, N));
    REFUSED(scankit_reduce(ctx, u32, SCANKIT_SUM, a, &result, TOO_MANY));
    REFUSED(scankit_reduce_to(ctx, no_type, SCANKIT_SUM, a, b, N));
    REFUSED(scankit_reduce_to(ctx, u32, (scankit_operator)99, a, b, N));
    REFUSED(scankit_reduce_to(ctx, u32, SCANKIT_SUM, NULL, b, N));
    REFUSED(scankit_reduce_to(ctx, u32, SCANKIT_SUM, a, NULL, N));
    REFUSED(scankit_reduce_to(ctx, u32, SCANKIT_SUM, a, a, N));
    REFUSED(scankit_reduce_to(ctx, u32, SCANKIT_SUM, a, b, TOO_MANY));
    REFUSED(scankit_segmented_scan(ctx, no_type, SCANKIT_SUM, inc, NULL, a, bytes, b, N));
    REFUSED(scankit_segmented_scan(ctx, u32, (scankit_operator)99, inc, NULL, a, bytes, b, N));
    REFUSED(scankit_segmented_scan(ctx, u32, SCANKIT_SUM, (scankit_scan_kind)2, NULL, a, bytes, b, N));
    REFUSED(scankit_segmented_scan(ctx, u32, SCANKIT_SUM, inc, NULL, NULL, bytes, b, N));
    REFUSED(scankit_segmented_scan(ctx, u32, SCANKIT_SUM, inc, NULL, a, NULL, b, N));
    REFUSED(scankit_segmented_scan(ctx, u32, SCANKIT_SUM, inc, NULL, a, bytes, NULL, N));
    REFUSED(scankit_segmented_scan(ctx, u32, SCANKIT_SUM, inc, NULL, a, bytes, v, N));
    REFUSED(scankit_segmented_scan(ctx, u32, SCANKIT_SUM, inc, NULL, a, bytes, b, TOO_MANY));
    REFUSED(scankit_segmented_reduce(ctx, no_type, SCANKIT_SUM, a, offsets, b, 4));
    REFUSED(scankit_segmented_reduce(ctx, u32, (scankit_operator)99, a, offsets, b, 4));
    REFUSED(scankit_segmented_reduce(ctx, u32, SCANKIT_SUM, a, NULL, b, 4));
    REFUSED(scankit_segmented_reduce(ctx, u32, SCANKIT_SUM, a, offsets, NULL, 4));
    REFUSED(scankit_segmented_reduce(ctx, u32, SCANKIT_SUM, a, offsets, a, 4));
    REFUSED(scankit_segmented_reduce(ctx, u32, SCANKIT_SUM, a, offsets, v, 4));
    REFUSED(scankit_segmented_reduce(ctx, u32, SCANKIT_SUM, a, offsets, b, SIZE_MAX));
    REFUSED(scankit_segmented_reduce(ctx, SCANKIT_U8, SCANKIT_SUM, a, offsets, b, SIZE_MAX / 8));
    for (int type = 0; type < ORACLE_TYPES; type++)
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            if (!oracle_applies((scankit_operator)op, (scankit_type)type)) {
                REFUSED(scankit_scan(ctx, (scankit_type)type, (scankit_operator)op, inc, NULL, a, b, N));
                REFUSED(scankit_reduce(ctx, (scankit_type)type, (scankit_operator)op, a, &result, N));
            }
    tap_end();
}

static void split(void)
{
    const uint8_t *flags = (const uint8_t *)v;
    const scankit_type u32 = SCANKIT_U32;
    tap_begin("%s: split", device_name);
    REFUSED(scankit_split(ctx, SCANKIT_BYTES, a, b, N, 0, 1, NULL));
    REFUSED(scankit_split(ctx, u32, a, b, N, 0, 0, NULL));
    REFUSED(scankit_split(ctx, u32, a, b, N, 0, 9, NULL));
    REFUSED(scankit_split(ctx, u32, a, b, N, 25, 8, NULL));
    REFUSED(scankit_split(ctx, u32, a, b, N, 32, 1, NULL));
    REFUSED(scankit_split(ctx, u32, a, b, N, UINT_MAX, 8, NULL));
    REFUSED(scankit_split(ctx, SCANKIT_U8, a, b, N, 1, 8, NULL));
    REFUSED(scankit_split(ctx, u32, a, a, N, 0, 1, NULL));
    REFUSED(scankit_split(ctx, u32, NULL, b, N, 0, 1, NULL));
    REFUSED(scankit_split(ctx, u32, a, NULL, N, 0, 1, NULL));
    REFUSED(scankit_split(ctx, u32, a, b, TOO_MANY, 0, 1, NULL));
    REFUSED(scankit_split_pairs(ctx, u32, a, b, 0, v, w, N, 0, 1, NULL));
    REFUSED(scankit_split_pairs(ctx, u32, a, b, 4, NULL, w, N, 0, 1, NULL));
    REFUSED(scankit_split_pairs(ctx, u32, a, b, 4, v, v, N, 0, 1, NULL));
    REFUSED(scankit_split_pairs(ctx, u32, a, b, 4, v, w, N, 0, 9, NULL));
    REFUSED(scankit_split_pairs(ctx, u32, a, b, SIZE_MAX / 8, v, w, N, 0, 1, NULL));
    REFUSED(scankit_split_flags(ctx, 0, a, flags, b, N, NULL));
    REFUSED(scankit_split_flags(ctx, 4, NULL, flags, b, N, NULL));
    REFUSED(scankit_split_flags(ctx, 4, a, NULL, b, N, NULL));
    REFUSED(scankit_split_flags(ctx, 4, a, flags, NULL, N, NULL));
    REFUSED(scankit_split_flags(ctx, 4, a, flags, a, N, NULL));
    REFUSED(scankit_split_flags(ctx, 4, a, flags, b, TOO_MANY, NULL));
    tap_end();
}

static void wrong_options(scankit_type type, scankit_sort_options options)
{
    size_t first;
    uint64_t *positions = (uint64_t *)(void *)b;
    REFUSED(scankit_sort(ctx, type, a, b, N, &options));
    REFUSED(scankit_sort_pairs(ctx, type, a, b, 4, v, w, N, &options));
    REFUSED(scankit_argsort(ctx, type, a, positions, N, &options));
    if (options.algorithm != SCANKIT_AUTO)
        return;
    REFUSED(scankit_top_k(ctx, type, a, b, N, 1, &options));
    REFUSED(scankit_top_k_pairs(ctx, type, a, b, 4, v, w, N, 1, &options));
    REFUSED(scankit_top_k_positions(ctx, type, a, positions, N, 1, &options));
    REFUSED(scankit_is_sorted(ctx, type, a, N, &options, &first));
    REFUSED(scankit_merge(ctx, type, a, N / 2, v, N / 2, b, &options));
    REFUSED(scankit_merge_pairs(ctx, type, a, v, 8, a + 128, v + 128, 8, b, 4, w, &options));
}

static void segmented_sort(void)
{
    const scankit_type u32 = SCANKIT_U32, no_type = (scankit_type)99;
    const scankit_sort_options bits = {.begin_bit = 3, .end_bit = 33};
    uint64_t *positions = (uint64_t *)(void *)b;
    const uint64_t *offsets = (const uint64_t *)(void *)v;
    tap_begin("%s: segmented sort", device_name);
    REFUSED(scankit_segmented_sort(ctx, no_type, a, b, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_sort(ctx, u32, a, b, N, offsets, 4, &bits));
    REFUSED(scankit_segmented_sort(ctx, u32, NULL, b, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_sort(ctx, u32, a, NULL, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_sort(ctx, u32, a, b, TOO_MANY, offsets, 4, NULL));
    REFUSED(scankit_segmented_sort(ctx, u32, a, b, N, NULL, 4, NULL));
    REFUSED(scankit_segmented_sort(ctx, u32, a, v, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_sort(ctx, u32, a, b, N, offsets, SIZE_MAX, NULL));
    REFUSED(scankit_segmented_sort_pairs(ctx, u32, a, b, 0, w, w, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_sort_pairs(ctx, u32, a, b, 4, NULL, w, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_sort_pairs(ctx, u32, a, b, 4, w, v, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_sort_pairs(ctx, u32, a, b, SIZE_MAX / 8, w, w, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_argsort(ctx, u32, a, NULL, N, offsets, 4, NULL));
    REFUSED(scankit_segmented_argsort(ctx, u32, NULL, positions, N, offsets, 4, NULL));
    tap_end();
}

static void sort_columns(void)
{
    const scankit_column good = {.data = a, .type = SCANKIT_U32}, none = {.type = SCANKIT_U32};
    const scankit_column no_type = {.data = a, .type = (scankit_type)99}, no_size = {.data = a, .type = SCANKIT_BYTES};
    uint64_t *positions = (uint64_t *)(void *)b;
    tap_begin("%s: sort of columns", device_name);
    REFUSED(scankit_sort_columns(ctx, NULL, 1, positions, N, NULL));
    REFUSED(scankit_sort_columns(ctx, &good, 0, positions, N, NULL));
    REFUSED(scankit_sort_columns(ctx, &good, 65, positions, N, NULL));
    REFUSED(scankit_sort_columns(ctx, &good, 1, NULL, N, NULL));
    REFUSED(scankit_sort_columns(ctx, &none, 1, positions, N, NULL));
    REFUSED(scankit_sort_columns(ctx, &no_type, 1, positions, N, NULL));
    REFUSED(scankit_sort_columns(ctx, &no_size, 1, positions, N, NULL));
    REFUSED(scankit_sort_columns(ctx, &good, 1, positions, TOO_MANY, NULL));
    tap_end();
}

static void sort(void)
{
    size_t first;
    const scankit_type u32 = SCANKIT_U32, no_type = (scankit_type)99;
    uint64_t *positions = (uint64_t *)(void *)b;
    tap_begin("%s: sort", device_name);
    wrong_options(u32, (scankit_sort_options){.begin_bit = 3, .end_bit = 3});
    wrong_options(u32, (scankit_sort_options){.begin_bit = 8, .end_bit = 4});
    wrong_options(u32, (scankit_sort_options){.begin_bit = 8});
    wrong_options(u32, (scankit_sort_options){.begin_bit = 0, .end_bit = 33});
    wrong_options(SCANKIT_I8, (scankit_sort_options){.begin_bit = 0, .end_bit = 9});
    wrong_options(SCANKIT_F16, (scankit_sort_options){.begin_bit = 0, .end_bit = 8});
    wrong_options(SCANKIT_F32, (scankit_sort_options){.begin_bit = 0, .end_bit = 16});
    wrong_options(SCANKIT_BYTES, (scankit_sort_options){.descending = 0});
    wrong_options(u32, (scankit_sort_options){.algorithm = (scankit_algorithm)99});
    REFUSED(scankit_sort(ctx, no_type, a, b, N, NULL));
    REFUSED(scankit_sort(ctx, u32, NULL, b, N, NULL));
    REFUSED(scankit_sort(ctx, u32, a, NULL, N, NULL));
    REFUSED(scankit_sort(ctx, u32, a, b, TOO_MANY, NULL));
    REFUSED(scankit_sort_pairs(ctx, u32, a, b, 0, v, w, N, NULL));
    REFUSED(scankit_sort_pairs(ctx, u32, NULL, b, 4, v, w, N, NULL));
    REFUSED(scankit_sort_pairs(ctx, u32, a, b, 4, v, NULL, N, NULL));
    REFUSED(scankit_sort_pairs(ctx, u32, a, b, SIZE_MAX / 8, v, w, N, NULL));
    REFUSED(scankit_sort_pairs(ctx, u32, a, b, 4, v, w, TOO_MANY, NULL));
    REFUSED(scankit_argsort(ctx, u32, NULL, positions, N, NULL));
    REFUSED(scankit_argsort(ctx, u32, a, NULL, N, NULL));
    REFUSED(scankit_argsort(ctx, SCANKIT_U8, a, positions, TOO_MANY, NULL));
    REFUSED(scankit_top_k(ctx, u32, a, b, N, N + 1, NULL));
    REFUSED(scankit_top_k(ctx, u32, NULL, b, N, 1, NULL));
    REFUSED(scankit_top_k(ctx, u32, a, NULL, N, 1, NULL));
    REFUSED(scankit_top_k(ctx, u32, a, b, TOO_MANY, 1, NULL));
    REFUSED(scankit_top_k_pairs(ctx, u32, a, b, 0, v, w, N, 1, NULL));
    REFUSED(scankit_top_k_pairs(ctx, u32, a, b, 4, NULL, w, N, 1, NULL));
    REFUSED(scankit_top_k_pairs(ctx, u32, a, b, 4, v, NULL, N, 1, NULL));
    REFUSED(scankit_top_k_positions(ctx, u32, a, NULL, N, 1, NULL));
    REFUSED(scankit_is_sorted(ctx, u32, NULL, N, NULL, &first));
    REFUSED(scankit_is_sorted(ctx, u32, a, N, NULL, NULL));
    REFUSED(scankit_is_sorted(ctx, u32, a, TOO_MANY, NULL, &first));
    tap_end();
}

static void histogram(void)
{
    const scankit_type u32 = SCANKIT_U32, no_type = (scankit_type)99;
    const uint32_t edges[] = {1, 3, 2};
    const float nan_edges[] = {1, NAN, 2};
    const scankit_bins good = {.kind = SCANKIT_BINS_EVEN, .count = 4, .high = 16};
    scankit_bins bad[7] = {good, good, good, good, good, good, good};
    bad[0].count = 0;
    bad[1].count = ((size_t)1 << 24) + 1;
    bad[2].high = 0;
    bad[3].high = 0.5;
    bad[4].kind = (scankit_binning)9;
    bad[5] = (scankit_bins){.kind = SCANKIT_BINS_EDGES, .count = 2, .edges = edges};
    bad[6] = (scankit_bins){.kind = SCANKIT_BINS_VALUES, .count = 2, .first = UINT64_C(1) << 32};
    tap_begin("%s: histogram", device_name);
    for (size_t i = 0; i < 7; i++)
        REFUSED(scankit_histogram(ctx, u32, a, N, &bad[i], u32, NULL, b));
    bad[5].edges = nan_edges;
    REFUSED(scankit_histogram(ctx, SCANKIT_F32, a, N, &bad[5], u32, NULL, b));
    REFUSED(scankit_histogram(ctx, u32, a, N, NULL, u32, NULL, b));
    REFUSED(scankit_histogram(ctx, no_type, a, N, &good, u32, NULL, b));
    REFUSED(scankit_histogram(ctx, u32, a, N, &good, no_type, v, b));
    REFUSED(scankit_histogram(ctx, u32, NULL, N, &good, u32, NULL, b));
    REFUSED(scankit_histogram(ctx, u32, a, TOO_MANY, &good, u32, NULL, b));
    REFUSED(scankit_histogram(ctx, u32, a, N, &good, u32, NULL, NULL));
    REFUSED(scankit_histogram(ctx, u32, a, N, &good, u32, NULL, a));
    tap_end();
}

static void merge(void)
{
    const scankit_type u32 = SCANKIT_U32;
    tap_begin("%s: merge", device_name);
    REFUSED(scankit_merge(ctx, (scankit_type)99, a, 8, v, 8, b, NULL));
    REFUSED(scankit_merge(ctx, u32, NULL, 8, v, 8, b, NULL));
    REFUSED(scankit_merge(ctx, u32, a, 8, NULL, 8, b, NULL));
    REFUSED(scankit_merge(ctx, u32, a, 8, v, 8, NULL, NULL));
    REFUSED(scankit_merge(ctx, u32, a, TOO_MANY, v, 8, b, NULL));
    REFUSED(scankit_merge(ctx, u32, a, SIZE_MAX - 3, v, 8, b, NULL));
    REFUSED(scankit_merge(ctx, SCANKIT_U8, a, SIZE_MAX / 3, v, SIZE_MAX / 3, b, NULL));
    REFUSED(scankit_merge_pairs(ctx, u32, a, v, 8, a + 128, v + 128, 8, b, 0, w, NULL));
    REFUSED(scankit_merge_pairs(ctx, u32, a, NULL, 8, a + 128, v + 128, 8, b, 4, w, NULL));
    REFUSED(scankit_merge_pairs(ctx, u32, a, v, 8, a + 128, NULL, 8, b, 4, w, NULL));
    REFUSED(scankit_merge_pairs(ctx, u32, a, v, 8, a + 128, v + 128, 8, b, 4, NULL, NULL));
    tap_end();
}

static void merge_many(void)
{
    const void *const arrays[] = {a, v}, *const missing[] = {a, NULL}, *const values[] = {w, w};
    const size_t counts[] = {8, 8}, too_many[] = {8, TOO_MANY}, overflow[] = {SIZE_MAX / 3, SIZE_MAX / 3};
    const scankit_type u32 = SCANKIT_U32;
    const scankit_key key = {.type = SCANKIT_U32};
    tap_begin("%s: merge of many", device_name);
    REFUSED(scankit_merge_many(ctx, (scankit_type)99, 2, arrays, counts, b, NULL));
    REFUSED(scankit_merge_many(ctx, u32, 2, NULL, counts, b, NULL));
    REFUSED(scankit_merge_many(ctx, u32, 2, arrays, NULL, b, NULL));
    REFUSED(scankit_merge_many(ctx, u32, 2, missing, counts, b, NULL));
    REFUSED(scankit_merge_many(ctx, u32, 2, arrays, too_many, b, NULL));
    REFUSED(scankit_merge_many(ctx, SCANKIT_U8, 2, arrays, overflow, b, NULL));
    REFUSED(scankit_merge_many(ctx, u32, 2, arrays, counts, NULL, NULL));
    REFUSED(scankit_merge_many_pairs(ctx, u32, 2, arrays, values, counts, b, 0, b + 128, NULL));
    REFUSED(scankit_merge_many_pairs(ctx, u32, 2, arrays, NULL, counts, b, 4, b + 128, NULL));
    REFUSED(scankit_merge_many_pairs(ctx, u32, 2, arrays, missing, counts, b, 4, b + 128, NULL));
    REFUSED(scankit_merge_many_pairs(ctx, u32, 2, arrays, values, counts, b, 4, NULL, NULL));
    REFUSED(scankit_merge_many_records(ctx, 0, &key, 1, 2, arrays, counts, b));
    REFUSED(scankit_merge_many_records(ctx, 8, NULL, 1, 2, arrays, counts, b));
    REFUSED(scankit_merge_many_records(ctx, 8, &key, 0, 2, arrays, counts, b));
    REFUSED(scankit_merge_many_records(ctx, 8, &key, 1, 2, missing, counts, b));
    REFUSED(scankit_merge_many_records(ctx, 8, &key, 1, 2, arrays, counts, NULL));
    tap_end();
}

static void wrong_key(size_t record_size, scankit_key key)
{
    size_t first;
    uint64_t *positions = (uint64_t *)(void *)b;
    REFUSED(scankit_sort_records(ctx, record_size, &key, 1, a, b, 4, NULL));
    REFUSED(scankit_argsort_records(ctx, record_size, &key, 1, a, positions, 4, NULL));
    REFUSED(scankit_is_sorted_records(ctx, record_size, &key, 1, a, 4, &first));
    REFUSED(scankit_merge_records(ctx, record_size, &key, 1, a, 2, v, 2, b));
    const void *const arrays[] = {a, v};
    const size_t counts[] = {2, 2};
    REFUSED(scankit_merge_many_records(ctx, record_size, &key, 1, 2, arrays, counts, b));
}

/* Of no records at all: keys whose sizes add up to 2^64 and more. */
static void endless_keys(size_t key_count, size_t record_size)
{
    enum { KEYS = 8 };
    scankit_key keys[KEYS];
    size_t first;
    uint64_t *positions = (uint64_t *)(void *)b;
    for (size_t k = 0; k < KEYS; k++)
        keys[k] = (scankit_key){.type = SCANKIT_BYTES, .size = record_size};
    REFUSED(scankit_sort_records(ctx, record_size, keys, key_count, a, b, 0, NULL));
    REFUSED(scankit_argsort_records(ctx, record_size, keys, key_count, a, positions, 0, NULL));
    REFUSED(scankit_is_sorted_records(ctx, record_size, keys, key_count, a, 0, &first));
    REFUSED(scankit_merge_records(ctx, record_size, keys, key_count, a, 0, v, 0, b));
}

static void records(void)
{
    const scankit_key key = {.type = SCANKIT_U32};
    const scankit_sort_options options = {.algorithm = (scankit_algorithm)99};
    size_t first;
    uint64_t *positions = (uint64_t *)(void *)b;
    tap_begin("%s: records", device_name);
    wrong_key(0, key);
    wrong_key(3, key);
    wrong_key(8, (scankit_key){.offset = 5, .type = SCANKIT_U32});
    wrong_key(8, (scankit_key){.offset = SIZE_MAX - 1, .type = SCANKIT_U32});
    wrong_key(8, (scankit_key){.type = SCANKIT_BYTES, .size = 0});
    wrong_key(8, (scankit_key){.type = SCANKIT_BYTES, .size = 9});
    wrong_key(8, (scankit_key){.type = SCANKIT_BYTES, .offset = 4, .size = SIZE_MAX});
    wrong_key(8, (scankit_key){.type = (scankit_type)99, .size = 4});
    endless_keys(1, SIZE_MAX);
    endless_keys(4, SIZE_MAX / 4 + 1);
    endless_keys(8, SIZE_MAX / 8 + 2);
    REFUSED(scankit_sort_records(ctx, 8, NULL, 1, a, b, 4, NULL));
    REFUSED(scankit_sort_records(ctx, 8, &key, 0, a, b, 4, NULL));
    REFUSED(scankit_sort_records(ctx, 8, &key, 1, NULL, b, 4, NULL));
    REFUSED(scankit_sort_records(ctx, 8, &key, 1, a, NULL, 4, NULL));
    REFUSED(scankit_sort_records(ctx, 8, &key, 1, a, b, TOO_MANY, NULL));
    REFUSED(scankit_sort_records(ctx, 8, &key, 1, a, b, 4, &options));
    REFUSED(scankit_argsort_records(ctx, 8, &key, 1, a, NULL, 4, NULL));
    REFUSED(scankit_argsort_records(ctx, 8, &key, 1, NULL, positions, 4, NULL));
    REFUSED(scankit_argsort_records(ctx, 8, &key, 1, a, positions, 4, &options));
    REFUSED(scankit_is_sorted_records(ctx, 8, &key, 1, a, 4, NULL));
    REFUSED(scankit_is_sorted_records(ctx, 8, &key, 1, NULL, 4, &first));
    REFUSED(scankit_merge_records(ctx, 8, &key, 1, NULL, 2, v, 2, b));
    REFUSED(scankit_merge_records(ctx, 8, &key, 1, a, 2, v, 2, NULL));
    REFUSED(scankit_merge_records(ctx, 8, &key, 1, a, SIZE_MAX, v, 2, b));
    tap_end();
}

static void memory(void)
{
    void *got = &got;
    char host[4];
    size_t bytes = 0;
    tap_begin("%s: memory", device_name);
    refused(scankit_allocate(ctx, &got, SIZE_MAX / 4), SCANKIT_E_MEMORY, "scankit_allocate(SIZE_MAX / 4)");
    TAP_CHECK(got == NULL);
    refused(scankit_allocate(ctx, &got, SIZE_MAX), SCANKIT_E_MEMORY, "scankit_allocate(SIZE_MAX)");
    TAP_CHECK(got == NULL);
    REFUSED(scankit_allocate(ctx, NULL, 4));
    REFUSED(scankit_upload(ctx, NULL, host, 4));
    REFUSED(scankit_upload(ctx, a, NULL, 4));
    REFUSED(scankit_download(ctx, host, NULL, 4));
    REFUSED(scankit_download(ctx, NULL, a, 4));
    REFUSED(scankit_copy(ctx, NULL, a, 4));
    REFUSED(scankit_copy(ctx, a, NULL, 4));
    REFUSED(scankit_pin(ctx, NULL, 4, 0));
    REFUSED(scankit_pin(ctx, host, 0, 0));
    REFUSED(scankit_unpin(ctx, NULL));
    REFUSED(scankit_memory_available(ctx, NULL));
    REFUSED(scankit_memory_total(ctx, NULL));
    tap_case("what is fine");
    TAP_CHECK(scankit_allocate(ctx, &got, 0) == SCANKIT_OK);
    scankit_free(ctx, got);
    TAP_CHECK(scankit_allocate(ctx, &got, 1) == SCANKIT_OK && ((uintptr_t)got & 255) == 0);
    scankit_free(ctx, got);
    scankit_free(ctx, NULL);
    TAP_CHECK(scankit_upload(ctx, NULL, NULL, 0) == SCANKIT_OK && scankit_copy(ctx, NULL, NULL, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_memory_available(ctx, &bytes) == SCANKIT_OK && bytes > 0);
    size_t total = 0;
    TAP_CHECK(scankit_memory_total(ctx, &total) == SCANKIT_OK && total >= bytes);
    if (scankit_is_host(ctx))
        REFUSED(scankit_set_stream(ctx, host));
    tap_end();
}

static void test(device *d)
{
    char zeros[N * 16] = {0};
    ctx = d->context;
    device_name = d->name;
    tap_ok(scankit_error_detail(ctx)[0] == '\0', "%s: no detail before an error", d->name);
    a = device_put(d, 0, zeros, sizeof zeros, 0);
    b = device_put(d, 1, zeros, sizeof zeros, 0);
    v = device_put(d, 2, zeros, sizeof zeros, 0);
    w = device_put(d, 3, zeros, sizeof zeros, 0);
    scan_and_reduce();
    split();
    segmented_sort();
    sort_columns();
    sort();
    histogram();
    merge();
    merge_many();
    records();
    refused_compactions();
    refused_encodings();
    refused_decodings();
    memory();
    tap_begin("%s: nothing was changed", d->name);
    for (unsigned area = 0; area < 4; area++)
        device_expect(d, area, zeros, sizeof zeros, 1, "array");
    tap_end();
    no_elements();
    no_context();
}

int main(void)
{
    return device_each("arguments", test);
}
