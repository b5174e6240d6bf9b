/* table.h - the table of results, on standard output and as CSV. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include "row.h"

/* The first columns of every table: primitive, type, variant, shape of data, n. */
#define ROW_HEAD "%-8s %-4s %-35s %-12s %6s"

/* "2^20", or the number itself if it is not a power of two. */
const char *size_text(size_t n, char text[24]);

void table_header(const bench_state *bench);
void table_row(const bench_state *bench, const bench_row *row, const bench_job *job, const row_times *t, bool correct);

/* Prints that the device cannot run the row, with the library's reason. */
void table_left_out(const bench_state *bench, const bench_row *row, const bench_job *job);

#endif
