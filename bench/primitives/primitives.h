/* primitives.h - the list of benchmarks, one for each primitive. */
#ifndef BENCH_PRIMITIVES_H
#define BENCH_PRIMITIVES_H

#include "measure/state.h"

/* X(function, name, by_name): bench_FUNCTION() and the name in --primitive. by_name: runs only if --primitive names it.
 * shapes: sorts of every shape of data. peers, pairpeers: beside other libraries' sorts of keys, of pairs and of
 * positions. first: the first call of a context beside the second. bound: every shape of data beside a radix sort.
 * image: of square pictures. segmented-sort: of many lengths of segments. */
#define PRIMITIVES(X)                         \
    X(copy, "copy", false)                    \
    X(scan, "scan", false)                    \
    X(segmented, "segmented", false)          \
    X(reduce, "reduce", false)                \
    X(split, "split", false)                  \
    X(compact, "compact", false)              \
    X(rle, "rle", false)                      \
    X(sort, "sort", false)                    \
    X(shapes, "shapes", true)                 \
    X(peers, "peers", true)                   \
    X(pairpeers, "pairpeers", true)           \
    X(first, "first", true)                   \
    X(bound, "bound", true)                   \
    X(pairs, "pairs", false)                  \
    X(segmented_sort, "segmented-sort", true) \
    X(histogram, "histogram", true)           \
    X(top_k, "top-k", false)                  \
    X(merge, "merge", false)                  \
    X(many, "many", false)                    \
    X(image, "image", true)                   \
    X(gallery, "gallery", true)               \
    X(gallery_sorts, "gallery-sorts", true)

/* Measures all rows of a primitive at one size: loads the data, runs each row once, checks the result, takes the time.
 * Sizes come in ascending order, and the last is bench->room. */
typedef void primitive_run(bench_state *bench, size_t n);

#define X(function, name, by_name) primitive_run bench_##function;
PRIMITIVES(X)
#undef X

typedef struct primitive {
    const char *name;
    primitive_run *run;
    bool by_name;
} primitive;

/* Ends with a NULL name. */
extern const primitive primitives[];

#endif
