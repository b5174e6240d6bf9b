/* histogram.c - histograms against the oracle: kinds of bins, their number, types, shapes and weights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "histogram/bin-oracle.h"
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

#define MANY ((size_t)100003)

/* Small whole numbers, whose sums are exact in every order. */
static void fill_weights(scankit_type type, void *weights, size_t n, uint64_t seed)
{
    data_fill_bytes(weights, n * oracle_size(type), seed);
    for (size_t i = 0; i < n && is_float(type); i++) {
        float small = (float)((i * 7 + seed) % 100) - 50;
        if (type == SCANKIT_F64)
            ((double *)weights)[i] = (double)small;
        else if (type == SCANKIT_F32)
            ((float *)weights)[i] = small;
        else
            ((scankit_f16 *)weights)[i] = scankit_f16_from_f32(small);
    }
}

static void run(device *d, const histogram_case *c, const void *keys, const void *weights, const uint64_t *expected)
{
    size_t size = oracle_size(c->type);
    bool weighted = c->weights != UNWEIGHTED;
    const void *in = device_put(d, KEYS_IN, keys, c->n * size, c->lead * size);
    const void *by = NULL;
    if (weighted)
        by = device_put(d, VALUES_IN, weights, c->n * oracle_size(c->weights), oracle_size(c->weights));
    void *counts = device_put(d, KEYS_OUT, NULL, c->bins.count * sizeof *expected, sizeof *expected);
    if (!DEVICE_DID(d, scankit_histogram(d->context, c->type, in, c->n, &c->bins, c->weights, by, counts)))
        return;
    device_expect(d, KEYS_OUT, expected, c->bins.count, sizeof *expected, "counts");
    device_expect(d, KEYS_IN, keys, c->n, size, "keys");
}

static void check_keys(device *d, const histogram_case *c, const void *keys)
{
    void *weights = data_allocate(c->n, 8);
    uint64_t *expected = data_allocate(c->bins.count, sizeof *expected);
    tap_case("%s kind %d count %zu weights %d n %zu shape %s lead %zu seed %llu", scankit_type_name(c->type),
             (int)c->bins.kind, c->bins.count, (int)c->weights, c->n, data_shape_name(c->shape), c->lead,
             (unsigned long long)c->seed);
    if (c->weights != UNWEIGHTED)
        fill_weights(c->weights, weights, c->n, c->seed);
    count_all(c, keys, weights, expected);
    run(d, c, keys, weights, expected);
    free(weights);
    free(expected);
}

static void check(device *d, const histogram_case *c)
{
    if (!device_case_is_due())
        return;
    void *keys = data_allocate(c->n, oracle_size(c->type));
    data_fill(keys, c->type, c->shape, c->n, c->seed);
    check_keys(d, c, keys);
    free(keys);
}

/* The whole range of an integer type; of floats, a part of it. */
static histogram_case even_case(scankit_type type, size_t count, size_t n, uint64_t seed)
{
    bool with_sign = type >= SCANKIT_I8;
    double width = ldexp(1, 8 * (int)oracle_size(type));
    histogram_case c = {.type = type, .weights = UNWEIGHTED, .n = n, .seed = seed, .lead = seed % 5};
    c.shape = (data_shape)(seed % DATA_SHAPE_COUNT);
    c.bins = (scankit_bins){.kind = SCANKIT_BINS_EVEN, .count = count, .low = with_sign ? -width / 2 : 0};
    c.bins.high = c.bins.low + width;
    if (is_float(type)) {
        c.bins.low = -60000.5;
        c.bins.high = 65000;
    } else if (seed % 3 == 1) {
        c.bins.low += 7;
        c.bins.high = floor(c.bins.low + width / 3);
    }
    return c;
}

static const size_t counts[] = {1, 2, 3, 255, 256, 257, 2048, 2049, 4096, 12289, 65537};
#define COUNTS (sizeof counts / sizeof *counts)

static void even(device *d, scankit_type type)
{
    tap_begin("%s: %s: even bins", d->name, scankit_type_name(type));
    for (size_t i = 0; i < COUNTS; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            histogram_case c = even_case(type, counts[i], 20011, i * 3 + seed);
            check(d, &c);
        }
    tap_end();
}

/* Keys of 8 bytes beside the ends and middles of bins, where a quotient that was rounded would be wrong. */
static uint64_t *make_ends(const histogram_case *c)
{
    __extension__ typedef unsigned __int128 wide;
    const wide range = (wide)((long double)c->bins.high - (long double)c->bins.low);
    const uint64_t low = (uint64_t)(int64_t)c->bins.low, halves = 2 * c->bins.count;
    uint64_t *keys = data_allocate(c->n, sizeof *keys);
    for (size_t i = 0; i < c->n; i++) {
        const wide half = (uint64_t)i * 2654435761 % (halves + 1);
        keys[i] = low + (uint64_t)((range * half + halves - 1) / halves) + i % 3 - 1;
    }
    return keys;
}

static void ends(device *d, scankit_type type)
{
    static const double widths[] = {0x1p64,
                                    0x1p64 - 0x1p11,
                                    0x1p64 - 0x1p40,
                                    0x1p64 - 0x1p41,
                                    0x1p63 + 0x1p12,
                                    0x1p63 - 0x1p10,
                                    0x1.999999p60,
                                    0x1p53 - 1,
                                    0x1p32 + 1,
                                    65537,
                                    3};
    tap_begin("%s: %s: ends of even bins", d->name, scankit_type_name(type));
    for (size_t i = 0; i < COUNTS * (sizeof widths / sizeof *widths); i++) {
        histogram_case c = even_case(type, counts[i % COUNTS], 20011, 0);
        const double width = widths[i / COUNTS];
        if (width < 0x1p60)
            c.bins.low = c.bins.low < 0 ? -12345 : 12345;
        else if (i % 2 == 1 && width < 0x1p63)
            c.bins.low += 0x1p62;
        c.bins.high = c.bins.low + width;
        if (!device_case_is_due())
            continue;
        uint64_t *keys = make_ends(&c);
        check_keys(d, &c, keys);
        free(keys);
    }
    tap_end();
}

static void values(device *d, scankit_type type)
{
    tap_begin("%s: %s: by value", d->name, scankit_type_name(type));
    for (size_t i = 0; i < COUNTS; i++) {
        histogram_case c = even_case(type, counts[i], 20011, i);
        bool with_sign = type >= SCANKIT_I8;
        uint64_t most = (with_sign ? (uint64_t)INT64_MAX : UINT64_MAX) >> (64 - 8 * oracle_size(type));
        uint64_t firsts[] = {0, 3, most - 2, with_sign ? 0 - most - 1 : 1};
        c.bins.kind = SCANKIT_BINS_VALUES;
        c.bins.first = firsts[i % 4];
        check(d, &c);
        c.shape = DATA_LOGARITHMIC;
        check(d, &c);
    }
    tap_end();
}

/* Sorted keys, some of them equal. NaNs, which are last, become the greatest value; or 0, if they are all. */
static char *make_edges(scankit_type type, data_shape shape, size_t n, uint64_t seed)
{
    size_t size = oracle_size(type);
    char *from = data_allocate(n, size), *to = data_allocate(n, size);
    uint64_t *positions = data_allocate(n, sizeof *positions);
    const scankit_sort_options ascending = {.descending = 0};
    data_fill(from, type, shape, n, seed);
    oracle_argsort(type, &ascending, from, positions, n);
    oracle_gather(size, from, positions, to, n);
    for (size_t e = 0; e < n; e++)
        if (isnan((double)value_at(type, to, e))) {
            if (e > 0)
                memcpy(to + e * size, to + (e - 1) * size, size);
            else
                memset(to, 0, size);
        }
    free(from);
    free(positions);
    return to;
}

static void edges(device *d, scankit_type type)
{
    tap_begin("%s: %s: edges", d->name, scankit_type_name(type));
    for (size_t i = 0; i < COUNTS; i++) {
        histogram_case c = even_case(type, counts[i], 20011, i);
        char *of = make_edges(type, i % 2 ? DATA_SPECIAL : DATA_SORTED, counts[i] + 1, i);
        c.bins = (scankit_bins){.kind = SCANKIT_BINS_EDGES, .count = counts[i], .edges = of};
        check(d, &c);
        c.shape = DATA_SPECIAL;
        check(d, &c);
        free(of);
    }
    tap_end();
}

static void weighted(device *d, scankit_type weights)
{
    tap_begin("%s: %s: weights", d->name, scankit_type_name(weights));
    for (size_t i = 0; i < COUNTS; i++) {
        histogram_case c = even_case(i % 2 ? SCANKIT_U32 : SCANKIT_F32, counts[i], 20011, i);
        c.weights = weights;
        check(d, &c);
        c.shape = DATA_EQUAL;
        check(d, &c);
    }
    tap_end();
}

static void shapes(device *d)
{
    tap_begin("%s: sizes and shapes", d->name);
    size_list sizes = data_edge_sizes(8192);
    for (size_t i = 0; i < sizes.count; i++) {
        histogram_case c = even_case(SCANKIT_U32, counts[i % COUNTS], sizes.size[i], i);
        c.weights = i % 3 == 0 ? SCANKIT_F64 : i % 3 == 1 ? SCANKIT_I16 : UNWEIGHTED;
        check(d, &c);
        c = even_case(i % 2 ? SCANKIT_F32 : SCANKIT_F16, counts[i % COUNTS], sizes.size[i], i);
        check(d, &c);
    }
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t i = 4; i < COUNTS; i += 3) {
            histogram_case c = even_case(SCANKIT_U32, counts[i], 3 * MANY, 0);
            c.shape = (data_shape)shape;
            check(d, &c);
        }
    tap_end();
}

static void most(device *d)
{
    tap_begin("%s: 2^24 bins", d->name);
    histogram_case c = even_case(SCANKIT_U32, (size_t)1 << 24, MANY, 0);
    check(d, &c);
    c.weights = SCANKIT_F32;
    check(d, &c);
    tap_end();
}

/* A CPU counts more than 2^21 bins by parts of them. */
static void parts(device *d)
{
    tap_begin("%s: 2^21 bins and some more", d->name);
    const size_t count = ((size_t)1 << 21) + 8192;
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_I64};
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
        histogram_case c = even_case(types[shape % 3], count - (size_t)shape, 3 * MANY, (uint64_t)shape);
        c.shape = (data_shape)shape;
        check(d, &c);
    }
    tap_end();
}

/* More keys than a narrow table counts before it is added up. */
static void many(device *d)
{
    tap_begin("%s: 2^24 keys and some more", d->name);
    for (size_t count = 256; count <= 65536; count *= 256) {
        histogram_case c = even_case(SCANKIT_U16, count, ((size_t)1 << 24) + MANY, 0);
        c.shape = DATA_UNIFORM;
        check(d, &c);
    }
    histogram_case c = even_case(SCANKIT_U16, (size_t)1 << 21, ((size_t)1 << 24) + MANY, 0);
    c.shape = DATA_UNIFORM;
    check(d, &c);
    tap_end();
}

/* A CPU counts this number of keys in narrow tables, of each kind, and empties these in between. */
static void narrow(device *d, scankit_type type)
{
    tap_begin("%s: %s: narrow tables", d->name, scankit_type_name(type));
    for (size_t i = 0; i < 6; i++) {
        histogram_case c = even_case(type, (size_t)256 << i / 2 * 3, ((size_t)1 << 18) + 37, i);
        c.shape = i % 2 ? DATA_OUTLIERS : DATA_UNIFORM;
        check(d, &c);
        if (is_float(type))
            continue;
        c.bins.kind = SCANKIT_BINS_VALUES;
        c.bins.first = i % 2 ? 3 : 0;
        check(d, &c);
    }
    tap_end();
}

/* A GPU counts more bins than it has room for with counters of 16 bits. It empties counters that are half full: of one
 * bin, or of neighbours that share a word. */
static void halves(device *d)
{
    static const size_t bins[] = {58113, 65536, 116223, 116224};
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U16, SCANKIT_F32, SCANKIT_I64};
    static const data_shape skewed[] = {DATA_EQUAL, DATA_OUTLIERS, DATA_SORTED, DATA_UNIFORM};
    tap_begin("%s: counters of 16 bits", d->name);
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++) {
        histogram_case c = even_case(types[i % 4], bins[i], ((size_t)1 << 22) + 37, i);
        c.shape = DATA_UNIFORM;
        check(d, &c);
        c.type = SCANKIT_U32;
        c.bins.kind = SCANKIT_BINS_VALUES;
        c.bins.first = 3;
        c.shape = DATA_LOGARITHMIC;
        check(d, &c);
    }
    for (size_t i = 0; i < sizeof skewed / sizeof *skewed; i++) {
        histogram_case c = even_case(SCANKIT_U16, 65536, ((size_t)1 << 25) + MANY, 0);
        c.shape = skewed[i];
        c.lead = i;
        check(d, &c);
    }
    tap_end();
}

/* A GPU deals more bins than that to parts, if keys are spread over them. Its tiles have 8,192 keys or more. */
static void gpu_parts(device *d)
{
    static const size_t bins[] = {116225,
                                  131073,
                                  (size_t)1 << 18,
                                  300001,
                                  ((size_t)1 << 20) - 3,
                                  ((size_t)1 << 22) + 1,
                                  ((size_t)1 << 24) - 1,
                                  (size_t)1 << 24};
    static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32, SCANKIT_I64, SCANKIT_F64,
                                         SCANKIT_I32, SCANKIT_U64, SCANKIT_U16, SCANKIT_F16};
    tap_begin("%s: parts of the bins", d->name);
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
            const size_t n = ((size_t)1 << 23) + i * 8192 + type % 3 - 1 + (type == i ? 4711 : 0);
            histogram_case c = even_case(types[type], bins[i], n, 3 * i + type);
            c.shape = type % 2 ? c.shape : DATA_UNIFORM;
            check(d, &c);
            if (is_float(c.type) || i % 2)
                continue;
            c.bins.kind = SCANKIT_BINS_VALUES;
            c.bins.first = 3;
            c.shape = DATA_LOGARITHMIC;
            check(d, &c);
        }
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
        histogram_case c = even_case(SCANKIT_U32, bins[(size_t)shape % 8], ((size_t)1 << 23) + MANY, 0);
        c.shape = (data_shape)shape;
        check(d, &c);
    }
    char *of = make_edges(SCANKIT_I32, DATA_UNIFORM, 200001, 1);
    histogram_case c = even_case(SCANKIT_I32, 200000, ((size_t)1 << 23) + MANY, 1);
    c.bins = (scankit_bins){.kind = SCANKIT_BINS_EDGES, .count = 200000, .edges = of};
    c.shape = DATA_UNIFORM;
    check(d, &c);
    free(of);
    tap_end();
}

/* Parts take no more than 2^28 keys at a time. */
static void gpu_rounds(device *d)
{
    tap_begin("%s: parts of the bins, more keys than a round", d->name);
    histogram_case c = even_case(SCANKIT_U32, (size_t)1 << 18, ((size_t)1 << 28) + ((size_t)1 << 23) + 5, 0);
    c.shape = DATA_UNIFORM;
    check(d, &c);
    c.n -= 6;
    c.shape = DATA_SORTED;
    check(d, &c);
    tap_end();
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        even(d, (scankit_type)type);
        edges(d, (scankit_type)type);
        weighted(d, (scankit_type)type);
        if (!is_float((scankit_type)type))
            values(d, (scankit_type)type);
        narrow(d, (scankit_type)type);
    }
    ends(d, SCANKIT_U64);
    ends(d, SCANKIT_I64);
    shapes(d);
    most(d);
    parts(d);
    many(d);
    if (strncmp(d->name, "cuda", 4) == 0) {
        halves(d);
        gpu_parts(d);
        gpu_rounds(d);
    }
}

int main(void)
{
    return device_each("histogram", test);
}
