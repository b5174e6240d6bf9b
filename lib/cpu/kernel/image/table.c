/* table.c - rows of a summed-area table, scanned by registers. A row of the table is the row above plus its own scan,
 * so a register of sums goes down through the rows: nothing of the table is read again. The rows wait for their own
 * last register alone, so all of a group are scanned at the same time. */
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

/* ---- a register of each of some rows, below the sums of the row above them ---- */

typedef void column_function(const char *from, size_t pitch, char *above, bits_64 *carry, bits_64 *to);

/* All rows are loaded before one is stored: a load waits for an earlier store whose address has the same lowest 12
 * bits, as rows of input and output often have. */
#define COLUMN(T, S, bits, channels, name, rows)                                                              \
    SK_INLINE void name##_##T##_##S##_##channels(const char *from, size_t pitch, char *above, bits_64 *carry, \
                                                 bits_64 *to)                                                 \
    {                                                                                                         \
        lanes_##S sums = load_##S##_##S(above), x[rows];                                                      \
        SK_UNROLL for (size_t r = 0; r < (rows); r++) x[r] = load_##T##_##S(from + r * pitch);                \
        SK_UNROLL for (size_t r = 0; r < (rows); r++)                                                         \
        {                                                                                                     \
            STEPS(S, bits, x[r], channels)                                                                    \
            x[r] += (lanes_##S)carry[r];                                                                      \
            carry[r] = (bits_64)CARRY(S, bits, x[r], channels);                                               \
            sums += x[r];                                                                                     \
            to[r] = (bits_64)sums;                                                                            \
        }                                                                                                     \
        *(unaligned_bits *)above = (unaligned_bits)sums;                                                      \
    }

/* ---- parts of rows ---- */

/* What stays the same along some rows. size, narrow: bytes of an element of the table, and of the input. */
typedef struct row_shape {
    size_t rows, size, narrow;
    bool streamed; /* around the caches */
    column_function *column;
} row_shape;

/* Both ends of rows go through whole registers in memory. */
SK_INLINE void column_of_end(const sk_table_part *part, row_shape shape, size_t at, size_t bytes, bits_64 *carry,
                             bits_64 *sums)
{
    char from[SK_TABLE_ROWS * REGISTER] = {0};
    SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
        memcpy(from + r * REGISTER, part->in + r * part->in_pitch + at / shape.size * shape.narrow,
               bytes / shape.size * shape.narrow);
    shape.column(from, REGISTER, part->above + at, carry, sums);
}

/* By value: arrays whose addresses go elsewhere would stay in memory, and be stored there for each column. */
SK_INLINE void put_bytes(char *to, bits_64 line, size_t n)
{
    char bytes[REGISTER];
    put(bytes, line, false);
    memcpy(to, bytes, n);
}

SK_INLINE void make_column(const sk_table_part *part, row_shape shape, size_t at, bits_64 *carry, bits_64 *sums)
{
    const size_t place = at / shape.size * shape.narrow;
    if (place % 64 == 0)
        SK_UNROLL for (size_t r = 0; r < shape.rows; r++) sk_will_read(part->next, r * part->in_pitch + place);
    shape.column(part->in + place, part->in_pitch, part->above + at, carry, sums);
}

/* ---- around the caches: rows may begin anywhere, so what fills a register of memory lies across two registers of
 * sums ---- */

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

/* ---- both ways ---- */

SK_INLINE void make_rows(const sk_table_part *given, row_shape shape)
{
    const sk_table_part part = *given;
    const size_t bytes = part.n * shape.size, whole = bytes & ~(size_t)(REGISTER - 1);
    bits_64 carry[SK_TABLE_ROWS], sums[SK_TABLE_ROWS] = {0};
    row_stage stage[SK_TABLE_ROWS];
    size_t at = 0;
    SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
    {
        carry[r] = get(part.carry + r * SK_TABLE_CARRY);
        if (shape.streamed)
            put(stage[r].sums, get(part.carry + r * SK_TABLE_CARRY + 64), false);
    }
    if (shape.streamed && part.begins) {
        column_of_end(&part, shape, 0, REGISTER, carry, sums);
        SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
            begin_streamed(part.out + r * part.out_pitch, &stage[r], sums[r]);
        at = REGISTER;
    }
    if (shape.streamed)
        make_streamed(&part, shape, at, whole, stage, carry, sums);
    else
        for (; at < whole; at += REGISTER) {
            make_column(&part, shape, at, carry, sums);
            SK_UNROLL for (size_t r = 0; r < shape.rows; r++) put(part.out + r * part.out_pitch + at, sums[r], false);
        }
    if (whole < bytes)
        column_of_end(&part, shape, whole, bytes - whole, carry, sums);
    SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
    {
        char *to = part.out + r * part.out_pitch + whole, *kept = part.carry + r * SK_TABLE_CARRY;
        const size_t shift = shape.streamed ? (uintptr_t)to % REGISTER : 0;
        put(kept, carry[r], false);
        if (shape.streamed)
            put(kept + 64, get(stage[r].sums), false);
        if (part.ends) {
            memcpy(to - shift, stage[r].sums + REGISTER - shift, shift);
            put_bytes(to, sums[r], bytes - whole);
        }
    }
}

/* Stores around the caches are for rows of a register and more. */
SK_INLINE void make_group(const sk_table_part *part, row_shape shape)
{
    if (part->stream && can_stream(part) && !(part->begins && part->n * shape.size < REGISTER))
        make_rows(part, (row_shape){SK_TABLE_ROWS, shape.size, shape.narrow, true, shape.column});
    else
        make_rows(part, (row_shape){SK_TABLE_ROWS, shape.size, shape.narrow, false, shape.column});
}

#define BY_REGISTERS(T, S, bits, channels)                                                           \
    COLUMN(T, S, bits, channels, row, 1)                                                             \
    COLUMN(T, S, bits, channels, group, SK_TABLE_ROWS)                                               \
    static void table_##T##_##S##_##channels(const sk_table_part *given, unsigned rows)              \
    {                                                                                                \
        const size_t size = sizeof(sk_##S), narrow = sizeof(sk_##T);                                 \
        sk_table_part part = *given;                                                                 \
        if (rows == SK_TABLE_ROWS) {                                                                 \
            make_group(&part, (row_shape){rows, size, narrow, false, group_##T##_##S##_##channels}); \
            return;                                                                                  \
        }                                                                                            \
        for (; rows > 0; rows--) {                                                                   \
            make_rows(&part, (row_shape){1, size, narrow, false, row_##T##_##S##_##channels});       \
            part.in += part.in_pitch;                                                                \
            part.out += part.out_pitch;                                                              \
            part.carry += SK_TABLE_CARRY;                                                            \
        }                                                                                            \
    }

/* Pixels that are wider than a register are scanned one by one. Their sums so far stand in the carry, by channel. */
#define ONE_BY_ONE(T, channels)                                                                  \
    static void table_##T##_##T##_##channels(const sk_table_part *part, unsigned rows)           \
    {                                                                                            \
        for (unsigned r = 0; r < rows; r++) {                                                    \
            const sk_##T *x = (const void *)(part->in + r * part->in_pitch);                     \
            sk_##T *y = (void *)(part->out + r * part->out_pitch), *above = (void *)part->above; \
            sk_##T *carry = (void *)(part->carry + (size_t)r * SK_TABLE_CARRY);                  \
            for (size_t i = 0; i < part->n; i += (channels))                                     \
                for (unsigned c = 0; c < (channels); c++) {                                      \
                    carry[c] += x[i + c];                                                        \
                    y[i + c] = above[i + c] += carry[c];                                         \
                }                                                                                \
        }                                                                                        \
    }

#define NARROW_PIXELS(T, S, bits) BY_REGISTERS(T, S, bits, 1) BY_REGISTERS(T, S, bits, 2)
#define ALL_PIXELS(T, S, bits) \
    NARROW_PIXELS(T, S, bits)  \
    BY_REGISTERS(T, S, bits, 3) BY_REGISTERS(T, S, bits, 4)
ALL_PIXELS(u8, u32, 32)
ALL_PIXELS(u16, u32, 32)
ALL_PIXELS(u32, u32, 32)
ALL_PIXELS(u8, f32, 32)
ALL_PIXELS(f32, f32, 32)
#if LANES_64 >= 4
ALL_PIXELS(u64, u64, 64)
ALL_PIXELS(f64, f64, 64)
ALL_PIXELS(f32, f64, 64)
#else
NARROW_PIXELS(u64, u64, 64)
NARROW_PIXELS(f64, f64, 64)
ONE_BY_ONE(u64, 3)
ONE_BY_ONE(u64, 4)
ONE_BY_ONE(f64, 3)
ONE_BY_ONE(f64, 4)
#endif

#define BOTH(from, to) ((int)(from)*SCANKIT_BYTES + (int)(to))
#define CASE(T, S)                                                                                  \
    case BOTH(SK_TYPE_##T, SK_TYPE_##S): {                                                          \
        static sk_table_function *const by_channels[] = {table_##T##_##S##_1, table_##T##_##S##_2,  \
                                                         table_##T##_##S##_3, table_##T##_##S##_4}; \
        return by_channels[channels - 1];                                                           \
    }
sk_table_function *SK_ISA_NAME(sk_table)(scankit_type from, scankit_type to, unsigned channels)
{
    switch (BOTH(from, to)) {
        CASE(u8, u32)
        CASE(u16, u32)
        CASE(u32, u32)
        CASE(u8, f32)
        CASE(f32, f32)
        CASE(u64, u64)
        CASE(f64, f64)
#if LANES_64 >= 4
        CASE(f32, f64)
#endif
    default: return NULL;
    }
}
