/* transpose.c - tiles, transposed between the first cache and itself: 16 bytes of each of several rows at a time, in
 * log2 steps. Each step takes the lanes of two rows by turns. */
#include "cpu/kernel/lanes.h"

#define BLOCK 16 /* bytes of a row */

typedef uint8_t lanes_8 __attribute__((vector_size(BLOCK)));
typedef uint16_t lanes_16 __attribute__((vector_size(BLOCK)));
typedef uint32_t lanes_32 __attribute__((vector_size(BLOCK)));
typedef uint64_t lanes_64 __attribute__((vector_size(BLOCK)));
typedef char unaligned_bits __attribute__((vector_size(BLOCK), aligned(1), may_alias));

/* Row r and row r + side / 2 become rows 2r and 2r + 1. After log2(side) such steps, all bits of the rows' numbers have
 * gone into the lanes' numbers, and the other way round. */
#define BLOCKS(bits, side, half)                                                                              \
    SK_INLINE void step_##bits(lanes_##bits *from, lanes_##bits *to)                                          \
    {                                                                                                         \
        SK_UNROLL for (unsigned r = 0; r < (half); r++)                                                       \
        {                                                                                                     \
            to[2 * r] = SK_SHUFFLE(lanes_##bits, from[r], from[r + (half)], SK_TURNS_##side(0, side));        \
            to[2 * r + 1] = SK_SHUFFLE(lanes_##bits, from[r], from[r + (half)], SK_TURNS_##side(half, side)); \
        }                                                                                                     \
    }                                                                                                         \
    SK_INLINE void block_##bits(const char *in, size_t in_pitch, char *out, size_t out_pitch)                 \
    {                                                                                                         \
        lanes_##bits rows[side], others[side];                                                                \
        SK_UNROLL for (unsigned r = 0; r < (side); r++) rows[r] =                                             \
            (lanes_##bits) * (const unaligned_bits *)(in + r * in_pitch);                                     \
        SK_UNROLL for (unsigned reach = 1; reach < (side); reach *= 2)                                        \
        {                                                                                                     \
            step_##bits(rows, others);                                                                        \
            SK_UNROLL for (unsigned r = 0; r < (side); r++) rows[r] = others[r];                              \
        }                                                                                                     \
        SK_UNROLL for (unsigned r = 0; r < (side); r++) * (unaligned_bits *)(out + r * out_pitch) =           \
            (unaligned_bits)rows[r];                                                                          \
    }
BLOCKS(8, 16, 8)
BLOCKS(16, 8, 4)
BLOCKS(32, 4, 2)
BLOCKS(64, 2, 1)

/* Elements one by one: a constant size makes each a move or two. */
SK_INLINE void each(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows, size_t columns,
                    size_t size)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            memcpy(out + c * out_pitch + r * size, in + r * in_pitch + c * size, size);
}

/* Elements of at least `some` bytes: the last ones of these overlap the ones before. */
SK_INLINE void each_by(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows, size_t columns,
                       size_t size, size_t some)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            const char *from = in + r * in_pitch + c * size;
            char *to = out + c * out_pitch + r * size;
            for (size_t at = 0; at + some <= size; at += some)
                memcpy(to + at, from + at, some);
            memcpy(to + size - some, from + size - some, some);
        }
}

#define TILE(name)                                                                                              \
    static void name(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows, size_t columns, \
                     size_t size)

/* Blocks, then the columns and the rows that are left. */
#define TILE_OF_BLOCKS(bits, side)                                                                                 \
    TILE(tile_##bits)                                                                                              \
    {                                                                                                              \
        enum { SIZE = (bits) / 8 };                                                                                \
        const size_t whole_rows = rows & ~(size_t)((side)-1), whole = columns & ~(size_t)((side)-1);               \
        (void)size;                                                                                                \
        for (size_t r = 0; r < whole_rows; r += (side))                                                            \
            for (size_t c = 0; c < whole; c += (side))                                                             \
                block_##bits(in + r * in_pitch + c * SIZE, in_pitch, out + c * out_pitch + r * SIZE, out_pitch);   \
        each(in + whole * SIZE, in_pitch, out + whole * out_pitch, out_pitch, whole_rows, columns - whole, SIZE);  \
        each(in + whole_rows * in_pitch, in_pitch, out + whole_rows * SIZE, out_pitch, rows - whole_rows, columns, \
             SIZE);                                                                                                \
    }
TILE_OF_BLOCKS(8, 16)
TILE_OF_BLOCKS(16, 8)
TILE_OF_BLOCKS(32, 4)
TILE_OF_BLOCKS(64, 2)

#define TILE_OF_ELEMENTS(name, bytes)                             \
    TILE(name)                                                    \
    {                                                             \
        (void)size;                                               \
        each(in, in_pitch, out, out_pitch, rows, columns, bytes); \
    }
TILE_OF_ELEMENTS(tile_96, 12)
TILE_OF_ELEMENTS(tile_128, 16)

TILE(tile_any)
{
    if (size < 4)
        each_by(in, in_pitch, out, out_pitch, rows, columns, size, 1);
    else if (size < 8)
        each_by(in, in_pitch, out, out_pitch, rows, columns, size, 4);
    else if (size < BLOCK)
        each_by(in, in_pitch, out, out_pitch, rows, columns, size, 8);
    else
        each_by(in, in_pitch, out, out_pitch, rows, columns, size, BLOCK);
}

sk_transpose_function *SK_ISA_NAME(sk_transpose)(size_t size)
{
    switch (size) {
    case 1: return tile_8;
    case 2: return tile_16;
    case 4: return tile_32;
    case 8: return tile_64;
    case 12: return tile_96;
    case 16: return tile_128;
    default: return tile_any;
    }
}
