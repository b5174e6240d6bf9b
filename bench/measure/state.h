/* state.h - the benchmark's state: devices, options and arrays; and how it ends where something fails. */
#ifndef BENCH_STATE_H
#define BENCH_STATE_H

#include <stdbool.h>
#include <stdio.h>

#include "rivals/rivals.h"
#include "scankit.h"

typedef struct bench_state {
    scankit_context *context;
    const rivals *rivals;      /* or NULL */
    const rivals_clock *clock; /* the device's clock; NULL: the host's */
    FILE *csv;                 /* or NULL */
    FILE *figures;             /* results of the primitives "gallery" and "gallery-sorts", or NULL */
    unsigned repeats;          /* measurements of a row; the table shows their median */
    double patience;           /* seconds after which a row gets no more measurements */
    bool goals_only;           /* measure only rows that have a goal */
    bool alone;                /* measure neither rivals nor copies */
    const char *types;         /* types of rows: NAME,NAME,...; NULL: all */
    const char *variant;       /* of rows; NULL: all */
    const char *shapes;        /* shapes of data for the primitive "shapes": NAME,NAME,...; NULL: all */
    const char *peers;         /* other libraries for the primitives "peers" and "pairpeers"; NULL: all */
    uint64_t seed;
    unsigned failures;
    size_t room;                             /* elements of each array: the size of the largest job */
    void *in, *values_in, *out, *values_out; /* on the device; 8 bytes an element, for values 4 */
} bench_state;

/* Most measurements of a row. */
#define REPEATS_MAX 101

/* Prints "bench: WHAT: WHY" and exits with status 2. */
_Noreturn void bench_fail(const char *what, const char *why);

/* Exits with the library's message if a call failed. */
void bench_try(const bench_state *bench, scankit_error error, const char *what);

/* Gives the library the stream of the rivals' clock, which times only work on that stream. */
void bench_use_clock(bench_state *bench);

/* Allocates the arrays, for n elements. bench_free_arrays() also closes the context. */
void bench_allocate_arrays(bench_state *bench, size_t n);
void bench_free_arrays(bench_state *bench);

/* Threads of a context on a CPU. */
unsigned bench_threads(const bench_state *bench);

/* Allocates host memory, to be released by free(). Exits if memory is short. */
void *bench_allocate(size_t bytes);

#endif
