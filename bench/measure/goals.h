/* goals.h - the speeds that the library must reach on an H100, beside the measured ones. */
#ifndef BENCH_GOALS_H
#define BENCH_GOALS_H

#include "row.h"

/* True if the row has a goal. */
bool goals_have(const bench_row *row, const bench_job *job);

void goals_add(const bench_row *row, const bench_job *job, const row_times *t);
void goals_print(const char *rival);

#endif
