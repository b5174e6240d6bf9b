/* buckets.c - the buckets of a spread, sorted by threads of which each takes the next when it is free. Large ones come
 * first, the largest before all. They are parted by pivots, and what lies right of one is left to whoever is free: so
 * no thread is busy for long while the others wait. */
#include "cpu/cpu.h"
#include "cpu/turn.h"

#define LARGE 2          /* buckets that are this many times as large as the mean come first */
#define SHARES 8         /* for each thread, of all keys: larger parts than these are parted */
#define PARTS_MAX 64     /* that wait */
#define SAMPLE 31        /* keys, of which the middle one is the pivot */
#define UNEVEN 16        /* a part that is this much smaller than both together is not worth a thread */
#define FETCH_BLOCKS 256 /* of a bucket that all threads fetch, at a time */

typedef struct part {
    size_t bucket, begin, end; /* keys of the output */
} part;

typedef struct bucket_list {
    const sk_bucket_sort *sort;
    const sk_kernels *kernels;
    sk_pivot_function *partition;
    uint16_t order[SK_DIGITS_MAX];
    atomic_uint parts[SK_DIGITS_MAX]; /* by bucket: that are not sorted */
    size_t split;                     /* larger parts are parted */
    _Alignas(64) atomic_size_t next;  /* of the order */
    atomic_size_t left;               /* parts and buckets that are not sorted */
    _Alignas(64) atomic_flag busy;
    atomic_uint count;
    part stack[PARTS_MAX];
} bucket_list;

static size_t size_of(const sk_bucket_sort *sort, size_t bucket)
{
    return sort->offsets[bucket + 1] - sort->offsets[bucket];
}

static void order_buckets(bucket_list *list)
{
    const sk_bucket_sort *sort = list->sort;
    uint64_t words[SK_DIGITS_MAX], scratch[SK_LOCAL_ROOM(SK_DIGITS_MAX)];
    const size_t all = sort->offsets[list->sort->buckets], large = LARGE * all / list->sort->buckets;
    sk_columns columns = {words, NULL};
    for (size_t b = 0; b < list->sort->buckets; b++) {
        size_t size = size_of(sort, b);
        words[b] = (size > large ? all - size : all) * SK_DIGITS_MAX + b;
    }
    list->kernels->local[sk_shape_row((sk_shape){sizeof *words, 0})](sk_read(columns), (sk_columns){scratch, NULL},
                                                                     columns, list->sort->buckets, UINT64_MAX);
    for (size_t i = 0; i < list->sort->buckets; i++)
        list->order[i] = (uint16_t)(words[i] % SK_DIGITS_MAX);
}

/* ---- parts that wait ---- */

/* False if there is no room. */
static bool push(bucket_list *list, part right)
{
    sk_spin_lock(&list->busy);
    unsigned count = atomic_load_explicit(&list->count, memory_order_relaxed);
    bool room = count < PARTS_MAX;
    if (room) {
        atomic_fetch_add_explicit(&list->left, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&list->parts[right.bucket], 1, memory_order_relaxed);
        list->stack[count] = right;
        atomic_store_explicit(&list->count, count + 1, memory_order_relaxed);
    }
    sk_spin_unlock(&list->busy);
    return room;
}

static bool pop(bucket_list *list, part *next)
{
    if (atomic_load_explicit(&list->count, memory_order_relaxed) == 0)
        return false;
    sk_spin_lock(&list->busy);
    unsigned count = atomic_load_explicit(&list->count, memory_order_relaxed);
    if (count > 0) {
        *next = list->stack[count - 1];
        atomic_store_explicit(&list->count, count - 1, memory_order_relaxed);
    }
    sk_spin_unlock(&list->busy);
    return count > 0;
}

/* ---- parts, each by one thread ---- */

static char *key_at(const bucket_list *list, size_t i)
{
    return (char *)list->sort->task->out.keys + i * list->sort->task->shape.key_size;
}

static uint64_t find_pivot(const bucket_list *list, const part *all)
{
    uint64_t sample[SAMPLE] = {0};
    size_t n = all->end - all->begin;
    for (size_t i = 0; i < SAMPLE; i++) {
        uint64_t word =
            sk_word_at(key_at(list, all->begin), list->sort->task->shape.key_size, n / SAMPLE * i + n / (2 * SAMPLE));
        size_t at = i;
        for (; at > 0 && sample[at - 1] > word; at--)
            sample[at] = sample[at - 1];
        sample[at] = word;
    }
    return sample[SAMPLE / 2];
}

/* Leaves the right side of a part to others. False if it has no two sides that are worth it. */
static bool split(bucket_list *list, part *all)
{
    size_t n = all->end - all->begin;
    char *keys = key_at(list, all->begin);
    size_t less = list->partition(keys, keys, n, find_pivot(list, all));
    part right = {all->bucket, all->begin + less, all->end};
    if (less < n / UNEVEN || n - less < n / UNEVEN || !push(list, right))
        return false;
    all->end = right.begin;
    return true;
}

static void sort_words(const bucket_list *list, char *keys, size_t n, int thread)
{
    const sk_bucket_sort *sort = list->sort;
    const sk_sort_task *task = sort->task;
    sk_columns columns = {keys, NULL}, scratch = sk_at(task->shape, sort->scratch, (size_t)thread * sort->room);
    sk_sort_words(task, sk_read(columns), scratch, columns, n);
}

static void sort_part(bucket_list *list, part all, int thread)
{
    while (list->partition != NULL && all.end - all.begin > list->split && split(list, &all))
        ;
    sort_words(list, key_at(list, all.begin), all.end - all.begin, thread);
    if (atomic_fetch_sub_explicit(&list->parts[all.bucket], 1, memory_order_acq_rel) == 1)
        sk_front_done(list->sort->front, list->sort->offsets, all.bucket);
    atomic_fetch_sub_explicit(&list->left, 1, memory_order_acq_rel);
}

static void fetch(const bucket_list *list, size_t bucket, void *to)
{
    const sk_spread *spread = list->sort->spread;
    sk_spread_fetch_blocks(spread, bucket, (sk_range){0, sk_spread_blocks(spread, bucket)}, to);
    sk_spread_fetch_rest(spread, bucket, to);
}

/* By way of a stage in the cache, from which keys are written around it. */
static void sort_staged(bucket_list *list, size_t bucket, int thread)
{
    const sk_bucket_sort *sort = list->sort;
    const sk_sort_task *task = sort->task;
    size_t begin = sort->offsets[bucket], n = size_of(sort, bucket);
    char *stage = sk_at(task->shape, sort->stage, (size_t)thread * sort->staged).keys;
    fetch(list, bucket, stage);
    sort_words(list, stage, n, thread);
    list->kernels->compress->stream(key_at(list, begin), stage, n * task->shape.key_size);
    sk_front_done(sort->front, sort->offsets, bucket);
    atomic_fetch_sub_explicit(&list->left, 1, memory_order_acq_rel);
}

static void sort_bucket(bucket_list *list, size_t bucket, int thread)
{
    const sk_bucket_sort *sort = list->sort;
    size_t begin = sort->offsets[bucket], n = size_of(sort, bucket);
    if (n > 0 && n <= sort->staged) {
        sort_staged(list, bucket, thread);
        return;
    }
    if (n > 0 && n <= sort->most)
        fetch(list, bucket, key_at(list, begin));
    if (n > 0 && n <= sort->local) {
        sort_part(list, (part){bucket, begin, begin + n}, thread);
        return;
    }
    if (n == 0)
        sk_front_done(sort->front, sort->offsets, bucket);
    atomic_fetch_sub_explicit(&list->left, 1, memory_order_acq_rel);
}

static void work(void *state, int thread, int team)
{
    bucket_list *list = state;
    (void)team;
    for (unsigned spins = 0; atomic_load_explicit(&list->left, memory_order_acquire) > 0; spins++) {
        part next;
        size_t i;
        if (pop(list, &next)) {
            sort_part(list, next, thread);
            spins = 0;
        } else if (atomic_load_explicit(&list->next, memory_order_relaxed) < list->sort->buckets &&
                   (i = atomic_fetch_add_explicit(&list->next, 1, memory_order_relaxed)) < list->sort->buckets) {
            sort_bucket(list, list->order[i], thread);
            spins = 0;
        } else {
            sk_before_next_look(spins);
        }
    }
}

/* ---- buckets that no thread sorts by itself ---- */

static void fetch_together(const bucket_list *list, size_t bucket, int team)
{
    const sk_spread *spread = list->sort->spread;
    size_t blocks = sk_spread_blocks(spread, bucket);
    char *to = key_at(list, list->sort->offsets[bucket]);
#pragma omp parallel for schedule(dynamic) num_threads(team)
    for (size_t i = 0; i < blocks; i += FETCH_BLOCKS)
        sk_spread_fetch_blocks(spread, bucket, (sk_range){i, sk_min(i + FETCH_BLOCKS, blocks)}, to);
    sk_spread_fetch_rest(spread, bucket, to);
}

void sk_sort_buckets(const sk_bucket_sort *sort)
{
    const sk_sort_task *task = sort->task;
    const size_t buckets = sort->buckets;
    bucket_list list = {.sort = sort, .kernels = sk_kernels_of(task->device)};
    int team = sk_cpu_team(task->device, sort->offsets[buckets] * task->shape.key_size);
    if (list.kernels->by_pivots)
        list.partition = task->shape.key_size == 4 ? list.kernels->pivot_32 : list.kernels->pivot_64;
    list.split = sort->offsets[buckets] / ((size_t)team * SHARES);
    list.split = list.split < SK_LOCAL_FEW ? SK_LOCAL_FEW : list.split;
    for (size_t b = 0; b < buckets; b++)
        atomic_init(&list.parts[b], 1);
    atomic_init(&list.next, 0);
    atomic_init(&list.left, buckets);
    atomic_init(&list.count, 0);
    atomic_flag_clear(&list.busy);
    order_buckets(&list);
    for (size_t b = 0; b < buckets; b++)
        if (size_of(sort, b) > sort->most)
            fetch_together(&list, b, team);
    sk_cpu_together(team, work, &list);
}
