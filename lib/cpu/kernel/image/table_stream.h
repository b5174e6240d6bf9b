/* table_stream.h - registers of sums go to the rows of a table, around the caches too. Rows may begin anywhere, so what
 * fills a register of memory lies across two registers of sums. One of two ways joins these. */
#ifndef SK_TABLE_STREAM_H
#define SK_TABLE_STREAM_H

#include "cpu/kernel/stream.h"
#include "lane_loads.h"

SK_INLINE bits_64 get(const char *from)
{
    return (bits_64) * (const unaligned_bits *)from;
}

SK_INLINE void put(void *to, bits_64 line, bool stream)
{
#if defined(__AVX512F__)
    if (stream) {
        _mm512_stream_si512(to, (__m512i)line);
        return;
    }
#elif defined(__AVX2__)
    if (stream) {
        _mm256_stream_si256(to, (__m256i)line);
        return;
    }
#elif defined(__SSE2__)
    if (stream) {
        _mm_stream_si128(to, (__m128i)line);
        return;
    }
#endif
    (void)stream;
    *(unaligned_bits *)to = (unaligned_bits)line;
}

/* ---- a register of each of some rows ---- */

/* Makes it, below the sums of the row above them. */
typedef void column_function(const char *from, size_t pitch, char *above, bits_64 *carry, bits_64 *to);

/* What stays the same along some rows. size, narrow: bytes of an element of the table, and of the input. */
typedef struct row_shape {
    size_t rows, size, narrow;
    bool streamed; /* around the caches */
    column_function *column;
} row_shape;

SK_INLINE void make_column(const sk_table_part *part, row_shape shape, size_t at, bits_64 *carry, bits_64 *sums)
{
    const size_t place = at / shape.size * shape.narrow;
    if (place % 64 == 0)
        SK_UNROLL for (size_t r = 0; r < shape.rows; r++) sk_will_read(part->next, r * part->in_pitch + place);
    shape.column(part->in + place, part->in_pitch, part->above + at, carry, sums);
}

/* ---- two ways ---- */

#if defined(__AVX512F__)
/* One permutation shifts a register, by whole words. By blocks as below, a Xeon takes 6 to 19% longer. */
typedef struct row_stage {
    _Alignas(64) char sums[REGISTER]; /* a row's last register */
} row_stage;

static bool can_stream(const sk_table_part *part)
{
    return ((uintptr_t)part->out | part->out_pitch) % sizeof(uint32_t) == 0;
}

/* The last `shift` bytes of a register and the first ones of the next. */
SK_INLINE bits_64 shift_in(bits_64 before, bits_64 next, size_t shift)
{
    const bits_32 index = (bits_32){FROM_16(0)} + (uint32_t)(LANES_32 - shift / sizeof(uint32_t));
    return (bits_64)_mm512_permutex2var_epi32((__m512i)before, (__m512i)index, (__m512i)next);
}

/* Columns [at, end) of the rows, in bytes. */
SK_INLINE void make_streamed(const sk_table_part *part, row_shape shape, size_t at, size_t end, row_stage *stage,
                             bits_64 *carry, bits_64 *sums)
{
    bits_64 before[SK_TABLE_ROWS];
    size_t shift[SK_TABLE_ROWS];
    SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
    {
        before[r] = get(stage[r].sums);
        shift[r] = (uintptr_t)(part->out + r * part->out_pitch) % REGISTER;
    }
    for (; at < end; at += REGISTER) {
        make_column(part, shape, at, carry, sums);
        SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
        {
            put(part->out + r * part->out_pitch + at - shift[r], shift_in(before[r], sums[r], shift[r]), true);
            before[r] = sums[r];
        }
    }
    SK_UNROLL for (size_t r = 0; r < shape.rows; r++) put(stage[r].sums, before[r], false);
}
#else
static bool can_stream(const sk_table_part *part)
{
    (void)part;
#if defined(__SSE2__)
    return true;
#else
    return false;
#endif
}

/* Sums wait in a block of columns. While the next block is made, the one before is written, row by row. So writing
 * never stops, and the bytes of a row follow each other. */

#define BLOCK ((size_t)SK_TABLE_PART / 5)       /* bytes of a row */
#define COLUMN_BYTES (SK_TABLE_ROWS * REGISTER) /* that are written for each column of a block, all of one row */
#define COLUMNS_OF_BLOCK (BLOCK / REGISTER)
_Static_assert(BLOCK % COLUMN_BYTES == 0, "a block has whole steps of writing");

/* A row's last register before two blocks, and these. */
typedef struct row_stage {
    _Alignas(64) char sums[REGISTER + 2 * BLOCK];
} row_stage;

SK_INLINE char *block_of(row_stage *stage, unsigned half)
{
    return stage->sums + REGISTER + half * BLOCK;
}

/* Writes bytes [begin, end) of a block, as far as they fill registers of memory. */
SK_INLINE void write_block(const char *block, char *to, size_t begin, size_t end)
{
    const size_t shift = (uintptr_t)to % REGISTER;
    for (size_t at = begin; at < end; at += REGISTER)
        put(to - shift + at, get(block - shift + at), true);
}

/* `to`: where the first row's block begins. */
SK_INLINE void write_step(row_stage *stage, unsigned half, char *to, size_t pitch, size_t step)
{
    const size_t row = step * COLUMN_BYTES / BLOCK, begin = step * COLUMN_BYTES % BLOCK;
    write_block(block_of(&stage[row], half), to + row * pitch, begin, begin + COLUMN_BYTES);
}

/* Columns [at, end) of the rows, in bytes. */
SK_INLINE void make_streamed(const sk_table_part *part, row_shape shape, size_t at, size_t end, row_stage *stage,
                             bits_64 *carry, bits_64 *sums)
{
    unsigned half = 1;
    size_t n = 0;
    for (bool waits = false; at < end; at += n, waits = true) {
        char *const before = part->out + (waits ? at - BLOCK : at);
        size_t step = 0;
        n = end - at < BLOCK ? end - at : BLOCK;
        half ^= 1;
        for (size_t i = 0; i < n; i += REGISTER) {
            make_column(part, shape, at + i, carry, sums);
            SK_UNROLL for (size_t r = 0; r < shape.rows; r++) put(block_of(&stage[r], half) + i, sums[r], false);
            if (waits)
                write_step(stage, half ^ 1, before, part->out_pitch, step++);
        }
        for (; waits && step < COLUMNS_OF_BLOCK; step++)
            write_step(stage, half ^ 1, before, part->out_pitch, step);
        if (half == 1)
            SK_UNROLL for (size_t r = 0; r < shape.rows; r++) put(stage[r].sums, sums[r], false);
    }
    if (n > 0)
        SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
        {
            write_block(block_of(&stage[r], half), part->out + r * part->out_pitch + end - n, 0, n);
            put(stage[r].sums, sums[r], false);
        }
}
#endif

/* A row's first register, and what memory has of it. */
SK_INLINE void begin_streamed(char *to, row_stage *stage, bits_64 sums)
{
    put(stage->sums, sums, false);
    memcpy(to, stage->sums, REGISTER - (uintptr_t)to % REGISTER);
}

#endif
