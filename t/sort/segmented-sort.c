/* segmented-sort.c - each segment is sorted by itself, stably: lengths of every kind in one call, empty ones, elements
 * outside of segments, keys, pairs and positions. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

/* Draws the members that are not enumerated. */
static void draw_rest(segmented_sort_case *c, random_state *random)
{
    static const size_t values[] = {0, 0, 4, 8, 3, 12};
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

/* More segments than a GPU sorts without lists. The last warp has fewer than 32. */
#define MANY ((size_t)2070)

/* Around the longest segment that a thread of a GPU sorts, and the longest that some lanes sort. */
static void every_tiny_length(device *d, scankit_type type)
{
    static const size_t values[] = {0, 4, 8, 3};
    random_state random = random_seeded(3000 + (uint64_t)type);
    tap_begin("%s: %s: every tiny length", d->name, scankit_type_name(type));
    for (size_t length = 1; length <= 34; length++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            segmented_sort_case c = {.sort = {.type = type, .n = MANY * length}, .lengths = LENGTHS_SAME};
            draw_rest(&c, &random);
            c.sort.value_size = values[i];
            c.length = length;
            check_segmented_sort(d, &c);
        }
    tap_end();
}

/* Around the longest segments that lanes and blocks of each size sort. More of them than a block takes at a time. */
static void every_edge_length(device *d, scankit_type type)
{
    static const size_t edges[] = {64, 128, 256, 480, 960, 1920, 3840, 7680, 15360}, values[] = {0, 4, 8, 3};
    random_state random = random_seeded(4000 + (uint64_t)type);
    tap_begin("%s: %s: lengths around edges", d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        for (size_t length = edges[i] - 1; length <= edges[i] + 1; length++) {
            segmented_sort_case c = {.sort = {.type = type}, .lengths = LENGTHS_SAME};
            draw_rest(&c, &random);
            c.sort.n = (edges[i] <= 960 ? 35 : 5) * length;
            c.sort.value_size = values[length % 4];
            c.length = length;
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
    random_state random = random_seeded(9);
    tap_begin("%s: segments of more than a million elements", d->name);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        segmented_sort_case c = {.sort = {.type = SCANKIT_U32}, .lengths = LENGTHS_VAST};
        draw_rest(&c, &random);
        c.sort.n = 6000000;
        c.sort.shape = shapes[i];
        c.sort.value_size = i % 2 == 0 ? 0 : 4;
        check_segmented_sort(d, &c);
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
    random_state random = random_seeded(7);
    tap_begin("%s: millions of elements", d->name);
    for (int lengths = 0; lengths < SEGMENT_LENGTHS_COUNT; lengths++) {
        segmented_sort_case c = {.sort = {.type = SCANKIT_U32}, .lengths = (segment_lengths)lengths};
        draw_rest(&c, &random);
        c.sort.n = lengths % 4 < 2 ? 3000017 : 5000011; /* from 2^22 on, a GPU counts the segments first */
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
        every_kind(d, (scankit_type)type);
        every_shape(d, (scankit_type)type);
    }
    every_shape_of_long(d, SCANKIT_U8);
    every_shape_of_long(d, SCANKIT_I32);
    every_shape_of_long(d, SCANKIT_F64);
    every_round(d);
    some_bits(d, SCANKIT_I32);
    some_bits(d, SCANKIT_U64);
    large(d);
}

int main(void)
{
    return device_each("segmented sort", test);
}
