/* primitives.h - the list of benchmarks, one for each primitive. */
#ifndef BENCH_PRIMITIVES_H
#define BENCH_PRIMITIVES_H

#include "measure/state.h"

/* X(name, by_name). by_name: runs only if --primitive names it. shapes: sorts of every shape of data. peers,
 * pairpeers: beside other libraries' sorts of keys, of pairs and of positions. first: the first call of a context
 * beside the second. image: of square pictures. */
#define PRIMITIVES(X)   \
    X(copy, false)      \
    X(scan, false)      \
    X(segmented, false) \
    X(reduce, false)    \
    X(split, false)     \
    X(compact, false)   \
    X(rle, false)       \
    X(sort, false)      \
    X(shapes, true)     \
    X(peers, true)      \
    X(pairpeers, true)  \
    X(first, true)      \
    X(pairs, false)     \
    X(merge, false)     \
    X(many, false)      \
    X(image, true)      \
    X(gallery, true)

/* Measures all rows of a primitive at one size: loads the data, runs each row once, checks the result, takes the time.
 * Sizes come in ascending order, and the last is bench->room. */
typedef void primitive_run(bench_state *bench, size_t n);

#define X(name, by_name) primitive_run bench_##name;
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
