/* field.h - the algorithms that are measured beside each other for the figures, and the devices that they run on. */
#ifndef BENCH_FIELD_H
#define BENCH_FIELD_H

#include "measure/contest.h"
#include "measure/device_data.h"

#define FIELD_MOST 64

/* Where the work runs. Kept from size to size. */
typedef struct field_places {
    bench_state *device;
    bench_state host; /* the CPU beside a GPU, with in, out and values_in; without a GPU, the device */
    bool is_open, has_gpu;
} field_places;

/* Contestants on the first n elements. */
typedef struct field {
    contestant all[FIELD_MOST];
    size_t count, n;
} field;

/* How rows of the gallery run, by their kind. A kind without a function is left out. */
typedef struct field_run {
    const char *series;
    scankit_error (*run)(contestant *c);
} field_run;
typedef field_run field_runs[SCANKIT_SORT + 1];

/* Seconds of each contestant at the size before. The field must have the same order at every size. */
typedef double field_times[FIELD_MOST];

/* Opens the places once: allocates the host's arrays, fills places->host.in with uniform keys, and writes the head of
 * the figures' data. */
void field_open(field_places *places, bench_state *bench, const char *primitive);
void field_close(field_places *places);

/* An empty field. Release it by free(). */
field *field_of(size_t n);

void field_enter(field *f, const char *series, const char *name, const bench_state *bench,
                 scankit_error (*run)(contestant *c));
void field_enter_copy(field *f, const bench_state *bench);
void field_enter_rival(field *f, const char *series, const char *name, const bench_state *bench, rival_run rival);

/* Enters the rows of the gallery that the bench's device has. */
void field_enter_gallery(field *f, const bench_state *bench, const field_runs runs);

/* Measures all contestants except those already left out and those that were too slow before. Empties the field. */
void field_hold(bench_state *bench, field *f, field_times before, bool (*right)(const contestant *c));

#endif
