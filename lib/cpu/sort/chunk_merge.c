/* chunk_merge.c - chunks that fit in L2 radix sorted by split, then merged (Satish, Harris and Garland 2009). A thread
 * merges neighbouring chunks two by two while they are still in the caches; the blocks that result all threads merge
 * together, in one pass. */
#include <stdlib.h>

#include "cpu/cpu.h"

#define CHUNK_BYTES ((size_t)256 << 10)
#define BLOCK_LEVELS 4 /* a block is 2^4 chunks */
#define CHUNK_MIN 4

typedef struct chunk_merge {
    const sk_sort_task *task;
    sk_merge_kernels kernels;
    sk_columns area[2]; /* sorted runs go to and fro; area[0] is the output */
    sk_columns scratch; /* for a local sort of a chunk a thread */
    size_t chunk;
    unsigned block_levels; /* a block has 2^block_levels chunks */
    int first;             /* the area for the chunks */
    uint64_t mask;
} chunk_merge;

/* Merges out[part] of the runs of `width` elements in `from`; the part lies in one pair of runs. */
static void merge_runs(const chunk_merge *c, sk_columns from, sk_columns to, size_t width, sk_range part)
{
    sk_shape shape = c->task->shape;
    size_t a = part.begin / (2 * width) * (2 * width), n = c->task->n;
    size_t b = sk_min(a + width, n), end = sk_min(b + width, n);
    sk_merge_part(&c->kernels, shape, sk_read(sk_at(shape, from, a)), b - a, sk_read(sk_at(shape, from, b)), end - b,
                  sk_at(shape, to, a), (sk_range){part.begin - a, part.end - a}, c->mask);
}

/* Sorts a block's chunks and merges them level by level. */
static void sort_block(void *state, size_t number, int thread)
{
    const chunk_merge *c = state;
    sk_shape shape = c->task->shape;
    size_t each = c->chunk << c->block_levels;
    sk_range block = {number * each, sk_min((number + 1) * each, c->task->n)};
    int at = c->first;
    sk_local_sort *sort = sk_kernels_of(c->task->device)->local[sk_shape_row(shape)];
    sk_columns scratch = sk_at(shape, c->scratch, (size_t)thread * SK_LOCAL_ROOM(c->chunk));
    for (size_t i = block.begin; i < block.end; i += c->chunk)
        sort(sk_read_at(shape, c->task->in, i), scratch, sk_at(shape, c->area[at], i), sk_min(c->chunk, block.end - i),
             c->mask);
    for (unsigned level = 0; level < c->block_levels; level++, at = 1 - at)
        for (size_t i = block.begin, width = c->chunk << level; i < block.end; i += 2 * width)
            merge_runs(c, c->area[at], c->area[1 - at], width, (sk_range){i, sk_min(i + 2 * width, block.end)});
}

static size_t count_blocks(const chunk_merge *c)
{
    return (c->task->n - 1) / (c->chunk << c->block_levels) + 1;
}

/* A merge of k blocks, as far as it takes memory. */
static scankit_error rehearse_merge(const chunk_merge *c, size_t k, size_t block)
{
    size_t *counts = malloc(k * sizeof *counts);
    if (counts == NULL)
        return SCANKIT_E_MEMORY;
    for (size_t i = 0; i < k; i++)
        counts[i] = sk_min(block, c->task->n - i * block);
    scankit_error error =
        sk_merge_columns(c->task->device, c->task->shape, c->mask, k, NULL, counts, (sk_columns){NULL, NULL});
    free(counts);
    return error;
}

/* Merges the blocks of area[1] into the output. */
static scankit_error merge_blocks(const chunk_merge *c)
{
    sk_arena *workspace = &c->task->device->workspace;
    size_t n = c->task->n, block = c->chunk << c->block_levels, k = count_blocks(c);
    sk_const_columns *in = sk_arena_take(workspace, k * sizeof *in);
    size_t *counts = sk_arena_take(workspace, k * sizeof *counts);
    if (in == NULL || counts == NULL)
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(c->task->device))
        return rehearse_merge(c, k, block);
    for (size_t i = 0; i < k; i++) {
        in[i] = sk_read(sk_at(c->task->shape, c->area[1], i * block));
        counts[i] = sk_min(block, n - i * block);
    }
    return sk_merge_columns(c->task->device, c->task->shape, c->mask, k, in, counts, c->area[0]);
}

static scankit_error sort_all(chunk_merge *c, unsigned levels)
{
    const size_t bytes = c->task->n * sk_element_size(c->task->shape),
                 team = (size_t)sk_cpu_team(c->task->device, bytes);
    c->block_levels = levels < BLOCK_LEVELS ? levels : BLOCK_LEVELS;
    while (c->block_levels > 0 && count_blocks(c) < team) /* each thread has one */
        c->block_levels--;
    bool is_one = c->block_levels == levels; /* its last level goes to the output; of several, to the other area */
    c->first = (c->block_levels % 2 == 0) == is_one ? 0 : 1;
    if (!sk_rehearses(c->task->device))
        sk_cpu_each((int)team, count_blocks(c), sort_block, c);
    return is_one ? SCANKIT_OK : merge_blocks(c);
}

scankit_error sk_sort_chunk_merge(const sk_sort_task *task)
{
    sk_shape shape = task->shape;
    size_t size = sk_element_size(shape);
    unsigned levels = 0;
    chunk_merge c = {.task = task, .mask = sk_task_mask(task), .chunk = CHUNK_MIN};
    while (2 * c.chunk * size <= CHUNK_BYTES && c.chunk < task->n)
        c.chunk *= 2;
    while (c.chunk << levels < task->n)
        levels++;
    c.kernels = sk_merge_choose(task->device, shape, c.mask == sk_low_mask(8 * shape.key_size));
    c.area[0] = task->out;
    size_t threads = (size_t)sk_cpu_team(task->device, task->n * size);
    if (!sk_take_columns(task->device, shape, threads * SK_LOCAL_ROOM(c.chunk), &c.scratch) ||
        (levels > 0 && !sk_take_second(task, &c.area[1])))
        return SCANKIT_E_MEMORY;
    return sort_all(&c, levels);
}
