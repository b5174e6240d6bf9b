/* arguments.c - wrong arguments get the right error and a line that names the function, and change nothing. */
#include <limits.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

#define N 64
#define TOO_MANY (SIZE_MAX / 2)

static scankit_context *ctx;
static char *a, *b, *v, *w; /* device arrays of N elements of up to 16 bytes */
static const char *device_name;

static void refused(scankit_error error, scankit_error wanted, const char *call)
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
#define REFUSED(call) refused(call, SCANKIT_E_ARGUMENT, #call)

/* Without a context there is nowhere to put a detail. */
#define REFUSED_BARE(call)                       \
    do {                                         \
        tap_case("%s", #call);                   \
        TAP_CHECK((call) == SCANKIT_E_ARGUMENT); \
    } while (0)

static void scan_and_reduce(void)
{
    uint64_t result;
    const scankit_type u32 = SCANKIT_U32, no_type = (scankit_type)99;
    const scankit_scan_kind inc = SCANKIT_INCLUSIVE;
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
    REFUSED(scankit_is_sorted(ctx, type, a, N, &options, &first));
    REFUSED(scankit_merge(ctx, type, a, N / 2, v, N / 2, b, &options));
    REFUSED(scankit_merge_pairs(ctx, type, a, v, 8, a + 128, v + 128, 8, b, 4, w, &options));
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
    REFUSED(scankit_is_sorted(ctx, u32, NULL, N, NULL, &first));
    REFUSED(scankit_is_sorted(ctx, u32, a, N, NULL, NULL));
    REFUSED(scankit_is_sorted(ctx, u32, a, TOO_MANY, NULL, &first));
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

static void wrong_key(size_t record_size, scankit_key key)
{
    size_t first;
    uint64_t *positions = (uint64_t *)(void *)b;
    REFUSED(scankit_sort_records(ctx, record_size, &key, 1, a, b, 4, NULL));
    REFUSED(scankit_argsort_records(ctx, record_size, &key, 1, a, positions, 4, NULL));
    REFUSED(scankit_is_sorted_records(ctx, record_size, &key, 1, a, 4, &first));
    REFUSED(scankit_merge_records(ctx, record_size, &key, 1, a, 2, v, 2, b));
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

static void compact(void)
{
    const scankit_compact_options options = {.evaluation = (scankit_evaluation)99};
    const uint8_t *flags = (const uint8_t *)v;
    uint64_t *positions = (uint64_t *)(void *)b;
    size_t count;
    scankit_predicate *p = NULL, *none = NULL;
    tap_begin("%s: compact", device_name);
    TAP_CHECK(scankit_predicate_compile(&p, SCANKIT_U32, "1", NULL, NULL) == SCANKIT_OK);
    REFUSED(scankit_compact(ctx, none, a, b, N, NULL, &count));
    REFUSED(scankit_compact(ctx, p, NULL, b, N, NULL, &count));
    REFUSED(scankit_compact(ctx, p, a, NULL, N, NULL, &count));
    REFUSED(scankit_compact(ctx, p, a, b, TOO_MANY, NULL, &count));
    REFUSED(scankit_compact(ctx, p, a, b, N, &options, &count));
    REFUSED(scankit_split_predicate(ctx, none, a, b, v, N, NULL, &count));
    REFUSED(scankit_split_predicate(ctx, p, NULL, b, v, N, NULL, &count));
    REFUSED(scankit_split_predicate(ctx, p, a, b, b, N, NULL, &count));
    REFUSED(scankit_split_predicate(ctx, p, a, b, a, N, NULL, &count));
    REFUSED(scankit_split_predicate(ctx, p, a, NULL, a, N, NULL, &count));
    REFUSED(scankit_split_predicate(ctx, p, a, b, v, TOO_MANY, NULL, &count));
    REFUSED(scankit_split_predicate(ctx, p, a, b, v, N, &options, &count));
    REFUSED(scankit_compact_positions(ctx, none, a, positions, N, NULL, &count));
    REFUSED(scankit_compact_positions(ctx, p, NULL, positions, N, NULL, &count));
    REFUSED(scankit_compact_positions(ctx, p, a, NULL, N, NULL, &count));
    REFUSED(scankit_compact_positions(ctx, p, a, positions, TOO_MANY, NULL, &count));
    REFUSED(scankit_compact_positions(ctx, p, a, positions, SIZE_MAX / 4, NULL, &count));
    REFUSED(scankit_compact_positions(ctx, p, a, positions, N, &options, &count));
    REFUSED(scankit_compact_flags(ctx, 0, a, flags, b, N, NULL, &count));
    REFUSED(scankit_compact_flags(ctx, 4, NULL, flags, b, N, NULL, &count));
    REFUSED(scankit_compact_flags(ctx, 4, a, NULL, b, N, NULL, &count));
    REFUSED(scankit_compact_flags(ctx, 4, a, flags, NULL, N, NULL, &count));
    REFUSED(scankit_compact_flags(ctx, 4, a, flags, b, TOO_MANY, NULL, &count));
    REFUSED(scankit_compact_flags(ctx, SIZE_MAX / 8, a, flags, b, N, NULL, &count));
    REFUSED(scankit_compact_flags(ctx, 4, a, flags, b, N, &options, &count));
    REFUSED(scankit_compact_flags_positions(ctx, NULL, positions, N, NULL, &count));
    REFUSED(scankit_compact_flags_positions(ctx, flags, NULL, N, NULL, &count));
    REFUSED(scankit_compact_flags_positions(ctx, flags, positions, TOO_MANY, NULL, &count));
    REFUSED(scankit_compact_flags_positions(ctx, flags, positions, N, &options, &count));
    scankit_predicate_destroy(p);
    tap_end();
}

static void wrong_runs(size_t size, scankit_run_options options)
{
    uint64_t *counts = (uint64_t *)(void *)w;
    size_t runs;
    REFUSED(scankit_run_length_encode(ctx, size, a, b, counts, 4, &options, &runs));
    REFUSED(scankit_unique(ctx, size, a, b, 4, &options, &runs));
    REFUSED(scankit_reduce_by_key(ctx, size, a, SCANKIT_U32, SCANKIT_SUM, v, b, w, 4, &options, &runs));
    REFUSED(scankit_run_length_encode(ctx, size, NULL, NULL, NULL, 0, &options, &runs));
}

static void wrong_run_keys(void)
{
    scankit_key keys[65] = {{.type = SCANKIT_U32}};
    for (int k = 1; k < 65; k++)
        keys[k] = keys[0];
    wrong_runs(0, (scankit_run_options){NULL, 0});
    wrong_runs(0, (scankit_run_options){keys, 1});
    wrong_runs(3, (scankit_run_options){keys, 1});
    wrong_runs(8, (scankit_run_options){NULL, 1});
    wrong_runs(8, (scankit_run_options){keys, 65});
    wrong_runs(8, (scankit_run_options){keys, SIZE_MAX});
    keys[1] = (scankit_key){.offset = 5, .type = SCANKIT_U32};
    wrong_runs(8, (scankit_run_options){keys, 2});
    keys[1] = (scankit_key){.offset = SIZE_MAX - 1, .type = SCANKIT_U32};
    wrong_runs(8, (scankit_run_options){keys, 2});
    keys[1] = (scankit_key){.type = SCANKIT_BYTES, .offset = 4, .size = 5};
    wrong_runs(8, (scankit_run_options){keys, 2});
    keys[1] = (scankit_key){.type = SCANKIT_BYTES, .offset = 4, .size = SIZE_MAX};
    wrong_runs(8, (scankit_run_options){keys, 2});
    keys[1] = (scankit_key){.type = SCANKIT_BYTES};
    wrong_runs(8, (scankit_run_options){keys, 2});
    keys[1] = (scankit_key){.type = (scankit_type)99, .size = 4};
    wrong_runs(8, (scankit_run_options){keys, 2});
}

static void encode_runs(void)
{
    const scankit_type u32 = SCANKIT_U32, no_type = (scankit_type)99;
    const scankit_operator sum = SCANKIT_SUM;
    uint64_t *counts = (uint64_t *)(void *)w;
    size_t runs;
    tap_begin("%s: runs", device_name);
    wrong_run_keys();
    REFUSED(scankit_run_length_encode(ctx, 4, NULL, b, counts, N, NULL, &runs));
    REFUSED(scankit_run_length_encode(ctx, 4, NULL, NULL, NULL, N, NULL, &runs));
    REFUSED(scankit_run_length_encode(ctx, 4, a, b, counts, TOO_MANY, NULL, &runs));
    REFUSED(scankit_run_length_encode(ctx, SIZE_MAX / 8, a, b, counts, N, NULL, &runs));
    REFUSED(scankit_run_length_encode(ctx, 8, counts, b, counts, N, NULL, &runs));
    REFUSED(scankit_run_length_encode(ctx, 8, a, counts, counts, N, NULL, &runs));
    REFUSED(scankit_unique(ctx, 4, NULL, b, N, NULL, &runs));
    REFUSED(scankit_unique(ctx, 4, a, NULL, N, NULL, &runs));
    REFUSED(scankit_unique(ctx, 4, a, b, TOO_MANY, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, NULL, u32, sum, v, b, w, N, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, a, u32, sum, NULL, b, w, N, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, a, u32, sum, v, b, NULL, N, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, a, u32, sum, v, b, b, N, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, a, u32, sum, v, b, a, N, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, a, u32, sum, v, v, w, N, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 1, a, u32, sum, v, b, w, TOO_MANY, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, a, no_type, sum, v, b, w, N, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, a, SCANKIT_BYTES, sum, v, b, w, N, NULL, &runs));
    REFUSED(scankit_reduce_by_key(ctx, 4, a, u32, (scankit_operator)99, v, b, w, N, NULL, &runs));
    for (int type = 0; type < ORACLE_TYPES; type++)
        for (int op = 0; op < ORACLE_OPERATORS; op++)
            if (!oracle_applies((scankit_operator)op, (scankit_type)type))
                REFUSED(scankit_reduce_by_key(ctx, 4, a, (scankit_type)type, (scankit_operator)op, v, b, w, 4, NULL,
                                              &runs));
    tap_end();
}

static void decode_runs(void)
{
    const uint64_t *counts = (uint64_t *)(void *)w;
    const uint64_t *no_counts = NULL;
    size_t n;
    tap_begin("%s: runs to be decoded", device_name);
    REFUSED(scankit_run_length_decode(ctx, 0, a, counts, N, b, N, &n));
    REFUSED(scankit_run_length_decode(ctx, 4, NULL, counts, N, b, N, &n));
    REFUSED(scankit_run_length_decode(ctx, 4, a, no_counts, N, b, N, &n));
    REFUSED(scankit_run_length_decode(ctx, 4, a, no_counts, N, NULL, 0, &n));
    REFUSED(scankit_run_length_decode(ctx, 1, a, counts, TOO_MANY, b, N, &n));
    REFUSED(scankit_run_length_decode(ctx, SIZE_MAX / 8, a, counts, N, b, 1, &n));
    REFUSED(scankit_run_length_decode(ctx, 4, a, counts, N, b, TOO_MANY, &n));
    REFUSED(scankit_run_length_decode(ctx, 4, a, counts, N, a, N, &n));
    REFUSED(scankit_run_length_decode(ctx, 8, a, counts, N, w, N, &n));
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
    REFUSED(scankit_memory_available(ctx, NULL));
    tap_case("what is fine");
    TAP_CHECK(scankit_allocate(ctx, &got, 0) == SCANKIT_OK);
    scankit_free(ctx, got);
    TAP_CHECK(scankit_allocate(ctx, &got, 1) == SCANKIT_OK && ((uintptr_t)got & 255) == 0);
    scankit_free(ctx, got);
    scankit_free(ctx, NULL);
    TAP_CHECK(scankit_upload(ctx, NULL, NULL, 0) == SCANKIT_OK && scankit_copy(ctx, NULL, NULL, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_memory_available(ctx, &bytes) == SCANKIT_OK && bytes > 0);
    if (scankit_is_host(ctx))
        REFUSED(scankit_set_stream(ctx, host));
    tap_end();
}

static void compact_no_elements(void)
{
    scankit_predicate *p = NULL;
    size_t count[5] = {9, 9, 9, 9, 9};
    TAP_CHECK(scankit_predicate_compile(&p, SCANKIT_F64, "x > 1", NULL, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_compact(ctx, p, NULL, NULL, 0, NULL, &count[0]) == SCANKIT_OK);
    TAP_CHECK(scankit_split_predicate(ctx, p, NULL, NULL, NULL, 0, NULL, &count[1]) == SCANKIT_OK);
    TAP_CHECK(scankit_compact_positions(ctx, p, NULL, NULL, 0, NULL, &count[2]) == SCANKIT_OK);
    TAP_CHECK(scankit_compact_flags(ctx, 7, NULL, NULL, NULL, 0, NULL, &count[3]) == SCANKIT_OK);
    TAP_CHECK(scankit_compact_flags_positions(ctx, NULL, NULL, 0, NULL, &count[4]) == SCANKIT_OK);
    for (int i = 0; i < 5; i++)
        TAP_CHECK(count[i] == 0);
    TAP_CHECK(scankit_compact(ctx, p, NULL, NULL, 0, NULL, NULL) == SCANKIT_OK);
    scankit_predicate_destroy(p);
}

static void runs_of_no_elements(void)
{
    size_t count[6] = {9, 9, 9, 9, 9, 9};
    const scankit_key key = {.type = SCANKIT_U32};
    const scankit_run_options options = {&key, 1};
    TAP_CHECK(scankit_run_length_encode(ctx, 7, NULL, NULL, NULL, 0, NULL, &count[0]) == SCANKIT_OK);
    TAP_CHECK(scankit_run_length_encode(ctx, 7, NULL, NULL, NULL, 0, &options, &count[1]) == SCANKIT_OK);
    TAP_CHECK(scankit_unique(ctx, 7, NULL, NULL, 0, NULL, &count[2]) == SCANKIT_OK);
    TAP_CHECK(scankit_reduce_by_key(ctx, 7, NULL, SCANKIT_F64, SCANKIT_MAX, NULL, NULL, NULL, 0, NULL, &count[3]) ==
              SCANKIT_OK);
    TAP_CHECK(scankit_run_length_decode(ctx, 7, NULL, NULL, 0, NULL, 0, &count[4]) == SCANKIT_OK);
    TAP_CHECK(scankit_run_length_decode(ctx, 7, NULL, NULL, 0, a, 5, &count[5]) == SCANKIT_OK);
    for (int i = 0; i < 6; i++)
        TAP_CHECK(count[i] == 0);
    TAP_CHECK(scankit_run_length_encode(ctx, 7, NULL, NULL, NULL, 0, NULL, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_run_length_decode(ctx, 7, NULL, NULL, 0, NULL, 0, NULL) == SCANKIT_OK);
}

/* Arrays of no elements may be NULL, and there is an answer. */
static void no_elements(void)
{
    uint64_t result = 7;
    size_t offsets[5] = {9, 9, 9, 9, 9}, zeros = 9, first = 9;
    const scankit_key key = {.type = SCANKIT_U32};
    tap_begin("%s: no elements", device_name);
    TAP_CHECK(scankit_scan(ctx, SCANKIT_U64, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, NULL, NULL, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_reduce(ctx, SCANKIT_U64, SCANKIT_PROD, NULL, &result, 0) == SCANKIT_OK && result == 1);
    TAP_CHECK(scankit_split(ctx, SCANKIT_U64, NULL, NULL, 0, 5, 2, offsets) == SCANKIT_OK);
    for (int i = 0; i < 5; i++)
        TAP_CHECK(offsets[i] == 0);
    TAP_CHECK(scankit_split_pairs(ctx, SCANKIT_U8, NULL, NULL, 3, NULL, NULL, 0, 0, 2, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_split_flags(ctx, 5, NULL, NULL, NULL, 0, &zeros) == SCANKIT_OK && zeros == 0);
    TAP_CHECK(scankit_sort(ctx, SCANKIT_F64, NULL, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_sort_pairs(ctx, SCANKIT_F64, NULL, NULL, 12, NULL, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_argsort(ctx, SCANKIT_F64, NULL, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_is_sorted(ctx, SCANKIT_F64, NULL, 0, NULL, &first) == SCANKIT_OK && first == 0);
    TAP_CHECK(scankit_merge(ctx, SCANKIT_F64, NULL, 0, NULL, 0, NULL, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_sort_records(ctx, 100, &key, 1, NULL, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_argsort_records(ctx, 100, &key, 1, NULL, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_is_sorted_records(ctx, 100, &key, 1, NULL, 0, &first) == SCANKIT_OK && first == 0);
    TAP_CHECK(scankit_merge_records(ctx, 100, &key, 1, NULL, 0, NULL, 0, NULL) == SCANKIT_OK);
    compact_no_elements();
    runs_of_no_elements();
    tap_end();
}

static void no_context(void)
{
    scankit_context *kept = ctx;
    uint64_t result;
    size_t first;
    void *memory_of_none;
    scankit_predicate *p = NULL;
    const scankit_key key = {.type = SCANKIT_U32};
    ctx = NULL;
    tap_begin("%s: no context", device_name);
    REFUSED_BARE(scankit_scan(ctx, SCANKIT_U8, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, a, b, N));
    REFUSED_BARE(scankit_reduce(ctx, SCANKIT_U8, SCANKIT_SUM, a, &result, N));
    REFUSED_BARE(scankit_split(ctx, SCANKIT_U8, a, b, N, 0, 1, NULL));
    REFUSED_BARE(scankit_split_pairs(ctx, SCANKIT_U8, a, b, 1, v, w, N, 0, 1, NULL));
    REFUSED_BARE(scankit_split_flags(ctx, 1, a, (uint8_t *)v, b, N, NULL));
    REFUSED_BARE(scankit_sort(ctx, SCANKIT_U8, a, b, N, NULL));
    REFUSED_BARE(scankit_sort_pairs(ctx, SCANKIT_U8, a, b, 1, v, w, N, NULL));
    REFUSED_BARE(scankit_argsort(ctx, SCANKIT_U8, a, (uint64_t *)(void *)b, N, NULL));
    REFUSED_BARE(scankit_is_sorted(ctx, SCANKIT_U8, a, N, NULL, &first));
    REFUSED_BARE(scankit_merge(ctx, SCANKIT_U8, a, 1, v, 1, b, NULL));
    REFUSED_BARE(scankit_merge_pairs(ctx, SCANKIT_U8, a, a, 1, v, v, 1, b, 1, w, NULL));
    REFUSED_BARE(scankit_sort_records(ctx, 4, &key, 1, a, b, 1, NULL));
    REFUSED_BARE(scankit_argsort_records(ctx, 4, &key, 1, a, (uint64_t *)(void *)b, 1, NULL));
    REFUSED_BARE(scankit_is_sorted_records(ctx, 4, &key, 1, a, 1, &first));
    REFUSED_BARE(scankit_merge_records(ctx, 4, &key, 1, a, 1, v, 1, b));
    TAP_CHECK(scankit_predicate_compile(&p, SCANKIT_U8, "1", NULL, NULL) == SCANKIT_OK);
    REFUSED_BARE(scankit_compact(ctx, p, a, b, 1, NULL, NULL));
    REFUSED_BARE(scankit_split_predicate(ctx, p, a, b, v, 1, NULL, NULL));
    REFUSED_BARE(scankit_compact_positions(ctx, p, a, (uint64_t *)(void *)b, 1, NULL, NULL));
    REFUSED_BARE(scankit_compact_flags(ctx, 1, a, (uint8_t *)v, b, 1, NULL, NULL));
    REFUSED_BARE(scankit_compact_flags_positions(ctx, (uint8_t *)v, (uint64_t *)(void *)b, 1, NULL, NULL));
    scankit_predicate_destroy(p);
    REFUSED_BARE(scankit_run_length_encode(ctx, 1, a, b, NULL, 1, NULL, NULL));
    REFUSED_BARE(scankit_unique(ctx, 1, a, b, 1, NULL, NULL));
    REFUSED_BARE(scankit_reduce_by_key(ctx, 1, a, SCANKIT_U8, SCANKIT_SUM, v, b, w, 1, NULL, NULL));
    REFUSED_BARE(scankit_run_length_decode(ctx, 1, a, (uint64_t *)(void *)w, 1, b, 1, NULL));
    REFUSED_BARE(scankit_allocate(ctx, &memory_of_none, 4));
    REFUSED_BARE(scankit_upload(ctx, a, a, 4));
    REFUSED_BARE(scankit_download(ctx, a, a, 4));
    REFUSED_BARE(scankit_copy(ctx, a, a, 4));
    REFUSED_BARE(scankit_synchronize(ctx));
    REFUSED_BARE(scankit_set_deterministic(ctx, 1));
    REFUSED_BARE(scankit_set_stream(ctx, NULL));
    REFUSED_BARE(scankit_memory_available(ctx, &first));
    tap_case("texts");
    TAP_CHECK(scankit_error_detail(ctx) != NULL && scankit_device_name(ctx) != NULL);
    scankit_free(ctx, NULL);
    ctx = kept;
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
    sort();
    merge();
    records();
    compact();
    encode_runs();
    decode_runs();
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
