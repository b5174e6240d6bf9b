/* runs.c - keys in runs of equal ones: runs are encoded, sorted as pairs of a key and a length, and decoded. Equal keys
 * are the same, so it does not matter which of their runs is first. Nothing is written before all runs are sorted. */
#include "cpu/cpu.h"

/* ---- whether there are runs: keys at some places are compared with those behind them ---- */

#define FIRST_LOG2 4 /* looks, where most arrays end */
#define FIRST_MOST 1 /* of them that may see the end of a run */
#define ALL_LOG2 6
#define ALL_MOST 4 /* so runs have 16 keys or more on average */

/* True if more than half of the words are the same (by votes: Boyer and Moore 1981). To sort such keys by heavy values
 * is faster, as most of them are only counted. */
static bool has_majority(const uint64_t *keys, unsigned size, size_t count)
{
    uint64_t candidate = 0;
    size_t votes = 0, found = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = sk_word_at(keys, size, i);
        if (votes == 0)
            candidate = key;
        votes += key == candidate ? 1 : (size_t)-1;
    }
    for (size_t i = 0; i < count; i++)
        found += sk_word_at(keys, size, i) == candidate;
    return found > count / 2;
}

/* True if keys at some places are followed by another one at `most` of them, and no key is a majority. */
static bool ends_few(const sk_sort_task *task, unsigned log2_looks, size_t most)
{
    uint64_t keys[1 << ALL_LOG2], next[1 << ALL_LOG2];
    const unsigned size = task->shape.key_size;
    size_t ends = 0;
    sk_take_sample(task, NULL, task->in.keys, task->n - 1, log2_looks, keys);
    sk_take_sample(task, NULL, (const char *)task->in.keys + size, task->n - 1, log2_looks, next); /* the same places */
    for (size_t i = 0; i < (size_t)1 << log2_looks; i++)
        ends += sk_word_at(keys, size, i) != sk_word_at(next, size, i);
    return ends <= most && !has_majority(keys, size, (size_t)1 << log2_looks);
}

bool sk_has_runs(const sk_sort_task *task)
{
    return ends_few(task, FIRST_LOG2, FIRST_MOST) && ends_few(task, ALL_LOG2, ALL_MOST);
}

/* ---- encode, a part of the keys after the other, so that there is room for few runs: one that two parts share is two
 * runs ---- */

#define SHORT 12 /* runs of fewer keys than these on average are not worth it */
#define PARTS 32
#define PART_MIN ((size_t)1024)

typedef struct run_list {
    sk_shape shape;
    sk_columns columns; /* keys, and lengths of 8 bytes */
    size_t count, most;
} run_list;

static scankit_error encode_part(const sk_sort_task *task, run_list *runs, size_t begin, size_t n)
{
    const size_t size = task->shape.key_size;
    size_t found = 0;
    const sk_runs what = {.element_size = size,
                          .n = n,
                          .in = (const char *)task->in.keys + begin * size,
                          .span_count = 1,
                          .span = {{0, size}},
                          .values = (char *)runs->columns.keys + runs->count * size,
                          .counts = (uint64_t *)runs->columns.values + runs->count};
    scankit_error error = sk_cpu_encode_runs(task->device, &what, &found);
    runs->count += found;
    return error;
}

/* Ends early if there are too many. */
static scankit_error encode(const sk_sort_task *task, run_list *runs)
{
    const size_t part = task->n / PARTS < PART_MIN ? PART_MIN : task->n / PARTS;
    runs->shape = (sk_shape){task->shape.key_size, sizeof(uint64_t)};
    runs->most = task->n / SHORT;
    if (!sk_take_columns(task->device, runs->shape, runs->most + part, &runs->columns))
        return SCANKIT_E_MEMORY;
    scankit_error error = SCANKIT_OK;
    for (size_t begin = 0; begin < task->n && runs->count <= runs->most && error == SCANKIT_OK; begin += part)
        error = encode_part(task, runs, begin, sk_min(part, task->n - begin));
    return error;
}

/* ---- all ---- */

scankit_error sk_sort_runs(const sk_sort_task *task, sk_sort_function *sort, bool *done)
{
    run_list runs = {.count = 0};
    size_t decoded;
    scankit_error error = encode(task, &runs);
    *done = false;
    if (error != SCANKIT_OK || runs.count > runs.most)
        return error;
    const sk_kernels *kernels = sk_kernels_of(task->device);
    sk_sort_task pairs = {.device = task->device,
                          .shape = runs.shape,
                          .in = sk_read(runs.columns),
                          .out = runs.columns,
                          .n = sk_rehearses(task->device) ? runs.most : runs.count,
                          .end_bit = 8 * runs.shape.key_size};
    if (task->piece != NULL)
        kernels->encode->order(task->piece, runs.columns.keys, runs.count);
    error = sort(&pairs);
    if (error != SCANKIT_OK)
        return error;
    if (task->piece != NULL)
        kernels->encode->value(task->piece, runs.columns.keys, runs.count);
    error = sk_cpu_decode_runs(task->device, runs.shape.key_size, runs.columns.keys, runs.columns.values, pairs.n,
                               task->out.keys, task->n, &decoded);
    *done = error == SCANKIT_OK;
    return error;
}
