/* hybrid.c - one partition of the whole array by leading bits, out of place, then each bucket sorted in a thread's L2
 * (after Stehle and Jacobsen 2017). A bucket that is too large is partitioned again. Large arrays of keys alone
 * are mostly spread without a count before (spread.c, buckets.c). */
#include "cpu/cpu.h"

#define DEPTH_MAX 6 /* partitions inside partitions; past that, passes from the least digit */

typedef struct hybrid {
    const sk_sort_task *task;
    sk_partition partition;
    sk_columns area[2]; /* partitions go to and fro between these; one is the output */
    sk_columns scratch; /* `room` elements a thread */
    size_t bucket;      /* bytes of a bucket, on average */
    size_t local;       /* elements of the largest bucket that one thread sorts */
    size_t room;        /* elements of scratch for that */
    uint64_t mask;
    sk_spread *spread; /* the first partition, or NULL */
    sk_spread spread_of_all;
    sk_columns stage; /* `staged` elements a thread: where buckets of a spread are sorted */
    size_t staged;
    bool by_pivots;  /* one thread sorts any number of such keys in place */
    bool alone;      /* ... and could sort all so */
    bool in_place;   /* both areas are the output */
    sk_front *front; /* of the first partition's buckets, or NULL if nobody is told of progress */
} hybrid;

/* Buckets of one value need no sort: the digit is the whole field, and no other fields were sent there. */
static bool is_final(const sk_digits *digits, size_t bucket)
{
    return digits->shift == 0 && digits->scale == SK_OF_FIELDS && (bucket > 0 || digits->low == 0) &&
           (bucket < digits->last || digits->low + digits->last == digits->mask);
}

/* Small buckets are for uneven data and for a quick second digit. Keys that are sorted in registers have a quick sort
 * of more of them, and lines for fewer buckets stay in the L2: with 128, 256 and 512 KiB two threads of a Zen 4 sort
 * 2^25 u32 at 389, 452 and 467 million a second, and u64 at 308, 332 and 291; one of a Xeon sorts u32 at 119, 136 and
 * 75. In place, memory matters more. */
static size_t bucket_bytes(const hybrid *h)
{
    const sk_sort_task *task = h->task;
    bool fast = sk_sorts_in_registers(task->device, task->shape, task->end_bit - task->begin_bit);
    return (size_t)(fast && !h->in_place ? 256 : 128) << 10;
}

static size_t bucket_count(const hybrid *h, size_t n)
{
    return sk_bucket_count(h->task, n, h->bucket);
}

/* The leading bits of words that differ: every partition by these makes the rest shorter, whatever the keys. */
static bool plan_exactly(const hybrid *h, const void *keys, size_t n, sk_digits *digits)
{
    const sk_sort_task *task = h->task;
    uint64_t varying = sk_varying_bits(task->device, task->shape, keys, n, h->mask) >> task->begin_bit;
    if (varying == 0)
        return false;
    unsigned bits = 64 - (unsigned)__builtin_clzll(varying);
    *digits = (sk_digits){.begin = task->begin_bit, .mask = sk_low_mask(bits)};
    while (digits->mask >> digits->shift >= bucket_count(h, n))
        digits->shift++;
    digits->last = digits->mask >> digits->shift;
    return true;
}

/* The digits to partition by; false if all keys are the same. fullest: the share that the fullest bucket may have. */
static bool plan(const hybrid *h, const sk_piece *piece, const void *keys, size_t n, int depth, sk_digits *digits,
                 double *fullest)
{
    *fullest = 0;
    if (depth >= DEPTH_MAX)
        return plan_exactly(h, keys, n, digits);
    return sk_choose_digits(h->task, piece, keys, n, bucket_count(h, n), digits, fullest);
}

static void sort_small(const hybrid *h, sk_const_columns from, sk_columns to, size_t n)
{
    size_t thread = (size_t)omp_get_thread_num();
    sk_sort_words(h->task, from, sk_at(h->task->shape, h->scratch, thread * h->room), to, n);
}

/* Words that are in order become values. */
static void finish(const hybrid *h, sk_columns out, size_t n)
{
    if (h->task->piece != NULL)
        (void)sk_cpu_decode(h->task->device, h->task->piece, out.keys, out.keys, n);
}

/* Least-significant-digit passes, for keys that partitions do not separate. */
static void sort_by_passes(const hybrid *h, sk_const_columns src, sk_columns area[2], int target, sk_columns out,
                           size_t n)
{
    const sk_sort_task *task = h->task;
    uint64_t varying = sk_varying_bits(task->device, task->shape, src.keys, n, h->mask);
    int result = sk_radix_passes(task->device, &h->partition, task->shape, src, area, target, n, varying);
    sk_copy_columns(task->device, task->shape, result < 0 ? src : sk_read(area[result]), out, n);
}

static void sort_range(const hybrid *h, sk_const_columns src, size_t at, size_t n, int target, int depth);

/* The same as sort_range(), of the calling thread alone, with its row of the workspace. */
static void sort_alone(const hybrid *h, sk_const_columns src, size_t at, size_t n, int target, int depth)
{
    size_t thread = (size_t)omp_get_thread_num();
    sk_shape shape = h->task->shape;
    sk_cpu device = *(const sk_cpu *)h->task->device;
    sk_sort_task task = *h->task;
    hybrid own = *h;
    device.threads = 1;
    task.device = &device.base;
    own.task = &task;
    own.scratch = sk_at(shape, h->scratch, thread * h->room);
    own.partition = sk_partition_of_thread(&h->partition, shape, thread);
    sort_range(&own, src, at, n, target, depth);
}

/* Elements of the largest bucket that one thread sorts by itself, through more buckets: a larger one would keep one
 * thread busy while the others wait. In a spread, a large one is sorted before others, and threads that are free take a
 * part of it. A thread alone parts any by pivots. */
static size_t largest_alone(const hybrid *h, size_t n, int team)
{
    bool shared = h->by_pivots && (h->spread != NULL || team == 1);
    size_t share = shared ? 2 * n / (size_t)team : team == 1 ? 0 : n / (4 * (size_t)team);
    return share > h->local ? share : h->local;
}

/* The buckets of area[target][at, at + n), except small ones of a spread, which are sorted: most are sorted by one
 * thread in its L2, larger ones by one thread through more buckets, and the largest by all threads. */
static void sort_buckets(const hybrid *h, const sk_digits *digits, const size_t *offsets, size_t at, int target,
                         int depth)
{
    const sk_sort_task *task = h->task;
    sk_shape shape = task->shape;
    size_t buckets = (size_t)digits->last + 1, n = offsets[buckets];
    int team = sk_cpu_team(task->device, n * sk_element_size(shape));
    size_t large = largest_alone(h, n, team), sorted = h->spread != NULL && depth == 0 ? h->local : 0;
    sk_front *front = depth == 0 ? h->front : NULL;
#pragma omp parallel for schedule(dynamic) num_threads(team)
    for (size_t b = 0; b < buckets; b++) {
        size_t size = offsets[b + 1] - offsets[b], begin = at + offsets[b];
        sk_const_columns bucket = sk_read(sk_at(shape, h->area[target], begin));
        if (sorted > 0 && size <= sorted)
            continue;
        if (size > 0 && size <= h->local)
            sort_small(h, bucket, sk_at(shape, task->out, begin), size);
        else if (size > 0 && size <= large && !is_final(digits, b))
            sort_alone(h, bucket, begin, size, 1 - target, depth + 1);
        else if (size > 0)
            continue;
        sk_front_done(front, offsets, b);
    }
    for (size_t b = 0; b < buckets; b++) {
        size_t size = offsets[b + 1] - offsets[b], begin = at + offsets[b];
        sk_const_columns bucket = sk_read(sk_at(shape, h->area[target], begin));
        if (size > h->local && is_final(digits, b)) {
            sk_copy_columns(task->device, shape, bucket, sk_at(shape, task->out, begin), size);
            finish(h, sk_at(shape, task->out, begin), size);
        } else if (size > large)
            sort_range(h, bucket, begin, size, 1 - target, depth + 1);
        else
            continue;
        sk_front_done(front, offsets, b);
    }
}

/* The first partition, by a spread. Buckets that are too large are left in the output, and no blocks are left. */
static void sort_by_spread(const hybrid *h, const sk_digits *digits, const void *keys, size_t n)
{
    const sk_sort_task *task = h->task;
    size_t offsets[SK_DIGITS_MAX + 1];
    sk_bucket_sort sort = {.task = task, .spread = h->spread, .offsets = offsets, .front = h->front};
    sort.buckets = (size_t)digits->last + 1;
    sort.scratch = h->scratch;
    sort.stage = h->stage;
    sort.room = h->room;
    sort.staged = h->staged;
    sort.local = h->local;
    sort.most = largest_alone(h, n, sk_cpu_team(task->device, n * task->shape.key_size));
    sk_spread_run(task->device, h->spread, digits, keys, h->area[0].keys, n, offsets);
    sk_sort_buckets(&sort);
    sort_buckets(h, digits, offsets, 0, 1, 0);
}

/* Sorts src, elements [at, at + n) of the task, to the same place of the output, by way of area[target]. */
static void sort_range(const hybrid *h, sk_const_columns src, size_t at, size_t n, int target, int depth)
{
    const sk_sort_task *task = h->task;
    sk_shape shape = task->shape;
    sk_columns area[2] = {sk_at(shape, h->area[0], at), sk_at(shape, h->area[1], at)};
    sk_columns out = sk_at(shape, task->out, at);
    sk_digits digits;
    size_t offsets[SK_DIGITS_MAX + 1];
    const sk_piece *piece = depth == 0 ? task->piece : NULL;
    bool wants_passes = depth == DEPTH_MAX && !h->in_place;
    double fullest;
    if (wants_passes || !plan(h, piece, src.keys, n, depth, &digits, &fullest)) {
        sort_by_passes(h, src, area, target, out, n);
        if (piece == NULL) /* else all keys are the same, and have been copied */
            finish(h, out, n);
        return;
    }
    if (h->alone && depth == 0 && sk_choose_pivots(fullest, bucket_count(h, n))) {
        sk_run_local(task, h->scratch);
        return;
    }
    if (h->spread != NULL && depth == 0) {
        sort_by_spread(h, &digits, src.keys, n);
        return;
    }
    sk_partition_run(task->device, &h->partition, shape, &digits, src, area[target], n, offsets);
    sort_buckets(h, &digits, offsets, at, target, depth);
}

static bool take_scratch(hybrid *h)
{
    const sk_sort_task *task = h->task;
    const unsigned bits = task->end_bit - task->begin_bit;
    size_t size = sk_element_size(task->shape), threads = (size_t)sk_cpu_team(task->device, task->n * size);
    h->bucket = bucket_bytes(h);
    h->local = sk_min(3 * h->bucket / size, task->n);
    h->by_pivots = sk_sorts_by_pivots(task->device, task->shape, bits);
    if (h->by_pivots) {
        h->local = largest_alone(h, task->n, (int)threads);
        h->alone = threads == 1;
    }
    h->room = sk_local_room(task->device, task->shape, bits, h->alone ? task->n : h->local);
    return sk_take_columns(task->device, task->shape, threads * h->room, &h->scratch);
}

/* One thread of a Zen 4 sorts 2^25, 2^26 and 2^27 u64 at 147, 145 and 139 million a second by a spread, and at 149, 138
 * and 134 by a count and a partition. Those that become words on their way are encoded once instead of twice: 2^24,
 * 2^25 and 2^26 i64 at 144, 142 and 140, and at 135, 133 and 125. */
#define SPREAD_BYTES_ALONE ((size_t)1 << 29)

/* A spread is not stable, so all bits must count. It is worth it where all else would leave the caches too. */
static bool can_spread(const sk_sort_task *task)
{
    sk_shape shape = task->shape;
    size_t bytes = task->n * shape.key_size;
    bool once = sk_cpu_team(task->device, bytes) > 1 || task->piece != NULL;
    return shape.value_size == 0 && task->end_bit - task->begin_bit == 8 * shape.key_size &&
           bytes >= (once ? SK_AROUND_CACHES_BYTES : SPREAD_BYTES_ALONE) && bytes / SK_LINE < UINT32_MAX &&
           (uintptr_t)task->spare.keys % 64 == 0;
}

/* Bytes of a stage at most. Larger buckets would leave the L2. */
#define STAGE_BYTES ((size_t)3 << 19)

static bool open_spread(hybrid *h)
{
    const sk_sort_task *task = h->task;
    size_t threads = (size_t)sk_cpu_team(task->device, task->n * task->shape.key_size);
    h->staged = sk_min(STAGE_BYTES / task->shape.key_size, h->local);
    return sk_spread_open(task->device, task->shape, task->n, &h->partition, h->spread) &&
           sk_take_columns(task->device, task->shape, threads * h->staged, &h->stage);
}

static scankit_error open_hybrid(hybrid *h)
{
    const sk_sort_task *task = h->task;
    h->spread = can_spread(task) ? &h->spread_of_all : NULL;
    if (!take_scratch(h))
        return SCANKIT_E_MEMORY;
    if (!sk_partition_open(task->device, task->shape, SK_DIGITS_MAX, task->n, &h->partition))
        return SCANKIT_E_MEMORY;
    if (h->spread != NULL && !open_spread(h))
        return SCANKIT_E_MEMORY;
    /* Where the input may not be changed the output takes the first partition: the workspace may stay untouched. Blocks
     * of a spread lie in the workspace. */
    int own = h->spread != NULL || sk_in_place(task) ? 0 : 1;
    h->area[1 - own] = task->out;
    return sk_take_second(task, &h->area[own]) ? SCANKIT_OK : SCANKIT_E_MEMORY;
}

static scankit_error open_in_place(hybrid *h)
{
    const sk_sort_task *task = h->task;
    h->in_place = true;
    h->area[0] = h->area[1] = task->out;
    if (!take_scratch(h))
        return SCANKIT_E_MEMORY;
    return sk_partition_open_in_place(task->device, task->shape, SK_DIGITS_MAX, task->out.keys, task->n, &h->partition)
               ? SCANKIT_OK
               : SCANKIT_E_MEMORY;
}

static scankit_error sort_by(const sk_sort_task *task, scankit_error (*open)(hybrid *h))
{
    sk_front front = {.progress = &task->device->progress};
    hybrid h = {.task = task, .mask = sk_task_mask(task), .front = front.progress->ready == NULL ? NULL : &front};
    scankit_error error = open(&h);
    if (error != SCANKIT_OK || sk_rehearses(task->device))
        return error;
    sort_range(&h, task->in, 0, task->n, 0, 0);
    return SCANKIT_OK;
}

scankit_error sk_sort_hybrid(const sk_sort_task *task)
{
    return sort_by(task, open_hybrid);
}

scankit_error sk_sort_hybrid_in_place(const sk_sort_task *task)
{
    return sort_by(task, open_in_place);
}
