/* table.c - rows of a summed-area table, scanned by registers. A row of the table is the row above plus its own scan, so
 * a register of sums goes down through the rows: nothing of the table is read again. The rows wait for their own last
 * register alone, so all of a group are scanned at the same time. */
#include "cpu/kernel/stream.h"
#include "lane_scan.h"

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

/* A register of each of `rows` rows, below the sums of the row above them. */
#define COLUMN(T, bits, channels, rows, above, from, from_pitch, to, stream)                 \
    {                                                                                        \
        lanes_##T sums = (lanes_##T) * (const unaligned_bits *)(above);                      \
        SK_UNROLL for (size_t r = 0; r < (rows); r++)                                        \
        {                                                                                    \
            lanes_##T x = (lanes_##T) * (const unaligned_bits *)((from) + r * (from_pitch)); \
            STEPS(T, bits, x, channels)                                                      \
            x += carry[r];                                                                   \
            carry[r] = CARRY(T, bits, x, channels);                                          \
            sums += x;                                                                       \
            put(to, (bits_64)sums, stream);                                                  \
        }                                                                                    \
        *(unaligned_bits *)(above) = (unaligned_bits)sums;                                   \
    }

/* Rows whose last register is not full go through registers that are. */
#define ROWS(T, bits, channels, name, rows)                                                                          \
    SK_INLINE void name##_##T##_##channels(const sk_table_part *part, bool stream)                                   \
    {                                                                                                                \
        const size_t bytes = part->n * sizeof(sk_##T), whole = bytes & ~(size_t)(REGISTER - 1);                      \
        const char *in = part->in;                                                                                   \
        char *out = part->out, *above = part->above;                                                                 \
        lanes_##T carry[rows];                                                                                       \
        SK_UNROLL for (size_t r = 0; r < (rows); r++) memcpy(&carry[r], part->carry + r * SK_TABLE_CARRY, REGISTER); \
        for (size_t at = 0; at < whole; at += REGISTER)                                                              \
            COLUMN(T, bits, channels, rows, above + at, in + at, part->in_pitch, out + r * part->out_pitch + at,     \
                   stream)                                                                                           \
        if (whole < bytes) {                                                                                         \
            char rest[(rows)*REGISTER] = {0};                                                                        \
            for (size_t r = 0; r < (rows); r++)                                                                      \
                memcpy(rest + r * REGISTER, in + r * part->in_pitch + whole, bytes - whole);                         \
            COLUMN(T, bits, channels, rows, above + whole, rest, REGISTER, rest + r * REGISTER, false)               \
            for (size_t r = 0; r < (rows); r++)                                                                      \
                memcpy(out + r * part->out_pitch + whole, rest + r * REGISTER, bytes - whole);                       \
        }                                                                                                            \
        SK_UNROLL for (size_t r = 0; r < (rows); r++) memcpy(part->carry + r * SK_TABLE_CARRY, &carry[r], REGISTER); \
    }

/* ---- rows that do not begin with a line: they go to lines of their own first, which are streamed when the stores to
 * them have left the store buffer ---- */

#define LINES_BEHIND 2

/* The first line of a row may begin before it. */
SK_INLINE bool is_cut(const sk_table_part *part, size_t shift, size_t line)
{
    return line == 0 && shift > 0 && part->begins;
}

SK_INLINE void stream_line_of_rows(const sk_table_part *part, const size_t *shift, size_t line)
{
    for (size_t r = 0; r < SK_TABLE_ROWS; r++)
        if (!is_cut(part, shift[r], line))
            sk_stream_line(part->out + r * part->out_pitch + line * 64 - shift[r],
                           part->lines + r * SK_TABLE_LINES + line * 64);
}

/* A line that is not full yet is kept behind the carry, for the next part. */
static void begin_lines(const sk_table_part *part)
{
    for (size_t r = 0; r < SK_TABLE_ROWS && !part->begins; r++)
        memcpy(part->lines + r * SK_TABLE_LINES, part->carry + r * SK_TABLE_CARRY + 64, 64);
}

/* A row from a line on. */
SK_INLINE void end_row(const sk_table_part *part, size_t r, size_t shift, size_t line, size_t bytes)
{
    const size_t end = shift + bytes, whole = end & ~(size_t)63;
    const char *from = part->lines + r * SK_TABLE_LINES;
    char *to = (char *)((uintptr_t)part->out + r * part->out_pitch - shift); /* of the first line */
    size_t at = line * 64;
    if (is_cut(part, shift, 0)) {
        memcpy(to + shift, from + shift, sk_min(64, end) - shift);
        at += line == 0 ? 64 : 0;
    }
    for (; at < whole; at += 64)
        sk_stream_line(to + at, from + at);
    if (!part->ends)
        memcpy(part->carry + r * SK_TABLE_CARRY + 64, from + whole, 64);
    else if (at < end)
        memcpy(to + at, from + at, end - at);
}

#define STAGED(T, bits, channels)                                                                                   \
    static void staged_##T##_##channels(const sk_table_part *part)                                                  \
    {                                                                                                               \
        const size_t bytes = part->n * sizeof(sk_##T), whole = bytes & ~(size_t)(REGISTER - 1);                     \
        const char *in = part->in;                                                                                  \
        char *above = part->above;                                                                                  \
        lanes_##T carry[SK_TABLE_ROWS];                                                                             \
        size_t shift[SK_TABLE_ROWS], to[SK_TABLE_ROWS];                                                             \
        begin_lines(part);                                                                                          \
        for (size_t r = 0; r < SK_TABLE_ROWS; r++) {                                                                \
            memcpy(&carry[r], part->carry + r * SK_TABLE_CARRY, REGISTER);                                          \
            shift[r] = (uintptr_t)(part->out + r * part->out_pitch) & 63;                                           \
            to[r] = r * SK_TABLE_LINES + shift[r];                                                                  \
        }                                                                                                           \
        for (size_t at = 0; at < whole; at += REGISTER) {                                                           \
            COLUMN(T, bits, channels, SK_TABLE_ROWS, above + at, in + at, part->in_pitch, part->lines + at + to[r], \
                   false)                                                                                           \
            if (at % 64 == 64 - REGISTER && at / 64 >= LINES_BEHIND)                                                \
                stream_line_of_rows(part, shift, at / 64 - LINES_BEHIND);                                           \
        }                                                                                                           \
        if (whole < bytes) {                                                                                        \
            char rest[SK_TABLE_ROWS * REGISTER] = {0};                                                              \
            for (size_t r = 0; r < SK_TABLE_ROWS; r++)                                                              \
                memcpy(rest + r * REGISTER, in + r * part->in_pitch + whole, bytes - whole);                        \
            COLUMN(T, bits, channels, SK_TABLE_ROWS, above + whole, rest, REGISTER, part->lines + whole + to[r],    \
                   false)                                                                                           \
        }                                                                                                           \
        for (size_t r = 0; r < SK_TABLE_ROWS; r++)                                                                  \
            memcpy(part->carry + r * SK_TABLE_CARRY, &carry[r], REGISTER);                                          \
        for (size_t r = 0; r < SK_TABLE_ROWS; r++)                                                                  \
            end_row(part, r, shift[r], whole / 64 > LINES_BEHIND ? whole / 64 - LINES_BEHIND : 0, bytes);           \
    }

/* Pixels that are wider than a register are scanned one by one. Their sums so far stand in the carry, by channel. */
#define ONE_BY_ONE(T, channels)                                                                  \
    static void table_##T##_##channels(const sk_table_part *part, unsigned rows)                 \
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

#define BY_REGISTERS(T, bits, channels)                                           \
    ROWS(T, bits, channels, row, 1)                                               \
    ROWS(T, bits, channels, group, SK_TABLE_ROWS)                                 \
    STAGED(T, bits, channels)                                                     \
    static void table_##T##_##channels(const sk_table_part *given, unsigned rows) \
    {                                                                             \
        sk_table_part part = *given;                                              \
        if (rows == SK_TABLE_ROWS) {                                              \
            if (!part.stream)                                                     \
                group_##T##_##channels(&part, false);                             \
            else if (((uintptr_t)part.out | part.out_pitch) % 64 == 0)            \
                group_##T##_##channels(&part, true);                              \
            else                                                                  \
                staged_##T##_##channels(&part);                                   \
            return;                                                               \
        }                                                                         \
        for (; rows > 0; rows--) {                                                \
            row_##T##_##channels(&part, false);                                   \
            part.in += part.in_pitch;                                             \
            part.out += part.out_pitch;                                           \
            part.carry += SK_TABLE_CARRY;                                         \
        }                                                                         \
    }

#define TABLES(T, bits) BY_REGISTERS(T, bits, 1) BY_REGISTERS(T, bits, 2)
TABLES(u32, 32)
BY_REGISTERS(u32, 32, 3)
BY_REGISTERS(u32, 32, 4)
TABLES(f32, 32)
BY_REGISTERS(f32, 32, 3)
BY_REGISTERS(f32, 32, 4)
TABLES(u64, 64)
TABLES(f64, 64)
#if LANES_64 >= 4
BY_REGISTERS(u64, 64, 3)
BY_REGISTERS(u64, 64, 4)
BY_REGISTERS(f64, 64, 3)
BY_REGISTERS(f64, 64, 4)
#else
ONE_BY_ONE(u64, 3)
ONE_BY_ONE(u64, 4)
ONE_BY_ONE(f64, 3)
ONE_BY_ONE(f64, 4)
#endif

#define ROW(T)                                                     \
    {                                                              \
        table_##T##_1, table_##T##_2, table_##T##_3, table_##T##_4 \
    }
sk_table_function *SK_ISA_NAME(sk_table)(scankit_type type, unsigned channels)
{
    static sk_table_function *const u32[] = ROW(u32), *const u64[] = ROW(u64), *const f32[] = ROW(f32),
                                    *const f64[] = ROW(f64);
    switch (type) {
    case SCANKIT_U32: return u32[channels - 1];
    case SCANKIT_U64: return u64[channels - 1];
    case SCANKIT_F32: return f32[channels - 1];
    default: return f64[channels - 1];
    }
}
