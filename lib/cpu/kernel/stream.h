/* stream.h - writing around the caches, 64 bytes at a time, where the machine has stores for that. */
#ifndef SK_STREAM_H
#define SK_STREAM_H

#include <stdint.h>
#include <string.h>

#include "kernels.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Copies 64 bytes to a multiple of 64. */
static inline void sk_stream_line(void *to, const void *from)
{
#if defined(__AVX512F__)
    _mm512_stream_si512(to, _mm512_loadu_si512(from));
#elif defined(__AVX2__)
    __m256i *out = (__m256i *)to;
    const __m256i *in = (const __m256i *)from;
    __m256i a = _mm256_loadu_si256(in), b = _mm256_loadu_si256(in + 1);
    _mm256_stream_si256(out, a);
    _mm256_stream_si256(out + 1, b);
#elif defined(__SSE2__)
    __m128i *out = (__m128i *)to;
    const __m128i *in = (const __m128i *)from;
    __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1);
    __m128i c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);
    _mm_stream_si128(out, a);
    _mm_stream_si128(out + 1, b);
    _mm_stream_si128(out + 2, c);
    _mm_stream_si128(out + 3, d);
#else
    memcpy(to, from, 64);
#endif
}

/* The line at base + bytes will be written, or read, soon: it may lie outside of any array. */
static inline void sk_will_write(const void *base, size_t bytes)
{
    __builtin_prefetch((const void *)((uintptr_t)base + bytes), 1);
}

/* Into the first cache. A scan on a Zen 4 that asks for lines 4 KiB ahead runs at the speed of a copy so, and at 0.65
 * of it with the second cache. */
static inline void sk_will_read(const void *base, size_t bytes)
{
    __builtin_prefetch((const void *)((uintptr_t)base + bytes), 0, 3);
}

/* The same of the next row: into the second cache, where a row has room. */
static inline void sk_will_read_row(const void *base, size_t pitch)
{
    __builtin_prefetch((const void *)((uintptr_t)base + pitch), 0, 2);
}

/* Before another thread may read what was streamed. */
static inline void sk_stream_end(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

/* Copies any bytes to anywhere, all but the first and last few around the caches; the end is still to come. */
static inline void sk_stream_bytes(void *to, const void *from, size_t bytes)
{
    char *out = (char *)to;
    const char *in = (const char *)from;
    size_t head = -(uintptr_t)out & 63;
    if (bytes > head) {
        memcpy(out, in, head);
        for (out += head, in += head, bytes -= head; bytes >= 64; out += 64, in += 64, bytes -= 64)
            sk_stream_line(out, in);
    }
    memcpy(out, in, bytes);
}

static inline void sk_stream(void *to, const void *from, size_t bytes)
{
    sk_stream_bytes(to, from, bytes);
    sk_stream_end();
}

/* Where a digit's next line goes: to the SK_LINE bytes that begin at `line`, but of the first one only what begins at
 * `first`: the bytes before are not this thread's. Addresses are numbers, as a first line may begin before the array.
 */
typedef struct sk_line_target {
    uintptr_t line, first;
} sk_line_target;

static inline void sk_aim_lines(sk_line_target *target, size_t count, const void *out, size_t size,
                                const size_t *cursor)
{
    for (size_t d = 0; d < count; d++) {
        target[d].first = (uintptr_t)out + cursor[d] * size;
        target[d].line = target[d].first & ~(uintptr_t)(SK_LINE - 1);
    }
}

/* Writes the first `filled` bytes of a line, as far as they are this thread's. */
static inline void sk_write_rest(const sk_line_target *target, const void *line, size_t filled)
{
    size_t skip = target->first > target->line ? target->first - target->line : 0;
    if (filled > skip)
        memcpy((char *)target->line + skip, (const char *)line + skip, filled - skip);
}

/* Writes a full line and goes on to the next. */
static inline void sk_write_line(sk_line_target *target, const void *line)
{
    if (target->line >= target->first)
        for (size_t at = 0; at < SK_LINE; at += 64)
            sk_stream_line((char *)target->line + at, (const char *)line + at);
    else
        sk_write_rest(target, line, SK_LINE);
    target->line += SK_LINE;
}

/* Writes a block to the next slot. */
static inline void sk_put_block(sk_block_writer *to, const void *line, uint32_t digit)
{
    if (to->next == to->end)
        sk_write_beyond(to);
    for (size_t at = 0; at < SK_LINE; at += 64)
        sk_stream_line(to->next + at, (const char *)line + at);
    *to->place++ = digit;
    to->next += SK_LINE;
}

#endif
