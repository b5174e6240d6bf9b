/* shapes.h - data in the shapes that sorting and scanning are measured on.
 *
 *     shape_stream stream;
 *     shape_open(&stream, shape, type, count, seed);
 *     shape_fill(&stream, buffer, n);       the next n elements, as often as wanted
 *
 * The same shape, type, count and seed give the same bytes, however they are cut into calls. */
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
 * real     a real number; in integer types scaled into their range, so that only the shape is left
 * record   100-byte records, and no type */
#define SHAPES(X)                                                                                             \
    X(uniform, spread, "every value as likely as any other")                                                  \
    X(sorted, spread, "ascending, over the whole range")                                                      \
    X(reversed, spread, "descending, over the whole range")                                                   \
    X(almost, spread, "ascending, but one element in a hundred is anywhere")                                  \
    X(equal, spread, "one value")                                                                             \
    X(few, spread, "16 distinct values")                                                                      \
    X(runs8, spread, "runs of 8 equal elements")                                                              \
    X(runs100, spread, "runs of 100 equal elements on average, of geometric lengths")                         \
    X(runs256, spread, "runs of 256 equal elements")                                                          \
    X(zipf, spread, "popular ids: the k-th of a million comes up as often as 1/k")                            \
    X(exponential, real, "waiting times")                                                                     \
    X(fb, count, "distinct, uniform below 2^50, and 100 outliers above 2^59")                                 \
    X(wiki, count, "seconds of edits over 16 years: bursts, many duplicates, top 32 bits zero")               \
    X(osm, spread, "ids of map cells, clustered at every scale as cities and streets are")                    \
    X(books, count, "popularity: a smooth heavy tail")                                                        \
    X(normal, real, "the bell curve; floats have NaNs and both zeros among them")                             \
    X(lognormal, real, "e to the bell curve; floats have NaNs and both zeros among them")                     \
    X(timestamps, count, "lines of a log in milliseconds: bursts, duplicates, 16 hosts that report by turns") \
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
    unsigned bits; /* of the integers drawn */
    uint64_t count, position, seed;
    uint64_t step, repeat; /* sorted shapes: distance of neighbours, or elements of one value */
    uint64_t stride;       /* fb: an outlier among every so many */
    uint64_t held;         /* runs8, runs100, runs256: the value of the run */
    double spare;          /* the normal generator makes two at a time */
    bool has_spare;
    uint64_t clock, host_clock[16]; /* timestamps */
    unsigned host;
    random_state random;
} shape_stream;

const char *shape_name(shape_id shape);
const char *shape_description(shape_id shape);
bool shape_from_name(shape_id *shape, const char *name);

/* Bytes of an element. */
size_t shape_element_size(const shape_stream *stream);

/* type: any but SCANKIT_BYTES, which is for SHAPE_records alone. */
void shape_open(shape_stream *stream, shape_id shape, scankit_type type, uint64_t count, uint64_t seed);
void shape_fill(shape_stream *stream, void *out, size_t n);

#endif
