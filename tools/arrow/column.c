/* column.c - see column.h. Dates, times and durations are the integers that the format stores. */
#include "column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST ((int64_t)1 << 58) /* their bytes are still a 64-bit number */

bool column_type(enum ArrowType arrow, scankit_type *type)
{
    switch (arrow) {
    case NANOARROW_TYPE_UINT8: *type = SCANKIT_U8; return true;
    case NANOARROW_TYPE_UINT16: *type = SCANKIT_U16; return true;
    case NANOARROW_TYPE_UINT32: *type = SCANKIT_U32; return true;
    case NANOARROW_TYPE_UINT64: *type = SCANKIT_U64; return true;
    case NANOARROW_TYPE_INT8: *type = SCANKIT_I8; return true;
    case NANOARROW_TYPE_INT16: *type = SCANKIT_I16; return true;
    case NANOARROW_TYPE_INT32:
    case NANOARROW_TYPE_DATE32:
    case NANOARROW_TYPE_TIME32: *type = SCANKIT_I32; return true;
    case NANOARROW_TYPE_INT64:
    case NANOARROW_TYPE_DATE64:
    case NANOARROW_TYPE_TIME64:
    case NANOARROW_TYPE_TIMESTAMP:
    case NANOARROW_TYPE_DURATION: *type = SCANKIT_I64; return true;
    case NANOARROW_TYPE_HALF_FLOAT: *type = SCANKIT_F16; return true;
    case NANOARROW_TYPE_FLOAT: *type = SCANKIT_F32; return true;
    case NANOARROW_TYPE_DOUBLE: *type = SCANKIT_F64; return true;
    default: return false;
    }
}

static const char *name_of(const struct ArrowSchema *schema)
{
    return schema->name == NULL ? "" : schema->name;
}

static int64_t nodes_of(const struct ArrowSchema *schema)
{
    int64_t nodes = 1;
    for (int64_t i = 0; i < schema->n_children; i++)
        nodes += nodes_of(schema->children[i]);
    return nodes;
}

static int64_t index_of(const char *input, const struct ArrowSchema *schema, const char *name)
{
    int64_t found = -1;
    if (name == NULL && schema->n_children != 1)
        fail(input, "has %lld columns: choose one with --column=NAME", (long long)schema->n_children);
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (name != NULL && strcmp(name_of(schema->children[i]), name) != 0)
            continue;
        if (found >= 0)
            fail(input, "has two columns of the name '%s'", name);
        found = i;
    }
    if (found < 0)
        fail(input, "has no column '%s'", name);
    return found;
}

static scankit_type type_of_column(const char *input, const struct ArrowSchema *schema)
{
    struct ArrowError error = {.message = ""};
    struct ArrowSchemaView view;
    scankit_type type;
    if (ArrowSchemaViewInit(&view, schema, &error) != NANOARROW_OK)
        fail(input, "damaged, or not supported, Arrow data: %s", error.message);
    if (!column_type(view.type, &type))
        fail(input, "column '%s' holds type %s; only numbers, dates and times are read", name_of(schema),
             ArrowTypeString(view.type));
    return type;
}

struct column column_find(const char *input, const struct ArrowSchema *schema, const bool *encoded, const char *name)
{
    int64_t index = index_of(input, schema, name);
    if (encoded[index])
        fail(input, "column '%s' is dictionary-encoded; only numbers, dates and times are read",
             name_of(schema->children[index]));
    struct column column = {.type = type_of_column(input, schema->children[index])};
    for (int64_t i = 0; i < index; i++)
        column.node += nodes_of(schema->children[i]);
    column.size = scankit_type_size(column.type);
    return column;
}

void column_schema(const struct column *column, struct schema *schema)
{
    char letter = scankit_type_name(column->type)[0];
    *schema = (struct schema){.size = column->size, .npy_version = 1};
    if (scankit_layout_create(&schema->layout) != SCANKIT_OK ||
        scankit_layout_append(schema->layout, SCALAR_NAME, column->type, column->size, false) != SCANKIT_OK ||
        asprintf(&schema->descr, "'%c%c%zu'", column->size == 1 ? '|' : '<', letter, column->size) < 0)
        fail(NULL, "out of memory");
}

/* nanoarrow adds an offset to the body's address, which need not be in memory: nothing is read there. */
struct extent column_extent(const char *input, const struct column *column, struct ArrowIpcDecoder *decoder)
{
    static const uint8_t place;
    const struct ArrowBufferView body = {.data.as_uint8 = &place, .size_bytes = decoder->body_size_bytes};
    struct ArrowError error = {.message = ""};
    struct ArrowArrayView *view;
    decoder->codec = NANOARROW_IPC_COMPRESSION_TYPE_NONE;
    if (ArrowIpcDecoderDecodeArrayView(decoder, body, column->node, &view, &error) != NANOARROW_OK)
        fail(input, "damaged Arrow data: %s", error.message);
    const struct ArrowBufferView *data = &view->buffer_views[1];
    if (view->length < 0 || view->length > ROWS_MOST || data->size_bytes < 0)
        fail(input, "damaged Arrow data: a record batch claims %lld rows", (long long)view->length);
    if (view->null_count != 0)
        fail(input, "the column has nulls, which have no place in an array of numbers");
    struct extent extent = {.rows = (uint64_t)view->length, .bytes = (uint64_t)data->size_bytes};
    if (extent.rows == 0 || extent.bytes == 0)
        return (struct extent){.rows = extent.rows};
    extent.offset = (uint64_t)((uintptr_t)data->data.data - (uintptr_t)&place);
    if (extent.offset > (uint64_t)body.size_bytes || extent.bytes > (uint64_t)body.size_bytes - extent.offset)
        fail(input, "damaged Arrow data: a buffer lies outside its record batch");
    return extent;
}
