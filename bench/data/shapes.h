/* shapes.h - test data of every shape. A shape of data is the distribution and the order of its values.
 *
 *     shape_stream stream;
 *     shape_open(&stream, shape, type, count, seed);
 *     shape_fill(&stream, buffer, n);       the next n elements; may be called repeatedly
 *
 * The same shape, type, count and seed give the same bytes, whatever the n of each call. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "random.h"
#include "scankit.h"

#define SHAPE_RECORD_SIZE 100
#define SHAPE_RECORD_KEY 10

/* X(name, kind, description). Kinds:
 * spread   an integer anywhere in the type's range; floats in [0, 1)
 * count    an integer from 0 up, also in signed types and floats
 * real     a real number; integer types have it scaled into their range
 * wide     an integer of 62 bits, for u64 alone
 * record   100-byte records, without a type */
#define SHAPES(X)                                                                                                      \
    X(uniform, spread, "every value as likely as any other")                                                           \
    X(sorted, spread, "ascending, over the whole range")                                                               \
    X(reversed, spread, "descending, over the whole range")                                                            \
    X(almost, spread, "ascending, but one element in a hundred is random")                                             \
    X(equal, spread, "one value")                                                                                      \
    X(few, spread, "16 distinct values")                                                                               \
    X(runs8, spread, "runs of 8 equal elements")                                                                       \
    X(runs100, spread, "runs of 100 equal elements on average, of geometric lengths")                                  \
    X(runs256, spread, "runs of 256 equal elements")                                                                   \
    X(zipf, spread, "popular ids: the k-th of a million has frequency 1/k")                                            \
    X(copies, spread, "64 copies of each value on average, in no order")                                               \
    X(clusters, spread, "32 narrow clusters, each in an equal part of the range")                                      \
    X(exponential, real, "waiting times")                                                                              \
    X(fb, count, "distinct, uniform below 2^50, and 100 outliers above 2^59")                                          \
    X(wiki, count, "seconds of edits over 16 years: bursts, many duplicates, top 32 bits zero")                        \
    X(osm, spread, "ids of map cells, clustered at every scale like cities and streets")                               \
    X(books, count, "popularity: a smooth heavy tail")                                                                 \
    X(normal, real, "normal distribution; floats include NaNs and both zeros")                                         \
    X(lognormal, real, "lognormal distribution; floats include NaNs and both zeros")                                   \
    X(timestamps, count, "lines of a log in milliseconds: bursts, duplicates, 16 hosts by turns")                      \
    X(zeros, count, "zero, but one element in a hundred is any value")                                                 \
    X(loguniform, real, "as likely between 1 and 2 as between any power of two and the next")                          \
    X(morton, spread, "Morton codes of points in the plane, normally distributed around its centre")                   \
    X(kmers, wide, "31-mers of a genome with repeats, one after the other, each or its reverse complement; u64 alone") \
    X(records, record, "records of 100 bytes that begin with a random key of 10 bytes and their number")

typedef enum shape_id {
#define X(name, kind, text) SHAPE_##name,
    SHAPES(X)
#undef X
        SHAPE_COUNT
} shape_id;

typedef struct shape_stream {
    shape_id shape;
    scankit_type type;
    unsigned bits; /* of drawn integers */
    uint64_t count, position, seed;
    uint64_t step;   /* sorted, reversed, almost: distance of neighbours; if below 2, see repeat */
    uint64_t repeat; /* and elements of each value */
    uint64_t stride; /* fb: one element of this many is an outlier */
    uint64_t held;   /* runs8, runs100, runs256: the value of the run */
    double spare;    /* normal, lognormal: the generator makes two values at a time */
    bool has_spare;
    uint64_t clock, host_clock[16]; /* timestamps */
    unsigned host;
    uint64_t forward, reverse; /* kmers: the last 31 bases, and their reverse complement */
    random_state random;
} shape_stream;

const char *shape_name(shape_id shape);
const char *shape_description(shape_id shape);
bool shape_from_name(shape_id *shape, const char *name);

/* Bytes of an element. */
size_t shape_element_size(const shape_stream *stream);

/* True if elements of the type can have the shape. Records have no type. */
bool shape_takes(shape_id shape, scankit_type type);

/* Begins a stream of `count` elements. type: ignored for SHAPE_records, else one that the shape takes. */
void shape_open(shape_stream *stream, shape_id shape, scankit_type type, uint64_t count, uint64_t seed);

/* Writes the next n elements. */
void shape_fill(shape_stream *stream, void *out, size_t n);

#endif
