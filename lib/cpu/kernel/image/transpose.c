/* transpose.c - tiles, transposed into the first cache: registers of several rows at a time, in log2 steps. Each step
 * takes the elements of two rows by turns, within blocks of 16 bytes. */
#include "cpu/kernel/lanes.h"
#include "cpu/kernel/stream.h"

#define BLOCK 16 /* bytes within which elements move */

typedef uint8_t lanes_8 __attribute__((vector_size(BLOCK)));
typedef uint16_t lanes_16 __attribute__((vector_size(BLOCK)));
typedef uint32_t lanes_32 __attribute__((vector_size(BLOCK)));
typedef uint64_t lanes_64 __attribute__((vector_size(BLOCK)));
typedef char block __attribute__((vector_size(BLOCK), aligned(1), may_alias));

/* Row r and row r + side / 2 become rows 2r and 2r + 1. After log2(side) such steps, all bits of the rows' numbers have
 * gone into the elements' numbers, and the other way round. */
#define TURNED(name, bits, side, LANES, LOAD, LOW, HIGH)                                          \
    SK_INLINE void name##_##bits(const char *in, size_t in_pitch, LANES *rows)                    \
    {                                                                                             \
        LANES others[side];                                                                       \
        SK_UNROLL for (unsigned r = 0; r < (side); r++) rows[r] = LOAD(LANES, in + r * in_pitch); \
        SK_UNROLL for (unsigned reach = 1; reach < (side); reach *= 2)                            \
        {                                                                                         \
            SK_UNROLL for (unsigned r = 0; r < (side) / 2; r++)                                   \
            {                                                                                     \
                others[2 * r] = LOW(bits, side, rows[r], rows[r + (side) / 2]);                   \
                others[2 * r + 1] = HIGH(bits, side, rows[r], rows[r + (side) / 2]);              \
            }                                                                                     \
            SK_UNROLL for (unsigned r = 0; r < (side); r++) rows[r] = others[r];                  \
        }                                                                                         \
    }

#define LOAD_BLOCK(type, from) (type) * (const block *)(from)
#define BY_TURNS(bits, side, x, y, first) SK_SHUFFLE(lanes_##bits, x, y, SK_PASTE(SK_TURNS_, side)(first, side))
#define LOW_TURNS(bits, side, x, y) BY_TURNS(bits, side, x, y, 0)
#define HIGH_TURNS(bits, side, x, y) BY_TURNS(bits, side, x, y, (side) / 2)

#define BLOCKS(bits, side)                                                                                 \
    TURNED(turned_block, bits, side, lanes_##bits, LOAD_BLOCK, LOW_TURNS, HIGH_TURNS)                      \
    SK_INLINE void block_##bits(const char *in, size_t in_pitch, char *out, size_t out_pitch)              \
    {                                                                                                      \
        lanes_##bits rows[side];                                                                           \
        turned_block_##bits(in, in_pitch, rows);                                                           \
        SK_UNROLL for (unsigned r = 0; r < (side); r++) * (block *)(out + r * out_pitch) = (block)rows[r]; \
    }
BLOCKS(8, 16)
BLOCKS(16, 8)
BLOCKS(32, 4)
BLOCKS(64, 2)

/* Several blocks beside each other. */
#if defined(__AVX512F__)
#define LOAD_REGISTER(type, from) _mm512_loadu_si512(from)
#define LOW_HALVES(bits, side, x, y) _mm512_unpacklo_epi##bits(x, y)
#define HIGH_HALVES(bits, side, x, y) _mm512_unpackhi_epi##bits(x, y)
typedef __m512i wide_register;

SK_INLINE void store_blocks(char *to, size_t pitch, __m512i x)
{
    _mm_storeu_si128((void *)to, _mm512_castsi512_si128(x));
    _mm_storeu_si128((void *)(to + pitch), _mm512_extracti32x4_epi32(x, 1));
    _mm_storeu_si128((void *)(to + 2 * pitch), _mm512_extracti32x4_epi32(x, 2));
    _mm_storeu_si128((void *)(to + 3 * pitch), _mm512_extracti32x4_epi32(x, 3));
}
#elif defined(__AVX2__)
#define LOAD_REGISTER(type, from) _mm256_loadu_si256((const void *)(from))
#define LOW_HALVES(bits, side, x, y) _mm256_unpacklo_epi##bits(x, y)
#define HIGH_HALVES(bits, side, x, y) _mm256_unpackhi_epi##bits(x, y)
typedef __m256i wide_register;

SK_INLINE void store_blocks(char *to, size_t pitch, __m256i x)
{
    _mm_storeu_si128((void *)to, _mm256_castsi256_si128(x));
    _mm_storeu_si128((void *)(to + pitch), _mm256_extracti128_si256(x, 1));
}
#endif
#if defined(__AVX2__)
#define WIDE_BLOCKS(bits, side)                                                                                       \
    TURNED(turned, bits, side, wide_register, LOAD_REGISTER, LOW_HALVES, HIGH_HALVES)                                 \
    SK_INLINE void blocks_##bits(const char *in, size_t in_pitch, char *out, size_t out_pitch)                        \
    {                                                                                                                 \
        wide_register rows[side];                                                                                     \
        turned_##bits(in, in_pitch, rows);                                                                            \
        SK_UNROLL for (unsigned r = 0; r < (side); r++) store_blocks(out + r * out_pitch, (side)*out_pitch, rows[r]); \
    }
#else
#define WIDE_BLOCKS(bits, side)                                                                \
    SK_INLINE void blocks_##bits(const char *in, size_t in_pitch, char *out, size_t out_pitch) \
    {                                                                                          \
        block_##bits(in, in_pitch, out, out_pitch);                                            \
    }
#endif
WIDE_BLOCKS(8, 16)
WIDE_BLOCKS(16, 8)
WIDE_BLOCKS(32, 4)
WIDE_BLOCKS(64, 2)

/* Bytes: stores of blocks take most of the time, so with AVX-512 four rows of blocks become whole lines. Wider elements
 * gain nothing. */
#if defined(__AVX512F__)
#define GROUPS 4

/* The first blocks of four registers become a line, and so on. */
SK_INLINE void store_lines(char *to, size_t pitch, __m512i a, __m512i b, __m512i c, __m512i d)
{
    const __m512i low_ab = _mm512_shuffle_i32x4(a, b, 0x44), high_ab = _mm512_shuffle_i32x4(a, b, 0xee);
    const __m512i low_cd = _mm512_shuffle_i32x4(c, d, 0x44), high_cd = _mm512_shuffle_i32x4(c, d, 0xee);
    _mm512_storeu_si512(to, _mm512_shuffle_i32x4(low_ab, low_cd, 0x88));
    _mm512_storeu_si512(to + pitch, _mm512_shuffle_i32x4(low_ab, low_cd, 0xdd));
    _mm512_storeu_si512(to + 2 * pitch, _mm512_shuffle_i32x4(high_ab, high_cd, 0x88));
    _mm512_storeu_si512(to + 3 * pitch, _mm512_shuffle_i32x4(high_ab, high_cd, 0xdd));
}

SK_INLINE void lines_8(const char *in, size_t in_pitch, char *out, size_t out_pitch)
{
    __m512i rows[GROUPS][BLOCK];
    SK_UNROLL for (size_t g = 0; g < GROUPS; g++) turned_8(in + g * BLOCK * in_pitch, in_pitch, rows[g]);
    SK_UNROLL for (size_t r = 0; r < BLOCK; r++)
        store_lines(out + r * out_pitch, BLOCK * out_pitch, rows[0][r], rows[1][r], rows[2][r], rows[3][r]);
}
#else
#define GROUPS 1
#define lines_8 blocks_8
#endif

/* Elements one by one: a constant size makes each a move or two. */
SK_INLINE void each(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows, size_t columns,
                    size_t size)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            memcpy(out + c * out_pitch + r * size, in + r * in_pitch + c * size, size);
}

/* `bytes` of a row will be read, `ahead` bytes from here; 0: nothing will. */
SK_INLINE void ask_for(const char *in, size_t ahead, size_t bytes)
{
    for (size_t at = 0; ahead > 0 && at < bytes; at += 64)
        sk_will_read_row(in + at, ahead);
}

/* Elements that are narrower than a move: what it brings beyond an element goes where the next row's element belongs,
 * which comes later. The last row and the last column have none beyond them. */
SK_INLINE void each_by_wider(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows, size_t columns,
                             size_t size, size_t move, size_t ahead)
{
    for (size_t r = 0; r + 1 < rows; r++) {
        const char *from = in + r * in_pitch;
        ask_for(from, ahead, columns * size);
        for (size_t c = 0; c + 1 < columns; c++)
            memcpy(out + c * out_pitch + r * size, from + c * size, move);
        memcpy(out + (columns - 1) * out_pitch + r * size, from + (columns - 1) * size, size);
    }
    ask_for(in + (rows - 1) * in_pitch, ahead, columns * size);
    each(in + (rows - 1) * in_pitch, in_pitch, out + (rows - 1) * size, out_pitch, 1, columns, size);
}

/* Elements of at least a block: the last bytes of these overlap the ones before. */
SK_INLINE void each_by_blocks(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows, size_t columns,
                              size_t size, size_t ahead)
{
    for (size_t r = 0; r < rows; r++) {
        ask_for(in + r * in_pitch, ahead, columns * size);
        for (size_t c = 0; c < columns; c++) {
            const char *from = in + r * in_pitch + c * size;
            char *to = out + c * out_pitch + r * size;
            for (size_t at = 0; at + BLOCK <= size; at += BLOCK)
                memcpy(to + at, from + at, BLOCK);
            memcpy(to + size - BLOCK, from + size - BLOCK, BLOCK);
        }
    }
}

#define TILE(name)                                                                                              \
    static void name(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows, size_t columns, \
                     size_t size, size_t ahead)

/* Wide blocks, then narrow ones, then the columns and the rows that are left. */
#define TILE_OF_BLOCKS(bits, side, groups, wide_blocks)                                                            \
    TILE(tile_##bits)                                                                                              \
    {                                                                                                              \
        enum { SIZE = (bits) / 8, STEP = REGISTER / SIZE, HEIGHT = (groups) * (side) };                            \
        const size_t whole_rows = rows & ~(size_t)((side)-1), whole = columns & ~(size_t)((side)-1);               \
        const size_t wide_rows = rows / HEIGHT * HEIGHT, wide = columns / STEP * STEP;                             \
        (void)size;                                                                                                \
        for (size_t r = 0; r < wide_rows; r += HEIGHT)                                                             \
            for (size_t c = 0; c < wide; c += STEP) {                                                              \
                const char *from = in + r * in_pitch + c * SIZE;                                                   \
                if (c * SIZE % 64 == 0)                                                                            \
                    for (unsigned i = 0; i < HEIGHT; i++)                                                          \
                        ask_for(from + i * in_pitch, ahead, 64);                                                   \
                wide_blocks(from, in_pitch, out + c * out_pitch + r * SIZE, out_pitch);                            \
            }                                                                                                      \
        for (size_t r = 0; r < whole_rows; r += (side))                                                            \
            for (size_t c = r < wide_rows ? wide : 0; c < whole; c += (side))                                      \
                block_##bits(in + r * in_pitch + c * SIZE, in_pitch, out + c * out_pitch + r * SIZE, out_pitch);   \
        each(in + whole * SIZE, in_pitch, out + whole * out_pitch, out_pitch, whole_rows, columns - whole, SIZE);  \
        each(in + whole_rows * in_pitch, in_pitch, out + whole_rows * SIZE, out_pitch, rows - whole_rows, columns, \
             SIZE);                                                                                                \
    }
TILE_OF_BLOCKS(8, 16, GROUPS, lines_8)
TILE_OF_BLOCKS(16, 8, 1, blocks_16)
TILE_OF_BLOCKS(32, 4, 1, blocks_32)
TILE_OF_BLOCKS(64, 2, 1, blocks_64)

TILE(tile_24)
{
    (void)size;
    each_by_wider(in, in_pitch, out, out_pitch, rows, columns, 3, 4, ahead);
}

TILE(tile_96)
{
    (void)size;
    each_by_wider(in, in_pitch, out, out_pitch, rows, columns, 12, BLOCK, ahead);
}

TILE(tile_128)
{
    (void)size;
    for (size_t r = 0; r < rows; r++, in += in_pitch, out += BLOCK) {
        ask_for(in, ahead, columns * BLOCK);
        each(in, in_pitch, out, out_pitch, 1, columns, BLOCK);
    }
}

TILE(tile_any)
{
    if (size < 8)
        each_by_wider(in, in_pitch, out, out_pitch, rows, columns, size, 8, ahead);
    else if (size < BLOCK)
        each_by_wider(in, in_pitch, out, out_pitch, rows, columns, size, BLOCK, ahead);
    else
        each_by_blocks(in, in_pitch, out, out_pitch, rows, columns, size, ahead);
}

sk_transpose_function *SK_ISA_NAME(sk_transpose)(size_t size)
{
    switch (size) {
    case 1: return tile_8;
    case 2: return tile_16;
    case 3: return tile_24;
    case 4: return tile_32;
    case 8: return tile_64;
    case 12: return tile_96;
    case 16: return tile_128;
    default: return tile_any;
    }
}

void SK_ISA_NAME(sk_stream_rows)(const char *in, size_t in_pitch, char *out, size_t out_pitch, size_t rows,
                                 size_t bytes)
{
    const bool whole = ((uintptr_t)out | out_pitch | bytes) % 64 == 0;
    for (size_t r = 0; r < rows; r++, in += in_pitch, out += out_pitch)
        if (!whole)
            sk_stream_bytes(out, in, bytes);
        else
            for (size_t at = 0; at < bytes; at += 64)
                sk_stream_line(out + at, in + at);
}
