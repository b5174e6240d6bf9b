/* calls.c - scans, splits, compactions, runs, histograms. */
#include "calls.h"

#include <string.h>

/* ---- scans ---- */

static scankit_error scan(place *p)
{
    return place_has(
        p, p->n * p->size, 0,
        scankit_scan(p->context, p->type, place_operator(p), SCANKIT_EXCLUSIVE, NULL, p->in, p->out, p->n));
}

static scankit_error reduce(place *p)
{
    return place_has(p, 0, 0, scankit_reduce(p->context, p->type, place_operator(p), p->in, p->host, p->n));
}

static scankit_error reduce_to(place *p)
{
    return place_has(p, p->size, 0, scankit_reduce_to(p->context, p->type, place_operator(p), p->in, p->out, p->n));
}

static scankit_error segmented_scan(place *p)
{
    return place_has(p, p->n * p->size, 0,
                     scankit_segmented_scan(p->context, p->type, place_operator(p), SCANKIT_INCLUSIVE, NULL, p->in,
                                            p->flags, p->out, p->n));
}

static scankit_error segmented_reduce(place *p)
{
    return place_has(
        p, p->segments * p->size, 0,
        scankit_segmented_reduce(p->context, p->type, place_operator(p), p->in, p->offsets, p->out, p->segments));
}

/* ---- splits ---- */

static scankit_error split(place *p)
{
    return place_has(p, p->n * p->size, 0, scankit_split(p->context, p->type, p->in, p->out, p->n, 0, 8, NULL));
}

static scankit_error split_with_offsets(place *p)
{
    size_t offsets[9];
    scankit_error error = scankit_split(p->context, p->type, p->in, p->out, p->n, 0, 3, offsets);
    for (int i = 0; i < 8; i++)
        p->host[i] = offsets[i];
    return place_has(p, p->n * p->size, 0, error);
}

static scankit_error split_pairs(place *p)
{
    return place_has(p, p->n * p->size, p->n * 4,
                     scankit_split_pairs(p->context, p->type, p->in, p->out, 4, p->values, p->more, p->n, 0, 4, NULL));
}

static scankit_error split_odd_pairs(place *p)
{
    return place_has(p, p->n * p->size, p->n * 3,
                     scankit_split_pairs(p->context, p->type, p->in, p->out, 3, p->values, p->more, p->n, 0, 4, NULL));
}

static scankit_error split_flags(place *p)
{
    return place_has(p, p->n * p->size, 0,
                     scankit_split_flags(p->context, p->size, p->in, p->flags, p->out, p->n, NULL));
}

/* ---- compaction ---- */

static scankit_error answered(place *p, size_t size, size_t more_size, size_t count, scankit_error error)
{
    p->host[0] = count;
    return place_has(p, count * size, count * more_size, error);
}

static const scankit_compact_options interpreted = {.evaluation = SCANKIT_INTERPRET};

static scankit_error compact(place *p)
{
    size_t count = 0;
    scankit_error error = scankit_compact(p->context, p->predicate, p->in, p->out, p->n, &interpreted, &count);
    return answered(p, p->size, 0, count, error);
}

static scankit_error compact_without_count(place *p)
{
    return place_has(p, p->n * p->size, 0,
                     scankit_compact(p->context, p->predicate, p->in, p->out, p->n, &interpreted, NULL));
}

static scankit_error split_predicate(place *p)
{
    return place_has(
        p, p->n * p->size, p->n * p->size,
        scankit_split_predicate(p->context, p->predicate, p->in, p->out, p->more, p->n, &interpreted, NULL));
}

static scankit_error positions(place *p)
{
    size_t count = 0;
    scankit_error error =
        scankit_compact_positions(p->context, p->predicate, p->in, p->out, p->n, &interpreted, &count);
    return answered(p, 8, 0, count, error);
}

static scankit_error compact_flags(place *p)
{
    size_t count = 0;
    scankit_error error = scankit_compact_flags(p->context, p->size, p->in, p->flags, p->out, p->n, NULL, &count);
    return answered(p, p->size, 0, count, error);
}

static scankit_error compact_flags_quietly(place *p)
{
    return place_has(p, p->n * p->size, 0,
                     scankit_compact_flags(p->context, p->size, p->in, p->flags, p->out, p->n, NULL, NULL));
}

static scankit_error compact_long(place *p)
{
    size_t count = 0, n = p->n * 16 / LONG_ELEMENT;
    scankit_error error = scankit_compact_flags(p->context, LONG_ELEMENT, p->in, p->flags, p->out, n, NULL, &count);
    return answered(p, LONG_ELEMENT, 0, count, error);
}

static scankit_error flag_positions(place *p)
{
    size_t count = 0;
    scankit_error error = scankit_compact_flags_positions(p->context, p->flags, p->out, p->n, NULL, &count);
    return answered(p, 8, 0, count, error);
}

/* ---- runs ---- */

static scankit_error encode(place *p)
{
    size_t runs = 0;
    scankit_error error = scankit_run_length_encode(p->context, p->size, p->in, p->out, p->more, p->n, NULL, &runs);
    return answered(p, p->size, 8, runs, error);
}

static scankit_error encode_quietly(place *p)
{
    return place_has(p, p->n * p->size, p->n * 8,
                     scankit_run_length_encode(p->context, p->size, p->in, p->out, p->more, p->n, NULL, NULL));
}

static scankit_error encode_by_keys(place *p)
{
    const scankit_key keys[] = {{.offset = 1, .type = SCANKIT_U8}};
    const scankit_run_options options = {keys, 1};
    size_t runs = 0;
    scankit_error error = scankit_run_length_encode(p->context, 3, p->in, p->out, p->more, p->n, &options, &runs);
    return answered(p, 3, 8, runs, error);
}

static scankit_error encode_long(place *p)
{
    size_t runs = 0, n = p->n * 16 / LONG_ELEMENT;
    scankit_error error = scankit_run_length_encode(p->context, LONG_ELEMENT, p->in, p->out, p->more, n, NULL, &runs);
    return answered(p, LONG_ELEMENT, 8, runs, error);
}

static scankit_error unique(place *p)
{
    size_t count = 0;
    scankit_error error = scankit_unique(p->context, p->size, p->in, p->out, p->n, NULL, &count);
    return answered(p, p->size, 0, count, error);
}

static scankit_error reduce_by_key(place *p)
{
    size_t runs = 0;
    scankit_error error = scankit_reduce_by_key(p->context, p->size, p->in, SCANKIT_U32, SCANKIT_SUM, p->values, p->out,
                                                p->more, p->n, NULL, &runs);
    return answered(p, p->size, 4, runs, error);
}

static scankit_error reduce_by_key_quietly(place *p)
{
    return place_has(p, p->n * p->size, p->n * 4,
                     scankit_reduce_by_key(p->context, p->size, p->in, SCANKIT_U32, SCANKIT_SUM, p->values, p->out,
                                           p->more, p->n, NULL, NULL));
}

static scankit_error decode(place *p)
{
    size_t n = 0;
    scankit_error error = scankit_run_length_decode(p->context, p->size, p->in, p->counts, p->n / 4, p->out, p->n, &n);
    return answered(p, p->size, 0, n, error);
}

static scankit_error decode_odd(place *p)
{
    size_t n = 0;
    scankit_error error = scankit_run_length_decode(p->context, 12, p->in, p->counts, p->n / 4, p->out, p->n, &n);
    return answered(p, 12, 0, n, error);
}

/* ---- histograms ---- */

static scankit_error histogram(place *p, const scankit_bins *bins, scankit_type weight_type, const void *weights)
{
    return place_has(p, bins->count * 8, 0,
                     scankit_histogram(p->context, p->type, p->in, p->n, bins, weight_type, weights, p->out));
}

static scankit_error histogram_even(place *p)
{
    const scankit_bins bins = {.kind = SCANKIT_BINS_EVEN, .count = 100, .low = 0, .high = 200};
    return histogram(p, &bins, SCANKIT_U8, NULL);
}

static scankit_error histogram_many(place *p)
{
    const scankit_bins bins = {.kind = SCANKIT_BINS_EVEN, .count = p->n < 1000 ? 1 : p->n / 8, .low = 0, .high = 255};
    return histogram(p, &bins, SCANKIT_U32, p->values);
}

static scankit_error histogram_of_floats(place *p)
{
    const scankit_bins bins = {.kind = SCANKIT_BINS_EVEN, .count = 50, .low = 0, .high = 200};
    return histogram(p, &bins, SCANKIT_F32, p->values);
}

static scankit_error histogram_by_edges(place *p)
{
    uint64_t edges[5] = {0};
    const scankit_bins bins = {.kind = SCANKIT_BINS_EDGES, .count = 4, .edges = edges};
    return histogram(p, &bins, SCANKIT_U8, NULL);
}

const workspace_call array_calls[] = {
    {"scan", scan, false, false},
    {"reduce", reduce, true, false},
    {"reduce to device memory", reduce_to, false, false},
    {"segmented scan", segmented_scan, false, false},
    {"segmented reduce", segmented_reduce, false, false},
    {"split", split, false, false},
    {"split with offsets", split_with_offsets, true, false},
    {"split of pairs", split_pairs, false, false},
    {"split of odd pairs", split_odd_pairs, false, false},
    {"split by flags", split_flags, false, false},
    {"compact", compact, true, false},
    {"compact without a count", compact_without_count, false, false},
    {"split by a predicate", split_predicate, false, false},
    {"positions", positions, true, false},
    {"compact by flags", compact_flags, true, false},
    {"compact by flags without a count", compact_flags_quietly, false, false},
    {"compact long elements", compact_long, true, false},
    {"positions of flags", flag_positions, true, false},
    {"encode", encode, true, false},
    {"encode without a count", encode_quietly, false, false},
    {"encode by keys", encode_by_keys, true, false},
    {"encode long elements", encode_long, true, false},
    {"unique", unique, true, false},
    {"reduce by key", reduce_by_key, true, false},
    {"reduce by key without a count", reduce_by_key_quietly, false, false},
    {"decode", decode, true, false},
    {"decode odd elements", decode_odd, true, false},
    {"histogram", histogram_even, false, false},
    {"histogram of many bins", histogram_many, false, false},
    {"histogram of float weights", histogram_of_floats, false, false},
    {"histogram by edges", histogram_by_edges, false, false},
    {NULL, NULL, false, false},
};
