/* device_data.h - test data on the device, and checks that a primitive lost none of it. */
#ifndef BENCH_DEVICE_DATA_H
#define BENCH_DEVICE_DATA_H

#include "data/shapes.h"
#include "state.h"

/* Sums over the bit patterns of elements. Reordering does not change them. real: the sum of floats by value. */
typedef struct bench_digest {
    uint64_t sum, mix;
    double real;
} bench_digest;

/* Fills device memory with data of a shape. Returns its digest. */
bench_digest data_load(const bench_state *bench, void *to, shape_id shape, scankit_type type, size_t n, uint64_t seed);

/* Computes values[i] from keys[i], so that a check of the output sees whether pairs stayed together. */
void data_load_values(const bench_state *bench, const void *keys, scankit_type type, size_t n, void *values);
bool data_values_fit(const bench_state *bench, const void *keys, scankit_type type, size_t n, const void *values);

/* Digest of n elements in device memory. `real` is valid for floats only. */
bench_digest data_digest(const bench_state *bench, const void *from, scankit_type type, size_t n);

/* Compares sum and mix. `real` depends on the order of elements. */
bool data_same(bench_digest a, bench_digest b);

/* True if `sum`, an element of that type, is the sum of the digest's elements; of floats, within 1/1000. */
bool data_sum_fits(bench_digest digest, scankit_type type, const void *sum);

#endif
