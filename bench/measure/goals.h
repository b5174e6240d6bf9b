/* goals.h - the speeds that the library must reach on an H100, beside the measured ones. */
#ifndef BENCH_GOALS_H
#define BENCH_GOALS_H

#include "row.h"

/* True if the row has a goal. */
bool goals_have(const bench_row *row, const bench_job *job);

/* True if any row of the primitive on this data has a goal. */
bool goals_have_data(const char *primitive, shape_id shape, scankit_type type, size_t n);

void goals_add(const bench_row *row, const bench_job *job, const row_times *t);
void goals_print(const char *rival);

#endif
