/* table.c - rows of a summed-area table, scanned by registers. A row of the table is the row above plus its own scan,
 * so a register of sums goes down through the rows: nothing of the table is read again. The rows wait for their own
 * last register alone, so all of a group are scanned at the same time. */
#include "cpu/kernel/stream.h"
#include "lane_loads.h"

/* How rows are written: to the caches; around them, where rows begin with a register; or where they do not, through
 * registers that are shifted by what is missing. A shift leaves the order of additions alone, so that floats do not
 * depend on addresses. */
enum { PLAIN, STREAMED, SHIFTED };

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

/* The last `shift` words of a register and the first ones of the next. */
SK_INLINE bits_32 shift_index(size_t shift)
{
    return (bits_32){SK_PASTE(FROM_, LANES_32)(0)} + (uint32_t)(LANES_32 - shift);
}

SK_INLINE bits_64 shift_in(bits_64 before, bits_64 next, bits_32 index)
{
#if defined(__AVX512F__)
    return (bits_64)_mm512_permutex2var_epi32((__m512i)before, (__m512i)index, (__m512i)next);
#elif defined(__AVX2__)
    const __m256 from_next = (__m256)(index << 28); /* the sign says so */
    return (bits_64)_mm256_blendv_ps((__m256)_mm256_permutevar8x32_epi32((__m256i)before, (__m256i)index),
                                     (__m256)_mm256_permutevar8x32_epi32((__m256i)next, (__m256i)index), from_next);
#else
    (void)before, (void)index;
    return (bits_64)next;
#endif
}

static int mode_of(const sk_table_part *part, size_t bytes)
{
    const uintptr_t place = (uintptr_t)part->out | part->out_pitch;
    if (!part->stream || (part->begins && bytes < REGISTER))
        return PLAIN;
    if (place % REGISTER == 0)
        return STREAMED;
#if defined(__AVX2__)
    return place % sizeof(uint32_t) == 0 ? SHIFTED : PLAIN;
#else
    return PLAIN;
#endif
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
    int mode;
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
SK_INLINE void put_bytes(char *to, bits_64 line, size_t first, size_t n)
{
    char bytes[REGISTER];
    put(bytes, line, false);
    memcpy(to, bytes + first, n);
}

SK_INLINE void make_rows(const sk_table_part *given, row_shape shape)
{
    const sk_table_part part = *given;
    const size_t bytes = part.n * shape.size, whole = bytes & ~(size_t)(REGISTER - 1);
    bits_64 carry[SK_TABLE_ROWS], before[SK_TABLE_ROWS], sums[SK_TABLE_ROWS];
    bits_32 index[SK_TABLE_ROWS];
    size_t shift[SK_TABLE_ROWS], at = 0;
    SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
    {
        carry[r] = get(part.carry + r * SK_TABLE_CARRY);
        before[r] = get(part.carry + r * SK_TABLE_CARRY + 64);
        sums[r] = before[r];
        shift[r] = shape.mode == SHIFTED ? (uintptr_t)(part.out + r * part.out_pitch) % REGISTER : 0;
        index[r] = shift_index(shift[r] / sizeof(uint32_t));
    }
    if (shape.mode == SHIFTED && part.begins) {
        column_of_end(&part, shape, 0, REGISTER, carry, before);
        SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
            put_bytes(part.out + r * part.out_pitch, before[r], 0, REGISTER - shift[r]);
        at = REGISTER;
    }
    for (; at < whole; at += REGISTER) {
        const size_t place = at / shape.size * shape.narrow;
        if (place % 64 == 0)
            SK_UNROLL for (size_t r = 0; r < shape.rows; r++) sk_will_read(part.next, r * part.in_pitch + place);
        shape.column(part.in + place, part.in_pitch, part.above + at, carry, sums);
        SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
        {
            const bits_64 line = shape.mode == SHIFTED ? shift_in(before[r], sums[r], index[r]) : sums[r];
            put(part.out + r * part.out_pitch + at - shift[r], line, shape.mode != PLAIN);
            before[r] = sums[r];
        }
    }
    if (whole < bytes)
        column_of_end(&part, shape, whole, bytes - whole, carry, sums);
    SK_UNROLL for (size_t r = 0; r < shape.rows; r++)
    {
        char *to = part.out + r * part.out_pitch + whole, *kept = part.carry + r * SK_TABLE_CARRY;
        put(kept, carry[r], false);
        put(kept + 64, before[r], false);
        if (part.ends) {
            put_bytes(to - shift[r], before[r], REGISTER - shift[r], shift[r]);
            put_bytes(to, sums[r], 0, bytes - whole);
        }
    }
}

SK_INLINE void make_group(const sk_table_part *part, row_shape shape)
{
    shape.mode = mode_of(part, part->n * shape.size);
    if (shape.mode == PLAIN)
        make_rows(part, (row_shape){SK_TABLE_ROWS, shape.size, shape.narrow, PLAIN, shape.column});
    else if (shape.mode == STREAMED)
        make_rows(part, (row_shape){SK_TABLE_ROWS, shape.size, shape.narrow, STREAMED, shape.column});
    else
        make_rows(part, (row_shape){SK_TABLE_ROWS, shape.size, shape.narrow, SHIFTED, shape.column});
}

#define BY_REGISTERS(T, S, bits, channels)                                                           \
    COLUMN(T, S, bits, channels, row, 1)                                                             \
    COLUMN(T, S, bits, channels, group, SK_TABLE_ROWS)                                               \
    static void table_##T##_##S##_##channels(const sk_table_part *given, unsigned rows)              \
    {                                                                                                \
        const size_t size = sizeof(sk_##S), narrow = sizeof(sk_##T);                                 \
        sk_table_part part = *given;                                                                 \
        if (rows == SK_TABLE_ROWS) {                                                                 \
            make_group(&part, (row_shape){rows, size, narrow, PLAIN, group_##T##_##S##_##channels}); \
            return;                                                                                  \
        }                                                                                            \
        for (; rows > 0; rows--) {                                                                   \
            make_rows(&part, (row_shape){1, size, narrow, PLAIN, row_##T##_##S##_##channels});       \
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
