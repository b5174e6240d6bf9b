/* top_k.c - top-k is the first k of the sort: elements, pairs and positions. Arrays are large enough for a sample, and
 * of every shape; some are made so that the sample misleads. */
#include <stdlib.h>
#include <string.h>

#include "support/data.h"
#include "support/device.h"
#include "support/oracle.h"
#include "support/tap.h"

#define SAMPLED ((size_t)200009) /* elements, of which a sample is taken */

enum { KEYS, OUT, VALUES, VALUES_OUT, POSITIONS };

/* An array in order. */
typedef struct ordered {
    scankit_type type;
    scankit_sort_options options;
    size_t n, lead;
    void *in;
    uint64_t *positions;
} ordered;

static ordered order(scankit_type type, size_t n, int descending, size_t lead)
{
    ordered o = {.type = type, .n = n, .lead = lead};
    o.options.descending = descending;
    o.in = data_allocate(n, oracle_size(type));
    o.positions = data_allocate(n, sizeof *o.positions);
    return o;
}

static void release(ordered *o)
{
    free(o->in);
    free(o->positions);
}

static void check_elements(device *d, const ordered *o, const void *from, size_t k)
{
    size_t size = oracle_size(o->type);
    void *expected = data_allocate(k, size), *to = device_put(d, OUT, NULL, k * size, o->lead * size);
    oracle_gather(size, o->in, o->positions, expected, k);
    if (DEVICE_DID(d, scankit_top_k(d->context, o->type, from, to, o->n, k, &o->options)))
        device_expect(d, OUT, expected, k, size, "elements");
    free(expected);
}

static void check_positions(device *d, const ordered *o, const void *from, size_t k)
{
    uint64_t *to = device_put(d, POSITIONS, NULL, k * sizeof *to, 8 * o->lead);
    if (DEVICE_DID(d, scankit_top_k_positions(d->context, o->type, from, to, o->n, k, &o->options)))
        device_expect(d, POSITIONS, o->positions, k, sizeof *to, "positions");
}

/* The value of an element is its position, and some bytes more. */
static void check_pairs(device *d, const ordered *o, const void *from, size_t k, size_t value_size)
{
    size_t size = oracle_size(o->type);
    char *values = data_allocate(o->n, value_size), *expected = data_allocate(k, value_size);
    data_fill_bytes(values, o->n * value_size, k);
    oracle_gather(value_size, values, o->positions, expected, k);
    void *keys = data_allocate(k, size), *keys_out = device_put(d, OUT, NULL, k * size, o->lead * size);
    oracle_gather(size, o->in, o->positions, keys, k);
    const void *values_from = device_put(d, VALUES, values, o->n * value_size, 0);
    void *values_out = device_put(d, VALUES_OUT, NULL, k * value_size, 0);
    if (DEVICE_DID(d, scankit_top_k_pairs(d->context, o->type, from, keys_out, value_size, values_from, values_out,
                                          o->n, k, &o->options))) {
        device_expect(d, OUT, keys, k, size, "keys");
        device_expect(d, VALUES_OUT, expected, k, value_size, "values");
    }
    free(values);
    free(expected);
    free(keys);
}

/* Every k of the list, and all three functions. in is filled. */
static void check(device *d, ordered *o, const size_t *ks, size_t count)
{
    size_t size = oracle_size(o->type);
    if (!device_case_is_due())
        return;
    oracle_argsort(o->type, &o->options, o->in, o->positions, o->n);
    const void *from = device_put(d, KEYS, o->in, o->n * size, o->lead * size);
    for (size_t i = 0; i < count; i++) {
        size_t k = ks[i] < o->n ? ks[i] : o->n;
        tap_case("%s, n %zu, k %zu, descending %d", scankit_type_name(o->type), o->n, k, o->options.descending);
        check_elements(d, o, from, k);
        check_positions(d, o, from, k);
        check_pairs(d, o, from, k, i % 3 == 0 ? 8 : i % 3 == 1 ? 4 : 3);
    }
    device_expect(d, KEYS, o->in, o->n, size, "input");
}

static void every_shape(device *d, scankit_type type)
{
    static const size_t ks[] = {1, 10, 1000, 9999, SAMPLED / 4, SAMPLED / 4 + 1, SAMPLED};
    tap_begin("%s: %s: every shape", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++) {
        ordered o = order(type, SAMPLED, shape % 2, (size_t)shape % 3);
        data_fill(o.in, type, (data_shape)shape, o.n, (uint64_t)shape);
        check(d, &o, ks + shape % 3, 4);
        release(&o);
    }
    tap_end();
}

static void every_type(device *d)
{
    static const size_t ks[] = {3, 5000, 40000};
    for (int type = 0; type < ORACLE_TYPES; type++) {
        tap_begin("%s: %s: up and down", d->name, scankit_type_name((scankit_type)type));
        for (int descending = 0; descending < 2; descending++)
            for (int special = 0; special < 2; special++) {
                ordered o = order((scankit_type)type, SAMPLED, descending, 1);
                data_fill(o.in, o.type, special ? DATA_SPECIAL : DATA_BITS, o.n, 5);
                check(d, &o, ks, 3);
                release(&o);
            }
        tap_end();
    }
}

static void small(device *d)
{
    static const size_t ks[] = {0, 1, 2, 100, SIZE_MAX};
    size_list sizes = data_edge_sizes(4096);
    tap_begin("%s: small arrays", d->name);
    for (size_t i = 0; i < sizes.count; i++) {
        ordered o = order(SCANKIT_F32, sizes.size[i], i % 2, i % 4);
        data_fill(o.in, o.type, DATA_BITS, o.n, i);
        check(d, &o, ks, 5);
        release(&o);
    }
    tap_end();
}

/* Around the least array with a sample, and around tiles. */
static void edges(device *d)
{
    static const size_t sizes[] = {(1 << 17) - 1, 1 << 17, (1 << 17) + 1, 139264, 262144, 262147};
    static const size_t ks[] = {1, 255, 256, 257, 4096};
    tap_begin("%s: around the least array with a sample", d->name);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ordered o = order(SCANKIT_U64, sizes[i], 0, 0);
        data_fill(o.in, o.type, DATA_UNIFORM, o.n, i);
        check(d, &o, ks, 5);
        release(&o);
    }
    tap_end();
}

/* Every stride-th element is the least or the greatest of all, for the stride of the sample and its neighbours. */
static void misled(device *d)
{
    static const size_t ks[] = {1, 17, 3000, 30000};
    tap_begin("%s: samples that mislead", d->name);
    for (size_t stride = 22; stride < 26; stride++)
        for (int greatest = 0; greatest < 2; greatest++) {
            ordered o = order(SCANKIT_U32, SAMPLED, 0, 0);
            uint32_t *in = o.in;
            data_fill(in, o.type, DATA_UNIFORM, o.n, stride);
            for (size_t i = 0; i < o.n; i++)
                in[i] = i % stride != 0 ? in[i] / 2 + (1u << 30) : greatest ? UINT32_MAX - in[i] / 8 : in[i] / 8;
            check(d, &o, ks, 4);
            release(&o);
        }
    tap_end();
}

/* A frequent key at the threshold, whose elements lie together at the end, so that the search for the first ones goes
 * through the whole array. */
static void equal_at_the_end(device *d)
{
    static const size_t ks[] = {1, 99, 100, 101, 5000, 40000};
    tap_begin("%s: equal keys at the end", d->name);
    for (int type = 0; type < ORACLE_TYPES; type++) {
        ordered o = order((scankit_type)type, SAMPLED, 0, 0);
        memset(o.in, 0x41, o.n * oracle_size(o.type));
        memset(o.in, 0x42, o.n / 2 * oracle_size(o.type));
        memset(o.in, 0x40, 100 * oracle_size(o.type));
        check(d, &o, ks, 6);
        release(&o);
    }
    tap_end();
}

/* Only these bits count: all elements are sorted. */
static void some_bits(device *d)
{
    static const size_t ks[] = {1, 100, 60000};
    tap_begin("%s: some bits of the keys", d->name);
    ordered o = order(SCANKIT_U32, SAMPLED, 1, 0);
    o.options.begin_bit = 3;
    o.options.end_bit = 11;
    data_fill(o.in, o.type, DATA_UNIFORM, o.n, 1);
    check(d, &o, ks, 3);
    release(&o);
    tap_end();
}

static void test(device *d)
{
    small(d);
    edges(d);
    every_type(d);
    every_shape(d, SCANKIT_U32);
    every_shape(d, SCANKIT_F64);
    every_shape(d, SCANKIT_I16);
    misled(d);
    equal_at_the_end(d);
    some_bits(d);
}

int main(void)
{
    return device_each("top-k", test);
}
