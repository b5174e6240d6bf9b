/* table_keys.h - the keys of a table's sort: which columns, and their values as arrays of numbers. */
#ifndef TABLE_KEYS_H
#define TABLE_KEYS_H

#include "arrow/arrow_table.h"
#include "common/schema.h"

/* A column to sort by. */
struct table_key {
    const struct arrow_column *column;
    size_t index; /* of the column */
    bool descending;
};

/* Parses COLUMN[:asc|:desc][,...] and appends to keys[*count], which has room for KEYS_MAX. Fails if the table has no
 * such column, or no order for its type. */
void table_keys_parse(const struct arrow_table *table, const char *text, struct table_key *keys, size_t *count);

/* An array of the rows' values, or of a part of each. */
struct key_part {
    scankit_column column; /* in host memory */
    size_t size;           /* bytes of a value */
    void *memory;          /* or NULL: it lies in the table */
};

/* The parts of all keys, most significant first. A key with nulls has a part more, which says where they are. */
struct key_parts {
    size_t count;
    uint64_t n; /* rows */
    struct key_part part[KEYS_MAX];
};

/* Bytes of memory that the parts take for each row, at most, with the work to make them. */
uint64_t table_keys_cost(const struct table_key *keys, size_t count);

/* The context sorts texts. */
void table_keys_make(const struct arrow_table *table, const struct table_key *keys, size_t count, bool nulls_first,
                     scankit_context *context, struct key_parts *parts);
void table_keys_free(struct key_parts *parts);

#endif
