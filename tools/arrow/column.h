/* column.h - a column of fixed width in an Arrow schema, and where its numbers lie in a record batch. */
#ifndef COLUMN_H
#define COLUMN_H

#include <nanoarrow_ipc.h>

#include "common/schema.h"

struct column {
    int64_t node; /* among the nodes of all columns, depth first */
    scankit_type type;
    size_t size; /* bytes of a number */
};

/* Finds the column of this name, or the only one if it is NULL. Fails if it is no column of numbers. input: for
 * messages. */
struct column column_find(const char *input, const struct ArrowSchema *schema, const char *name);

/* The schema of its elements. */
void column_schema(const struct column *column, struct schema *schema);

/* The part of a batch's body that holds the numbers, perhaps compressed. */
struct extent {
    uint64_t rows, offset, bytes;
};

/* Fails if the body does not hold it, or at nulls. */
struct extent column_extent(const char *input, const struct column *column, struct ArrowIpcDecoder *decoder);

#endif
