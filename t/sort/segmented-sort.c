/* segmented-sort.c - each segment is sorted by itself, stably: lengths of every kind in one call, empty ones, elements
 * outside of segments, keys, pairs and positions. */
#include <stdlib.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Draws the members that are not enumerated. */
static void draw_rest(segmented_sort_case *c, random_state *random)
{
    static const size_t values[] = {0, 0, 0, 4, 8, 1, 2, 3, 12};
    sort_case *s = &c->sort;
    s->seed = random_next(random);
    s->shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    s->value_size = values[random_below(random, sizeof values / sizeof *values)];
    s->options.descending = (int)random_below(random, 2);
    s->keys_in_place = random_next(random) & 1;
    s->values_in_place = random_next(random) & 1;
    c->gaps = random_next(random) & 1;
    c->positions = random_below(random, 4) == 0;
    c->length = 1 + random_below(random, 40);
    bool aligned = random_next(random) & 1;
    for (int i = 0; i < LEADS; i++)
        s->lead[i] = random_below(random, 9) * (i >= VALUES_IN && aligned ? s->value_size : 1);
}

static void every_size(device *d, scankit_type type)
{
    size_list sizes = data_edge_sizes((size_t)1 << 14);
    random_state random = random_seeded(type);
    tap_begin("%s: %s: every size", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 4 * sizes.count; i++) {
        segmented_sort_case c = {.sort = {.type = type, .n = sizes.size[i / 4]}};
        c.lengths = i % 4 == 0 ? LENGTHS_ONE : (segment_lengths)random_below(&random, SEGMENT_LENGTHS_COUNT);
        draw_rest(&c, &random);
        check_segmented_sort(d, &c);
    }
    tap_end();
}

/* More elements than a GPU sorts by slices. The last warp has fewer than 32. */
#define MANY_ELEMENTS ((size_t)1 << 17)
#define MANY ((size_t)8214)

/* Around the longest segment that a thread of a GPU sorts, and the longest that some lanes sort. */
static void every_tiny_length(device *d, scankit_type type)
{
    static const size_t values[] = {0, 4, 8, 1, 3};
    random_state random = random_seeded(3000 + (uint64_t)type);
    tap_begin("%s: %s: every tiny length", d->name, scankit_type_name(type));
    for (size_t length = 1; length <= 34; length++) {
        size_t segments = MANY_ELEMENTS / length > MANY ? MANY_ELEMENTS / length + 22 : MANY;
        segmented_sort_case c = {.sort = {.type = type, .n = segments * length}, .lengths = LENGTHS_SAME};
        draw_rest(&c, &random);
        c.sort.value_size = values[(length + (size_t)type) % (sizeof values / sizeof *values)];
        c.length = length;
        check_segmented_sort(d, &c);
    }
    tap_end();
}

static void check_around(device *d, scankit_type type, size_t edge, size_t elements, random_state *random)
{
    static const size_t values[] = {0, 4, 8, 3};
    for (size_t length = edge - 1; length <= edge + 1; length++) {
        segmented_sort_case c = {.sort = {.type = type}, .lengths = LENGTHS_SAME};
        draw_rest(&c, random);
        c.sort.n = (elements / length + 5) * length;
        c.sort.value_size = values[random_below(random, sizeof values / sizeof *values)];
        c.length = length;
        check_segmented_sort(d, &c);
    }
}

/* Around the longest segments that lanes and blocks of each size sort. More of them than a block takes at a time. */
static void every_edge_length(device *d, scankit_type type)
{
    static const size_t edges[] = {64, 128, 256, 480, 960, 1920, 3840, 7680, 15360};
    random_state random = random_seeded(4000 + (uint64_t)type);
    tap_begin("%s: %s: lengths around edges", d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        check_around(d, type, edges[i], MANY_ELEMENTS, &random);
    tap_end();
}

/* The same for few segments, each of which a block of its own sorts, with a number of elements a thread that depends on
 * the length. */
static void every_length_of_few(device *d, scankit_type type)
{
    random_state random = random_seeded(5000 + (uint64_t)type);
    tap_begin("%s: %s: lengths around edges, few segments", d->name, scankit_type_name(type));
    for (size_t i = 0; i < BLOCK_EDGES; i++)
        check_around(d, type, block_edges[i], 0, &random);
    for (size_t i = 0; i < 24; i++) { /* with some that are too long; one column in place */
        segmented_sort_case c = {.sort = {.type = type, .n = 20000 + 2000 * i}, .lengths = LENGTHS_ANY};
        draw_rest(&c, &random);
        c.sort.value_size = i % 2 == 0 ? 8 : 4;
        c.sort.keys_in_place = i % 4 < 2;
        c.sort.values_in_place = !c.sort.keys_in_place;
        check_segmented_sort(d, &c);
    }
    tap_end();
}

/* Around the longest segments that lanes sort, where a GPU counts the segments of each class first. */
static void edges_of_lanes(device *d)
{
    static const size_t edges[] = {32, 64, 128, 256, 480, 960};
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_I64,
                                         SCANKIT_U16, SCANKIT_F64, SCANKIT_I8};
    random_state random = random_seeded(6500);
    tap_begin("%s: lengths around edges of lanes, many segments", d->name);
    for (size_t i = 0; i < 2 * sizeof edges / sizeof *edges; i++)
        check_around(d, types[i % (sizeof types / sizeof *types)], edges[i / 2], 2200000, &random);
    tap_end();
}

/* More segments than have blocks of their own, and too many elements for the sort of few segments. */
static void edges_of_many(device *d)
{
    static const size_t edges[] = {960, 1920, 3840, 7680};
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F64, SCANKIT_I64, SCANKIT_U64, SCANKIT_F32};
    random_state random = random_seeded(6000);
    tap_begin("%s: lengths around edges, many segments", d->name);
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        check_around(d, i % 2 == 0 ? SCANKIT_U32 : SCANKIT_F64, edges[i], 1300 * edges[i], &random);
        check_around(d, i % 2 == 0 ? SCANKIT_I64 : SCANKIT_F32, edges[i], 5000000, &random);
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        segmented_sort_case c = {.sort = {.type = types[i]}, .lengths = LENGTHS_EDGES};
        draw_rest(&c, &random);
        c.sort.n = 4800017;
        c.sort.value_size = i < 2 ? 0 : i % 2 == 0 ? 4 : 8;
        c.positions = false;
        check_segmented_sort(d, &c);
    }
    tap_end();
}

/* Keys of 1 and 2 bytes, of which a GPU sorts each segment by a block, whatever its length: around the lengths where
 * its threads begin to take more elements, and where it splits a segment tile by tile; few elements and more of them.
 */
static void narrow_keys(device *d, scankit_type type)
{
    static const size_t edges[] = {1,    15,   16,   32,    512,   1536,  3072,  3584,
                                   4608, 6144, 8192, 10240, 12288, 15360, 20480, 65536};
    static const size_t values[] = {0, 4, 8};
    random_state random = random_seeded(8000 + (uint64_t)type);
    tap_begin("%s: %s: narrow keys", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 6 * sizeof edges / sizeof *edges; i++)
        for (size_t elements = 0; elements <= 200000; elements += 200000) {
            segmented_sort_case c = {.sort = {.type = type}, .lengths = LENGTHS_SAME};
            draw_rest(&c, &random);
            c.length = edges[i / 6] + i % 2;
            c.sort.n = (elements / c.length + 1) * c.length;
            c.sort.value_size = values[i / 2 % 3];
            c.sort.keys_in_place = c.sort.keys_in_place && c.sort.value_size == 0;
            c.sort.values_in_place = c.positions = false;
            check_segmented_sort(d, &c);
        }
    for (size_t i = 0; i < 18; i++) { /* with segments that are too long for a block */
        static const segment_lengths lengths[] = {LENGTHS_GIANT, LENGTHS_ANY, LENGTHS_FEW_LONG};
        segmented_sort_case c = {.sort = {.type = type, .n = 700001}, .lengths = lengths[i % 3]};
        draw_rest(&c, &random);
        c.sort.value_size = values[i / 3 % 3];
        c.sort.keys_in_place = c.sort.keys_in_place && c.sort.value_size == 0;
        c.sort.values_in_place = c.positions = false;
        check_segmented_sort(d, &c);
    }
    tap_end();
}

/* The same around the longest segments that a block sorts as one tile, where a GPU's multiprocessors have many each. */
static void many_narrow_keys(device *d)
{
    static const size_t edges[] = {3584, 4608, 6144}, values[] = {8, 4, 0};
    static const scankit_type types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_I16};
    random_state random = random_seeded(8500);
    tap_begin("%s: narrow keys, many segments", d->name);
    for (size_t i = 0; i < 18; i++) {
        segmented_sort_case c = {.sort = {.type = types[i % 3]}, .lengths = LENGTHS_SAME};
        draw_rest(&c, &random);
        c.length = edges[i / 6] + i / 3 % 2;
        c.sort.n = 700 * c.length;
        c.sort.value_size = values[i / 6];
        c.sort.keys_in_place = c.sort.values_in_place = c.positions = false;
        check_segmented_sort(d, &c);
    }
    tap_end();
}

/* Few elements in short segments: a GPU sorts groups of these, and slices with longer ones. */
static void groups(device *d, scankit_type type)
{
    static const segment_lengths lengths[] = {LENGTHS_GROUPS, LENGTHS_MIXED, LENGTHS_WARPS,
                                              LENGTHS_GROUPS, LENGTHS_EMPTY, LENGTHS_GIANT};
    static const size_t values[] = {0, 4, 8};
    random_state random = random_seeded(9000 + (uint64_t)type);
    tap_begin("%s: %s: groups of short segments", d->name, scankit_type_name(type));
    for (size_t length = 1; length <= 42; length++) {
        segmented_sort_case c = {.sort = {.type = type}, .lengths = LENGTHS_SAME};
        draw_rest(&c, &random);
        c.length = length;
        c.sort.n = length + random_below(&random, length % 2 == 0 ? 2000 : 60000);
        c.sort.value_size = values[length % 3];
        check_segmented_sort(d, &c);
    }
    for (size_t i = 0; i < 36; i++) {
        segmented_sort_case c = {.sort = {.type = type}, .lengths = lengths[i % 6]};
        draw_rest(&c, &random);
        c.sort.n = random_size(&random, (size_t)1 << 17);
        c.sort.value_size = values[i / 6 % 3];
        check_segmented_sort(d, &c);
    }
    tap_end();
}

/* Enough for several threads, and for many long segments at once. */
static void every_kind(device *d, scankit_type type)
{
    random_state random = random_seeded(~(uint64_t)type);
    tap_begin("%s: %s: lengths of every kind", d->name, scankit_type_name(type));
    for (int lengths = 0; lengths < SEGMENT_LENGTHS_COUNT; lengths++)
        for (int i = 0; i < 3; i++) {
            segmented_sort_case c = {.sort = {.type = type}, .lengths = (segment_lengths)lengths};
            draw_rest(&c, &random);
            c.sort.n = 300000 + random_below(&random, 100000);
            check_segmented_sort(d, &c);
        }
    tap_end();
}

static void every_shape(device *d, scankit_type type)
{
    static const segment_lengths lengths[] = {LENGTHS_THREADS, LENGTHS_WARPS, LENGTHS_BLOCKS, LENGTHS_LONG,
                                              LENGTHS_ANY};
    random_state random = random_seeded(1000 + (uint64_t)type);
    tap_begin("%s: %s: keys of every kind", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            segmented_sort_case c = {.sort = {.type = type, .n = 30011}};
            c.lengths = lengths[i];
            draw_rest(&c, &random);
            c.sort.shape = (data_shape)shape;
            check_segmented_sort(d, &c);
        }
    tap_end();
}

/* A GPU splits these by samples of their keys: keys that are frequent, or close to each other, are the hard ones. */
static void every_shape_of_long(device *d, scankit_type type)
{
    random_state random = random_seeded(2000 + (uint64_t)type);
    tap_begin("%s: %s: long segments of keys of every kind", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
        segmented_sort_case c = {.sort = {.type = type}, .lengths = LENGTHS_LONGER};
        draw_rest(&c, &random);
        c.sort.n = 350000 + random_below(&random, 50000);
        c.sort.shape = (data_shape)shape;
        check_segmented_sort(d, &c);
    }
    tap_end();
}

/* Segments whose parts are still long after a split. */
static void every_round(device *d)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_DENSE, DATA_ZIPF};
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_I64};
    random_state random = random_seeded(9);
    tap_begin("%s: segments of more than a million elements", d->name);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        segmented_sort_case c = {.sort = {.type = types[i]}, .lengths = LENGTHS_VAST};
        draw_rest(&c, &random);
        c.sort.n = 6000000;
        c.sort.shape = shapes[i];
        c.sort.value_size = i % 2 == 0 ? 0 : 4;
        check_segmented_sort(d, &c);
    }
    tap_end();
}

/* The place of a long segment that a GPU samples: see cuda/sort/survey/jitter.cuh. */
static uint32_t sampled_place(uint32_t i, uint32_t n, uint32_t samples)
{
    uint32_t hash = (i ^ i >> 16) * 0x7feb352du;
    hash = (hash ^ hash >> 15) * 0x846ca68bu;
    hash ^= hash >> 16;
    return i * n / samples + (uint32_t)((uint64_t)hash * (n / samples) >> 32);
}

/* One segment whose sampled keys are greater than all others: one slice has to sort these. spread: of the others.
 * Slices sort the positions, and the keys alone only in a CUDA graph. */
static void check_misled_samples(device *d, uint32_t n, uint64_t spread, bool in_place)
{
    const uint32_t shares = (n - 1) / 384, most = 1280 / shares, samples = shares * (most < 8 ? most : 8);
    const uint64_t offsets[2] = {0, n};
    uint64_t *keys = data_allocate(n, 8), *positions = data_allocate(n, 8), *sorted = data_allocate(n, 8);
    random_state random = random_seeded(n + spread);
    tap_case("n %u, spread %llu", n, (unsigned long long)spread);
    for (uint32_t i = 0; i < n; i++)
        keys[i] = random_below(&random, spread);
    for (uint32_t i = 0; i < samples; i++)
        keys[sampled_place(i, n, samples)] = UINT64_MAX - random_below(&random, 1000);
    oracle_argsort(SCANKIT_U64, NULL, keys, positions, n);
    oracle_gather(8, keys, positions, sorted, n);
    const void *in = device_put(d, KEYS_IN, keys, n * sizeof *keys, 0);
    void *out = in_place ? d->area[KEYS_IN].data : device_put(d, KEYS_OUT, NULL, n * sizeof *keys, 8);
    const uint64_t *marks = device_put(d, VALUES_IN, offsets, sizeof offsets, 0);
    if (DEVICE_DID(d, scankit_segmented_sort(d->context, SCANKIT_U64, in, out, n, marks, 1, NULL)))
        device_expect(d, in_place ? KEYS_IN : KEYS_OUT, sorted, n, 8, "keys");
    uint64_t *places = device_put(d, VALUES_OUT, NULL, n * sizeof *places, 0);
    in = device_put(d, KEYS_IN, keys, n * sizeof *keys, 0);
    if (DEVICE_DID(d, scankit_segmented_argsort(d->context, SCANKIT_U64, in, places, n, marks, 1, NULL)))
        device_expect(d, VALUES_OUT, positions, n, 8, "positions");
    free(keys);
    free(positions);
    free(sorted);
}

static void misled_samples(device *d)
{
    tap_begin("%s: samples that tell nothing", d->name);
    for (uint64_t spread = 1; spread < UINT64_MAX / 1000; spread *= 1000)
        for (int in_place = 0; in_place < 2; in_place++) {
            check_misled_samples(d, 16000, spread, in_place);
            check_misled_samples(d, 60001, spread, in_place);
        }
    tap_end();
}

static void some_bits(device *d, scankit_type type)
{
    const unsigned bits = (unsigned)(8 * oracle_size(type));
    random_state random = random_seeded(type);
    tap_begin("%s: %s: some bits of the keys", d->name, scankit_type_name(type));
    for (unsigned begin = 0; begin < bits; begin += 3)
        for (unsigned end = begin + 1; end <= bits; end += 5) {
            segmented_sort_case c = {.sort = {.type = type, .n = 3000}, .lengths = LENGTHS_ANY};
            draw_rest(&c, &random);
            c.sort.options.begin_bit = begin;
            c.sort.options.end_bit = end;
            check_segmented_sort(d, &c);
        }
    tap_end();
}

static void large(device *d)
{
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_I64};
    random_state random = random_seeded(7);
    tap_begin("%s: millions of elements", d->name);
    for (int lengths = 0; lengths < SEGMENT_LENGTHS_COUNT; lengths++) {
        segmented_sort_case c = {.sort = {.type = types[lengths % 3]}, .lengths = (segment_lengths)lengths};
        draw_rest(&c, &random);
        c.sort.n = lengths % 4 < 2 ? 2000003 : 5000011; /* above 2^21, a GPU counts the segments first */
        c.sort.value_size = lengths % 2 == 0 ? 0 : 4;
        check_segmented_sort(d, &c);
    }
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        every_size(d, (scankit_type)type);
        every_tiny_length(d, (scankit_type)type);
        every_edge_length(d, (scankit_type)type);
        every_length_of_few(d, (scankit_type)type);
        every_kind(d, (scankit_type)type);
        every_shape(d, (scankit_type)type);
        groups(d, (scankit_type)type);
        if (oracle_size((scankit_type)type) <= 2)
            narrow_keys(d, (scankit_type)type);
    }
    every_shape_of_long(d, SCANKIT_U8);
    every_shape_of_long(d, SCANKIT_I32);
    every_shape_of_long(d, SCANKIT_F64);
    if (!scankit_is_host(d->context)) {
        edges_of_lanes(d);
        many_narrow_keys(d);
    }
    edges_of_many(d);
    every_round(d);
    misled_samples(d);
    some_bits(d, SCANKIT_I32);
    some_bits(d, SCANKIT_U64);
    large(d);
}

int main(void)
{
    return device_each("segmented sort", test);
}
