/* expand.c - runs back to elements: a piece at a time is filled in L1 and then written whole. A short run is one vector
 * of its value, of which the next runs overwrite what is too much. With AVX-512, lines of runs that are all short
 * (short_runs.h) or of several vectors are written without a piece: of the latter, only lines in which a run ends are
 * put together, in a register. */
#include "chunks.h"
#include "kernels.h"
#include "short_runs.h"
#include "stream.h"

/* A short piece is written around the caches while the next one is filled. Pieces of 64 elements end where lines do; of
 * longer elements, the fewer ends, the better. */
#define PIECE_SHORT ((size_t)2 << 10)
#define PIECE_LONG ((size_t)16 << 10)
#define LINES_AT_ONCE ((size_t)8 << 10) /* bytes written between looks at how long runs are */
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
#define SLACK ((size_t)64)
#define GROUP 8              /* runs that are looked at together, and expanded without a branch where all are short */
#define AHEAD ((size_t)1024) /* bytes of values that are asked for before they are read; of counts, twice as many */

/* All bits of the next runs' lengths, if these come to less than n elements; or UINT64_MAX. */
SK_INLINE uint64_t lengths_of(const sk_expansion *from, size_t n)
{
    uint64_t any = 0, sum = 0;
    if (from->end - from->counts < GROUP)
        return UINT64_MAX;
    for (size_t r = 0; r < GROUP; r++) {
        any |= from->counts[r];
        sum += from->counts[r];
    }
    return sum < n ? any : UINT64_MAX;
}

SK_INLINE void next_run(sk_expansion *from, size_t size)
{
    from->left = *from->counts++;
    from->value += size;
}

/* take_NAME: some of the current run, n at most; answers how many. short_NAME: the next runs, all short; answers how
 * many elements. tiny_NAME: the same with narrower stores. fill_NAME: the next n elements to a piece.
 * repeat_NAME(value, size, to, n) writes n values, and may write past them; few_NAME(value, size, to) as many as a
 * short run may have, less than limit; fewest_NAME less than least. */
#define SHORT(how, few, name)                                                \
    SK_INLINE size_t how##_##name(sk_expansion *from, size_t size, char *to) \
    {                                                                        \
        size_t some = 0;                                                     \
        sk_will_read(from->counts, 2 * AHEAD);                               \
        sk_will_read(from->value, AHEAD);                                    \
        for (size_t r = 0; r < GROUP; r++, some += from->left) {             \
            next_run(from, size);                                            \
            few##_##name(from->value, size, to + some * size);               \
        }                                                                    \
        from->left = 0;                                                      \
        return some;                                                         \
    }
#define FILL(name, limit, least)                                                                     \
    SK_INLINE size_t take_##name(sk_expansion *from, size_t size, char *to, size_t n)                \
    {                                                                                                \
        size_t some = sk_min(from->left, n);                                                         \
        repeat_##name(from->value, size, to, some);                                                  \
        from->left -= some;                                                                          \
        return some;                                                                                 \
    }                                                                                                \
    SHORT(short, few, name)                                                                          \
    SHORT(tiny, fewest, name)                                                                        \
    static void fill_##name(sk_expansion *expansion, size_t size, char *to, size_t n)                \
    {                                                                                                \
        sk_expansion from = *expansion;                                                              \
        size_t some = take_##name(&from, size, to, n);                                               \
        for (to += some * size, n -= some; n > 0;) {                                                 \
            const uint64_t any = lengths_of(&from, n);                                               \
            if (any < (limit)) {                                                                     \
                some = any < (least) ? tiny_##name(&from, size, to) : short_##name(&from, size, to); \
                to += some * size, n -= some;                                                        \
                continue;                                                                            \
            }                                                                                        \
            for (unsigned r = 0; r < GROUP && n > 0; r++, to += some * size, n -= some) {            \
                next_run(&from, size);                                                               \
                some = take_##name(&from, size, to, n);                                              \
            }                                                                                        \
        }                                                                                            \
        *expansion = from;                                                                           \
    }

#define REPEAT(bits)                                                                 \
    typedef uint##bits##_t vector_##bits __attribute__((vector_size(VECTOR_BYTES))); \
    SK_INLINE vector_##bits few_##bits(const char *value, size_t size, char *to)     \
    {                                                                                \
        uint##bits##_t x;                                                            \
        memcpy(&x, value, size);                                                     \
        const vector_##bits all = (vector_##bits){0} + x;                            \
        memcpy(to, &all, sizeof all);                                                \
        return all;                                                                  \
    }                                                                                \
    typedef uint##bits##_t narrow_##bits __attribute__((vector_size(16)));           \
    SK_INLINE void fewest_##bits(const char *value, size_t size, char *to)           \
    {                                                                                \
        uint##bits##_t x;                                                            \
        memcpy(&x, value, size);                                                     \
        const narrow_##bits all = (narrow_##bits){0} + x;                            \
        memcpy(to, &all, sizeof all);                                                \
    }                                                                                \
    SK_INLINE void repeat_##bits(const char *value, size_t size, char *to, size_t n) \
    {                                                                                \
        const vector_##bits all = few_##bits(value, size, to);                       \
        for (size_t at = VECTOR_BYTES; at < n * size; at += VECTOR_BYTES)            \
            memcpy(to + at, &all, sizeof all);                                       \
    }                                                                                \
    FILL(bits, 8 * VECTOR_BYTES / bits, 128 / bits)
REPEAT(8)
REPEAT(16)
REPEAT(32)
REPEAT(64)

/* One by one, or what is there once more, ever longer. */
SK_INLINE void repeat_any(const char *value, size_t size, char *to, size_t n)
{
    size_t few = sk_min(n, 4);
    for (size_t i = 0; i < few; i++)
        sk_copy_chunks(to + i * size, value, size, size < 4 ? 1 : size < 8 ? 4 : size < 16 ? 8 : 16);
    for (size_t done = few, some; done < n; done += some) {
        some = sk_min(done, n - done);
        memcpy(to + done * size, to, some * size);
    }
}

SK_INLINE void few_any(const char *value, size_t size, char *to)
{
    repeat_any(value, size, to, 1);
}

SK_INLINE void fewest_any(const char *value, size_t size, char *to)
{
    few_any(value, size, to);
}
FILL(any, 2, 2)

static void fill(sk_expansion *from, size_t size, char *to, size_t n)
{
    switch (size) {
    case 1: fill_8(from, 1, to, n); break;
    case 2: fill_16(from, 2, to, n); break;
    case 4: fill_32(from, 4, to, n); break;
    case 8: fill_64(from, 8, to, n); break;
    default: fill_any(from, size, to, n);
    }
}

SK_INLINE void write_out(void *to, const void *from, size_t bytes, bool stream)
{
    if (stream)
        sk_stream_bytes(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

#if defined(__AVX512BW__)
SK_INLINE void put_line(char *to, __m512i line, bool stream)
{
    if (stream)
        _mm512_stream_si512((void *)to, line);
    else
        _mm512_storeu_si512(to, line);
}

#define LINES(bits, mask)                                                               \
    static void lines_##bits(sk_expansion *expansion, char *out, size_t n, bool stream) \
    {                                                                                   \
        enum { LANES = 512 / (bits) };                                                  \
        sk_expansion from = *expansion;                                                 \
        __m512i line = _mm512_setzero_si512(), all;                                     \
        size_t have = 0, some;                                                          \
        for (;; next_run(&from, (bits) / 8)) {                                          \
            int##bits##_t x;                                                            \
            memcpy(&x, from.value, sizeof x);                                           \
            all = _mm512_set1_epi##bits(x);                                             \
            line = _mm512_mask_mov_epi##bits(line, (mask)(UINT64_MAX << have), all);    \
            some = sk_min(from.left, n);                                                \
            from.left -= some, n -= some;                                               \
            if ((have += some) >= LANES) {                                              \
                put_line(out, line, stream);                                            \
                for (out += 64, have -= LANES; have >= LANES; out += 64, have -= LANES) \
                    put_line(out, all, stream);                                         \
                line = all;                                                             \
            }                                                                           \
            if (n == 0)                                                                 \
                break;                                                                  \
        }                                                                               \
        /* A store of nothing would bring the line into the caches. */                  \
        if (have > 0)                                                                   \
            _mm512_mask_storeu_epi##bits(out, (mask)(((uint64_t)1 << have) - 1), line); \
        *expansion = from;                                                              \
    }
LINES(8, __mmask64)
LINES(16, __mmask32)
LINES(32, __mmask16)
LINES(64, __mmask8)

/* Writes n elements and returns n, if runs are long. */
static size_t write_lines(sk_expansion *from, size_t size, char *out, size_t n, bool stream)
{
    uint64_t sum = from->left;
    size_t runs = sk_min(GROUP, (size_t)(from->end - from->counts));
    for (size_t r = 0; r < runs && sum < n; r++)
        sum += from->counts[r];
    if (sum < sk_min(n, 64 / size * runs))
        return 0;
    switch (size) {
    case 1: lines_8(from, out, n, stream); return n;
    case 2: lines_16(from, out, n, stream); return n;
    case 4: lines_32(from, out, n, stream); return n;
    case 8: lines_64(from, out, n, stream); return n;
    default: return 0;
    }
}
#else
static size_t write_lines(sk_expansion *from, size_t size, char *out, size_t n, bool stream)
{
    (void)from, (void)size, (void)out, (void)n, (void)stream;
    return 0;
}
#endif

/* Elements that are pieces by themselves. */
static void expand_each(sk_expansion from, size_t size, char *out, size_t n, bool stream)
{
    for (; n > 0; n--, out += size) {
        while (from.left == 0)
            next_run(&from, size);
        from.left--;
        write_out(out, from.value, size, stream);
    }
}

/* Elements up to the next line of the output, if they end there. */
static size_t before_line(const void *out, size_t size, size_t piece)
{
    size_t bytes = -(uintptr_t)out & 63;
    return bytes >= size && bytes % size == 0 ? bytes / size : piece;
}

/* Some of the next n elements, without a piece, if `out` begins a line and runs are short or long; answers how many. */
static size_t write_directly(sk_expansion *from, size_t size, char *out, size_t n, bool stream, uint8_t *heads)
{
    if ((uintptr_t)out % 64 != 0)
        return 0;
    size_t some = sk_write_short_runs(from, size, out, n, stream, heads);
    return some > 0 ? some : write_lines(from, size, out, sk_min(n, LINES_AT_ONCE / size), stream);
}

/* A piece of n elements, several times if its run is as long; answers how many elements. */
static size_t write_piece(sk_expansion *from, size_t size, char *out, size_t n, size_t left, bool stream)
{
    _Alignas(64) char piece[PIECE_LONG + SLACK];
    const size_t times = from->left >= n ? sk_min(from->left, left) / n : 1;
    fill(from, size, piece, n);
    from->left -= (times - 1) * n;
    for (size_t t = 0; t < times; t++, out += n * size)
        write_out(out, piece, n * size, stream);
    return times * n;
}

static void expand_pieces(sk_expansion from, size_t size, char *out, size_t n, bool stream)
{
    uint8_t heads[SK_MARK_ROOM] = {0};
    const size_t whole = 64 * size <= PIECE_SHORT ? (PIECE_SHORT / size) & ~(size_t)63 : PIECE_LONG / size;
    for (size_t some; n > 0; n -= some, out += some * size) {
        while (from.left == 0)
            next_run(&from, size);
        some = write_directly(&from, size, out, n, stream, heads);
        if (some == 0) {
            const size_t now = sk_min(before_line(out, size, whole), whole);
            some = write_piece(&from, size, out, sk_min(now, n), n, stream);
        }
    }
}

void SK_ISA_NAME(sk_expand)(const sk_expansion *from, size_t size, void *out, size_t n, bool stream)
{
    if (size > PIECE_LONG / 8)
        expand_each(*from, size, out, n, stream);
    else
        expand_pieces(*from, size, out, n, stream);
    if (stream)
        sk_stream_end();
}
