/* merge.c - merge of two sorted arrays by many threads: each finds by merge path which elements make its part of the
 * output (Green, McColl and Bader 2012), and merges them by Batcher's bitonic network or, with values, one by one. */
#include "cpu/cpu.h"

/* Whether keys of this size are merged in registers. */
static bool has_lanes(const sk_kernels *kernels, size_t key_size)
{
#ifdef __x86_64__
    const bool base_is_narrow = true; /* SSE2 cannot compare lanes of 8 bytes */
#else
    const bool base_is_narrow = false;
#endif
    return key_size == 4 || (key_size == 8 && !(base_is_narrow && kernels == &sk_kernels_base));
}

sk_merge_kernels sk_merge_choose(const sk_device *device, sk_shape shape, bool whole)
{
    const sk_kernels *all = sk_kernels_of(device);
    sk_merge_kernels kernels = all->merge[sk_shape_row(shape)];
    if (whole && shape.value_size == 0 && has_lanes(all, shape.key_size))
        kernels = shape.key_size == 4 ? (sk_merge_kernels){kernels.path, all->bitonic_32, all->bitonic_some_32}
                                      : (sk_merge_kernels){kernels.path, all->bitonic_64, all->bitonic_some_64};
    return kernels;
}

/* Where a part of n elements ends in a, if it begins at `from` and the path says `to`. Paths of arrays that are not
 * sorted can run backwards; this end keeps the part within both arrays. */
static size_t part_end(size_t from, size_t to, size_t n)
{
    return to < from ? from : sk_min(to, from + n);
}

/* A part that comes from one of the two arrays alone. The kernels take no array that is NULL. */
static void copy_part(sk_shape shape, sk_const_columns from, sk_columns to, size_t n)
{
    memcpy(to.keys, from.keys, n * shape.key_size);
    if (shape.value_size > 0)
        memcpy(to.values, from.values, n * shape.value_size);
}

void sk_merge_part(const sk_merge_kernels *kernels, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                   size_t nb, sk_columns out, sk_range part, uint64_t mask)
{
    size_t from = kernels->path(a.keys, na, b.keys, nb, part.begin, mask);
    size_t to = part_end(from, kernels->path(a.keys, na, b.keys, nb, part.end, mask), part.end - part.begin);
    size_t from_b = part.begin - from, of_a = to - from, of_b = part.end - to - from_b;
    sk_const_columns part_a = sk_read_at(shape, a, from), part_b = sk_read_at(shape, b, from_b);
    sk_columns part_out = sk_at(shape, out, part.begin);
    if (of_a == 0 || of_b == 0)
        copy_part(shape, of_a > 0 ? part_a : part_b, part_out, of_a + of_b);
    else
        kernels->merge(part_a, of_a, part_b, of_b, part_out, mask);
}

/* ---- two arrays: a slice of the output is a thread's ---- */

typedef struct pairs_merge {
    sk_merge_kernels kernels;
    sk_shape shape;
    sk_const_columns a, b;
    size_t na, nb;
    sk_columns out;
} pairs_merge;

static void merge_pairs(void *state, int thread, int team)
{
    const pairs_merge *m = state;
    sk_merge_part(&m->kernels, m->shape, m->a, m->na, m->b, m->nb, m->out, sk_slice(m->na + m->nb, thread, team),
                  sk_low_mask(8 * m->shape.key_size));
}

/* Keys alone, in the order of their values. */
typedef struct keys_merge {
    const sk_piece *piece;
    const sk_kernels *kernels;
    sk_merge_kernels words; /* of keys that are encoded */
    bool widens;            /* these are words of 4 bytes */
    const char *a, *b;
    size_t na, nb;
    char *out;
    char *memory; /* words_bytes() a thread; NULL: keys are merged as they are, in registers */
} keys_merge;

#define PART ((size_t)16 << 10)

static uint64_t order_of(const keys_merge *m, const char *keys, size_t i)
{
    uint64_t order = 0;
    memcpy(&order, keys + i * m->piece->size, m->piece->size);
    m->kernels->encode->order(m->piece, &order, 1);
    return order;
}

/* As the kernels' path, which compares words. */
static size_t ordered_path(const keys_merge *m, size_t diagonal)
{
    size_t low = diagonal > m->nb ? diagonal - m->nb : 0, high = sk_min(diagonal, m->na);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order_of(m, m->a, middle) <= order_of(m, m->b, diagonal - 1 - middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A part of the output, and what of both arrays it is made of. */
typedef struct keys_part {
    const char *a, *b;
    char *out;
    size_t na, nb;
} keys_part;

static keys_part find_part(const keys_merge *m, sk_range part)
{
    size_t size = m->piece->size, n = part.end - part.begin, from = ordered_path(m, part.begin);
    size_t of_a = part_end(from, ordered_path(m, part.end), n) - from;
    return (keys_part){sk_offset(m->a, from * size), sk_offset(m->b, (part.begin - from) * size),
                       m->out + part.begin * size, of_a, n - of_a};
}

/* Keys of 1 and 2 bytes are merged as words of 4, for which there are registers. words: room for both sides, and for
 * what they are merged to. */
static void merge_widened(const keys_merge *m, keys_part part, uint32_t *words)
{
    const size_t n = part.na + part.nb;
    uint32_t *of_b = words + part.na, *merged = words + n;
    sk_widen_keys(m->kernels, m->piece, part.a, part.na, words);
    sk_widen_keys(m->kernels, m->piece, part.b, part.nb, of_b);
    m->words.merge((sk_const_columns){words, NULL}, part.na, (sk_const_columns){of_b, NULL}, part.nb,
                   (sk_columns){merged, NULL}, sk_low_mask(32));
    sk_narrow_words(m->kernels, m->piece, merged, n, part.out);
}

/* Encoded, merged and decoded while they are in the cache. words: room for them. */
static void merge_encoded(const keys_merge *m, keys_part part, char *words)
{
    size_t size = m->piece->size, n = part.na + part.nb;
    char *of_b = words + part.na * size;
    if (part.na > 0) /* an empty array may be NULL */
        memcpy(words, part.a, part.na * size);
    if (part.nb > 0)
        memcpy(of_b, part.b, part.nb * size);
    m->kernels->encode->order(m->piece, words, n);
    m->words.merge((sk_const_columns){words, NULL}, part.na, (sk_const_columns){of_b, NULL}, part.nb,
                   (sk_columns){part.out, NULL}, sk_low_mask(8 * m->piece->size));
    m->kernels->encode->value(m->piece, part.out, n);
}

/* Fewer narrow keys are merged one by one in less time. One thread of a Zen 4 merges 200 u16 in 240 ns so, and as words
 * in 340; 2000 in 2400 and 1040. */
#define WIDENED_LEAST ((size_t)512)

static bool is_widened(const sk_piece *piece, size_t n)
{
    return piece->size < sizeof(uint32_t) && n >= WIDENED_LEAST;
}

/* Bytes of a thread, for the words of a part; of wider words also for what they are merged to. */
static size_t words_bytes(const keys_merge *m)
{
    return m->widens ? 2 * PART * sizeof(uint32_t) : PART * m->piece->size;
}

static void merge_slice_encoded(void *state, int thread, int team)
{
    const keys_merge *m = state;
    sk_range slice = sk_slice(m->na + m->nb, thread, team);
    char *words = m->memory + (size_t)thread * words_bytes(m);
    for (size_t begin = slice.begin; begin < slice.end; begin += PART) {
        const keys_part part = find_part(m, (sk_range){begin, sk_min(begin + PART, slice.end)});
        if (m->widens)
            merge_widened(m, part, (uint32_t *)(void *)words);
        else
            merge_encoded(m, part, words);
    }
}

static void merge_slice(void *state, int thread, int team)
{
    const keys_merge *m = state;
    size_t n = m->na + m->nb, size = m->piece->size;
    sk_merge_values_function *const *merges = size == 4 ? m->kernels->merge_values_32 : m->kernels->merge_values_64;
    keys_part part = find_part(m, sk_slice(n, thread, team));
    if (part.na == 0 || part.nb == 0)
        sk_write(m->kernels, part.out, part.na > 0 ? part.a : part.b, (part.na + part.nb) * size,
                 n * size >= SK_AROUND_CACHES_BYTES);
    else
        merges[m->piece->kind](part.a, part.na, part.b, part.nb, part.out, n * size >= SK_AROUND_CACHES_BYTES);
}

/* Whether the keys are merged in registers as they lie in memory. */
static bool is_plain(const sk_device *device, const sk_piece *piece)
{
    return piece->kind != SK_PIECE_BYTES && !piece->descending && !piece->swap &&
           has_lanes(sk_kernels_of(device), piece->size);
}

static scankit_error merge_keys(sk_device *device, keys_merge *m)
{
    size_t n = m->na + m->nb, size = m->piece->size, mark = sk_arena_mark(&device->workspace);
    int team = sk_cpu_team_of(device, n, size, size);
    bool plain = is_plain(device, m->piece);
    m->kernels = sk_kernels_of(device);
    m->widens = is_widened(m->piece, n);
    m->words = sk_merge_choose(device, (sk_shape){m->widens ? sizeof(uint32_t) : m->piece->size, 0}, true);
    if (!plain) {
        m->memory = sk_arena_take(&device->workspace, (size_t)team * words_bytes(m));
        if (m->memory == NULL)
            return SCANKIT_E_MEMORY;
    }
    sk_cpu_ran(device, SK_CPU_MERGE_PATH);
    if (!sk_rehearses(device))
        sk_cpu_together(team, plain ? merge_slice : merge_slice_encoded, m);
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}

scankit_error sk_cpu_merge(sk_device *device, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                           size_t nb, sk_columns out)
{
    const sk_piece unsigned_key = {.size = (uint8_t)shape.key_size, .kind = SK_PIECE_UNSIGNED};
    size_t size = sk_element_size(shape);
    if (shape.value_size == 0 && (is_widened(&unsigned_key, na + nb) || is_plain(device, &unsigned_key))) {
        keys_merge m = {.piece = &unsigned_key, .a = a.keys, .na = na, .b = b.keys, .nb = nb, .out = out.keys};
        return merge_keys(device, &m);
    }
    pairs_merge m = {sk_merge_choose(device, shape, true), shape, a, b, na, nb, out};
    sk_cpu_ran(device, SK_CPU_MERGE_PATH);
    if (!sk_rehearses(device))
        sk_cpu_together(sk_cpu_team_of(device, na + nb, size, size), merge_pairs, &m);
    return SCANKIT_OK;
}

scankit_error sk_cpu_merge_values(sk_device *device, const sk_piece *piece, const void *a, size_t na, const void *b,
                                  size_t nb, void *out, bool *done)
{
    keys_merge m = {.piece = piece, .a = a, .na = na, .b = b, .nb = nb, .out = out};
    *done = piece->kind != SK_PIECE_BYTES && (piece->kind != SK_PIECE_UNSIGNED || piece->descending || piece->swap);
    return *done ? merge_keys(device, &m) : SCANKIT_OK;
}

/* No kernel of its own: keys are encoded or widened, then merged as words. */
scankit_error sk_cpu_merge_pairs(sk_device *device, const sk_piece *piece, unsigned value_size, sk_const_columns a,
                                 size_t na, sk_const_columns b, size_t nb, sk_columns out, bool *done)
{
    (void)device, (void)piece, (void)value_size, (void)a, (void)na, (void)b, (void)nb, (void)out;
    *done = false;
    return SCANKIT_OK;
}
