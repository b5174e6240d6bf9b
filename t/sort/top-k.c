/* top-k.c - top-k is the first k of the stable sort: elements, pairs and positions. Arrays are large enough for a
 * sample, and of every shape; some are made so that the sample misleads. */
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

#define SAMPLED ((size_t)200009)     /* elements, of which a sample is taken */
#define MANY (((size_t)1 << 21) + 3) /* of which more pass the threshold than a thread block sorts */

/* A CPU has no such block. */
static size_t many(const device *d)
{
    return scankit_is_host(d->context) ? SAMPLED : MANY;
}

static void every_k(device *d, const sort_case *c, const void *keys, const size_t *ks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_top_k(d, c, keys, ks[i] < c->n ? ks[i] : c->n);
}

static sort_case case_of(scankit_type type, data_shape shape, size_t n, uint64_t seed)
{
    static const size_t value_sizes[] = {4, 8, 3};
    sort_case c = {.type = type, .shape = shape, .n = n, .seed = seed, .value_size = value_sizes[seed % 3]};
    c.options.descending = seed % 2 != 0;
    c.lead[KEYS_IN] = seed % 3;
    c.lead[KEYS_OUT] = seed % 5;
    return c;
}

static void every_shape(device *d, scankit_type type)
{
    static const size_t ks[] = {1, 10, 1000, 9999, SAMPLED / 4, SAMPLED / 4 + 1, SAMPLED};
    tap_begin("%s: %s: every shape", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
        sort_case c = case_of(type, (data_shape)shape, SAMPLED, (uint64_t)shape);
        every_k(d, &c, NULL, ks + shape % 3, 5);
    }
    tap_end();
}

/* More elements, of some shapes: few of them pass the threshold, and these are narrowed down. */
static void every_many(device *d, scankit_type type)
{
    static const size_t ks[] = {1, 50, 1000, 1024, 1025, 30000, MANY / 4};
    tap_begin("%s: %s: more elements", d->name, scankit_type_name(type));
    for (int shape = type % 3; shape < DATA_SHAPE_COUNT; shape += 3) {
        sort_case c = case_of(type, (data_shape)shape, many(d), (uint64_t)shape);
        every_k(d, &c, NULL, ks, 7);
    }
    tap_end();
}

static void every_type(device *d, scankit_type type)
{
    static const size_t ks[] = {3, 5000, 40000};
    tap_begin("%s: %s: up and down", d->name, scankit_type_name(type));
    for (uint64_t seed = 0; seed < 4; seed++) {
        sort_case c = case_of(type, seed < 2 ? DATA_SPECIAL : DATA_BITS, SAMPLED, seed);
        every_k(d, &c, NULL, ks, 3);
    }
    tap_end();
}

static void small(device *d)
{
    static const size_t ks[] = {0, 1, 2, 100, SIZE_MAX};
    size_list sizes = data_edge_sizes(4096);
    tap_begin("%s: small arrays", d->name);
    for (size_t i = 0; i < sizes.count; i++) {
        sort_case c = case_of(SCANKIT_F32, DATA_BITS, sizes.size[i], i);
        every_k(d, &c, NULL, ks, 5);
    }
    tap_end();
}

/* Around the least array with a sample, around tiles, and on a GPU's ring. */
static void edges(device *d)
{
    static const size_t sizes[] = {(1 << 17) - 1, 1 << 17, (1 << 17) + 1, 139264, 262144, 262147, 9000001};
    static const size_t ks[] = {1, 255, 256, 257, 4096};
    tap_begin("%s: around the least array with a sample", d->name);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sort_case c = case_of(SCANKIT_U64, DATA_UNIFORM, sizes[i], i);
        every_k(d, &c, NULL, ks, 5);
    }
    tap_end();
}

/* Few elements, of which a CPU takes a sample nevertheless. */
static void few(device *d, scankit_type type)
{
    static const size_t sizes[] = {2047, 2048, 2049, 5000, 16387};
    tap_begin("%s: %s: few elements", d->name, scankit_type_name(type));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int shape = (int)i % 3; shape < DATA_SHAPE_COUNT; shape += 3) {
            const size_t n = sizes[i], ks[] = {1, 10, n / 8, n / 8 + 1};
            sort_case c = case_of(type, (data_shape)shape, n, i + (size_t)shape);
            every_k(d, &c, NULL, ks, 4);
        }
    tap_end();
}

/* Every stride-th element is among the least or the greatest of all, for the sample's stride and its neighbours. */
static void misled(device *d, size_t n, size_t sampled_stride)
{
    static const size_t ks[] = {1, 17, 3000, 30000};
    uint32_t *keys = data_allocate(n, sizeof *keys);
    tap_begin("%s: samples that mislead, %zu elements", d->name, n);
    for (size_t stride = sampled_stride - 1; stride < sampled_stride + 3; stride++)
        for (uint64_t greatest = 0; greatest < 2; greatest++) {
            sort_case c = case_of(SCANKIT_U32, DATA_UNIFORM, n, 0);
            data_fill(keys, c.type, c.shape, c.n, stride);
            for (size_t i = 0; i < c.n; i++)
                keys[i] = i % stride != 0 ? keys[i] / 2 + (1u << 30) : greatest ? ~(keys[i] / 8) : keys[i] / 8;
            every_k(d, &c, keys, ks, 4);
        }
    tap_end();
    free(keys);
}

/* A key is the least of all and frequent, but in the sample alone, for the sample's stride and its neighbours. */
static void frequent_in_the_sample(device *d, size_t n, size_t sampled_stride)
{
    static const size_t ks[] = {699, 700, 701, 1024, 1025, 3000};
    uint32_t *keys = data_allocate(n, sizeof *keys);
    tap_begin("%s: keys that are frequent in a sample alone, %zu elements", d->name, n);
    for (size_t stride = sampled_stride - 1; stride < sampled_stride + 2; stride++) {
        size_t every = n / stride / 700;
        sort_case c = case_of(SCANKIT_U32, DATA_UNIFORM, n, 0);
        data_fill(keys, c.type, c.shape, c.n, stride);
        for (size_t i = 0; i < n; i++)
            keys[i] = i % (stride * every) == 0 && i / (stride * every) < 700 ? 7 : keys[i] / 2 + 1000;
        every_k(d, &c, keys, ks, 6);
    }
    tap_end();
    free(keys);
}

/* Element i of a GPU's sample for more than 1024 elements: cuda/top/bucket_plan.cuh. */
static size_t jittered(uint32_t i, size_t n, size_t samples)
{
    uint64_t step = ((uint64_t)n << 32) / samples;
    uint32_t hash = (i ^ i >> 16) * 0x7feb352du;
    hash = (hash ^ hash >> 15) * 0x846ca68bu;
    hash ^= hash >> 16;
    return (size_t)(i * step >> 32) + (size_t)(hash * (step >> 32) >> 32);
}

/* Only sampled elements have keys below a bound: fewer than k, all equal or all different. */
static void misled_by_jitter(device *d)
{
    static const size_t k = 30000, low = 2000;
    size_t n = many(d), samples = n / k * 512;
    uint32_t *keys = data_allocate(n, sizeof *keys);
    tap_begin("%s: only a sample has low keys", d->name);
    for (uint32_t distance = 0; distance < 2; distance++) {
        sort_case c = case_of(SCANKIT_U32, DATA_UNIFORM, n, 0);
        data_fill(keys, c.type, c.shape, c.n, distance);
        for (size_t i = 0; i < n; i++)
            keys[i] = keys[i] / 2 + 100000;
        for (uint32_t i = 0; i < low; i++)
            keys[jittered(i, n, samples)] = 7 + i * distance;
        check_top_k(d, &c, keys, k);
    }
    tap_end();
    free(keys);
}

/* No key is frequent in a sample, but thousands equal each but a hundred: more than a block of a GPU has room for. */
static void crowded(device *d, scankit_type type, uint64_t values)
{
    static const size_t ks[] = {1, 99, 100, 101, 1000, 1024, 1025, 30000, 100000};
    size_t n = many(d);
    char *keys = data_allocate(n, oracle_size(type));
    uint64_t *drawn = data_allocate(n, sizeof *drawn);
    tap_begin("%s: %s: thousands of equal keys, %zu values", d->name, scankit_type_name(type), (size_t)values);
    for (uint64_t seed = 0; seed < 2; seed++) {
        sort_case c = case_of(type, DATA_UNIFORM, n, seed);
        data_fill(drawn, SCANKIT_U64, c.shape, c.n, seed);
        for (size_t i = 0; i < n; i++) {
            uint64_t key = i % (n / 100) == 1234 ? i / (n / 100) : 1000 + drawn[i] % values;
            key = c.options.descending ? 9999 - key : key;
            oracle_store(type, keys, i, key);
        }
        every_k(d, &c, keys, ks, 9);
    }
    tap_end();
    free(drawn);
    free(keys);
}

/* Keys are near each other in a hundred places, and none is near the middle between two. So buckets at equal distances,
 * as a sample suggests them, have far more keys in some than in others. */
static void clustered(device *d, scankit_type type)
{
    static const size_t ks[] = {2000, 30000, MANY / 8, MANY / 4};
    size_t n = many(d), size = oracle_size(type);
    char *keys = data_allocate(n, size);
    uint64_t *drawn = data_allocate(n, sizeof *drawn);
    tap_begin("%s: %s: clusters", d->name, scankit_type_name(type));
    for (uint64_t seed = 0; seed < 2; seed++) {
        sort_case c = case_of(type, DATA_UNIFORM, n, seed);
        data_fill(drawn, SCANKIT_U64, c.shape, c.n, seed);
        for (size_t i = 0; i < n; i++)
            oracle_store(type, keys, i, (drawn[i] % 100 + 1) << (8 * size - 8) | (drawn[i] >> 32) % 64);
        every_k(d, &c, keys, ks, 4);
    }
    tap_end();
    free(drawn);
    free(keys);
}

/* A hundred keys, then many that equal the next one, then that one. The search for the first of these begins where
 * there are none. */
static void equal_at_the_end(device *d, scankit_type type)
{
    static const size_t ks[] = {1, 99, 100, 101, 5000, 40000};
    size_t size = oracle_size(type);
    char *keys = data_allocate(SAMPLED, size);
    tap_begin("%s: %s: equal keys at the end", d->name, scankit_type_name(type));
    memset(keys, 0x41, SAMPLED * size);
    memset(keys, 0x42, SAMPLED / 2 * size);
    memset(keys, 0x40, 100 * size);
    sort_case c = case_of(type, DATA_EQUAL, SAMPLED, 0);
    every_k(d, &c, keys, ks, 6);
    tap_end();
    free(keys);
}

/* Only some bits count: all elements are sorted. */
static void some_bits(device *d)
{
    static const size_t ks[] = {1, 100, 60000};
    sort_case c = case_of(SCANKIT_U32, DATA_UNIFORM, SAMPLED, 1);
    tap_begin("%s: some bits of the keys", d->name);
    c.options.begin_bit = 3;
    c.options.end_bit = 11;
    every_k(d, &c, NULL, ks, 3);
    tap_end();
}

static void test(device *d)
{
    small(d);
    edges(d);
    for (int type = 0; type < ORACLE_TYPES; type++) {
        every_type(d, (scankit_type)type);
        few(d, (scankit_type)type);
        equal_at_the_end(d, (scankit_type)type);
    }
    every_shape(d, SCANKIT_U32);
    every_shape(d, SCANKIT_F64);
    every_shape(d, SCANKIT_I16);
    every_many(d, SCANKIT_U32);
    every_many(d, SCANKIT_F64);
    every_many(d, SCANKIT_F32);
    crowded(d, SCANKIT_U32, 800);
    crowded(d, SCANKIT_U32, 440);
    crowded(d, SCANKIT_F32, 200);
    crowded(d, SCANKIT_I16, 800);
    crowded(d, SCANKIT_U64, 800);
    clustered(d, SCANKIT_U32);
    clustered(d, SCANKIT_I64);
    misled(d, 20000, 15);
    misled(d, SAMPLED, 23);
    if (!scankit_is_host(d->context))
        misled(d, MANY, 255);
    frequent_in_the_sample(d, SAMPLED, 23);
    if (!scankit_is_host(d->context)) {
        frequent_in_the_sample(d, SAMPLED, 15);
        frequent_in_the_sample(d, MANY, 15);
        frequent_in_the_sample(d, MANY, 255);
    }
    misled_by_jitter(d);
    some_bits(d);
}

int main(void)
{
    return device_each("top-k", test);
}
