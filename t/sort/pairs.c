/* pairs.c - values of any size move with their keys; values of equal keys keep their order. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void value_sizes(device *d, scankit_type type)
{
    static const size_t values[] = {1, 2, 3, 4, 8, 12, 16, 100},
                        sizes[] = {0, 1, 2, 3, 24, 257, 1000, 4096, 5001, 17011};
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_SIXTEEN, DATA_EQUAL, DATA_SPECIAL, DATA_REVERSED, DATA_WIKI};
    random_state random = random_seeded(type);
    tap_begin("%s: %s: values of any size", d->name, scankit_type_name(type));
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            sort_case c = {.type = type, .n = sizes[s], .value_size = values[v], .seed = random_next(&random)};
            bool aligned = random_next(&random) & 1;
            c.shape = shapes[random_below(&random, sizeof shapes / sizeof *shapes)];
            c.options.descending = (int)random_below(&random, 2);
            c.keys_in_place = random_next(&random) & 1;
            c.values_in_place = random_next(&random) & 1;
            for (int i = 0; i < LEADS; i++)
                c.lead[i] = random_below(&random, 9) * (i >= VALUES_IN && aligned ? c.value_size : 1);
            for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
                c.options.algorithm = (scankit_algorithm)algorithm;
                check_sort_pairs(d, &c);
            }
        }
    tap_end();
}

/* Sizes with stores that bypass the caches, and sizes without. */
static void large(device *d, scankit_type type, size_t value_size)
{
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_SIXTEEN, DATA_FB, DATA_SORTED};
    tap_begin("%s: %s with %zu bytes: large arrays", d->name, scankit_type_name(type), value_size);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        sort_case c = {.type = type, .shape = shapes[s], .value_size = value_size, .seed = s};
        c.n = (s == 0 ? 8500003 : 2500003) / (oracle_size(type) + value_size);
        c.lead[KEYS_OUT] = 3;
        c.lead[VALUES_OUT] = 5 * value_size;
        for (int algorithm = 0; algorithm < ORACLE_ALGORITHMS; algorithm++) {
            c.options.algorithm = (scankit_algorithm)algorithm;
            c.keys_in_place = c.values_in_place = algorithm % 2;
            check_sort_pairs(d, &c);
        }
    }
    tap_end();
}

/* Around the sizes of tiles and buckets, and of buckets that too many keys fall into; ranges of bits, too. */
static void edges(device *d, scankit_type type, size_t value_size)
{
    static const size_t sizes[] = {3583, 4095, 4096, 4607, 4608, 4609, 5119, 5121, 6143, 6144, 6145, 12289, 131073};
    tap_begin("%s: %s with %zu bytes: around tiles", d->name, scankit_type_name(type), value_size);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
            sort_case c = {.type = type, .shape = (data_shape)shape, .n = sizes[s], .value_size = value_size};
            c.seed = s;
            c.options.algorithm = shape % 2 == 0 ? SCANKIT_HYBRID : SCANKIT_RADIX;
            c.keys_in_place = s % 2;
            c.values_in_place = s % 3 == 0;
            if (shape % 3 == 0) {
                c.options.begin_bit = (unsigned)s;
                c.options.end_bit = (unsigned)(8 * scankit_type_size(type) - s / 2);
            }
            check_sort_pairs(d, &c);
        }
    tap_end();
}

/* Narrow keys with values of any narrow size, around the sizes of tiles, and more of them. */
static void narrow_keys(device *d, scankit_type type)
{
    static const size_t sizes[] = {4095, 4096, 4097, 5632, 5633, 6144, 8192, 8193, 300007, 4300003},
                        values[] = {1, 2, 4, 8};
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_SIXTEEN, DATA_ZIPF, DATA_SPECIAL, DATA_EQUAL};
    tap_begin("%s: %s with narrow values", d->name, scankit_type_name(type));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            sort_case c = {
                .type = type, .n = sizes[s], .value_size = values[v], .seed = s, .shape = shapes[(s + v) % 5]};
            c.options.descending = (int)((s + v) % 2);
            c.keys_in_place = s / 2 % 2;
            c.values_in_place = (s + v) / 2 % 2;
            c.lead[KEYS_IN] = s % 3;
            c.lead[KEYS_OUT] = v;
            c.lead[VALUES_IN] = s % 4 * c.value_size;
            c.lead[VALUES_OUT] = v * c.value_size;
            check_sort_pairs(d, &c);
        }
    tap_end();
}

static void few(device *d, scankit_type type, size_t value_size)
{
    random_state random = random_seeded(type * 32 + value_size);
    tap_begin("%s: %s with %zu bytes: few pairs", d->name, scankit_type_name(type), value_size);
    for (size_t s = 0; s < FEW_SORT_SIZES; s++)
        for (size_t i = 0; i < 2; i++) {
            sort_case c = few_sort_case(type, s, value_size, &random);
            c.options.descending = (int)random_below(&random, 2);
            c.keys_in_place = random_below(&random, 4) == 0;
            c.values_in_place = random_below(&random, 4) == 0;
            for (int lead = 0; lead < LEADS; lead++)
                c.lead[lead] = random_below(&random, 3) * (lead >= VALUES_IN ? c.value_size : 1);
            check_sort_pairs(d, &c);
        }
    tap_end();
}

/* Skewed data and even data, with more pairs than are sorted in one launch; whole keys and ranges of bits. */
static void skewed(device *d, scankit_type type, size_t value_size)
{
    static const size_t sizes[] = {5120, 5121, 30011, 600011, 1500001};
    static const data_shape shapes[] = {DATA_UNIFORM, DATA_FB,      DATA_ZIPF,  DATA_SIXTEEN,
                                        DATA_EQUAL,   DATA_SPECIAL, DATA_STEPS, DATA_HEAVY};
    unsigned bits = (unsigned)(8 * scankit_type_size(type));
    tap_begin("%s: %s with %zu bytes: skewed", d->name, scankit_type_name(type), value_size);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
            sort_case c = {.type = type, .shape = shapes[shape], .n = sizes[s], .value_size = value_size, .seed = s};
            c.keys_in_place = (s + shape) % 2;
            c.values_in_place = s % 2;
            c.options.descending = shape % 2;
            bool has_ranges = type == SCANKIT_U32 || type == SCANKIT_U64;
            if (has_ranges && (s + shape) % 3 == 1)
                c.options.begin_bit = 8, c.options.end_bit = bits;
            if (has_ranges && (s + shape) % 3 == 2)
                c.options.begin_bit = 3, c.options.end_bit = bits - 2;
            check_sort_pairs(d, &c);
        }
    tap_end();
}

/* A CPU sorts few pairs by words of leading bits and a place. Most keys lead alike here, and the words have no room for
 * their last bits. */
static void close_keys(device *d, size_t value_size)
{
    random_state random = random_seeded(value_size);
    tap_begin("%s: u64 with %zu bytes: few pairs with close keys", d->name, value_size);
    for (size_t n = 25; n <= 200; n += 25)
        for (unsigned end = 54; end <= 64; end++)
            for (int i = 0; i < 4; i++) {
                sort_case c = {.type = SCANKIT_U64, .shape = DATA_OUTLIERS, .n = n, .value_size = value_size};
                c.seed = random_next(&random);
                c.options.end_bit = end;
                check_sort_pairs(d, &c);
            }
    tap_end();
}

/* Enough pairs for a chunk-merge that ends in a merge of many runs. Equal keys show whether it is stable. */
static void many_runs(device *d, scankit_type type, size_t value_size)
{
    tap_begin("%s: %s with %zu bytes: chunk-merge of 2^24 and more", d->name, scankit_type_name(type), value_size);
    for (size_t s = 0; s < 2; s++) {
        sort_case c = {.type = type, .n = ((size_t)1 << 24) + s * 5000001, .value_size = value_size, .seed = s};
        c.shape = s == 0 ? DATA_UNIFORM : DATA_ZIPF;
        c.options.algorithm = SCANKIT_CHUNK_MERGE;
        c.keys_in_place = c.values_in_place = s == 1;
        check_sort_pairs(d, &c);
    }
    tap_end();
}

/* A GPU tells buckets that are too large, and popular values, which are in overfull bins. Few pairs are counted, of
 * more there is a sample. */
static void choices(device *d)
{
    static const struct {
        data_shape shape;
        const char *algorithm;
    } cases[] = {{DATA_STEPS, "radix"}, {DATA_UNIFORM, "hybrid-pairs"}, {DATA_HEAVY, "radix"}, {DATA_SORTED, "sorted"}};
    tap_begin("%s: pairs: the choice by counts or a sample", d->name);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t n = 1500001; n < 10000000; n *= 4) {
            sort_case c = {.type = SCANKIT_U32, .shape = cases[i].shape, .n = n, .value_size = 4, .seed = i};
            bool ran = check_sort_pairs(d, &c);
            const char *algorithm = scankit_last_algorithm(d->context);
            if (ran && strcmp(algorithm, cases[i].algorithm) != 0)
                tap_fail("%s, %zu: by %s", data_shape_name(c.shape), n, algorithm);
        }
    tap_end();
}

/* Sorts pairs whose values are their places, and expects this order of the places. The keys begin `lead` bytes after an
 * aligned address. */
static bool sort_places(device *d, scankit_type type, const void *keys, size_t lead, size_t n,
                        const scankit_sort_options *options, const uint32_t *order)
{
    const size_t size = scankit_type_size(type), bytes = n * sizeof(uint32_t);
    uint32_t *places = data_allocate(n, sizeof *places);
    char *sorted = data_allocate(n, size);
    for (size_t i = 0; i < n; i++) {
        places[i] = (uint32_t)i;
        memcpy(sorted + i * size, (const char *)keys + order[i] * size, size);
    }
    const void *keys_in = device_put(d, KEYS_IN, keys, n * size, lead),
               *values_in = device_put(d, VALUES_IN, places, bytes, 0);
    void *keys_out = device_put(d, KEYS_OUT, NULL, n * size, 0),
         *values_out = device_put(d, VALUES_OUT, NULL, bytes, 0);
    bool done = DEVICE_DID(
        d, scankit_sort_pairs(d->context, type, keys_in, keys_out, sizeof *places, values_in, values_out, n, options));
    if (done) {
        device_expect(d, KEYS_OUT, sorted, n, size, "keys");
        device_expect(d, VALUES_OUT, order, n, sizeof *order, "values");
    }
    free(places);
    free(sorted);
    return done;
}

/* The places of the keys in their order. */
static uint32_t *order_of(scankit_type type, const scankit_sort_options *options, const void *keys, size_t n)
{
    uint32_t *order = data_allocate(n, sizeof *order);
    uint64_t *positions = data_allocate(n, sizeof *positions);
    oracle_argsort(type, options, keys, positions, n);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)positions[i];
    free(positions);
    return order;
}

/* Expects these places as the positions of the keys in their order. */
static void argsort_places(device *d, scankit_type type, const void *keys, size_t n,
                           const scankit_sort_options *options, const uint32_t *order)
{
    uint64_t *expected = data_allocate(n, sizeof *expected);
    for (size_t i = 0; i < n; i++)
        expected[i] = order[i];
    const void *keys_in = device_put(d, KEYS_IN, keys, n * scankit_type_size(type), 0);
    uint64_t *positions = device_put(d, VALUES_OUT, NULL, n * sizeof *expected, 0);
    if (DEVICE_DID(d, scankit_argsort(d->context, type, keys_in, positions, n, options)))
        device_expect(d, VALUES_OUT, expected, n, sizeof *expected, "positions");
    free(expected);
}

/* Sorts and frees the keys, and expects the algorithm. */
static void sort_by(device *d, uint32_t *keys, size_t n, const char *algorithm)
{
    uint32_t *order = order_of(SCANKIT_U32, &(scankit_sort_options){0}, keys, n);
    if (sort_places(d, SCANKIT_U32, keys, 0, n, NULL, order) &&
        strcmp(scankit_last_algorithm(d->context), algorithm) != 0)
        tap_fail("by %s", scankit_last_algorithm(d->context));
    free(keys);
    free(order);
}

/* Keys with `values` values that are far apart. */
static void sort_copies(device *d, uint32_t values, const char *algorithm)
{
    const size_t n = 4000037;
    uint32_t *keys = data_allocate(n, sizeof *keys);
    random_state random = random_seeded(values);
    tap_case("%u values", values);
    for (size_t i = 0; i < n; i++)
        keys[i] = (uint32_t)random_below(&random, values) * 2654435769U;
    sort_by(d, keys, n, algorithm);
}

/* With 110 copies of each key, the fine bins of a GPU's buckets are full. No sample has many keys of one of them. */
static void full_bins(device *d)
{
    tap_begin("%s: pairs: many copies of each key", d->name);
    sort_copies(d, 36000, "radix");
    sort_copies(d, 400000, "hybrid-pairs");
    tap_end();
}

/* Keys that differ in one digit alone, around the numbers from which a CPU looks for it; and all but one key, which no
 * sample has. */
static void one_digit(device *d, scankit_type type)
{
    static const size_t sizes[] = {4095, 4096, 4097, 65535, 65536, 65537, 300007};
    const unsigned top = oracle_bits(type) - 1;
    random_state random = random_seeded(type);
    tap_begin("%s: %s: pairs and positions of keys that differ in one digit", d->name, scankit_type_name(type));
    for (size_t s = 0; s < 2 * (sizeof sizes / sizeof *sizes); s++) {
        const size_t n = sizes[s / 2];
        const scankit_sort_options options = {.descending = (int)random_below(&random, 2)};
        const unsigned shift = top < 8 ? 0 : (unsigned)random_below(&random, top - 8);
        if (!device_case_is_due())
            continue;
        tap_case("%zu, bits from %u on, %s", n, shift, s % 2 == 0 ? "all" : "all but one");
        char *keys = data_allocate(n, scankit_type_size(type));
        for (size_t i = 0; i < n; i++)
            oracle_store(type, keys, i, random_below(&random, 256) << shift);
        if (s % 2 == 1)
            oracle_store(type, keys, n / 3 + 1, UINT64_C(1) << top);
        uint32_t *order = order_of(type, &options, keys, n);
        sort_places(d, type, keys, 0, n, &options, order);
        argsort_places(d, type, keys, n, &options, order);
        free(keys);
        free(order);
    }
    tap_end();
}

/* A few of a GPU's buckets have all of their keys in three fine bins. */
static void few_bins(device *d)
{
    const size_t n = 2200013;
    const uint32_t least = UINT32_C(3) << 30;
    uint32_t *keys = data_allocate(n, sizeof *keys);
    random_state random = random_seeded(n);
    tap_begin("%s: pairs: buckets with few bins", d->name);
    for (size_t i = 0; i < n; i++) {
        uint32_t near = (uint32_t)(i % 3 << 10 | random_below(&random, 256));
        keys[i] = i % 44 == 0 ? least | (uint32_t)(i / 44 % 50) << 22 | near : (uint32_t)random_below(&random, least);
    }
    sort_by(d, keys, n, "hybrid-pairs");
    tap_end();
}

/* Keys in order but for two neighbours. */
static void sort_swapped(device *d, size_t n, size_t place, size_t lead)
{
    uint32_t *keys = data_allocate(n, sizeof *keys), *order = data_allocate(n, sizeof *order);
    tap_case("a descent at %zu, lead %zu", place, lead);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)(i == place ? i - 1 : i + 1 == place ? i + 1 : i);
    for (size_t i = 0; i < n; i++)
        keys[i] = order[i] * 13;
    if (sort_places(d, SCANKIT_U32, keys, lead, n, NULL, order) &&
        strcmp(scankit_last_algorithm(d->context), "sorted") == 0)
        tap_fail("taken for sorted");
    free(keys);
    free(order);
}

/* A GPU sees one descent near the ends, and where vectors, warps, blocks and their steps meet. */
static void one_descent(device *d)
{
    const size_t n = 300007, begins[] = {1, 125, 4092, 16380, 131068, n - 9};
    tap_begin("%s: pairs: one descent", d->name);
    for (size_t b = 0; b < sizeof begins / sizeof *begins; b++)
        for (size_t place = begins[b]; place < begins[b] + 9; place++)
            for (size_t lead = 0; lead < 16; lead += 4)
                if (device_case_is_due())
                    sort_swapped(d, n, place, lead);
    tap_end();
}

/* The stable order by the second byte, for more keys than the oracle has time for. */
static void order_by_byte(const uint32_t *keys, size_t n, uint32_t *order)
{
    size_t begin[257] = {0};
    for (size_t i = 0; i < n; i++)
        begin[(keys[i] >> 8 & 0xff) + 1]++;
    for (size_t b = 0; b < 256; b++)
        begin[b + 1] += begin[b];
    for (size_t i = 0; i < n; i++)
        order[begin[keys[i] >> 8 & 0xff]++] = (uint32_t)i;
}

/* One pass by a digit, which a GPU takes in two portions. */
static void portions(device *d)
{
    const size_t n = ((size_t)1 << 27) + 1000003;
    tap_begin("%s: u32 with 4 bytes: 2^27 and more by eight bits", d->name);
    uint32_t *keys = data_allocate(n, sizeof *keys), *order = data_allocate(n, sizeof *order);
    data_fill(keys, SCANKIT_U32, DATA_ZIPF, n, 3);
    order_by_byte(keys, n, order);
    sort_places(d, SCANKIT_U32, keys, 0, n, &(scankit_sort_options){.begin_bit = 8, .end_bit = 16}, order);
    free(keys);
    free(order);
    tap_end();
}

static void test(device *d)
{
    bool is_gpu = strncmp(d->name, "cuda", 4) == 0;
    if (is_gpu) {
        choices(d);
        full_bins(d);
        few_bins(d);
        one_descent(d);
        portions(d);
    }
    for (int type = 0; type < ORACLE_TYPES; type++) {
        value_sizes(d, (scankit_type)type);
        for (size_t size = 1; is_gpu && size <= 16; size *= 2)
            few(d, (scankit_type)type, size);
        if (is_gpu && oracle_size((scankit_type)type) < 4)
            narrow_keys(d, (scankit_type)type);
    }
    large(d, SCANKIT_U32, 4);
    large(d, SCANKIT_U64, 8);
    large(d, SCANKIT_F16, 4);
    large(d, SCANKIT_F32, 8);
    large(d, SCANKIT_I64, 4);
    edges(d, SCANKIT_U32, 4);
    edges(d, SCANKIT_U32, 8);
    edges(d, SCANKIT_U64, 4);
    edges(d, SCANKIT_U64, 8);
    close_keys(d, 4);
    close_keys(d, 8);
    one_digit(d, SCANKIT_U8);
    one_digit(d, SCANKIT_U32);
    one_digit(d, SCANKIT_I32);
    one_digit(d, SCANKIT_U64);
    one_digit(d, SCANKIT_I64);
    if (is_gpu) { /* on CPUs fewer pairs take the same ways */
        many_runs(d, SCANKIT_U32, 4);
        many_runs(d, SCANKIT_U64, 8);
        skewed(d, SCANKIT_U32, 4);
        skewed(d, SCANKIT_U32, 8);
        skewed(d, SCANKIT_U64, 4);
        skewed(d, SCANKIT_U32, 1);
        skewed(d, SCANKIT_I32, 2);
        skewed(d, SCANKIT_F32, 16);
        skewed(d, SCANKIT_U32, 12);
        skewed(d, SCANKIT_F32, 4);
        skewed(d, SCANKIT_I64, 8);
        skewed(d, SCANKIT_F64, 8);
    }
}

int main(void)
{
    return device_each("sort of pairs", test);
}
