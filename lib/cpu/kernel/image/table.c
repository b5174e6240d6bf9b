/* table.c - rows of a summed-area table, scanned by registers. A row of the table is the row above plus its own scan,
 * so a register of sums goes down through the rows: nothing of the table is read again. The rows wait for their own
 * last register alone, so all of a group are scanned at the same time. */
#include "table_stream.h"

/* ---- a register of each of some rows, below the sums of the row above them ---- */

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

/* ---- the ends of rows ---- */

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

/* ---- rows ---- */

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
