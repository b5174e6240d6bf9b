/* table_columns.c - see table_columns.h. */
#include "table_columns.h"

#include <stdlib.h>
#include <string.h>

#include "column.h"

static bool is_decimal(enum ArrowType type)
{
    return type == NANOARROW_TYPE_DECIMAL32 || type == NANOARROW_TYPE_DECIMAL64 || type == NANOARROW_TYPE_DECIMAL128 ||
           type == NANOARROW_TYPE_DECIMAL256;
}

static enum arrow_order order_of(const struct arrow_column *column, enum ArrowType type)
{
    scankit_type number;
    if (column->encoded)
        return ORDER_DICTIONARY;
    if (column_type(type, &number))
        return ORDER_NUMBER;
    if (type == NANOARROW_TYPE_FIXED_SIZE_BINARY)
        return column->size > 0 ? ORDER_OPAQUE : ORDER_NONE;
    if (column->kind == ARROW_TEXT)
        return ORDER_TEXT;
    return type == NANOARROW_TYPE_BOOL ? ORDER_TRUTH : is_decimal(type) ? ORDER_DECIMAL : ORDER_NONE;
}

/* Returns false for nested types, and for views. */
static bool kind_of(struct arrow_column *column, const struct ArrowSchemaView *view)
{
    const struct ArrowLayout *layout = &view->layout;
    switch (view->type) {
    case NANOARROW_TYPE_NA: column->kind = ARROW_NOTHING; return true;
    case NANOARROW_TYPE_BOOL: column->kind = ARROW_BITS; return true;
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_BINARY:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_LARGE_BINARY:
        column->kind = ARROW_TEXT;
        column->size = (size_t)layout->element_size_bits[1] / 8;
        return true;
    default:
        column->kind = ARROW_FIXED;
        column->size = (size_t)layout->element_size_bits[1] / 8;
        return view->schema->n_children == 0 && layout->buffer_type[0] == NANOARROW_BUFFER_TYPE_VALIDITY &&
               layout->buffer_type[1] == NANOARROW_BUFFER_TYPE_DATA &&
               layout->buffer_type[2] == NANOARROW_BUFFER_TYPE_NONE;
    }
}

static struct arrow_column describe(const char *input, const struct ArrowSchema *schema, bool encoded)
{
    struct ArrowError error = {.message = ""};
    struct ArrowSchemaView view;
    if (ArrowSchemaViewInit(&view, schema, &error) != NANOARROW_OK)
        fail(input, "damaged, or not supported, Arrow data: %s", error.message);
    struct arrow_column column = {.name = copy_text(schema->name == NULL ? "" : schema->name),
                                  .format = copy_text(schema->format),
                                  .type = encoded                          ? "dictionary"
                                          : view.type == NANOARROW_TYPE_NA ? "null"
                                                                           : ArrowTypeString(view.type),
                                  .encoded = encoded,
                                  .nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0};
    if (!kind_of(&column, &view))
        fail(input, "column '%s' holds type %s; tables with nested types are not supported", column.name, column.type);
    column.order = order_of(&column, view.type);
    column_type(view.type, &column.number);
    return column;
}

static void free_column(const struct arrow_column *column)
{
    free(column->name);
    free(column->format);
}

static void compare(const struct arrow_table *table, const char *input, size_t i, const struct arrow_column *column)
{
    const struct arrow_column *before = &table->columns[i];
    if (strcmp(before->name, column->name) != 0)
        fail(input, "column %zu is '%s', and '%s' in %s", i + 1, column->name, before->name, table->name);
    if (strcmp(before->format, column->format) != 0 || before->encoded != column->encoded)
        fail(input, "column '%s' holds another type than in %s", column->name, table->name);
    if (column->nullable && !before->nullable)
        fail(input, "column '%s' may have nulls, but not in %s", column->name, table->name);
}

void table_columns_set(struct arrow_table *table, const char *input, const struct ArrowSchema *schema,
                       const bool *encoded)
{
    size_t count = (size_t)schema->n_children;
    bool is_first = table->columns == NULL;
    if (is_first) {
        table->columns = get_memory(count * sizeof *table->columns);
        table->column_count = count;
    } else if (table->column_count != count) {
        fail(input, "has %zu columns, but %s has %zu", count, table->name, table->column_count);
    }
    for (size_t i = 0; i < count; i++) {
        struct arrow_column column = describe(input, schema->children[i], encoded[i]);
        if (is_first) {
            table->columns[i] = column;
        } else {
            compare(table, input, i, &column);
            free_column(&column);
        }
    }
}
