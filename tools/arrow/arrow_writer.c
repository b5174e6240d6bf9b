/* arrow_writer.c - see arrow_writer.h. Elements are collected, and become the columns of a record batch. */
#include "arrow_writer.h"

#include <nanoarrow_ipc.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_BYTES ((size_t)4 << 20)

struct arrow_writer {
    struct arrow_target target;
    struct ArrowIpcWriter writer;
    struct ArrowSchema schema;
    struct ArrowArrayView view;
    struct ArrowArray array; /* of every column: the encoder takes the number of buffers from it */
    scankit_field *fields;   /* of the columns; their names are not kept */
    size_t count, size;      /* columns, and bytes of an element */
    char *rows, *column;     /* elements of the batch, and one column of them each */
    size_t room, bytes;
};

static const enum ArrowType types[] = {
    [SCANKIT_U8] = NANOARROW_TYPE_UINT8,       [SCANKIT_U16] = NANOARROW_TYPE_UINT16,
    [SCANKIT_U32] = NANOARROW_TYPE_UINT32,     [SCANKIT_U64] = NANOARROW_TYPE_UINT64,
    [SCANKIT_I8] = NANOARROW_TYPE_INT8,        [SCANKIT_I16] = NANOARROW_TYPE_INT16,
    [SCANKIT_I32] = NANOARROW_TYPE_INT32,      [SCANKIT_I64] = NANOARROW_TYPE_INT64,
    [SCANKIT_F16] = NANOARROW_TYPE_HALF_FLOAT, [SCANKIT_F32] = NANOARROW_TYPE_FLOAT,
    [SCANKIT_F64] = NANOARROW_TYPE_DOUBLE,
};

static void check(int result)
{
    if (result != NANOARROW_OK)
        fail(NULL, "cannot make Arrow data: %s", strerror(result));
}

/* ---- the target ---- */

static ArrowErrorCode pass_on(struct ArrowIpcOutputStream *stream, const void *memory, int64_t bytes, int64_t *written,
                              struct ArrowError *error)
{
    const struct arrow_target *target = stream->private_data;
    (void)error;
    if (bytes > 0)
        target->write(target->sink, memory, (size_t)bytes);
    *written = bytes;
    return NANOARROW_OK;
}

static void release(struct ArrowIpcOutputStream *stream)
{
    stream->release = NULL;
}

/* ---- the columns ---- */

static void describe(struct ArrowSchema *schema, const scankit_field *field, const char *name)
{
    if (field->type == SCANKIT_BYTES)
        check(ArrowSchemaSetTypeFixedSize(schema, NANOARROW_TYPE_FIXED_SIZE_BINARY, (int32_t)field->size));
    else
        check(ArrowSchemaSetType(schema, types[field->type]));
    check(ArrowSchemaSetName(schema, name));
}

static void choose_fields(struct arrow_writer *writer, const scankit_layout *layout)
{
    size_t count = scankit_layout_count(layout);
    writer->fields = get_memory(count * sizeof *writer->fields);
    for (size_t i = 0; i < count; i++) {
        const scankit_field *field = scankit_layout_field(layout, i);
        if (field->name[0] == '\0')
            continue;
        if (field->big_endian || field->size > INT32_MAX)
            fail_usage("--to=arrow: field '%s' is big-endian, or too long", field->name);
        writer->fields[writer->count++] = *field;
    }
}

static void open_columns(struct arrow_writer *writer, const char *column)
{
    ArrowSchemaInit(&writer->schema);
    check(ArrowSchemaSetTypeStruct(&writer->schema, (int64_t)writer->count));
    for (size_t i = 0; i < writer->count; i++) {
        const scankit_field *field = &writer->fields[i];
        describe(writer->schema.children[i], field, column != NULL && writer->count == 1 ? column : field->name);
    }
    check(ArrowArrayViewInitFromSchema(&writer->view, &writer->schema, NULL));
    for (size_t i = 0; i < writer->count; i++)
        writer->view.children[i]->array = &writer->array;
}

struct arrow_writer *arrow_writer_open(const struct arrow_target *target, const scankit_layout *layout,
                                       const char *column)
{
    struct arrow_writer *writer = get_memory(sizeof *writer);
    *writer = (struct arrow_writer){.target = *target, .array.n_buffers = 2, .size = scankit_layout_size(layout)};
    choose_fields(writer, layout);
    open_columns(writer, column);
    writer->room = writer->size >= BATCH_BYTES ? writer->size : BATCH_BYTES / writer->size * writer->size;
    writer->rows = get_memory(writer->room);
    writer->column = get_memory(writer->room);
    struct ArrowIpcOutputStream stream = {.write = pass_on, .release = release, .private_data = &writer->target};
    check(ArrowIpcWriterInit(&writer->writer, &stream));
    if (target->file)
        check(ArrowIpcWriterStartFile(&writer->writer, NULL));
    check(ArrowIpcWriterWriteSchema(&writer->writer, &writer->schema, NULL));
    return writer;
}

/* ---- batches ---- */

/* Gathers a field of n elements, and returns what follows. */
static char *gather(const struct arrow_writer *writer, const scankit_field *field, char *to, size_t n)
{
    const char *from = writer->rows + field->offset;
    if (field->size == writer->size) {
        memcpy(to, from, n * field->size);
        return to + n * field->size;
    }
    for (size_t i = 0; i < n; i++, from += writer->size, to += field->size)
        memcpy(to, from, field->size);
    return to;
}

static void write_batch(struct arrow_writer *writer)
{
    size_t n = writer->bytes / writer->size;
    char *to = writer->column;
    writer->view.length = (int64_t)n;
    for (size_t i = 0; i < writer->count; i++) {
        struct ArrowArrayView *view = writer->view.children[i];
        char *end = gather(writer, &writer->fields[i], to, n);
        view->length = (int64_t)n;
        view->null_count = 0;
        view->buffer_views[1] = (struct ArrowBufferView){.data.data = to, .size_bytes = end - to};
        to = end;
    }
    check(ArrowIpcWriterWriteArrayView(&writer->writer, &writer->view, NULL));
    writer->bytes = 0;
}

void arrow_writer_write(struct arrow_writer *writer, const void *memory, size_t bytes)
{
    for (const char *from = memory; bytes > 0;) {
        size_t left = writer->room - writer->bytes, part = bytes < left ? bytes : left;
        memcpy(writer->rows + writer->bytes, from, part);
        writer->bytes += part;
        from += part;
        bytes -= part;
        if (writer->bytes == writer->room)
            write_batch(writer);
    }
}

void arrow_writer_close(struct arrow_writer *writer)
{
    if (writer->bytes > 0)
        write_batch(writer);
    check(ArrowIpcWriterWriteArrayView(&writer->writer, NULL, NULL));
    if (writer->target.file)
        check(ArrowIpcWriterFinalizeFile(&writer->writer, NULL));
    ArrowIpcWriterReset(&writer->writer);
    ArrowArrayViewReset(&writer->view);
    ArrowSchemaRelease(&writer->schema);
    free(writer->fields);
    free(writer->rows);
    free(writer->column);
    free(writer);
}
