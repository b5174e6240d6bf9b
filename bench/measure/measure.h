/* measure.h - measures a row: the library, the rival and a copy by turns. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "row.h"

/* False for rows that --goals, --type or --variant skips. */
bool is_wanted(const bench_state *bench, const bench_row *row, const bench_job *job);

/* False if --goals or --type skips all rows of the primitive on this data. Then the data need not be loaded. */
bool is_data_wanted(const bench_state *bench, const char *primitive, shape_id shape, scankit_type type, size_t n);

/* Measures the library, the rival and a copy by turns, until all repeats are done or patience ends. */
row_times measure_turns(const bench_state *bench, const bench_row *row, const bench_job *job, unsigned repeats);

/* Measures the row and prints the medians. correct: the result of the check that ran before. */
void measure_row(bench_state *bench, const bench_row *row, const bench_job *job, bool correct);

#endif
