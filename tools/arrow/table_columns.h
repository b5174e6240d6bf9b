/* table_columns.h - the columns of a table, from its schema. */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

#include <nanoarrow_ipc.h>

#include "arrow_table.h"

/* Sets the columns, or fails unless they are those that the table has. encoded: for each, whether it holds indices of a
 * dictionary. input: for messages. */
void table_columns_set(struct arrow_table *table, const char *input, const struct ArrowSchema *schema,
                       const bool *encoded);

#endif
