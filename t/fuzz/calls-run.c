/* calls-run.c - runs: see calls.h */
#include <string.h>

#include "calls.h"

#define KEYS 3

/* No options, or keys that may lie anywhere. */
static const scankit_run_options *draw_run_options(caller *c, size_t size, scankit_key *keys,
                                                   scankit_run_options *options)
{
    if (fuzz_chance(c->in, 2))
        return NULL;
    *options = (scankit_run_options){keys, fuzz_below(c->in, KEYS + 1)};
    for (size_t k = 0; k < options->key_count; k++)
        keys[k] =
            (scankit_key){.type = draw_type(c), .offset = fuzz_below(c->in, size), .size = fuzz_below(c->in, size + 2)};
    return options;
}

/* What is encoded decodes to the same bytes, if whole elements were compared. */
void call_run_length(caller *c)
{
    scankit_key keys[KEYS];
    scankit_run_options room;
    size_t size = draw_size(c), n = draw_count(c, size + 8), runs = 0, decoded = 0;
    const scankit_run_options *options = draw_run_options(c, size, keys, &room);
    void *in = draw_array(c, n, size), *values = draw_array(c, n, size), *out = draw_array(c, n, size);
    uint64_t *counts = draw_array(c, n, sizeof *counts);
    if (!call_did(scankit_run_length_encode(c->ctx, size, in, values, counts, n, options, &runs)))
        return;
    FUZZ_CHECK(runs <= n && (runs > 0 || n == 0));
    FUZZ_CHECK(call_did(scankit_run_length_decode(c->ctx, size, values, counts, runs, out, n, &decoded)));
    FUZZ_CHECK(decoded == n && (options != NULL || n * size == 0 || memcmp(in, out, n * size) == 0));
    for (size_t r = 0; r < runs; r++) /* counts whose sum may wrap, and little room */
        counts[r] = fuzz_chance(c->in, 8) ? fuzz_number(c->in, 8) : fuzz_number(c->in, 1) % 5;
    if (call_did(scankit_run_length_decode(c->ctx, size, values, counts, runs, out, n, &decoded)))
        FUZZ_CHECK(decoded <= n);
}

void call_unique(caller *c)
{
    scankit_key keys[KEYS];
    scankit_run_options room;
    size_t size = draw_size(c), n = draw_count(c, size), runs = 0, count = 0;
    const scankit_run_options *options = draw_run_options(c, size, keys, &room);
    void *in = draw_array(c, n, size);
    bool did = call_did(scankit_run_length_encode(c->ctx, size, in, NULL, NULL, n, options, &runs));
    void *out = draw_output(c, in, n, size);
    FUZZ_CHECK(call_did(scankit_unique(c->ctx, size, in, out, n, options, &count)) == did && count == runs);
}

void call_reduce_by_key(caller *c)
{
    scankit_key keys[KEYS];
    scankit_run_options room;
    scankit_type type = draw_type(c);
    scankit_operator op = draw_operator(c);
    size_t size = draw_size(c), value_size = scankit_type_size(type), n = draw_count(c, size + value_size), runs = 0;
    const scankit_run_options *options = draw_run_options(c, size, keys, &room);
    void *keys_in = draw_array(c, n, size), *values = draw_array(c, n, value_size);
    void *keys_out = draw_output(c, keys_in, n, size), *values_out = draw_output(c, values, n, value_size);
    if (call_did(
            scankit_reduce_by_key(c->ctx, size, keys_in, type, op, values, keys_out, values_out, n, options, &runs)))
        FUZZ_CHECK(runs <= n && (runs > 0 || n == 0));
}
