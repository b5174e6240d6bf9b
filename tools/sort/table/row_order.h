/* row_order.h - rows in the order of their keys. */
#ifndef ROW_ORDER_H
#define ROW_ORDER_H

#include "table_keys.h"

/* The positions of all rows in their stable order; get_memory()'d. */
uint64_t *rows_sorted(scankit_context *context, const struct key_parts *parts);

/* True if two rows have equal keys: values are equal only if all their bits are. */
bool rows_equal(const struct key_parts *parts, uint64_t a, uint64_t b);

/* Keeps the first of rows with equal keys, in this order. Returns their number. */
size_t rows_unique(const struct key_parts *parts, uint64_t *positions, size_t n);

/* The first row that is less than the one before it or, if they are to be unique, not greater; their number if there is
 * none. */
uint64_t rows_first_disorder(const struct key_parts *parts, bool unique);

#endif
