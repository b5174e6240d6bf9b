/* is-sorted.c - the first descent is found wherever it is, and sorted arrays are recognised. */
#include "support/cases.h"
#include "support/oracle.h"
#include "support/tap.h"

static void check(device *d, scankit_type type, const scankit_sort_options *options, const void *keys, size_t n,
                  size_t lead)
{
    if (!device_case_is_due())
        return;
    size_t first = ~(size_t)0, expected = oracle_first_descent(type, options, keys, n);
    const void *in = device_put(d, 0, keys, n * oracle_size(type), lead * oracle_size(type));
    if (DEVICE_DID(d, scankit_is_sorted(d->context, type, in, n, options, &first)) && first != expected)
        tap_fail("first is %zu, should be %zu", first, expected);
    device_expect(d, 0, keys, n, oracle_size(type), "input");
}

/* One descent, at every position near a boundary of tiles or threads. */
static void every_place(device *d, scankit_type type)
{
    enum { N = 40000 };
    size_list places = data_edge_sizes(N - 2);
    char *keys = data_allocate(N, oracle_size(type));
    tap_begin("%s: %s: a descent at every place", d->name, scankit_type_name(type));
    data_fill(keys, type, DATA_SORTED, N, 0);
    uint64_t least = oracle_load(type, keys, 0);
    oracle_store(type, keys, 0, oracle_load(type, keys, N / 2)); /* so that even a fall to it is a descent */
    for (size_t i = 1; i < N / 2; i++)
        oracle_store(type, keys, i, oracle_load(type, keys, N / 2));
    for (size_t p = 0; p < places.count; p++) {
        size_t at = places.size[p] + 1;
        uint64_t kept = oracle_load(type, keys, at);
        tap_case("descent at %zu", at);
        oracle_store(type, keys, at, least);
        check(d, type, NULL, keys, N, p % 5);
        check(d, type, NULL, keys, at + 1, p % 3);
        check(d, type, NULL, keys, at, p % 4);
        oracle_store(type, keys, at, kept);
    }
    tap_end();
    free(keys);
}

static void shapes(device *d, scankit_type type)
{
    size_list sizes = data_edge_sizes(5000);
    tap_begin("%s: %s: any data, both directions, ranges of bits", d->name, scankit_type_name(type));
    for (int shape = 0; shape < DATA_SHAPE_COUNT; shape++)
        for (size_t s = 0; s < sizes.count; s++) {
            size_t n = sizes.size[s];
            char *keys = data_allocate(n, oracle_size(type));
            scankit_sort_options options = {.descending = (int)(s % 2)};
            if (oracle_kind(type) != ORACLE_FLOAT && s % 3 == 0) {
                options.begin_bit = (unsigned)s % oracle_bits(type);
                options.end_bit = oracle_bits(type);
            }
            data_fill(keys, type, (data_shape)shape, n, s);
            tap_case("%s n %zu bits %u-%u%s", data_shape_name((data_shape)shape), n, options.begin_bit, options.end_bit,
                     options.descending ? " descending" : "");
            check(d, type, &options, keys, n, s % 3);
            free(keys);
        }
    tap_end();
}

/* The first pieces of the search are short: a descent at every place of these. */
static void every_place_of_few(device *d, scankit_type type)
{
    enum { N = 4000 };
    char *keys = data_allocate(N, oracle_size(type));
    tap_begin("%s: %s: a descent at every place of few", d->name, scankit_type_name(type));
    for (size_t i = 0; i < N; i++)
        oracle_store(type, keys, i, 2);
    for (size_t at = 1; at < N; at++) {
        oracle_store(type, keys, at, 1);
        check(d, type, NULL, keys, N, 0);
        oracle_store(type, keys, at, 2);
    }
    tap_end();
    free(keys);
}

/* Longer than one piece of the search, with the descent where two pieces meet. */
static void large(device *d, scankit_type type)
{
    size_t seam = (size_t)1 << 22, n = seam + 5003;
    size_t places[] = {1, seam / 4, seam - 1, seam, seam + 1, seam + 2, n - 2, n - 1, n};
    char *keys = data_allocate(n, oracle_size(type));
    tap_begin("%s: %s: a descent in a large array", d->name, scankit_type_name(type));
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        for (size_t i = 0; i < n; i++)
            oracle_store(type, keys, i, i < places[p] ? 2 : 1);
        tap_case("descent at %zu", places[p]);
        check(d, type, NULL, keys, n, 0);
        for (size_t i = places[p]; i < n; i++)
            oracle_store(type, keys, i, i % 2);
        tap_case("descents from %zu on", places[p]);
        check(d, type, NULL, keys, n, 0);
    }
    tap_end();
    free(keys);
}

static void test(device *d)
{
    for (int type = 0; type < ORACLE_TYPES; type++) {
        every_place(d, (scankit_type)type);
        shapes(d, (scankit_type)type);
    }
    every_place_of_few(d, SCANKIT_I32);
    every_place_of_few(d, SCANKIT_F64);
    large(d, SCANKIT_U32);
    large(d, SCANKIT_I16);
}

int main(void)
{
    return device_each("is_sorted", test);
}
