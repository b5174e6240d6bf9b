/* table_part.c - see table_part.h. Everything here may be damaged, and is checked before it is used. */
#include "table_part.h"

#include <stdlib.h>
#include <string.h>

#include "codec/little.h"
#include "codec/zstd_codec.h"

/* The most bytes that a byte of zstd can mean: a block of 128 KiB takes at least 3 bytes. */
#define ZSTD_RATIO_MOST 65536

#define LENGTH_BYTES 8 /* in front of a compressed buffer: its length, or -1 if it is not compressed after all */

static unsigned buffers_of(const struct arrow_column *column)
{
    static const unsigned counts[] = {
#define X(name, buffers) [ARROW_##name] = buffers,
        ARROW_KINDS(X)
#undef X
    };
    return counts[column->kind];
}

static NO_RETURN void refuse(const char *input, const struct arrow_column *column, const char *what)
{
    fail(input, "damaged Arrow data: column '%s': %s", column->name, what);
}

/* ---- where buffers lie ---- */

static uint64_t unpacked_bytes(const struct arrow_buffer *buffer)
{
    uint64_t length = little_u32(buffer->data) | (uint64_t)little_u32(buffer->data + 4) << 32;
    return length == UINT64_MAX ? buffer->bytes - LENGTH_BYTES : length;
}

static uint64_t find_buffer(const char *input, const struct arrow_column *column, const struct ArrowBufferView *view,
                            const struct ArrowBufferView *body, bool packed, struct arrow_buffer *buffer)
{
    *buffer = (struct arrow_buffer){.data = NULL};
    if (view->size_bytes == 0)
        return 0;
    uintptr_t begin = (uintptr_t)body->data.as_uint8, at = (uintptr_t)view->data.as_uint8;
    if (view->size_bytes < 0 || at < begin || at - begin > (uint64_t)body->size_bytes ||
        (uint64_t)view->size_bytes > (uint64_t)body->size_bytes - (at - begin))
        refuse(input, column, "a buffer lies outside its record batch");
    *buffer = (struct arrow_buffer){.data = view->data.as_uint8, .bytes = (uint64_t)view->size_bytes};
    if (!packed)
        return 0;
    if (buffer->bytes < LENGTH_BYTES || unpacked_bytes(buffer) / ZSTD_RATIO_MOST > buffer->bytes)
        refuse(input, column, "a compressed buffer claims more than it can hold");
    return unpacked_bytes(buffer);
}

uint64_t part_find(const char *input, const struct arrow_column *column, const struct ArrowArrayView *view,
                   const struct ArrowBufferView *body, bool packed, struct arrow_part *part)
{
    uint64_t bytes = 0;
    *part = (struct arrow_part){.buffers[0].data = NULL};
    for (unsigned i = view->null_count == 0; i < buffers_of(column); i++) {
        uint64_t more = find_buffer(input, column, &view->buffer_views[i], body, packed, &part->buffers[i]);
        if (__builtin_add_overflow(bytes, more, &bytes))
            refuse(input, column, "a compressed buffer claims more than it can hold");
    }
    return bytes;
}

/* ---- unpacking ---- */

void part_unpack(const char *input, const struct arrow_column *column, struct arrow_part *part)
{
    for (unsigned i = 0; i < buffers_of(column); i++) {
        struct arrow_buffer *buffer = &part->buffers[i];
        if (buffer->data == NULL)
            continue;
        const unsigned char *from = buffer->data + LENGTH_BYTES;
        uint64_t bytes = unpacked_bytes(buffer);
        bool stored = little_u32(buffer->data) == UINT32_MAX && little_u32(buffer->data + 4) == UINT32_MAX;
        unsigned char *to = get_memory(bytes);
        const char *wrong = NULL;
        if (stored)
            memcpy(to, from, bytes);
        else
            wrong = zstd_unpack(from, buffer->bytes - LENGTH_BYTES, to, bytes);
        if (wrong != NULL)
            fail(input, "column '%s' is compressed with zstd: %s", column->name, wrong);
        *buffer = (struct arrow_buffer){.data = to, .bytes = bytes};
    }
}

/* ---- what they hold ---- */

static void check_offsets(const char *input, const struct arrow_column *column, uint64_t rows,
                          const struct arrow_part *part)
{
    uint64_t before = arrow_offset(part, column->size, 0);
    for (uint64_t i = 1; i <= rows; i++) {
        uint64_t offset = arrow_offset(part, column->size, i);
        if (offset < before)
            refuse(input, column, "offsets descend");
        before = offset;
    }
    if (before > part->buffers[2].bytes)
        refuse(input, column, "an offset lies behind the text");
}

static bool are_enough(const struct arrow_column *column, uint64_t rows, uint64_t bytes)
{
    switch (column->kind) {
    case ARROW_NOTHING: return true;
    case ARROW_BITS: return rows <= bytes * 8;
    case ARROW_FIXED: return column->size == 0 || rows <= bytes / column->size;
    case ARROW_TEXT: return rows < bytes / column->size;
    }
    return false;
}

void part_check(const char *input, const struct arrow_column *column, uint64_t rows, int64_t nulls,
                const struct arrow_part *part)
{
    const struct arrow_buffer *validity = &part->buffers[0];
    if (column->kind == ARROW_NOTHING)
        return;
    if (nulls > 0 && validity->data == NULL)
        refuse(input, column, "nulls without a bitmap");
    if ((validity->data != NULL && rows > validity->bytes * 8) || !are_enough(column, rows, part->buffers[1].bytes))
        refuse(input, column, "a buffer is too short for the rows");
    if (column->kind == ARROW_TEXT)
        check_offsets(input, column, rows, part);
}
