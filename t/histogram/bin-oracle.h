/* bin-oracle.h - histograms by counting one key after the other, with the bins found in long double, which holds every
 * value of every type. */
#ifndef T_BIN_ORACLE_H
#define T_BIN_ORACLE_H

#include <stdbool.h>

#include "support/data.h"

#define UNWEIGHTED SCANKIT_BYTES

typedef struct histogram_case {
    scankit_type type, weights;
    data_shape shape;
    scankit_bins bins;
    size_t n, lead;
    uint64_t seed;
} histogram_case;

bool is_float(scankit_type type);

/* Element i of an array of numbers. */
long double value_at(scankit_type type, const void *values, size_t i);

/* Writes c->bins.count words: numbers of keys, or sums of weights. */
void count_all(const histogram_case *c, const void *keys, const void *weights, uint64_t *counts);

#endif
