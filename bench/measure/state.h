/* bench.h - what the files of the benchmark share. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stdio.h>

#include "rivals/rivals.h"
#include "scankit.h"
#include "data/shapes.h"

typedef struct bench_state {
    scankit_context *context;
    const rivals *rivals;      /* or NULL */
    FILE *csv;                 /* or NULL */
    FILE *figures;             /* what the primitive "gallery" measures, or NULL */
    unsigned repeats;          /* the median of so many measurements */
    double patience;           /* seconds after which a row gets no further ones */
    bool goals_only;           /* rows that something is to be reached of, and no others */
    const rivals_clock *clock; /* or NULL: the host's */
    const char *shapes;        /* NAME,NAME,..., or NULL for all: of the primitive "shapes" */
    uint64_t seed;
    unsigned failures;
    size_t room;                             /* the elements of the largest job */
    void *in, *values_in, *out, *values_out; /* room for it */
} bench_state;

/* Stops the program with a message where a call of the library failed. */
void bench_try(const bench_state *bench, scankit_error error, const char *what);

/* Memory of the host, of free(); stops the program where there is none. */
void *bench_allocate(size_t bytes);

/* ---- data.c: test data on the device, and whether it is all still there ---- */

/* What sorting does not change: sums over the elements' bit patterns. real: the sum of floats as such. */
typedef struct bench_digest {
    uint64_t sum, mix;
    double real;
} bench_digest;

/* An element that is a float of either size. */
double data_real(const void *element, scankit_type type);

bench_digest data_load(const bench_state *bench, void *to, shape_id shape, scankit_type type, size_t n, uint64_t seed);

/* values[i] follows from keys[i], so that it can be seen whether they stayed together. */
void data_load_values(const bench_state *bench, const void *keys, scankit_type type, size_t n, void *values);
bool data_values_fit(const bench_state *bench, const void *keys, scankit_type type, size_t n, const void *values);

/* Of n elements on the device; without `real`. */
bench_digest data_digest(const bench_state *bench, const void *from, scankit_type type, size_t n);
bool data_same(bench_digest a, bench_digest b);

/* ---- measure.c: time and the table ---- */

/* A row of the table: what is measured, in words and in functions. */
typedef struct bench_row {
    const char *primitive, *variant;
    shape_id shape;
    scankit_error (*run)(scankit_context *context, const bench_job *job);
    rival_run rival;
    size_t moved; /* bytes that must be read and written; 0: no measure for this row */
    bool aside;   /* not of the primitive's mean: the rival does not do the same */
} bench_row;

/* The device's clock, or the host's: seconds since the start, when all that was queued is done. */
#define REPEATS_MAX 101
void measure_start(const bench_state *bench);
double measure_stop(const bench_state *bench, const char *what);

/* Orders them. */
double measure_median(double *seconds, unsigned count);

/* How a row of a table begins: primitive, type, variant, shape, n. */
#define ROW_HEAD "%-8s %-4s %-35s %-12s %6s"

/* "2^20", or the number where it is no power of two. */
const char *size_text(size_t n, char text[24]);

void measure_header(const bench_state *bench);

/* Whether this row is asked for: before it is loaded, run and checked. */
bool is_wanted(const bench_state *bench, const bench_row *row, const bench_job *job);

/* Measures ours and the rival by turns and prints the medians. correct: what a check of the result said. */
void measure_row(bench_state *bench, const bench_row *row, const bench_job *job, bool correct);

/* Gives a job that works in place its input back. */
void measure_restore(const bench_state *bench, const bench_job *job);

/* Says that this device cannot do the row, with the library's reason. */
void measure_left_out(const bench_state *bench, const bench_row *row, const bench_job *job);

/* ---- summary.c: the ratios over all sizes ---- */

void summary_add(const bench_row *row, const bench_job *job, double ratio);
void summary_print(const char *rival);

/* ---- goals.c: what is to be reached, on a GPU ---- */

/* Whether something is to be reached of the row. */
bool goals_have(const bench_row *row, const bench_job *job);

/* Seconds; negative for a rival or a copy that there is not. */
void goals_add(const bench_row *row, const bench_job *job, double ours, double rival, double copy);
void goals_print(const char *rival);

/* ---- primitives.c ---- */

/* A job on the benchmark's arrays `in` and `out`. */
bench_job job_for(const bench_state *bench, scankit_type type, size_t n);

/* Whether job->out holds, in order, the elements of that digest. */
bool order_is_right(const bench_state *bench, const bench_job *job, bench_digest before);
bool is_ordered(const bench_state *bench, const bench_job *job, unsigned begin_bit, unsigned end_bit);

/* Runs the row's job once, for its result. */
void run_once(const bench_state *bench, const bench_row *row, const bench_job *job);

/* The rival's function at that offset of struct rivals, or NULL. */
rival_run rival_for(const bench_state *bench, size_t offset);
#define RIVAL(bench, primitive) rival_for(bench, offsetof(rivals, primitive))

scankit_error copy_once(scankit_context *context, const bench_job *job);

typedef void (*primitive_run)(bench_state *bench, size_t n, bool largest);

typedef struct primitive {
    const char *name;
    primitive_run run;
    bool by_name; /* only where it is asked for */
} primitive;

/* Ends with a NULL name. */
extern const primitive primitives[];

/* Whether a list, NAME,NAME,..., has the name; NULL has them all. */
bool is_listed(const char *list, const char *name);

/* sort.c */
void bench_sort(bench_state *bench, size_t n, bool largest);
void bench_shapes(bench_state *bench, size_t n, bool largest);
void bench_pairs(bench_state *bench, size_t n, bool largest);
void bench_merge(bench_state *bench, size_t n, bool largest);

/* compact.c */
void bench_compact(bench_state *bench, size_t n, bool largest);

/* rle.c */
void bench_rle(bench_state *bench, size_t n, bool largest);

/* gallery.c */
void bench_gallery(bench_state *bench, size_t n, bool largest);

#endif
