/* dictionary_ranks.c - see dictionary_ranks.h. The values are sorted once, as a table of their own. */
#include "dictionary_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "row_order.h"

/* The rank of each value: the number of values before the first that is equal. */
static uint64_t *rank_values(const struct arrow_table *values, scankit_context *context)
{
    const struct table_key key = {.column = &values->columns[0]};
    struct key_parts parts;
    table_keys_make(values, &key, 1, false, context, &parts);
    uint64_t *order = rows_sorted(context, &parts), *ranks = get_memory(values->rows * sizeof *ranks);
    for (uint64_t i = 0, first = 0; i < values->rows; i++) {
        if (i > 0 && !rows_equal(&parts, order[i - 1], order[i]))
            first = i;
        ranks[order[i]] = first;
    }
    free(order);
    table_keys_free(&parts);
    return ranks;
}

/* Negative indices become large ones. */
static uint64_t index_at(const struct arrow_column *column, const struct arrow_part *part, uint64_t row)
{
    uint64_t index = 0;
    bool is_signed = column->number >= SCANKIT_I8 && column->number <= SCANKIT_I64;
    memcpy(&index, part->buffers[1].data + row * column->size, column->size);
    return is_signed && index >> (8 * column->size - 1) != 0 ? UINT64_MAX : index;
}

static void rank_batch(const struct arrow_table *table, size_t c, const struct arrow_batch *batch,
                       const struct arrow_table *values, const uint64_t *ranks, uint64_t *to)
{
    const struct arrow_part *part = &batch->parts[c];
    for (uint64_t i = 0; i < batch->rows; i++) {
        if (arrow_is_null(part, i)) {
            to[i] = 0;
            continue;
        }
        uint64_t index = index_at(&table->columns[c], part, i);
        if (index >= values->rows)
            fail(table->name, "damaged Arrow data: column '%s': an index lies outside of its dictionary",
                 table->columns[c].name);
        to[i] = ranks[index];
    }
}

uint64_t *dictionary_ranks(const struct arrow_table *table, size_t column, scankit_context *context)
{
    const char *name = table->columns[column].name;
    struct arrow_table values;
    arrow_table_dictionary(table, column, &values);
    if (values.columns[0].order == ORDER_NONE)
        fail(table->name, "column '%s' holds a dictionary of type %s, by which tables are not sorted", name,
             values.columns[0].type);
    if (values.columns[0].nulls)
        fail(table->name, "column '%s' has a dictionary with nulls, by which tables are not sorted", name);
    uint64_t *of_values = rank_values(&values, context), *ranks = get_memory(table->rows * sizeof *ranks);
    for (size_t b = 0; b < table->batch_count; b++)
        rank_batch(table, column, &table->batches[b], &values, of_values, ranks + table->batches[b].first);
    free(of_values);
    arrow_table_free(&values);
    return ranks;
}
