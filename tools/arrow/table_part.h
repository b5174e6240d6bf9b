/* table_part.h - a column of a record batch: its buffers, unpacked and checked. */
#ifndef TABLE_PART_H
#define TABLE_PART_H

#include <nanoarrow_ipc.h>

#include "arrow_table.h"

/* The buffers as they lie in the body, perhaps compressed, without a bitmap if there are no nulls. Fails if they do not
 * lie there. Returns the bytes that compressed ones claim to hold. */
uint64_t part_find(const char *input, const struct arrow_column *column, const struct ArrowArrayView *view,
                   const struct ArrowBufferView *body, bool packed, struct arrow_part *part);

/* Unpacks buffers that are compressed by zstd, each to memory of its own. */
void part_unpack(const char *input, const struct arrow_column *column, struct arrow_part *part);

/* Fails unless the buffers hold this many rows, and the offsets of texts lie in them. */
void part_check(const char *input, const struct arrow_column *column, uint64_t rows, int64_t nulls,
                const struct arrow_part *part);

#endif
