/* oracle-sort.c - positions in sorted order: see oracle.h. A program that has oracle-cpu.c takes them from there. */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "oracle.h"

/* Bottom-up merge sort. */
void oracle_sort_positions(oracle_comparison *compare, const void *context, uint64_t *positions, size_t n)
{
    uint64_t *spare = data_allocate(n, sizeof *spare), *from = positions, *to = spare;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * width) {
            size_t middle = n - begin > width ? begin + width : n, end = n - middle > width ? middle + width : n;
            size_t a = begin, b = middle, out = begin;
            bool in_order = middle == end || compare(context, from[middle - 1], from[middle]) <= 0;
            while (out < end) {
                bool from_a = b == end || (a < middle && (in_order || compare(context, from[a], from[b]) <= 0));
                to[out++] = from_a ? from[a++] : from[b++];
            }
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != positions)
        memcpy(positions, from, n * sizeof *positions);
    free(spare);
}

static void count_up(uint64_t *positions, size_t n)
{
    for (size_t i = 0; i < n; i++)
        positions[i] = i;
}

struct keys {
    scankit_type type;
    const scankit_sort_options *options;
    const uint64_t *bits;
};

static int compare_keys(const void *context, size_t a, size_t b)
{
    const struct keys *keys = context;
    return oracle_compare(keys->type, keys->options, keys->bits[a], keys->bits[b]);
}

void oracle_argsort(scankit_type type, const scankit_sort_options *options, const void *in, uint64_t *positions,
                    size_t n)
{
    uint64_t *bits = data_allocate(n, sizeof *bits);
    struct keys keys = {type, options, bits};
    for (size_t i = 0; i < n; i++)
        bits[i] = oracle_load(type, in, i);
    count_up(positions, n);
    oracle_sort_positions(compare_keys, &keys, positions, n);
    free(bits);
}

struct records {
    const scankit_key *keys;
    size_t key_count, record_size;
    const char *in;
};

static int compare_records(const void *context, size_t a, size_t b)
{
    const struct records *records = context;
    return oracle_compare_records(records->keys, records->key_count, records->in + a * records->record_size,
                                  records->in + b * records->record_size);
}

void oracle_argsort_records(const scankit_key *keys, size_t key_count, size_t record_size, const void *in,
                            uint64_t *positions, size_t n)
{
    struct records records = {keys, key_count, record_size, in};
    count_up(positions, n);
    oracle_sort_positions(compare_records, &records, positions, n);
}
