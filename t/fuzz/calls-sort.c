/* calls-sort.c - sorts and merges of arrays: see calls.h */
#include "calls.h"

/* What was sorted is in order by the same options. */
static void check_sorted(caller *c, scankit_type type, const void *array, size_t n, const scankit_sort_options *options)
{
    size_t first = 0;
    FUZZ_CHECK(call_did(scankit_is_sorted(c->ctx, type, array, n, options, &first)) && first == n);
}

void call_sort(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_sort_options options = draw_sort_options(c);
    size_t size = scankit_type_size(type), n = draw_count(c, size), first = 0;
    void *in = draw_array(c, n, size), *out = draw_output(c, in, n, size);
    if (call_did(scankit_is_sorted(c->ctx, type, in, n, &options, &first)))
        FUZZ_CHECK(first <= n);
    if (call_did(scankit_sort(c->ctx, type, in, out, n, &options)))
        check_sorted(c, type, out, n, &options);
}

void call_sort_pairs(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_sort_options options = draw_sort_options(c);
    size_t size = scankit_type_size(type), value_size = draw_size(c), n = draw_count(c, size + value_size);
    void *keys = draw_array(c, n, size), *values = draw_array(c, n, value_size);
    void *keys_out = draw_output(c, keys, n, size), *values_out = draw_output(c, values, n, value_size);
    if (call_did(scankit_sort_pairs(c->ctx, type, keys, keys_out, value_size, values, values_out, n, &options)))
        check_sorted(c, type, keys_out, n, &options);
}

void call_segmented_sort(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_sort_options options = draw_sort_options(c);
    size_t size = scankit_type_size(type), n = draw_count(c, size), segments = draw_count(c, sizeof(uint64_t));
    uint64_t *offsets = draw_array(c, segments + 1, sizeof *offsets), at = 0;
    for (size_t s = 0; s <= segments; s++) {
        at += n > at ? offsets[s] % (n - at + 1) % 50 : 0;
        offsets[s] = at;
    }
    void *in = draw_array(c, n, size), *out = draw_output(c, in, n, size);
    if (!call_did(scankit_segmented_sort(c->ctx, type, in, out, n, offsets, segments, &options)))
        return;
    for (size_t s = 0; s < segments && n > 0; s++)
        check_sorted(c, type, (char *)out + offsets[s] * size, offsets[s + 1] - offsets[s], &options);
}

void call_argsort(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_sort_options options = draw_sort_options(c);
    size_t size = scankit_type_size(type), n = draw_count(c, 8);
    void *in = draw_array(c, n, size);
    uint64_t *positions = draw_array(c, n, sizeof *positions), sum = 0;
    if (!call_did(scankit_argsort(c->ctx, type, in, positions, n, &options)))
        return;
    for (size_t k = 0; k < n; k++) {
        FUZZ_CHECK(positions[k] < n);
        sum += positions[k];
    }
    FUZZ_CHECK(sum == (n > 0 ? (uint64_t)n * (n - 1) / 2 : 0));
}

void call_top_k(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_sort_options options = draw_sort_options(c);
    size_t size = scankit_type_size(type), n = draw_count(c, size), k = draw_count(c, size);
    void *in = draw_array(c, n, size), *out = draw_array(c, k, size);
    uint64_t *positions = draw_array(c, k, sizeof *positions);
    if (call_did(scankit_top_k(c->ctx, type, in, out, n, k, &options)) && options.algorithm <= SCANKIT_CHUNK_MERGE)
        check_sorted(c, type, out, k, &options);
    if (!call_did(scankit_top_k_positions(c->ctx, type, in, positions, n, k, &options)))
        return;
    for (size_t i = 0; i < k; i++)
        FUZZ_CHECK(positions[i] < n);
}

/* A sorted array, or, where the caller draws so, one that may not be. */
static void *draw_sorted(caller *c, scankit_type type, size_t n, const scankit_sort_options *options, bool sorted)
{
    void *array = draw_array(c, n, scankit_type_size(type));
    if (sorted)
        call_did(scankit_sort(c->ctx, type, array, array, n, options));
    return array;
}

void call_merge(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_sort_options options = draw_sort_options(c);
    bool sorted = fuzz_chance(c->in, 2);
    size_t size = scankit_type_size(type), na = draw_count(c, size), nb = draw_count(c, size);
    void *a = draw_sorted(c, type, na, &options, sorted), *b = draw_sorted(c, type, nb, &options, sorted);
    void *out = draw_array(c, na + nb, size);
    if (call_did(scankit_merge(c->ctx, type, a, na, b, nb, out, &options)) && sorted &&
        options.algorithm <= SCANKIT_CHUNK_MERGE)
        check_sorted(c, type, out, na + nb, &options);
}

void call_merge_pairs(caller *c)
{
    scankit_type type = draw_type(c);
    scankit_sort_options options = draw_sort_options(c);
    size_t size = scankit_type_size(type), value_size = draw_size(c);
    size_t na = draw_count(c, size + value_size), nb = draw_count(c, size + value_size);
    void *a = draw_array(c, na, size), *b = draw_array(c, nb, size), *out = draw_array(c, na + nb, size);
    void *values_a = draw_array(c, na, value_size), *values_b = draw_array(c, nb, value_size);
    void *values_out = draw_array(c, na + nb, value_size);
    call_did(
        scankit_merge_pairs(c->ctx, type, a, values_a, na, b, values_b, nb, out, value_size, values_out, &options));
}
