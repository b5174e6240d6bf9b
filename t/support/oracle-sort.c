/* oracle-sort.c - positions in sorted order: see oracle.h. A program that has oracle-cpu.c takes them from there. */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "oracle.h"
#include "tap.h"

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

/* A NaN has a fraction other than 0. */
static uint64_t negative_nans(scankit_type type)
{
    return (UINT64_C(1) << oracle_fraction(type)) - 1;
}

/* A number that rises with the order of values. Of floats, negative NaNs have the lowest numbers; subtracting their
 * count puts them last. */
static uint64_t order_number(scankit_type type, const scankit_sort_options *options, uint64_t bits)
{
    unsigned width = oracle_bits(type), begin = 0, end = width;
    uint64_t all = UINT64_MAX >> (64 - width), sign = all ^ all >> 1;
    if (options != NULL && options->end_bit != 0) {
        begin = options->begin_bit;
        end = options->end_bit;
    }
    if (oracle_kind(type) == ORACLE_FLOAT)
        bits = ((bits & sign ? ~bits : bits | sign) - negative_nans(type)) & all;
    else if (oracle_kind(type) == ORACLE_SIGNED && end == width)
        bits ^= sign;
    bits = bits >> begin & UINT64_MAX >> (64 - (end - begin));
    return options != NULL && options->descending ? ~bits : bits;
}

typedef struct numbered {
    uint64_t number, position;
} numbered;

/* Counting sort by bytes, from the lowest to the highest. Returns the sorted array, which is one of the two. */
static numbered *sort_numbers(numbered *from, numbered *to, size_t n)
{
    for (unsigned bit = 0; bit < 64; bit += 8) {
        size_t begin[257] = {0};
        for (size_t i = 0; i < n; i++)
            begin[1 + (from[i].number >> bit & 255)]++;
        if (begin[1 + (from[0].number >> bit & 255)] == n)
            continue;
        for (unsigned digit = 0; digit < 256; digit++)
            begin[digit + 1] += begin[digit];
        for (size_t i = 0; i < n; i++)
            to[begin[from[i].number >> bit & 255]++] = from[i];
        numbered *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* The result is the stable order by oracle_compare() as well, which defines it. */
static void check_order(scankit_type type, const scankit_sort_options *options, const void *in,
                        const uint64_t *positions, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t before = positions[i - 1], after = positions[i];
        int order = oracle_compare(type, options, oracle_load(type, in, before), oracle_load(type, in, after));
        if (order > 0 || (order == 0 && before > after))
            tap_bail_out("the oracle's two orders of %s differ", scankit_type_name(type));
    }
}

void oracle_argsort(scankit_type type, const scankit_sort_options *options, const void *in, uint64_t *positions,
                    size_t n)
{
    if (n == 0)
        return;
    numbered *from = data_allocate(n, sizeof *from), *to = data_allocate(n, sizeof *to);
    for (size_t i = 0; i < n; i++)
        from[i] = (numbered){order_number(type, options, oracle_load(type, in, i)), i};
    const numbered *sorted = sort_numbers(from, to, n);
    for (size_t i = 0; i < n; i++)
        positions[i] = sorted[i].position;
    free(from);
    free(to);
    check_order(type, options, in, positions, n);
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
