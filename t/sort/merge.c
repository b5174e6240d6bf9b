/* merge.c - merges two sorted arrays, with equals of the first array first: keys and pairs, of any lengths,
 * overlapping in any way. */
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static const struct {
    size_t na, nb;
} lengths[] = {{0, 0},    {0, 1},     {1, 0},       {1, 1},      {2, 3},       {0, 1000},
               {1000, 0}, {255, 257}, {1000, 1},    {1, 1000},   {4096, 4096}, {4097, 4095},
               {5000, 7}, {7, 5000},  {3000, 3001}, {9000, 100}, {100, 9000}};
#define LENGTHS (sizeof lengths / sizeof *lengths)

static void every_deal(device *d, scankit_type type, size_t value_size)
{
    random_state random = random_seeded(type);
    tap_begin("%s: %s%s: overlapping in any way", d->name, scankit_type_name(type), value_size > 0 ? " pairs" : "");
    for (size_t l = 0; l < LENGTHS; l++)
        for (int deal = 0; deal < DEAL_COUNT; deal++) {
            merge_case c = {.type = type, .deal = (merge_deal)deal, .na = lengths[l].na, .nb = lengths[l].nb};
            c.shape = (data_shape)random_below(&random, DATA_SHAPE_COUNT);
            c.options.descending = random_below(&random, 3) == 0;
            c.lead = random_next(&random) & 1 ? random_below(&random, 6) : 0;
            c.value_size = value_size;
            c.seed = random_next(&random);
            check_merge(d, &c);
        }
    tap_end();
}

/* All keys are equal: only the values show that a's elements come first. */
static void stability(device *d, scankit_type type)
{
    static const data_shape shapes[] = {DATA_EQUAL, DATA_SIXTEEN, DATA_ZIPF, DATA_SPECIAL};
    static const size_t value_sizes[] = {1, 2, 4, 8, 12, 100};
    tap_begin("%s: %s: stable, values of any size", d->name, scankit_type_name(type));
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t v = 0; v < sizeof value_sizes / sizeof *value_sizes; v++)
            for (int descending = 0; descending < 2; descending++) {
                merge_case c = {.type = type, .shape = shapes[s], .na = 901 + 100 * s, .nb = 800, .seed = s * 8 + v};
                c.value_size = value_sizes[v];
                c.options.descending = descending;
                check_merge(d, &c);
            }
    tap_end();
}

static void bits(device *d, scankit_type type)
{
    unsigned width = oracle_bits(type);
    tap_begin("%s: %s: by a range of bits", d->name, scankit_type_name(type));
    for (unsigned begin = 0; begin < width; begin += width / 4)
        for (unsigned end = begin + 1; end <= width; end += width / 4 - 1)
            for (int pairs = 0; pairs < 2; pairs++) {
                merge_case c = {.type = type, .shape = DATA_BITS, .na = 1500, .nb = 1501, .value_size = pairs ? 4 : 0};
                c.options.begin_bit = begin;
                c.options.end_bit = end;
                c.options.descending = (int)(end % 2);
                c.seed = begin * 64 + end;
                check_merge(d, &c);
            }
    tap_end();
}

/* Draws the other members of a case. */
static void check_drawn(device *d, merge_case c, random_state *random)
{
    c.deal = (merge_deal)random_below(random, DEAL_COUNT);
    c.shape = (data_shape)random_below(random, DATA_SHAPE_COUNT);
    c.options.descending = random_below(random, 2) == 0;
    c.lead = random_below(random, 17);
    c.seed = random_next(random);
    check_merge(d, &c);
}

/* Windows of 256 and 512 keys and tiles of 2048 and 4096: one more and one less, of a, of b and of both. */
static void edges(device *d, scankit_type type)
{
    static const size_t totals[] = {256, 512, 2048, 4096, 8192, 12288};
    random_state random = random_seeded(type);
    tap_begin("%s: %s: lengths close to windows and tiles", d->name, scankit_type_name(type));
    for (size_t t = 0; t < sizeof totals / sizeof *totals; t++)
        for (size_t n = totals[t] - 1; n <= totals[t] + 1; n++) {
            const size_t lengths_a[] = {0, 1, n / 2, n / 2 + 1, n - 1, n};
            for (size_t l = 0; l < sizeof lengths_a / sizeof *lengths_a; l++) {
                merge_case c = {.type = type, .na = lengths_a[l], .nb = n - lengths_a[l]};
                check_drawn(d, c, &random);
            }
        }
    tap_end();
}

/* The same for tiles of pairs: 256 threads with 9 and with 15 outputs. */
static void edges_of_pairs(device *d, scankit_type type)
{
    static const size_t totals[] = {9, 15, 2304, 3840, 4608, 7680}, value_sizes[] = {1, 2, 4, 8};
    random_state random = random_seeded(type);
    tap_begin("%s: %s: pairs, lengths close to tiles", d->name, scankit_type_name(type));
    for (size_t t = 0; t < sizeof totals / sizeof *totals; t++)
        for (size_t n = totals[t] - 1; n <= totals[t] + 1; n++) {
            const size_t lengths_a[] = {0, 1, n / 2, n - 1, n};
            for (size_t l = 0; l < sizeof lengths_a / sizeof *lengths_a; l++) {
                merge_case c = {.type = type, .na = lengths_a[l], .nb = n - lengths_a[l]};
                c.value_size = value_sizes[random_below(&random, 4)];
                check_drawn(d, c, &random);
            }
        }
    tap_end();
}

/* Several threads and many tiles, also with almost all elements in one array. */
static void large(device *d, scankit_type type, size_t value_size)
{
    tap_begin("%s: %s%s: large arrays", d->name, scankit_type_name(type), value_size > 0 ? " pairs" : "");
    for (int deal = 0; deal < DEAL_COUNT; deal++) {
        merge_case c = {.type = type, .deal = (merge_deal)deal, .na = 200009, .nb = 130007, .value_size = value_size};
        if (deal == 0 && value_size == 0) /* written around the caches */
            c.na = c.nb = ((size_t)5 << 20) / oracle_size(type) + 3;
        c.shape = deal % 2 == 0 ? DATA_UNIFORM : DATA_ZIPF;
        check_merge(d, &c);
        c.shape = DATA_SPECIAL;
        c.lead = 1 + (size_t)deal;
        c.options.descending = deal % 2;
        *(deal < 2 ? &c.na : &c.nb) = 3;
        check_merge(d, &c);
    }
    tap_end();
}

/* From 64 MiB of keys on, or 2^23 pairs, or 2^24 with keys of 1 or 2 bytes, a GPU finds where all tiles begin before it
 * merges. */
static void many_tiles(device *d, scankit_type type, size_t value_size)
{
    const size_t size = oracle_size(type), pairs = (size_t)(size < 4 ? 16 : 8) << 20;
    const size_t n = (value_size > 0 ? pairs : ((size_t)64 << 20) / size) + 12345;
    const int step = value_size > 0 ? 3 : 1;
    if (strncmp(d->name, "cuda", 4) != 0)
        return;
    tap_begin("%s: %s%s: tiles whose begins are found before", d->name, scankit_type_name(type),
              value_size > 0 ? " pairs" : "");
    for (int deal = 0; deal < DEAL_COUNT; deal += step) {
        merge_case c = {.type = type, .deal = (merge_deal)deal, .na = n / 3, .lead = 1 + (size_t)deal, .seed = n};
        c.value_size = value_size;
        c.nb = n - c.na;
        c.shape = deal % 2 == 0 ? DATA_UNIFORM : DATA_ZIPF;
        c.options.descending = deal % 2;
        check_merge(d, &c);
    }
    tap_end();
}

/* From 5 * 2^20 keys of 8 bytes on that are not words, they are merged as pairs are. */
static void mapped(device *d, scankit_type type)
{
    if (strncmp(d->name, "cuda", 4) != 0)
        return;
    tap_begin("%s: %s: merged one by one", d->name, scankit_type_name(type));
    for (int deal = 0; deal < DEAL_COUNT; deal += 2) {
        merge_case c = {.type = type, .deal = (merge_deal)deal, .na = 1 << 20, .nb = (4 << 20) + 777, .seed = 5};
        c.shape = deal == 0 ? DATA_UNIFORM : DATA_SPECIAL;
        c.lead = (size_t)deal;
        check_merge(d, &c);
    }
    tap_end();
}

/* Every element of the result is one of the inputs', which are not changed. Each width of key has a path of its own. */
static void unsorted(device *d, scankit_type type)
{
    enum { NA = 70001, NB = 50021, AREA_A = 0, AREA_B, AREA_OUT };
    static uint16_t a[NA], b[NB], out[NA + NB];
    static bool is_there[65536];
    tap_begin("%s: %s: arrays that are not sorted", d->name, scankit_type_name(type));
    memset(is_there, 0, sizeof is_there);
    data_fill(a, type, DATA_ZIPF, NA, 1);
    data_fill(b, type, DATA_ZIPF, NB, 2);
    for (size_t i = 0; i < NA + NB; i++)
        is_there[i < NA ? a[i] : b[i - NA]] = true;
    void *to_a = device_put(d, AREA_A, a, sizeof a, 0), *to_b = device_put(d, AREA_B, b, sizeof b, 0);
    void *to_out = device_put(d, AREA_OUT, NULL, sizeof out, 0);
    DEVICE_DID(d, scankit_merge(d->context, type, to_a, NA, to_b, NB, to_out, NULL));
    device_get(d, AREA_OUT, out);
    for (size_t i = 0; i < NA + NB; i++)
        if (!is_there[out[i]])
            tap_fail("element %zu, %u, is in neither array", i, out[i]);
    device_expect(d, AREA_A, a, NA, sizeof *a, "a");
    device_expect(d, AREA_B, b, NB, sizeof *b, "b");
    tap_end();
}

/* Each pair of the result is one of the inputs'. Values are their numbers. */
static void unsorted_pairs(device *d, scankit_type type)
{
    enum { NA = 70001, NB = 50021, N = NA + NB };
    static uint16_t keys[N], keys_out[N];
    static uint32_t values[N], values_out[N];
    tap_begin("%s: %s: pairs that are not sorted", d->name, scankit_type_name(type));
    data_fill(keys, type, DATA_UNIFORM, N, 3);
    for (uint32_t i = 0; i < N; i++)
        values[i] = i;
    const uint16_t *a = device_put(d, 0, keys, sizeof keys, 0);
    const uint32_t *of_a = device_put(d, 1, values, sizeof values, 0);
    void *to_keys = device_put(d, 2, NULL, sizeof keys, 0), *to_values = device_put(d, 3, NULL, sizeof values, 0);
    DEVICE_DID(d, scankit_merge_pairs(d->context, type, a, of_a, NA, a + NA, of_a + NA, NB, to_keys, sizeof *values,
                                      to_values, NULL));
    device_get(d, 2, keys_out);
    device_get(d, 3, values_out);
    for (size_t i = 0; i < N; i++)
        if (values_out[i] >= N || keys_out[i] != keys[values_out[i]])
            tap_fail("pair %zu, %u with %u, is none of the inputs'", i, keys_out[i], values_out[i]);
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        every_deal(d, (scankit_type)type, 0);
        every_deal(d, (scankit_type)type, type % 2 == 0 ? 4 : 8);
        every_deal(d, (scankit_type)type, type % 2 == 0 ? 2 : 1);
        stability(d, (scankit_type)type);
        edges(d, (scankit_type)type);
        edges_of_pairs(d, (scankit_type)type);
        if (oracle_kind((scankit_type)type) != ORACLE_FLOAT)
            bits(d, (scankit_type)type);
    }
    for (int type = 0; type < ORACLE_TYPES; type++)
        large(d, (scankit_type)type, 0);
    large(d, SCANKIT_U32, 4);
    large(d, SCANKIT_U64, 8);
    many_tiles(d, SCANKIT_F32, 0);
    many_tiles(d, SCANKIT_U64, 0);
    many_tiles(d, SCANKIT_F64, 0);
    many_tiles(d, SCANKIT_F16, 4);
    many_tiles(d, SCANKIT_I64, 2);
    mapped(d, SCANKIT_F64);
    unsorted(d, SCANKIT_U16);
    unsorted(d, SCANKIT_I16);
    unsorted_pairs(d, SCANKIT_U16);
    unsorted_pairs(d, SCANKIT_I16);
}

int main(void)
{
    return device_each("merge", test);
}
