/* oracle-order.c - the order of values and records, and merging by it: see oracle.h. Sorting is in oracle-sort.c. */
#include <string.h>

#include "oracle.h"

static int sign_of(bool less, bool greater)
{
    return greater - less;
}

static int64_t as_signed(scankit_type type, uint64_t bits)
{
    unsigned up = 64 - oracle_bits(type);
    return (int64_t)(bits << up) >> up;
}

/* 0 for a number, 1 for a NaN with a clear sign bit, 2 for one with a set one. */
static int nan_class(scankit_type type, uint64_t bits)
{
    unsigned width = oracle_bits(type);
    uint64_t magnitude = bits & (UINT64_MAX >> (65 - width));
    uint64_t infinity = oracle_float_bits(type, 1e300 * 1e300);
    if (magnitude <= infinity)
        return 0;
    return bits >> (width - 1) ? 2 : 1;
}

/* Numbers by value and -0.0 before +0.0; then positive NaNs by rising payload, then negative ones by falling payload.
 */
static int compare_floats(scankit_type type, uint64_t a, uint64_t b)
{
    int class_a = nan_class(type, a), class_b = nan_class(type, b);
    if (class_a != class_b)
        return class_a - class_b;
    if (class_a == 1)
        return sign_of(a<b, a> b);
    if (class_a == 2)
        return sign_of(a > b, a < b);
    double x = oracle_double(type, a), y = oracle_double(type, b);
    if (x < y || x > y)
        return sign_of(x<y, x> y);
    return sign_of(a > b, a < b); /* equal numbers of different bits are zeros, and -0.0 has the greater bits */
}

int oracle_compare(scankit_type type, const scankit_sort_options *options, uint64_t a, uint64_t b)
{
    int order;
    unsigned width = oracle_bits(type), begin = 0, end = width;
    if (options != NULL && options->end_bit != 0) {
        begin = options->begin_bit;
        end = options->end_bit;
    }
    if (oracle_kind(type) == ORACLE_FLOAT) {
        order = compare_floats(type, a, b);
    } else if (oracle_kind(type) == ORACLE_SIGNED && end == width) {
        int64_t x = as_signed(type, a) >> begin, y = as_signed(type, b) >> begin;
        order = sign_of(x<y, x> y);
    } else {
        uint64_t mask = UINT64_MAX >> (64 - (end - begin)), x = (a >> begin) & mask, y = (b >> begin) & mask;
        order = sign_of(x<y, x> y);
    }
    return options != NULL && options->descending ? -order : order;
}

static uint64_t load_field(const scankit_key *key, const void *record)
{
    const unsigned char *byte = (const unsigned char *)record + key->offset;
    size_t size = oracle_size(key->type);
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)byte[key->big_endian ? size - 1 - i : i] << (8 * i);
    return bits;
}

int oracle_compare_records(const scankit_key *keys, size_t key_count, const void *a, const void *b)
{
    for (size_t k = 0; k < key_count; k++) {
        const scankit_key *key = &keys[k];
        int order;
        if (key->type == SCANKIT_BYTES)
            order = memcmp((const char *)a + key->offset, (const char *)b + key->offset, key->size);
        else
            order = oracle_compare(key->type, NULL, load_field(key, a), load_field(key, b));
        if (order != 0)
            return key->descending ? -order : order;
    }
    return 0;
}

size_t oracle_first_descent(scankit_type type, const scankit_sort_options *options, const void *in, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (oracle_compare(type, options, oracle_load(type, in, i), oracle_load(type, in, i - 1)) < 0)
            return i;
    return n;
}

void oracle_merge(scankit_type type, const scankit_sort_options *options, const void *a, size_t na, const void *b,
                  size_t nb, uint64_t *positions)
{
    size_t i = 0, j = 0;
    while (i + j < na + nb) {
        bool from_a =
            j == nb || (i < na && oracle_compare(type, options, oracle_load(type, a, i), oracle_load(type, b, j)) <= 0);
        size_t out = i + j;
        positions[out] = from_a ? i++ : na + j++;
    }
}
