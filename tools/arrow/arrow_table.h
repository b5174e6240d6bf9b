/* arrow_table.h - a whole table of Arrow IPC files or streams in memory. Its record batches stay as they were read. */
#ifndef ARROW_TABLE_H
#define ARROW_TABLE_H

#include <string.h>

#include "arrow_reader.h"
#include "arrow_writer.h"

/* How a column is stored: X(enumerator, buffers). Nothing: all values are null. Texts have offsets, and bytes. */
#define ARROW_KINDS(X) \
    X(NOTHING, 0)      \
    X(BITS, 2)         \
    X(FIXED, 2)        \
    X(TEXT, 3)

enum arrow_kind {
#define X(name, buffers) ARROW_##name,
    ARROW_KINDS(X)
#undef X
};
#define ARROW_BUFFERS 3

/* How values are ordered. Decimals are little-endian signed integers. */
enum arrow_order { ORDER_NONE, ORDER_DICTIONARY, ORDER_NUMBER, ORDER_DECIMAL, ORDER_TRUTH, ORDER_OPAQUE, ORDER_TEXT };

struct arrow_column {
    char *name, *format; /* the format is Arrow's text for the type */
    const char *type;    /* for messages */
    enum arrow_kind kind;
    size_t size; /* bytes of a value, or of an offset */
    enum arrow_order order;
    scankit_type number;  /* of ORDER_NUMBER, and of indices */
    bool encoded;         /* values are indices of a dictionary */
    bool nullable, nulls; /* nulls: there are some */
};

struct arrow_buffer {
    const unsigned char *data; /* need not be aligned */
    uint64_t bytes;
};

/* A column of a record batch. Its buffers are checked: all values lie in them. */
struct arrow_part {
    struct arrow_buffer buffers[ARROW_BUFFERS]; /* the first is a bitmap of the values that are not null, or NULL */
};

struct arrow_batch {
    uint64_t first, rows;
    unsigned char *body; /* holds the buffers, or NULL */
    struct arrow_part *parts;
};

/* A message of a dictionary, which is passed on as it is. */
struct arrow_message {
    unsigned char *header, *body;
    size_t header_bytes, body_bytes;
};

struct arrow_table {
    const char *name; /* of the first input */
    struct arrow_column *columns;
    size_t column_count;
    struct arrow_batch *batches; /* those without rows are left out */
    size_t batch_count;
    uint64_t rows, bytes;
    struct arrow_message schema, *dictionaries;
    size_t dictionary_count;
    uint64_t limit; /* bytes of memory that the table may take */
    unsigned threads;
};

/* Reads a table to the end, behind what was read before, which must have the same columns and dictionaries. Fails at
 * damage, at types that cannot be read, and if the table would take more than its limit. */
void arrow_table_read(struct arrow_table *table, const struct arrow_source *source);

/* Makes a table of one column: the values of the dictionary of a column. */
void arrow_table_dictionary(const struct arrow_table *table, size_t column, struct arrow_table *values);

/* Memory that writing takes: of its own, and for each thread. */
#define ARROW_WRITE_BYTES ((uint64_t)7 << 20)
#define ARROW_THREAD_BYTES ((uint64_t)9 << 20)

/* Writes rows positions[0], ..., positions[n - 1], in record batches of a few MiB. */
void arrow_table_write(const struct arrow_table *table, const struct arrow_target *target, const uint64_t *positions,
                       size_t n);

void arrow_table_free(struct arrow_table *table);

/* The batch of a row. */
static inline const struct arrow_batch *arrow_batch_of(const struct arrow_table *table, uint64_t row)
{
    size_t low = 0, high = table->batch_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (table->batches[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    return &table->batches[low];
}

/* Bit i of a bitmap. */
static inline bool arrow_bit(const unsigned char *bits, uint64_t i)
{
    return (bits[i / 8] >> (i % 8) & 1) != 0;
}

static inline bool arrow_is_null(const struct arrow_part *part, uint64_t i)
{
    return part->buffers[0].data != NULL && !arrow_bit(part->buffers[0].data, i);
}

/* Offset i of texts, of 4 or 8 bytes. */
static inline uint64_t arrow_offset(const struct arrow_part *part, size_t size, uint64_t i)
{
    const unsigned char *at = part->buffers[1].data + i * size;
    uint64_t offset = 0;
    if (size == 4) {
        uint32_t narrow;
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&offset, at, sizeof offset);
    return offset;
}

#endif
