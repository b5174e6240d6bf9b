/* bins.c - the bins of keys, one plain loop a type and kind of bins, which the compiler makes vectors of where it can;
 * and counts of keys.
 *
 * An addition to a count is a load and a store. A core stores one word a cycle, which is the limit of counting; finding
 * bins fits beside it where both run at the same time. So each step finds the bins of keys that are counted 128 keys
 * later: bins are stored by registers, and must have left the store queue before they are loaded one by one. */
#include "even_bins.h"
#include "kernels.h"
#include "stream.h"

typedef void find_function(const void *keys, size_t n, const sk_bins *bins, uint32_t *restrict to);

/* ---- bins ---- */

/* Bins by edges. Others stand apart, as a choice within the loop would leave it without vectors. */
#define X(enumerator, name, ctype, kind) BINS(static, find_edge_##name, ctype, sk_bin_##name(key, &of))
SCANKIT_TYPES(X)
#undef X

#define VALUE_BIN(bits)                                                                                \
    SK_INLINE uint32_t value_bin_##bits(uint##bits##_t word, const sk_bins *bins)                      \
    {                                                                                                  \
        const uint##bits##_t low = (uint##bits##_t)bins->low, distance = (uint##bits##_t)(word - low); \
        return ((word >= low) & (distance < bins->count)) ? (uint32_t)distance : bins->count;          \
    }
VALUE_BIN(32)
VALUE_BIN(64)

#define VALUES(name, ctype, bits) BINS(SK_INLINE, value_##name, ctype, value_bin_##bits(sk_bin_word_##name(key), &of))
VALUES(u8, uint8_t, 32)
VALUES(u16, uint16_t, 32)
VALUES(u32, uint32_t, 32)
VALUES(u64, uint64_t, 64)
VALUES(i8, int8_t, 32)
VALUES(i16, int16_t, 32)
VALUES(i32, int32_t, 32)
VALUES(i64, int64_t, 64)

/* sk_bin_f64() without branches: so the loop is made of vectors. */
SK_INLINE uint32_t even_float_bin(double key, const sk_bins *bins)
{
    const bool is_inside = (key >= bins->float_low) & (key <= bins->float_high);
    const double distance = (is_inside ? key : bins->float_low) - bins->float_low;
    uint32_t bin = (uint32_t)(int32_t)(distance * bins->scale);
    bin = bin < bins->count ? bin : bins->count - 1;
    return is_inside ? bin : bins->count;
}
BINS(SK_INLINE, even_f64, double, even_float_bin(key, &of))

/* Narrow floats are widened in a loop of their own: gcc makes no vectors of a widening beside a choice, as it might
 * trap. */
#define WIDENED 256
#define EVEN_NARROW(name, ctype, wide)                                                          \
    SK_INLINE void name(const void *keys, size_t n, const sk_bins *bins, uint32_t *restrict to) \
    {                                                                                           \
        const ctype *from = keys;                                                               \
        double widened[WIDENED];                                                                \
        for (size_t done = 0, some; done < n; done += some) {                                   \
            some = sk_min(WIDENED, n - done);                                                   \
            for (size_t i = 0; i < some; i++)                                                   \
                widened[i] = (double)wide(from[done + i]);                                      \
            even_f64(widened, some, bins, to + done);                                           \
        }                                                                                       \
    }
EVEN_NARROW(even_f16, scankit_f16, sk_f32_from_f16)
EVEN_NARROW(few_even_f32, float, )

#if defined(__AVX512F__)
/* floor((key - low) * scale); anything for keys outside. */
SK_INLINE __m256i place_f32(__m256 key, const sk_bins *bins)
{
    const __m512d distance = _mm512_sub_pd(_mm512_cvtps_pd(key), _mm512_set1_pd(bins->float_low));
    return _mm512_cvttpd_epi32(_mm512_mul_pd(distance, _mm512_set1_pd(bins->scale)));
}

/* Widened in registers: stores of what is widened would take a quarter of the stores' time. */
SK_INLINE void even_f32(const void *keys, size_t n, const sk_bins *bins, uint32_t *restrict to)
{
    const __m512i count = _mm512_set1_epi32((int32_t)bins->count), last = _mm512_set1_epi32((int32_t)bins->count - 1);
    const __m512 low = _mm512_set1_ps(bins->low_32), high = _mm512_set1_ps(bins->high_32);
    const float *from = keys;
    for (; n >= 16; n -= 16, from += 16, to += 16) {
        const __m512 key = _mm512_loadu_ps(from);
        const __mmask16 above = _mm512_cmp_ps_mask(key, low, _CMP_GE_OQ);
        const __mmask16 inside = _mm512_mask_cmp_ps_mask(above, key, high, _CMP_LE_OQ);
        const __m256i first = place_f32(_mm512_castps512_ps256(key), bins);
        const __m256i second = place_f32(_mm512_extractf32x8_ps(key, 1), bins);
        const __m512i place = _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
        _mm512_storeu_si512(to, _mm512_mask_min_epu32(count, inside, place, last));
    }
    few_even_f32(from, n, bins, to);
}
#elif defined(__AVX2__)
SK_INLINE __m128i place_f32(__m128 key, const sk_bins *bins)
{
    const __m256d distance = _mm256_sub_pd(_mm256_cvtps_pd(key), _mm256_set1_pd(bins->float_low));
    return _mm256_cvttpd_epi32(_mm256_mul_pd(distance, _mm256_set1_pd(bins->scale)));
}

SK_INLINE void even_f32(const void *keys, size_t n, const sk_bins *bins, uint32_t *restrict to)
{
    const __m256i count = _mm256_set1_epi32((int32_t)bins->count), last = _mm256_set1_epi32((int32_t)bins->count - 1);
    const __m256 low = _mm256_set1_ps(bins->low_32), high = _mm256_set1_ps(bins->high_32);
    const float *from = keys;
    for (; n >= 8; n -= 8, from += 8, to += 8) {
        const __m256 key = _mm256_loadu_ps(from);
        const __m256 inside = _mm256_and_ps(_mm256_cmp_ps(key, low, _CMP_GE_OQ), _mm256_cmp_ps(key, high, _CMP_LE_OQ));
        const __m128i first = place_f32(_mm256_castps256_ps128(key), bins);
        const __m128i second = place_f32(_mm256_extractf128_ps(key, 1), bins);
        const __m256i place = _mm256_min_epu32(_mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1), last);
        STORE(to, _mm256_blendv_epi8(count, place, _mm256_castps_si256(inside)));
    }
    few_even_f32(from, n, bins, to);
}
#else
#define even_f32 few_even_f32
#endif

/* ---- counts ---- */

#define STEP 32       /* keys whose bins are found together */
#define AHEAD 4       /* steps from finding to counting: 128 keys, twice the stores that a queue holds */
#define PREFETCH 2048 /* bytes ahead of the keys that are counted */
#define GROUP 16      /* keys that are one addition if they have one bin */

/* Bins of a group: all the same? Long runs would wait for one word. */
SK_INLINE bool is_one_bin(const uint32_t *bins)
{
#if defined(__AVX512F__)
    const __m512i all = _mm512_loadu_si512(bins);
    return _mm512_cmpneq_epu32_mask(all, _mm512_set1_epi32((int32_t)bins[0])) == 0;
#elif defined(__AVX2__)
    const __m256i first = _mm256_set1_epi32((int32_t)bins[0]);
    const __m256i low = _mm256_cmpeq_epi32(first, _mm256_loadu_si256((const void *)bins));
    const __m256i high = _mm256_cmpeq_epi32(first, _mm256_loadu_si256((const void *)(bins + 8)));
    return _mm256_movemask_epi8(_mm256_and_si256(low, high)) == -1;
#else
    (void)bins;
    return false;
#endif
}

/* Neighbours go to different tables. Two bins are one load. */
#define ADD_ONES(word, copies)                                                                            \
    SK_INLINE void add_##copies##_of_##word(const uint32_t *bins, const sk_bins *of, const sk_counts *to) \
    {                                                                                                     \
        uint##word##_t *table = to->narrow;                                                               \
        (void)of;                                                                                         \
        for (size_t group = 0; group < STEP; group += GROUP, bins += GROUP) {                             \
            if (is_one_bin(bins)) {                                                                       \
                to->wide[bins[0]] += GROUP;                                                               \
                continue;                                                                                 \
            }                                                                                             \
            SK_UNROLL for (size_t i = 0; i < GROUP; i += 2)                                               \
            {                                                                                             \
                uint64_t pair;                                                                            \
                memcpy(&pair, bins + i, sizeof pair);                                                     \
                table[(uint32_t)pair + i % (copies)*to->row]++;                                           \
                table[(pair >> 32) + (i + 1) % (copies)*to->row]++;                                       \
            }                                                                                             \
        }                                                                                                 \
    }
ADD_ONES(32, 4)
ADD_ONES(16, 2)
ADD_ONES(32, 1)

static void put_line(sk_bin_parts *to, size_t part, const char *line)
{
    for (size_t at = 0; at < SK_PART_LINE; at += 64)
        if (to->stream)
            sk_stream_line(to->next + at, line + at);
        else
            memcpy(to->next + at, line + at, 64);
    to->next += SK_PART_LINE;
    *to->part++ = (uint16_t)part;
}

/* A full line stays until the next bin of its part comes: what was just stored by single bins cannot be loaded by
 * registers. */
SK_INLINE void put_in_part(sk_bin_parts *to, unsigned shift, char *lines, uint32_t *filled, uint32_t bin)
{
    const size_t part = bin >> shift;
    const uint16_t low = (uint16_t)(bin & ((1u << shift) - 1));
    uint32_t at = filled[part];
    if (__builtin_expect(at == SK_PART_LINE, 0)) {
        put_line(to, part, lines + part * SK_PART_LINE);
        at = 0;
    }
    memcpy(lines + part * SK_PART_LINE + at, &low, sizeof low);
    filled[part] = at + (uint32_t)sizeof low;
}

static void put_alike(sk_bin_parts *to, const sk_bins *of, uint32_t bin)
{
    if (bin != to->alike)
        sk_count_alike(to, of);
    to->alike = bin;
    to->alike_count += GROUP;
}

static void put_in_parts(const uint32_t *bins, const sk_bins *of, const sk_counts *counts)
{
    sk_bin_parts *to = counts->parts;
    const unsigned shift = to->shift;
    char *lines = to->lines;
    uint32_t *filled = to->filled;
    for (size_t group = 0; group < STEP; group += GROUP, bins += GROUP) {
        if (is_one_bin(bins)) {
            put_alike(to, of, bins[0]);
            continue;
        }
        SK_UNROLL for (size_t i = 0; i < GROUP; i += 2)
        {
            uint64_t pair;
            memcpy(&pair, bins + i, sizeof pair);
            put_in_part(to, shift, lines, filled, (uint32_t)pair);
            put_in_part(to, shift, lines, filled, (uint32_t)(pair >> 32));
        }
    }
}

/* Bins of a step are counted. */
typedef void add_function(const uint32_t *bins, const sk_bins *of, const sk_counts *to);

/* Fewer keys than a step. */
static void count_rest(find_function *find, const char *keys, size_t n, const sk_bins *bins, const sk_counts *to)
{
    uint32_t found[STEP];
    sk_bin_parts *parts = to->parts;
    find(keys, n, bins, found);
    for (size_t i = 0; i < n; i++)
        if (to->layout == SK_COUNTS_BY_PARTS)
            put_in_part(parts, parts->shift, parts->lines, parts->filled, found[i]);
        else
            to->wide[found[i]]++;
}

/* find_some does the same as find, for what is not within the loop: many copies of find take long to compile. */
SK_INLINE void count_by(find_function *find, find_function *find_some, add_function *add, size_t size, const char *keys,
                        size_t n, const sk_bins *bins, const sk_counts *to)
{
    const sk_bins of = *bins;
    const sk_counts counts = *to;
    const size_t steps = n / STEP;
    uint32_t ring[2 * AHEAD][STEP];
    for (size_t s = 0; s < AHEAD && s < steps; s++)
        find_some(keys + s * STEP * size, STEP, bins, ring[s]);
    for (size_t s = 0; s < steps; s++) {
        for (size_t line = 0; line < STEP * size; line += 64)
            sk_will_read(keys, s * STEP * size + PREFETCH + line);
        if (s + AHEAD < steps)
            find(keys + (s + AHEAD) * STEP * size, STEP, &of, ring[(s + AHEAD) % (2 * AHEAD)]);
        add(ring[s % (2 * AHEAD)], &of, &counts);
    }
    count_rest(find_some, keys + steps * STEP * size, n % STEP, bins, to);
}

/* Where finding or adding takes longer than a call of it. */
static void count_by_calls(find_function *find, size_t size, const void *keys, size_t n, const sk_bins *bins,
                           const sk_counts *to)
{
    static add_function *const adds[] = {[SK_COUNTS_4_OF_32] = add_4_of_32,
                                         [SK_COUNTS_2_OF_16] = add_2_of_16,
                                         [SK_COUNTS_1_OF_32] = add_1_of_32,
                                         [SK_COUNTS_BY_PARTS] = put_in_parts};
    count_by(find, find, adds[to->layout], size, keys, n, bins, to);
}

#define COUNT_BY(find, find_some, add, ctype) count_by(find, find_some, add, sizeof(ctype), keys, n, bins, to)
#define COUNT(find, ctype)                                                                             \
    static __attribute__((noinline)) void find_##find(const void *keys, size_t n, const sk_bins *bins, \
                                                      uint32_t *restrict to)                           \
    {                                                                                                  \
        find(keys, n, bins, to);                                                                       \
    }                                                                                                  \
    static void count_##find(const void *keys, size_t n, const sk_bins *bins, const sk_counts *to)     \
    {                                                                                                  \
        switch (to->layout) {                                                                          \
        case SK_COUNTS_4_OF_32: COUNT_BY(find, find_##find, add_4_of_32, ctype); break;                \
        case SK_COUNTS_2_OF_16: COUNT_BY(find, find_##find, add_2_of_16, ctype); break;                \
        case SK_COUNTS_1_OF_32: COUNT_BY(find, find_##find, add_1_of_32, ctype); break;                \
        case SK_COUNTS_BY_PARTS: count_by_calls(find_##find, sizeof(ctype), keys, n, bins, to); break; \
        }                                                                                              \
    }
#define COUNT_EDGES(name, ctype)                                                                        \
    static void count_edge_##name(const void *keys, size_t n, const sk_bins *bins, const sk_counts *to) \
    {                                                                                                   \
        count_by_calls(find_edge_##name, sizeof(ctype), keys, n, bins, to);                             \
    }

#define COUNT_WORDS(name, ctype) COUNT(even_##name, ctype) COUNT_EDGES(name, ctype) COUNT(value_##name, ctype)
#define COUNT_FLOATS(name, ctype) COUNT(even_##name, ctype) COUNT_EDGES(name, ctype)
#define COUNT_unsigned(name, ctype) COUNT_WORDS(name, ctype)
#define COUNT_signed(name, ctype) COUNT_WORDS(name, ctype)
#define COUNT_half(name, ctype) COUNT_FLOATS(name, ctype)
#define COUNT_float(name, ctype) COUNT_FLOATS(name, ctype)
#define X(enumerator, name, ctype, kind) COUNT_##kind(name, ctype)
SCANKIT_TYPES(X)
#undef X

#define EMPTY(word, copies)                                                            \
    static void empty_##copies##_of_##word(const sk_counts *from)                      \
    {                                                                                  \
        uint##word##_t *restrict table = from->narrow;                                 \
        uint64_t *restrict wide = from->wide;                                          \
        const size_t row = from->row;                                                  \
        for (size_t b = 0; b < row; b++) {                                             \
            uint32_t sum = table[b];                                                   \
            SK_UNROLL for (size_t c = 1; c < (copies); c++) sum += table[b + c * row]; \
            wide[b] += sum;                                                            \
        }                                                                              \
        memset(table, 0, (copies)*row * sizeof *table);                                \
    }
EMPTY(32, 4)
EMPTY(16, 2)
EMPTY(32, 1)

static void empty_counts(const sk_counts *from)
{
    switch (from->layout) {
    case SK_COUNTS_4_OF_32: empty_4_of_32(from); break;
    case SK_COUNTS_2_OF_16: empty_2_of_16(from); break;
    case SK_COUNTS_1_OF_32: empty_1_of_32(from); break;
    case SK_COUNTS_BY_PARTS: break;
    }
}

/* ---- the kernels ---- */

#define BY(find)                                \
    {                                           \
        find_##find, count_##find, empty_counts \
    }
#define KINDS_WORDS(name)                                                              \
    {                                                                                  \
        [SCANKIT_BINS_EVEN] = BY(even_##name), [SCANKIT_BINS_EDGES] = BY(edge_##name), \
        [SCANKIT_BINS_VALUES] = BY(value_##name)                                       \
    }
#define KINDS_FLOATS(name)                                                            \
    {                                                                                 \
        [SCANKIT_BINS_EVEN] = BY(even_##name), [SCANKIT_BINS_EDGES] = BY(edge_##name) \
    }
#define KINDS_unsigned KINDS_WORDS
#define KINDS_signed KINDS_WORDS
#define KINDS_half KINDS_FLOATS
#define KINDS_float KINDS_FLOATS

const sk_bin_kernels *SK_ISA_NAME(sk_bin_kernels_of)(scankit_type type, scankit_binning kind)
{
#define X(enumerator, name, ctype, kind) [SCANKIT_##enumerator] = KINDS_##kind(name),
    static const sk_bin_kernels kernels[][SCANKIT_BINS_VALUES + 1] = {SCANKIT_TYPES(X)};
#undef X
    return &kernels[type][kind];
}
