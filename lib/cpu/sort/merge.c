/* merge.c - merge of two sorted arrays by many threads: each finds by merge path which elements make its part of the
 * output (Green, McColl and Bader 2012), and merges them by Batcher's bitonic network or, with values, one by one. */
#include "cpu/cpu.h"

#define PART ((size_t)16 << 10)

sk_merge_kernels sk_merge_choose(const sk_device *device, sk_shape shape, bool whole)
{
    const sk_kernels *all = sk_kernels_of(device);
    sk_merge_kernels kernels = all->merge[sk_shape_row(shape)];
#ifdef __x86_64__
    bool has_wide_lanes = all != &sk_kernels_base; /* SSE2 cannot compare them */
#else
    bool has_wide_lanes = true;
#endif
    bool has_lanes = shape.key_size == 4 || (shape.key_size == 8 && has_wide_lanes);
    if (whole && shape.value_size == 0 && has_lanes)
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

typedef struct merge_job {
    sk_merge_kernels kernels;
    sk_shape shape;
    sk_const_columns a, b;
    size_t na, nb;
    sk_columns out;
} merge_job;

static void merge_slice(void *state, int thread, int team)
{
    const merge_job *m = state;
    sk_range slice = sk_slice(m->na + m->nb, thread, team);
    for (size_t begin = slice.begin; begin < slice.end; begin += PART)
        sk_merge_part(&m->kernels, m->shape, m->a, m->na, m->b, m->nb, m->out,
                      (sk_range){begin, sk_min(begin + PART, slice.end)}, sk_low_mask(8 * m->shape.key_size));
}

scankit_error sk_cpu_merge(sk_device *device, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                           size_t nb, sk_columns out)
{
    merge_job job = {sk_merge_choose(device, shape, true), shape, a, b, na, nb, out};
    size_t size = sk_element_size(shape);
    sk_cpu_ran(device, SK_CPU_MERGE_PATH);
    sk_cpu_together(sk_cpu_team_of(device, na + nb, size, size), merge_slice, &job);
    return SCANKIT_OK;
}

/* ---- keys that are not unsigned: encoded, merged and decoded a part at a time, while it is in the cache ---- */

typedef struct ordered_merge {
    const sk_piece *piece;
    sk_merge_kernels kernels;
    const sk_encode_kernels *encode;
    sk_shape shape;
    const char *a, *b;
    size_t na, nb;
    char *out;
} ordered_merge;

static uint64_t order_of(const ordered_merge *m, const char *keys, size_t i)
{
    uint64_t order = 0;
    memcpy(&order, keys + i * m->shape.key_size, m->shape.key_size);
    m->encode->order(m->piece, &order, 1);
    return order;
}

/* As the kernels' path, which compares words. */
static size_t ordered_path(const ordered_merge *m, size_t diagonal)
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

/* words: room for a part. */
static void merge_ordered_part(const ordered_merge *m, sk_range part, void *words)
{
    size_t size = m->shape.key_size, n = part.end - part.begin;
    size_t from = ordered_path(m, part.begin), na = part_end(from, ordered_path(m, part.end), n) - from, nb = n - na;
    char *of_b = (char *)words + na * size, *out = m->out + part.begin * size;
    if (na > 0) /* an empty array may be NULL */
        memcpy(words, m->a + from * size, na * size);
    if (nb > 0)
        memcpy(of_b, m->b + (part.begin - from) * size, nb * size);
    m->encode->order(m->piece, words, n);
    m->kernels.merge((sk_const_columns){words, NULL}, na, (sk_const_columns){of_b, NULL}, nb, (sk_columns){out, NULL},
                     sk_low_mask(8 * m->shape.key_size));
    m->encode->value(m->piece, out, n);
}

scankit_error sk_cpu_merge_values(sk_device *device, const sk_piece *piece, const void *a, size_t na, const void *b,
                                  size_t nb, void *out, bool *done)
{
    size_t n = na + nb, room = PART * piece->size;
    *done = piece->kind != SK_PIECE_BYTES && (piece->kind != SK_PIECE_UNSIGNED || piece->descending || piece->swap);
    if (!*done)
        return SCANKIT_OK;
    ordered_merge m = {.piece = piece, .shape = {piece->size, 0}, .a = a, .b = b, .na = na, .nb = nb, .out = out};
    m.kernels = sk_merge_choose(device, m.shape, true);
    m.encode = sk_kernels_of(device)->encode;
    int team = sk_cpu_team(device, n * piece->size);
    size_t mark = sk_arena_mark(&device->workspace);
    char *words = sk_arena_take(&device->workspace, (size_t)team * room);
    if (words == NULL)
        return SCANKIT_E_MEMORY;
    sk_cpu_ran(device, SK_CPU_MERGE_PATH);
#pragma omp parallel for num_threads(team)
    for (size_t begin = 0; begin < n; begin += PART)
        merge_ordered_part(&m, (sk_range){begin, sk_min(begin + PART, n)}, words + (size_t)omp_get_thread_num() * room);
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}
