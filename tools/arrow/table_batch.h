/* table_batch.h - the record batches of a table. */
#ifndef TABLE_BATCH_H
#define TABLE_BATCH_H

#include <nanoarrow_ipc.h>

#include "arrow_table.h"

/* Adds the record batch whose header was decoded last. The memory holds its body, and is the table's from here on. */
void table_batch_add(struct arrow_table *table, const char *input, struct ArrowIpcDecoder *decoder,
                     unsigned char *memory);
void table_batch_free(const struct arrow_batch *batch, size_t columns);

/* Counts memory of the table. Fails past its limit. */
void table_take(struct arrow_table *table, uint64_t bytes);

/* Room for one more than `count` items. */
void *table_grow(void *memory, size_t count, size_t size);

#endif
