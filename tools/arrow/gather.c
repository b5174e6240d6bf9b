/* gather.c - see gather.h. */
#include "gather.h"

#include <stdlib.h>
#include <string.h>

struct gathered {
    struct ArrowArray array; /* the encoder takes the number of buffers from it */
    struct ArrowArrayView view;
    unsigned char *memory[ARROW_BUFFERS];
    size_t room[ARROW_BUFFERS];
};

struct gather {
    const struct arrow_table *table;
    struct ArrowArrayView view, **views;
    struct gathered *columns;
};

/* ---- the size of rows ---- */

static uint64_t text_bytes(const struct arrow_column *column, const struct arrow_part *part, uint64_t row)
{
    return arrow_offset(part, column->size, row + 1) - arrow_offset(part, column->size, row);
}

uint64_t gather_bytes(const struct arrow_table *table, const struct place *place)
{
    uint64_t bytes = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        const struct arrow_column *column = &table->columns[c];
        bytes += 1 + column->size;
        if (column->kind == ARROW_TEXT)
            bytes += text_bytes(column, &place->batch->parts[c], place->row);
    }
    return bytes;
}

/* ---- columns ---- */

static unsigned char *make_room(struct gathered *to, unsigned buffer, size_t bytes)
{
    if (bytes > to->room[buffer] || to->memory[buffer] == NULL) {
        free(to->memory[buffer]);
        to->room[buffer] = bytes + bytes / 2;
        to->memory[buffer] = get_memory(to->room[buffer]);
    }
    to->view.buffer_views[buffer] =
        (struct ArrowBufferView){.data.as_uint8 = to->memory[buffer], .size_bytes = (int64_t)bytes};
    return to->memory[buffer];
}

/* Gathers bits: of the values, or of those that are not null. A part without them has ones. Returns the zeros. */
static size_t gather_bits(size_t c, unsigned buffer, const struct place *places, size_t n, unsigned char *to)
{
    size_t zeros = 0;
    memset(to, 0, (n + 7) / 8);
    for (size_t i = 0; i < n; i++) {
        const unsigned char *bits = places[i].batch->parts[c].buffers[buffer].data;
        bool bit = bits == NULL || arrow_bit(bits, places[i].row);
        to[i / 8] |= (unsigned char)(bit << (i % 8));
        zeros += !bit;
    }
    return zeros;
}

/* Called with a constant size, it is a loop of loads and stores. */
static inline void gather_sized(size_t c, size_t size, const struct place *places, size_t n, unsigned char *to)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * size, places[i].batch->parts[c].buffers[1].data + places[i].row * size, size);
}

static void gather_fixed(size_t c, size_t size, const struct place *places, size_t n, unsigned char *to)
{
    switch (size) {
    case 0: break;
    case 1: gather_sized(c, 1, places, n, to); break;
    case 2: gather_sized(c, 2, places, n, to); break;
    case 4: gather_sized(c, 4, places, n, to); break;
    case 8: gather_sized(c, 8, places, n, to); break;
    case 16: gather_sized(c, 16, places, n, to); break;
    default: gather_sized(c, size, places, n, to);
    }
}

static void put_offset(unsigned char *offsets, size_t size, size_t i, uint64_t offset)
{
    const uint32_t narrow = (uint32_t)offset;
    if (size == sizeof narrow)
        memcpy(offsets + i * size, &narrow, size);
    else
        memcpy(offsets + i * size, &offset, size);
}

static void gather_texts(struct gathered *to, const struct arrow_column *column, size_t c, const struct place *places,
                         size_t n)
{
    size_t size = column->size, done = 0;
    unsigned char *offsets = make_room(to, 1, (n + 1) * size);
    put_offset(offsets, size, 0, 0);
    for (size_t i = 0; i < n; i++) {
        done += text_bytes(column, &places[i].batch->parts[c], places[i].row);
        put_offset(offsets, size, i + 1, done);
    }
    unsigned char *text = make_room(to, 2, done);
    for (size_t i = 0; i < n; i++) {
        const struct arrow_part *part = &places[i].batch->parts[c];
        size_t bytes = text_bytes(column, part, places[i].row);
        if (bytes > 0)
            memcpy(text, part->buffers[2].data + arrow_offset(part, size, places[i].row), bytes);
        text += bytes;
    }
}

static void gather_column(struct gather *gather, size_t c, const struct place *places, size_t n)
{
    const struct arrow_column *column = &gather->table->columns[c];
    struct gathered *to = &gather->columns[c];
    to->view.length = (int64_t)n;
    to->view.null_count = 0;
    if (column->kind == ARROW_NOTHING)
        to->view.null_count = (int64_t)n;
    else if (column->nulls)
        to->view.null_count = (int64_t)gather_bits(c, 0, places, n, make_room(to, 0, (n + 7) / 8));
    if (to->view.null_count == 0)
        to->view.buffer_views[0] = (struct ArrowBufferView){.size_bytes = 0};
    if (column->kind == ARROW_BITS)
        gather_bits(c, 1, places, n, make_room(to, 1, (n + 7) / 8));
    else if (column->kind == ARROW_FIXED)
        gather_fixed(c, column->size, places, n, make_room(to, 1, n * column->size));
    else if (column->kind == ARROW_TEXT)
        gather_texts(to, column, c, places, n);
}

const struct ArrowArrayView *gather_rows(struct gather *gather, const struct place *places, size_t n)
{
    gather->view.length = (int64_t)n;
    for (size_t c = 0; c < gather->table->column_count; c++)
        gather_column(gather, c, places, n);
    return &gather->view;
}

/* ---- the beginning and the end ---- */

struct gather *gather_open(const struct arrow_table *table)
{
    static const int64_t counts[] = {
#define X(name, buffers) [ARROW_##name] = buffers,
        ARROW_KINDS(X)
#undef X
    };
    struct gather *gather = get_memory(sizeof *gather);
    *gather = (struct gather){.table = table};
    gather->columns = get_memory(table->column_count * sizeof *gather->columns);
    gather->views = get_memory(table->column_count * sizeof(struct ArrowArrayView *));
    for (size_t c = 0; c < table->column_count; c++) {
        struct gathered *column = &gather->columns[c];
        *column = (struct gathered){.array.n_buffers = counts[table->columns[c].kind]};
        column->view.array = &column->array;
        gather->views[c] = &column->view;
    }
    gather->view = (struct ArrowArrayView){
        .storage_type = NANOARROW_TYPE_STRUCT, .n_children = (int64_t)table->column_count, .children = gather->views};
    return gather;
}

void gather_close(struct gather *gather)
{
    for (size_t c = 0; c < gather->table->column_count; c++)
        for (unsigned b = 0; b < ARROW_BUFFERS; b++)
            free(gather->columns[c].memory[b]);
    free(gather->columns);
    free(gather->views);
    free(gather);
}
