/* arguments-none.c - calls on no elements, and without a context: see arguments.c */
#include "arguments.h"

/* Without a context there is nowhere to put a detail. */
#define REFUSED_BARE(call)                       \
    do {                                         \
        tap_case("%s", #call);                   \
        TAP_CHECK((call) == SCANKIT_E_ARGUMENT); \
    } while (0)

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

/* Arrays of no elements may be NULL: the call succeeds. */
void no_elements(void)
{
    uint64_t result = 7;
    size_t offsets[5] = {9, 9, 9, 9, 9}, zeros = 9, first = 9;
    const scankit_key key = {.type = SCANKIT_U32};
    const scankit_column column = {.type = SCANKIT_U32};
    tap_begin("%s: no elements", device_name);
    TAP_CHECK(scankit_scan(ctx, SCANKIT_U64, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, NULL, NULL, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_reduce(ctx, SCANKIT_U64, SCANKIT_PROD, NULL, &result, 0) == SCANKIT_OK && result == 1);
    TAP_CHECK(scankit_reduce_to(ctx, SCANKIT_U64, SCANKIT_SUM, NULL, NULL, 0) == SCANKIT_E_ARGUMENT);
    TAP_CHECK(scankit_segmented_scan(ctx, SCANKIT_U64, SCANKIT_SUM, SCANKIT_EXCLUSIVE, NULL, NULL, NULL, NULL, 0) ==
              SCANKIT_OK);
    TAP_CHECK(scankit_segmented_reduce(ctx, SCANKIT_U64, SCANKIT_SUM, NULL, NULL, NULL, 0) == SCANKIT_OK);
    TAP_CHECK(scankit_split(ctx, SCANKIT_U64, NULL, NULL, 0, 5, 2, offsets) == SCANKIT_OK);
    for (int i = 0; i < 5; i++)
        TAP_CHECK(offsets[i] == 0);
    TAP_CHECK(scankit_split_pairs(ctx, SCANKIT_U8, NULL, NULL, 3, NULL, NULL, 0, 0, 2, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_split_flags(ctx, 5, NULL, NULL, NULL, 0, &zeros) == SCANKIT_OK && zeros == 0);
    TAP_CHECK(scankit_sort(ctx, SCANKIT_F64, NULL, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_sort_pairs(ctx, SCANKIT_F64, NULL, NULL, 12, NULL, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_argsort(ctx, SCANKIT_F64, NULL, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_segmented_sort(ctx, SCANKIT_F64, NULL, NULL, 0, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_segmented_sort_pairs(ctx, SCANKIT_F64, NULL, NULL, 12, NULL, NULL, 0, NULL, 0, NULL) ==
              SCANKIT_OK);
    TAP_CHECK(scankit_segmented_argsort(ctx, SCANKIT_F64, NULL, NULL, 0, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_sort_columns(ctx, &column, 1, NULL, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_top_k(ctx, SCANKIT_F64, NULL, NULL, 0, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_top_k_pairs(ctx, SCANKIT_F64, NULL, NULL, 12, NULL, NULL, 0, 0, NULL) == SCANKIT_OK);
    TAP_CHECK(scankit_top_k_positions(ctx, SCANKIT_F64, NULL, NULL, 0, 0, NULL) == SCANKIT_OK);
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

void no_context(void)
{
    scankit_context *kept = ctx;
    uint64_t result;
    size_t first;
    void *memory_of_none;
    scankit_predicate *p = NULL;
    const scankit_key key = {.type = SCANKIT_U32};
    const scankit_column column = {.data = a, .type = SCANKIT_U32};
    ctx = NULL;
    tap_begin("%s: no context", device_name);
    REFUSED_BARE(scankit_scan(ctx, SCANKIT_U8, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, a, b, N));
    REFUSED_BARE(scankit_reduce(ctx, SCANKIT_U8, SCANKIT_SUM, a, &result, N));
    REFUSED_BARE(scankit_segmented_scan(ctx, SCANKIT_U8, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, a, (uint8_t *)v, b, N));
    REFUSED_BARE(scankit_segmented_reduce(ctx, SCANKIT_U8, SCANKIT_SUM, a, (uint64_t *)(void *)v, b, 1));
    REFUSED_BARE(scankit_split(ctx, SCANKIT_U8, a, b, N, 0, 1, NULL));
    REFUSED_BARE(scankit_split_pairs(ctx, SCANKIT_U8, a, b, 1, v, w, N, 0, 1, NULL));
    REFUSED_BARE(scankit_split_flags(ctx, 1, a, (uint8_t *)v, b, N, NULL));
    REFUSED_BARE(scankit_sort(ctx, SCANKIT_U8, a, b, N, NULL));
    REFUSED_BARE(scankit_sort_pairs(ctx, SCANKIT_U8, a, b, 1, v, w, N, NULL));
    REFUSED_BARE(scankit_argsort(ctx, SCANKIT_U8, a, (uint64_t *)(void *)b, N, NULL));
    REFUSED_BARE(scankit_segmented_sort(ctx, SCANKIT_U8, a, b, N, (uint64_t *)(void *)v, 1, NULL));
    REFUSED_BARE(scankit_segmented_sort_pairs(ctx, SCANKIT_U8, a, b, 1, v, w, N, (uint64_t *)(void *)v, 1, NULL));
    REFUSED_BARE(
        scankit_segmented_argsort(ctx, SCANKIT_U8, a, (uint64_t *)(void *)b, N, (uint64_t *)(void *)v, 1, NULL));
    REFUSED_BARE(scankit_sort_columns(ctx, &column, 1, (uint64_t *)(void *)b, N, NULL));
    REFUSED_BARE(scankit_top_k(ctx, SCANKIT_U8, a, b, N, 1, NULL));
    REFUSED_BARE(scankit_top_k_pairs(ctx, SCANKIT_U8, a, b, 1, v, w, N, 1, NULL));
    REFUSED_BARE(scankit_top_k_positions(ctx, SCANKIT_U8, a, (uint64_t *)(void *)b, N, 1, NULL));
    REFUSED_BARE(scankit_histogram(ctx, SCANKIT_U8, a, N, NULL, SCANKIT_U8, NULL, b));
    REFUSED_BARE(scankit_is_sorted(ctx, SCANKIT_U8, a, N, NULL, &first));
    REFUSED_BARE(scankit_merge(ctx, SCANKIT_U8, a, 1, v, 1, b, NULL));
    REFUSED_BARE(scankit_merge_pairs(ctx, SCANKIT_U8, a, a, 1, v, v, 1, b, 1, w, NULL));
    REFUSED_BARE(scankit_merge_many(ctx, SCANKIT_U8, 0, NULL, NULL, b, NULL));
    REFUSED_BARE(scankit_merge_many_pairs(ctx, SCANKIT_U8, 0, NULL, NULL, NULL, b, 1, w, NULL));
    REFUSED_BARE(scankit_merge_many_records(ctx, 4, &key, 1, 0, NULL, NULL, b));
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
    REFUSED_BARE(scankit_pin(ctx, a, 4, 0));
    REFUSED_BARE(scankit_unpin(ctx, a));
    REFUSED_BARE(scankit_synchronize(ctx));
    REFUSED_BARE(scankit_set_deterministic(ctx, 1));
    REFUSED_BARE(scankit_set_stream(ctx, NULL));
    REFUSED_BARE(scankit_wait_stream(ctx, NULL));
    REFUSED_BARE(scankit_signal_stream(ctx, NULL));
    REFUSED_BARE(scankit_memory_available(ctx, &first));
    REFUSED_BARE(scankit_memory_total(ctx, &first));
    tap_case("texts");
    TAP_CHECK(scankit_error_detail(ctx) != NULL && scankit_device_name(ctx) != NULL);
    scankit_free(ctx, NULL);
    ctx = kept;
    tap_end();
}
