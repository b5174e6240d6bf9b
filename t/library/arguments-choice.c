/* arguments-choice.c - wrong arguments of compaction and of runs: see arguments.c */
#include "arguments.h"

void refused_compactions(void)
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

void refused_encodings(void)
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

void refused_decodings(void)
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
