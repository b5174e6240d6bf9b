/* table_columns.h - the columns of a table, from its schema. */
#ifndef TABLE_COLUMNS_H
#define TABLE_COLUMNS_H

#include "arrow_table.h"
#include "message.h"

/* Sets the columns, or fails unless they are those that the table has. */
void table_columns_set(struct arrow_table *table, const struct messages *messages, const struct ArrowSchema *schema);

#endif
