/* gather.h - rows of a table as a record batch. */
#ifndef GATHER_H
#define GATHER_H

#include <nanoarrow_ipc.h>

#include "arrow_table.h"

/* Where a row lies. */
struct place {
    const struct arrow_batch *batch;
    uint64_t row; /* within the batch */
};

/* Bytes of a row. */
uint64_t gather_bytes(const struct arrow_table *table, const struct place *place);

/* The columns of n rows, in memory that the next call uses again. */
struct gather;
struct gather *gather_open(const struct arrow_table *table);
const struct ArrowArrayView *gather_rows(struct gather *gather, const struct place *places, size_t n);
void gather_close(struct gather *gather);

#endif
