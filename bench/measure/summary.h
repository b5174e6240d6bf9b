/* summary.h - mean and least ratio to the rival over all sizes. */
#ifndef BENCH_SUMMARY_H
#define BENCH_SUMMARY_H

#include "row.h"

void summary_add(const bench_row *row, const bench_job *job, double ratio);

/* Prints the ratios by row and by primitive, and forgets them. */
void summary_print(const char *rival);

#endif
