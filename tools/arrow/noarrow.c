/* noarrow.c - arrow_reader.h, arrow_table.h and arrow_writer.h in a build without nanoarrow. */
#include "arrow_reader.h"
#include "arrow_table.h"
#include "arrow_writer.h"

struct arrow_reader *arrow_reader_open(const struct arrow_source *source, const char *column, struct schema *schema)
{
    (void)column;
    (void)schema;
    fail(source->name, "is in Arrow's format, which this build does not read: it was configured without it");
}

size_t arrow_reader_read(struct arrow_reader *reader, void *memory, size_t bytes)
{
    (void)reader;
    (void)memory;
    (void)bytes;
    return 0;
}

uint64_t arrow_reader_count(struct arrow_reader *reader)
{
    (void)reader;
    return 0;
}

void arrow_reader_close(struct arrow_reader *reader)
{
    (void)reader;
}

struct arrow_writer *arrow_writer_open(const struct arrow_target *target, const scankit_layout *layout,
                                       const char *column)
{
    (void)layout;
    (void)column;
    fail(target->name, "this build does not write Arrow's format: it was configured without it");
}

void arrow_writer_write(struct arrow_writer *writer, const void *memory, size_t bytes)
{
    (void)writer;
    (void)memory;
    (void)bytes;
}

void arrow_writer_close(struct arrow_writer *writer)
{
    (void)writer;
}

void arrow_table_read(struct arrow_table *table, const struct arrow_source *source)
{
    (void)table;
    fail(source->name, "is in Arrow's format, which this build does not read: it was configured without it");
}

void arrow_table_write(const struct arrow_table *table, const struct arrow_target *target, const uint64_t *positions,
                       size_t n)
{
    (void)table;
    (void)target;
    (void)positions;
    (void)n;
}

void arrow_table_dictionary(const struct arrow_table *table, size_t column, struct arrow_table *values)
{
    (void)table;
    (void)column;
    (void)values;
}

void arrow_table_free(struct arrow_table *table)
{
    (void)table;
}
