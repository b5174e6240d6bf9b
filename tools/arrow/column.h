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

/* Returns false for types that are no numbers. */
bool column_type(enum ArrowType arrow, scankit_type *type);

/* Finds the column of this name, or the only one if it is NULL. Fails if it is no column of numbers. encoded: for each
 * column, whether it is dictionary-encoded. input: for messages. */
struct column column_find(const char *input, const struct ArrowSchema *schema, const bool *encoded, const char *name);

/* The schema of its elements. */
void column_schema(const struct column *column, struct schema *schema);

/* The part of a batch's body that holds the numbers, perhaps compressed. */
struct extent {
    uint64_t rows, offset, bytes;
};

/* Fails if the body does not hold it, or at nulls. */
struct extent column_extent(const char *input, const struct column *column, struct ArrowIpcDecoder *decoder);

#endif
