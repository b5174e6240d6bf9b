/* case-segmented-sort.c - the segmented sorts against the oracle, a segment at a time: see cases.h */
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "oracle.h"
#include "tap.h"

/* An area of the device, behind the areas of a sort. */
enum { OFFSETS = LEADS };

static const char *lengths_name(segment_lengths lengths)
{
    static const char *const names[] = {
#define X(enumerator, name) name,
        SEGMENT_LENGTHS(X)
#undef X
    };
    return names[lengths];
}

const size_t block_edges[BLOCK_EDGES] = {512, 1024, 2048, 3072, 4096, 6144, 8192, 11264, 15360};

/* A GPU sorts short segments in groups of neighbours: around the most elements of a group, 1024, and of a segment, 384.
 */
static size_t grouped_length(size_t segment, random_state *random)
{
    size_t kind = segment / 64 % 4, extra = segment / 256 % 3, i = segment % 64;
    if (i >= 4)
        return kind % 2 * random_below(random, 3);
    switch (kind) {
    case 0: return i < 3 ? 256 : 255 + extra;
    case 1: return i < 1 ? 383 + extra : random_below(random, 10);
    case 2: return i < 3 ? 341 : extra;
    default: return random_below(random, 64);
    }
}

/* segment: its number. */
static size_t draw_length(const segmented_sort_case *c, size_t segment, random_state *random)
{
    size_t n = c->sort.n;
    switch (c->lengths) {
    case LENGTHS_ONE: return n;
    case LENGTHS_SINGLE: return 1;
    case LENGTHS_TINY: return random_below(random, 4);
    case LENGTHS_THREADS: return random_below(random, 18);
    case LENGTHS_SAME: return c->length;
    case LENGTHS_WARPS: return random_below(random, 70);
    case LENGTHS_BLOCKS: return 200 + random_below(random, 4200);
    case LENGTHS_LONG: return 4097 + random_below(random, 6000);
    case LENGTHS_LONGER: return 8000 + random_below(random, 52001);
    case LENGTHS_VAST: return 1400000 + random_below(random, 200001);
    case LENGTHS_MIXED: return random_below(random, 128) == 0 ? random_below(random, 20001) : random_below(random, 17);
    case LENGTHS_GIANT: return random_below(random, 64) == 0 ? n / 2 : random_below(random, 51);
    case LENGTHS_FEW_LONG:
        return random_below(random, 32) == 0 ? random_below(random, 40001) : 1000 + random_below(random, 2000);
    case LENGTHS_EDGES:
        return random_below(random, 2) == 0
                   ? random_below(random, 40)
                   : block_edges[random_below(random, BLOCK_EDGES)] + random_below(random, 3) - 1;
    case LENGTHS_GROUPS: return grouped_length(segment, random);
    case LENGTHS_EMPTY: return random_below(random, 50) == 0 ? random_below(random, 100) : 0;
    default: return random_size(random, n + 1);
    }
}

/* Segments from the front on, until they are n elements or some are left. Returns their number. */
static size_t make_offsets(const segmented_sort_case *c, uint64_t *offsets, size_t room)
{
    random_state random = random_seeded(~c->sort.seed);
    size_t n = c->sort.n, front = c->gaps ? random_below(&random, n / 8 + 2) : 0, segments = 0;
    size_t back = c->gaps ? random_below(&random, n / 8 + 2) : 0;
    size_t at = front < n ? front : n, end = n - at < back ? n : n - back;
    offsets[0] = at;
    while (at < end && segments + 2 < room) {
        size_t length = draw_length(c, segments, &random);
        at += length < end - at ? length : end - at;
        offsets[++segments] = at;
    }
    return segments;
}

static void expect_positions(const segmented_sort_case *c, const char *keys, const uint64_t *offsets, size_t segments,
                             uint64_t *positions)
{
    size_t size = oracle_size(c->sort.type);
    for (size_t i = 0; i < c->sort.n; i++)
        positions[i] = i;
    for (size_t s = 0; s < segments; s++) {
        uint64_t begin = offsets[s], n = offsets[s + 1] - begin;
        oracle_argsort(c->sort.type, &c->sort.options, keys + begin * size, positions + begin, n);
        for (uint64_t i = begin; i < begin + n; i++)
            positions[i] += begin;
    }
}

static void expect_column(device *d, const segmented_sort_case *c, unsigned in, bool in_place, const char *before,
                          const uint64_t *positions, size_t size)
{
    char *expected = data_allocate(c->sort.n, size);
    oracle_gather(size, before, positions, expected, c->sort.n);
    device_expect(d, in_place ? in : in + 1, expected, c->sort.n, size, in == KEYS_IN ? "keys" : "values");
    if (!in_place)
        device_expect(d, in, before, c->sort.n, size, in == KEYS_IN ? "keys in" : "values in");
    free(expected);
}

static void *put_out(device *d, bool in_place, unsigned in, size_t bytes, size_t lead)
{
    return in_place ? d->area[in].data : device_put(d, in + 1, NULL, bytes, lead);
}

static void check_columns(device *d, const segmented_sort_case *c, const char *keys, const uint64_t *marks,
                          size_t segments, const uint64_t *positions)
{
    const sort_case *s = &c->sort;
    size_t size = oracle_size(s->type), n = s->n, v = s->value_size;
    char *values = data_allocate(n, v);
    data_fill_bytes(values, n * v, ~s->seed);
    const void *keys_in = device_put(d, KEYS_IN, keys, n * size, s->lead[KEYS_IN] * size);
    void *keys_out = put_out(d, s->keys_in_place, KEYS_IN, n * size, s->lead[KEYS_OUT] * size);
    bool did;
    if (v == 0) {
        did = DEVICE_DID(
            d, scankit_segmented_sort(d->context, s->type, keys_in, keys_out, n, marks, segments, &s->options));
    } else {
        const void *values_in = device_put(d, VALUES_IN, values, n * v, s->lead[VALUES_IN]);
        void *values_out = put_out(d, s->values_in_place, VALUES_IN, n * v, s->lead[VALUES_OUT]);
        did = DEVICE_DID(d, scankit_segmented_sort_pairs(d->context, s->type, keys_in, keys_out, v, values_in,
                                                         values_out, n, marks, segments, &s->options));
    }
    if (did)
        expect_column(d, c, KEYS_IN, s->keys_in_place, keys, positions, size);
    if (did && v > 0)
        expect_column(d, c, VALUES_IN, s->values_in_place, values, positions, v);
    free(values);
}

static void check_positions(device *d, const segmented_sort_case *c, const char *keys, const uint64_t *marks,
                            size_t segments, const uint64_t *positions)
{
    const sort_case *s = &c->sort;
    size_t size = oracle_size(s->type), n = s->n;
    const void *in = device_put(d, KEYS_IN, keys, n * size, s->lead[KEYS_IN] * size);
    uint64_t *out = device_put(d, VALUES_OUT, NULL, n * 8, s->lead[VALUES_OUT] * 8);
    if (DEVICE_DID(d, scankit_segmented_argsort(d->context, s->type, in, out, n, marks, segments, &s->options))) {
        device_expect(d, VALUES_OUT, positions, n, 8, "positions");
        device_expect(d, KEYS_IN, keys, n, size, "keys in");
    }
}

void check_segmented_sort(device *d, const segmented_sort_case *c)
{
    const sort_case *s = &c->sort;
    if (!device_case_is_due())
        return;
    size_t size = oracle_size(s->type), n = s->n, room = 4 * n + 70;
    char *keys = data_allocate(n, size);
    uint64_t *offsets = data_allocate(room, 8), *positions = data_allocate(n, 8);
    tap_case("segmented %s %s%s bits %u-%u n %zu value %zu%s%s, lengths %s%s, shape %s seed %llu",
             c->positions ? "argsort" : "sort", scankit_type_name(s->type), s->options.descending ? " descending" : "",
             s->options.begin_bit, s->options.end_bit, n, s->value_size, s->keys_in_place ? " keys in place" : "",
             s->values_in_place ? " values in place" : "", lengths_name(c->lengths), c->gaps ? " with gaps" : "",
             data_shape_name(s->shape), (unsigned long long)s->seed);
    data_fill(keys, s->type, s->shape, n, s->seed);
    size_t segments = make_offsets(c, offsets, room);
    expect_positions(c, keys, offsets, segments, positions);
    const uint64_t *marks = device_put(d, OFFSETS, offsets, (segments + 1) * 8, (s->seed % 3) * 8);
    if (c->positions)
        check_positions(d, c, keys, marks, segments, positions);
    else
        check_columns(d, c, keys, marks, segments, positions);
    device_expect(d, OFFSETS, offsets, segments + 1, 8, "offsets");
    free(keys);
    free(offsets);
    free(positions);
}
