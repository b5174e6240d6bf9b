/* records.c - a stable sort of pairs whose values are as long as their keys, or of positions: a partition by leading
 * bits, then each bucket sorted in a thread's L2, as in hybrid.c, with each key beside its value in between. So a
 * partition writes to half as many lines, and a sort by words fetches a pair at once. Positions are values that are
 * made as keys are partitioned, and that alone are written. */
#include "cpu/cpu.h"

/* At most, on average: so few pairs are mostly sorted as words of 32 bits. One thread of a Xeon sorts 2^22 u32 with u32
 * at 66 million a second with buckets of 2^15 pairs, and at 86 with 2^13. */
#define BUCKET_RECORDS ((size_t)12 << 10)
/* The same where there would be too many buckets. Two threads of a Zen 4 sort 2^25 u32 with u32 at 245, 287 and 287
 * million a second with 128, 256 and 512 KiB, u64 with u64 at 182, 182 and 198. */
#define BUCKET_BYTES ((size_t)256 << 10)
#define BUCKETS_MOST 3 /* times as much is the largest bucket that one thread sorts */

typedef struct record_sort {
    const sk_sort_task *task;
    sk_partition partition;
    char *records;
    sk_columns scratch; /* `room` elements a thread */
    size_t size;        /* of a record */
    size_t local, room;
    bool stream;
    const size_t *offsets; /* of buckets */
} record_sort;

static bool take_memory(record_sort *r)
{
    const sk_sort_task *task = r->task;
    size_t threads = (size_t)sk_cpu_team(task->device, task->n * r->size);
    r->local = sk_min(BUCKETS_MOST * BUCKET_BYTES / r->size, task->n);
    r->room = SK_LOCAL_ROOM(r->local);
    r->records = sk_arena_take(&task->device->workspace, task->n * r->size);
    return r->records != NULL && sk_take_columns(task->device, task->shape, threads * r->room, &r->scratch) &&
           sk_partition_open(task->device, task->shape, SK_DIGITS_MAX, task->n, &r->partition);
}

static void sort_bucket(void *state, size_t bucket, int thread)
{
    const record_sort *r = state;
    const sk_sort_task *task = r->task;
    size_t begin = r->offsets[bucket], n = r->offsets[bucket + 1] - begin;
    sk_records_target to = {.piece = task->piece, .stream = r->stream};
    if (n == 0 || n > r->local)
        return;
    if (task->positions != NULL)
        to.positions = task->positions + begin;
    else
        to.columns = sk_at(task->shape, task->out, begin);
    sk_columns scratch = sk_at(task->shape, r->scratch, (size_t)thread * r->room);
    sk_kernels_of(task->device)
        ->records[sk_shape_row(task->shape)]
        .sort(r->records + begin * r->size, scratch, &to, n, sk_task_mask(task));
}

/* ---- large buckets: columns again, which the hybrid sort takes ---- */

typedef struct large {
    const record_sort *r;
    const char *records; /* of the bucket, which its second columns then overwrite */
    sk_columns columns;
    uint64_t *positions;
} large;

static void unpack_slice(const void *state, sk_range mine)
{
    const large *l = state;
    const sk_sort_task *task = l->r->task;
    sk_kernels_of(task->device)
        ->records[sk_shape_row(task->shape)]
        .unpack(l->records + mine.begin * l->r->size, sk_at(task->shape, l->columns, mine.begin),
                mine.end - mine.begin);
}

static void widen_slice(const void *state, sk_range mine)
{
    const large *l = state;
    const uint32_t *position = (const uint32_t *)(const void *)l->records;
    for (size_t i = mine.begin; i < mine.end; i++)
        l->positions[i] = position[i];
}

/* Sorted columns become keys, or positions. */
static void finish_large(const large *l, size_t n)
{
    const sk_sort_task *task = l->r->task;
    if (task->positions != NULL && task->shape.value_size == 4) {
        (void)sk_cpu_copy(task->device, (void *)l->records, l->columns.values, n * sizeof(uint32_t));
        sk_cpu_slices(task->device, n * sizeof(uint64_t), n, widen_slice, l);
    } else if (task->positions == NULL && task->piece != NULL)
        (void)sk_cpu_decode(task->device, task->piece, l->columns.keys, l->columns.keys, n);
}

/* The rehearsed workspace includes that of this sort. */
static scankit_error sort_large(const record_sort *r, size_t begin, size_t n)
{
    const sk_sort_task *task = r->task;
    char *records = r->records + begin * r->size;
    large l = {.r = r, .records = records, .columns = sk_at(task->shape, task->out, begin)};
    if (task->positions != NULL)
        l.columns.values = l.positions = task->positions + begin;
    sk_sort_task columns = *task;
    columns.in = sk_read(l.columns);
    columns.out = l.columns;
    columns.spare = (sk_columns){records, records + n * task->shape.key_size};
    columns.n = n;
    columns.piece = NULL;
    if (!sk_rehearses(task->device))
        sk_cpu_slices(task->device, n * r->size, n, unpack_slice, &l);
    size_t mark = sk_arena_mark(&task->device->workspace);
    scankit_error error = sk_sort_hybrid(&columns);
    sk_arena_reset(&task->device->workspace, mark);
    if (error == SCANKIT_OK && !sk_rehearses(task->device))
        finish_large(&l, n);
    return error;
}

/* ---- the sort ---- */

/* By columns from the beginning, with the memory of the records. */
static scankit_error sort_columns(const record_sort *r)
{
    sk_sort_task columns = *r->task;
    columns.spare = (sk_columns){r->records, r->records + columns.n * columns.shape.key_size};
    sk_cpu_ran(columns.device, SK_CPU_HYBRID);
    return sk_sort_hybrid(&columns);
}

static scankit_error sort_by_digits(record_sort *r, const sk_digits *digits)
{
    const sk_sort_task *task = r->task;
    size_t offsets[SK_DIGITS_MAX + 1], buckets = (size_t)digits->last + 1;
    scankit_error error = SCANKIT_OK;
    sk_partition_to_records(task->device, &r->partition, task->shape, digits, task->in, r->records, task->n, offsets);
    r->offsets = offsets;
    sk_cpu_each(sk_cpu_team(task->device, task->n * r->size), buckets, sort_bucket, r);
    for (size_t b = 0; b < buckets && error == SCANKIT_OK; b++)
        if (offsets[b + 1] - offsets[b] > r->local)
            error = sort_large(r, offsets[b], offsets[b + 1] - offsets[b]);
    r->offsets = NULL;
    return error;
}

scankit_error sk_sort_records(const sk_sort_task *task)
{
    const size_t size = sk_element_size(task->shape);
    const size_t bucket = task->n <= SK_DIGITS_MAX * BUCKET_RECORDS ? BUCKET_RECORDS * size : BUCKET_BYTES;
    const size_t buckets = sk_bucket_count(task, task->n, bucket);
    record_sort r = {.task = task, .size = size, .stream = task->n * size >= SK_AROUND_CACHES_BYTES};
    sk_digits digits;
    double fullest;
    if (!take_memory(&r))
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(task->device))
        return sort_large(&r, 0, task->n);
    if (!sk_choose_digits(task, task->piece, task->in.keys, task->n, buckets, &digits, &fullest)) {
        digits = (sk_digits){.mask = UINT64_MAX, .piece = task->piece}; /* all keys are the same: one bucket */
        fullest = 1;
    }
    if (task->positions == NULL && !sk_choose_records(fullest, buckets))
        return sort_columns(&r);
    return sort_by_digits(&r, &digits);
}
