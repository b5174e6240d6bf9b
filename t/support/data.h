/* data.h - random numbers with a seed, and arrays in the shapes that real data has. */
#ifndef DATA_H
#define DATA_H

#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

/* The same seed gives the same numbers everywhere. */
typedef struct random_state {
    uint64_t state[4];
} random_state;

random_state random_seeded(uint64_t seed);
uint64_t random_next(random_state *random);
uint64_t random_below(random_state *random, uint64_t limit); /* 0 for limit 0 */
size_t random_size(random_state *random, size_t limit);      /* below limit, small ones as likely as large ones */

/* X(enumerator, name, description) */
#define DATA_SHAPES(X)                                                                                \
    X(UNIFORM, "uniform", "any value as likely as another; floats of both signs, spread evenly")      \
    X(SORTED, "sorted", "rising, with equals where the type is narrow")                               \
    X(REVERSED, "reversed", "the same, falling")                                                      \
    X(ALMOST_SORTED, "almost-sorted", "rising, with one element in fifty anywhere")                   \
    X(EQUAL, "equal", "one value")                                                                    \
    X(SIXTEEN, "sixteen", "16 values over the whole range")                                           \
    X(ZIPF, "zipf", "few values very often, many seldom")                                             \
    X(FB, "fb", "uniform in the lowest part of the range, and a few outliers at its top")             \
    X(WIKI, "wiki", "bursts of close values with duplicates, constant leading bits")                  \
    X(OUTLIERS, "outliers", "three neighbours, and one element in twenty anywhere above")             \
    X(STEPS, "steps", "4096 values, as far apart as can be")                                          \
    X(SPECIAL, "special", "NaNs, zeros, infinities, denormals; extremes and single bits of integers") \
    X(BITS, "bits", "random bit patterns, so floats of every exponent")                               \
    X(UNSEEN, "unseen", "zero at each position that a sort samples, anything elsewhere")              \
    X(LOGARITHMIC, "logarithmic", "any number of bits as likely as another")                          \
    X(LURED, "lured", "least where a CPU's sort by pivots samples, so that its first pivots are bad") \
    X(RUNS, "runs", "runs of a hundred equal elements, in no order")                                  \
    X(CROWD, "crowd", "any value, but one in seven hundred elements has the same one")                \
    X(HEAVY, "heavy", "one of five values, and towards the end more and more others")                 \
    X(PADDED, "padded", "any values, but one in eight is the same; after a third, all are")           \
    X(DENSE, "dense", "any value, but the least 64th of them is a tenth more frequent")

typedef enum data_shape {
#define X(enumerator, name, text) DATA_##enumerator,
    DATA_SHAPES(X)
#undef X
        DATA_SHAPE_COUNT
} data_shape;

const char *data_shape_name(data_shape shape);

void data_fill(void *out, scankit_type type, data_shape shape, size_t n, uint64_t seed);

/* Fills with random bytes. */
void data_fill_bytes(void *out, size_t bytes, uint64_t seed);

/* 0, 1, 2 and the powers of two up to limit, each with its two neighbours. */
typedef struct size_list {
    size_t count, size[200];
} size_list;

size_list data_edge_sizes(size_t limit);

/* malloc() of at least a byte, which bails out if memory is short. */
void *data_allocate(size_t count, size_t size);

#endif
