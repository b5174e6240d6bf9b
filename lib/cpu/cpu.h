/* cpu.h - shared by the files of the CPU backend: the device, its threads, and the steps of sorts. */
#ifndef SK_CPU_H
#define SK_CPU_H

#include <string.h>

#include "backend.h"
#include "choose.h"
#include "kernel/kernels.h"
#include "threads.h"

typedef struct sk_cpu {
    sk_device base;
    int threads;
    const sk_kernels *kernels;
} sk_cpu;

static inline const sk_kernels *sk_kernels_of(const sk_device *device)
{
    return ((const sk_cpu *)device)->kernels;
}

/* Bytes of work per thread, at least. */
#define SK_WORK_PER_THREAD ((size_t)128 << 10)

/* Threads for this much work: 1 for little, so that none is started. */
static inline int sk_cpu_team(const sk_device *device, size_t bytes)
{
    int threads = ((const sk_cpu *)device)->threads;
    size_t wanted = bytes / SK_WORK_PER_THREAD;
    return wanted < 1 ? 1 : wanted < (size_t)threads ? (int)wanted : threads;
}

/* Slice number `part` of n elements cut into `parts` slices. */
static inline sk_range sk_slice(size_t n, int part, int parts)
{
    size_t each = n / (size_t)parts, rest = n % (size_t)parts, p = (size_t)part;
    size_t begin = each * p + (p < rest ? p : rest);
    return (sk_range){begin, begin + each + (p < rest)};
}

/* Fewer elements of usual sizes are one thread's, because waking another takes as long as they do. */
#define SK_FEW_ELEMENTS ((size_t)32 << 10)
#define SK_USUAL_SIZE 16

/* Threads for n elements; traffic: bytes that each costs. */
static inline int sk_cpu_team_of(const sk_device *device, size_t n, size_t size, size_t traffic)
{
    return n < SK_FEW_ELEMENTS && size <= SK_USUAL_SIZE ? 1 : sk_cpu_team(device, n * traffic);
}

/* Threads that sort n keys by pivots. It takes several times as long as other work on as many bytes, so two share it
 * where one does the other work alone. */
static inline int sk_cpu_pivot_team(const sk_device *device, size_t n, size_t size)
{
    const size_t bytes = n * size, two = 2 * SK_WORK_PER_THREAD;
    return sk_cpu_team(device, n >= SK_FEW_ELEMENTS && bytes < two ? two : bytes);
}

/* Does work(job, thread, team) by each thread of a team. A team of one gets no parallel region, which would take half a
 * microsecond. So the work must not ask OpenMP who it is, and waits by sk_cpu_wait() alone: the caller may be in a
 * region of its own. */
static inline void sk_cpu_together(int team, void (*work)(void *job, int thread, int team), void *job)
{
    if (team == 1) {
        work(job, 0, 1);
        return;
    }
#pragma omp parallel num_threads(team)
    work(job, omp_get_thread_num(), omp_get_num_threads());
}

/* In such work: waits for all threads of the team. */
static inline void sk_cpu_wait(int team)
{
    if (team > 1) {
#pragma omp barrier
    }
}

/* Does work(job, item, thread) for items 0 to n - 1: a thread of the team that is free takes the next. */
static inline void sk_cpu_each(int team, size_t n, void (*work)(void *job, size_t item, int thread), void *job)
{
    if (team == 1 || n == 1) {
        for (size_t i = 0; i < n; i++)
            work(job, i, 0);
        return;
    }
#pragma omp parallel for schedule(monotonic : dynamic) num_threads(team)
    for (size_t i = 0; i < n; i++)
        work(job, i, omp_get_thread_num());
}

typedef struct sk_slices {
    size_t n;
    void (*work)(const void *job, sk_range slice);
    const void *job;
} sk_slices;

static inline void sk_work_slice(void *state, int thread, int team)
{
    const sk_slices *slices = state;
    slices->work(slices->job, sk_slice(slices->n, thread, team));
}

/* Does work(job, slice) for a slice of n a thread; `bytes` of data in all. */
static inline void sk_cpu_slices(const sk_device *device, size_t bytes, size_t n,
                                 void (*work)(const void *job, sk_range slice), const void *job)
{
    sk_slices slices = {n, work, job};
    sk_cpu_together(sk_cpu_team(device, bytes), sk_work_slice, &slices);
}

/* Outputs of this size do not stay in the caches: they are written around them. */
#define SK_AROUND_CACHES_BYTES ((size_t)8 << 20)

static inline void sk_write(const sk_kernels *kernels, void *to, const void *from, size_t bytes, bool around_caches)
{
    if (around_caches)
        kernels->compress->stream(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

/* The exclusive scan of counts; returns their sum. */
static inline size_t sk_scan_counts(size_t *counts, size_t length)
{
    size_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        size_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    return sum;
}

/* The counts of digits in the slices of threads become the places where each begins to write: the scan goes by digits,
 * and within each by threads. counts: a row of `pitch` for each thread. offsets: where each digit begins, and the sum.
 */
static inline void sk_scan_cursors(size_t *counts, size_t pitch, size_t threads, size_t digits, size_t *offsets)
{
    size_t sum = 0;
    for (size_t d = 0; d < digits; d++) {
        offsets[d] = sum;
        for (size_t t = 0; t < threads; t++) {
            size_t count = counts[t * pitch + d];
            counts[t * pitch + d] = sum;
            sum += count;
        }
    }
    offsets[digits] = sum;
}

/* ---- columns.c ---- */

static inline size_t sk_element_size(sk_shape shape)
{
    return (size_t)shape.key_size + shape.value_size;
}

static inline sk_const_columns sk_read(sk_columns c)
{
    return (sk_const_columns){c.keys, c.values};
}

/* A column that is nowhere stays NULL. */
static inline const void *sk_offset(const void *memory, size_t bytes)
{
    return memory != NULL ? (const char *)memory + bytes : NULL;
}

static inline void *sk_behind(void *memory, size_t bytes)
{
    return memory != NULL ? (char *)memory + bytes : NULL;
}

static inline sk_const_columns sk_read_at(sk_shape shape, sk_const_columns c, size_t i)
{
    return (sk_const_columns){sk_offset(c.keys, i * shape.key_size), sk_offset(c.values, i * shape.value_size)};
}

static inline sk_columns sk_at(sk_shape shape, sk_columns c, size_t i)
{
    sk_const_columns at = sk_read_at(shape, sk_read(c), i);
    return (sk_columns){(void *)at.keys, (void *)at.values};
}

/* A word of 1, 2, 4 or 8 bytes, which may lie anywhere. */
static inline uint64_t sk_word_at(const void *words, unsigned size, size_t i)
{
    const char *at = (const char *)words + i * size;
    uint16_t half;
    uint32_t narrow;
    uint64_t wide;
    switch (size) {
    case 1: return *(const uint8_t *)at;
    case 2: memcpy(&half, at, sizeof half); return half;
    case 4: memcpy(&narrow, at, sizeof narrow); return narrow;
    default: memcpy(&wide, at, sizeof wide); return wide;
    }
}

/* Columns for n elements from the workspace; false where memory is short. */
bool sk_take_columns(sk_device *device, sk_shape shape, size_t n, sk_columns *columns);

/* Copies all, with many threads; nothing if both are the same. */
scankit_error sk_cpu_copy(sk_device *device, void *to, const void *from, size_t bytes);
void sk_copy_columns(sk_device *device, sk_shape shape, sk_const_columns in, sk_columns out, size_t n);

/* ---- varying.c ---- */

/* The bits of the mask that are not the same in all keys. */
uint64_t sk_varying_bits(sk_device *device, sk_shape shape, const void *keys, size_t n, uint64_t mask);

/* ---- partition.c: distribution by a digit, stable if it is not in place ---- */

/* Workspace of a partition, good for any number of them one after the other. */
typedef struct sk_partition {
    size_t *counts; /* a row a thread: the counts, which become cursors */
    char *lines;    /* a row a thread; NULL where the output is small */
    size_t digits;
    /* For a partition in place (in_place.c): */
    uint32_t *places;     /* by slot of the array; NULL: not in place */
    uintptr_t first_slot; /* the address of the array, in slots */
    char *spills;         /* SK_LINE bytes a thread */
} sk_partition;

bool sk_partition_open(sk_device *device, sk_shape shape, size_t digits, size_t n, sk_partition *partition);

/* The same for partitions of keys alone whose output is `out`, or a part of it. */
bool sk_partition_open_in_place(sk_device *device, sk_shape shape, size_t digits, const void *out, size_t n,
                                sk_partition *partition);

/* The part of it that is one thread's, for partitions of that thread alone. */
sk_partition sk_partition_of_thread(const sk_partition *partition, sk_shape shape, size_t thread);

/* offsets: last + 2 counts. in is not out, unless the partition is in place. */
void sk_partition_run(sk_device *device, const sk_partition *partition, sk_shape shape, const sk_digits *digits,
                      sk_const_columns in, sk_columns out, size_t n, size_t *offsets);
void sk_partition_in_place(sk_device *device, const sk_partition *partition, sk_shape shape, const sk_digits *digits,
                           const void *in, void *out, size_t n, size_t *offsets);

/* The same, not in place, to records. in.values NULL: values are positions. */
void sk_partition_to_records(sk_device *device, const sk_partition *partition, sk_shape shape, const sk_digits *digits,
                             sk_const_columns in, void *records, size_t n, size_t *offsets);

/* ---- staged_split.c: splits of large arrays of keys ---- */

typedef struct sk_staged_split {
    size_t size; /* of a key */
    const char *in;
    char *out;
    size_t n;
    unsigned bit, mask; /* the digit: (key >> bit) & mask */
} sk_staged_split;

bool sk_can_stage(const sk_staged_split *what);
/* offsets: mask + 2 of them. The caller resets the arena. */
scankit_error sk_split_staged(sk_device *device, const sk_staged_split *what, size_t *offsets);

/* ---- few_ways.c: splits by a digit of few bits, or by flags ---- */

typedef struct sk_few_ways {
    size_t key_size, value_size; /* value_size may be 0 */
    sk_const_columns in;
    sk_columns out;
    size_t n;
    unsigned bit, bits;   /* the digit, of SK_FEW_BITS bits at most */
    const uint8_t *flags; /* instead, as one bit of keys of any size; or NULL */
} sk_few_ways;

/* offsets: 2^bits + 1 of them. The caller resets the arena. */
scankit_error sk_split_few_ways(sk_device *device, const sk_few_ways *what, size_t *offsets);

/* ---- spread.c: distribution of keys alone by a digit, to blocks of SK_LINE bytes, not stable ---- */

typedef struct sk_spread {
    char *blocks;    /* of all keys */
    char *lines;     /* a row a thread: keys that fill no block */
    size_t *counts;  /* a row a thread: keys of each digit */
    uint32_t *digit; /* by block */
    uint32_t *order; /* blocks by digit */
    uint32_t *first; /* by digit: where its blocks begin in that order */
    uint16_t *owner; /* by chunk of the input: the thread that read it */
    size_t digits;   /* of a row */
    unsigned key_size;
    int team;
} sk_spread;

/* Uses the rows of a partition of n keys, which is not in place and writes around the caches. */
bool sk_spread_open(sk_device *device, sk_shape shape, size_t n, const sk_partition *partition, sk_spread *spread);

/* area: room for n keys, aligned to 64 bytes; may be `in`. offsets: last + 2 counts. */
void sk_spread_run(sk_device *device, sk_spread *spread, const sk_digits *digits, const void *in, void *area, size_t n,
                   size_t *offsets);

/* Copy a bucket's keys together: whole blocks, any range of them at a time, and the rest. */
size_t sk_spread_blocks(const sk_spread *spread, size_t digit);
void sk_spread_fetch_blocks(const sk_spread *spread, size_t digit, sk_range blocks, void *to);
void sk_spread_fetch_rest(const sk_spread *spread, size_t digit, void *to);

/* ---- merge.c ---- */

/* The kernels for a shape on this machine. whole: the mask is the whole key. */
sk_merge_kernels sk_merge_choose(const sk_device *device, sk_shape shape, bool whole);

/* Merges out[begin, end) of a's and b's merge. */
void sk_merge_part(const sk_merge_kernels *kernels, sk_shape shape, sk_const_columns a, size_t na, sk_const_columns b,
                   size_t nb, sk_columns out, sk_range part, uint64_t mask);

/* ---- merge_many.c ---- */

/* As the backend's merge_many, by the bits of the mask. */
scankit_error sk_merge_columns(sk_device *device, sk_shape shape, uint64_t mask, size_t k, const sk_const_columns *in,
                               const size_t *n, sk_columns out);

/* ---- predicate.c: a program run by one thread, a block of up to SK_STEP_VALUES elements at a time ---- */

typedef struct sk_evaluator {
    const sk_step_kernels *kernels;
    const sk_program *program;
    size_t block; /* elements at a time at most; a multiple of 64, or all of them */
    size_t steps; /* of the program that are run */
    bool as_is;   /* elements are the numbers to test */
    void **at;    /* by operand, where its values are: in a block of its own, or in the elements */
    void **own;   /* by register, a block to write to; one more is spare */
} sk_evaluator;

/* Memory that an evaluator for up to n elements needs, aligned to 64 bytes: at most 200 KiB, or, where that is more,
 * 1 KiB for each of the program's registers and numbers. */
size_t sk_evaluator_bytes(const sk_program *program, size_t n);

void sk_evaluator_open(sk_evaluator *evaluator, const sk_kernels *kernels, const sk_program *program, size_t n,
                       void *memory);

/* A bit for each of n elements from `in` on (n: a block at most), of which the first has position `first`: set where it
 * matches; bits from n on are any. Good until the next call, or until the elements change. */
const uint64_t *sk_evaluate(sk_evaluator *evaluator, const void *in, uint64_t first, size_t n);

/* Takes the last step away if it tests numbers of the elements' size, for a kernel that tests as it moves; NULL if not.
 */
sk_pick_function *sk_evaluator_without_test(sk_evaluator *evaluator, const sk_kernels *kernels, sk_range_test *test);

/* Then the numbers to test, as sk_evaluate(); where as_is, the elements, of any n. */
const void *sk_evaluate_numbers(sk_evaluator *evaluator, const void *in, uint64_t first, size_t n);

/* ---- compact_long.c: sk_cpu_compact() for long elements; workspace: a byte an element ---- */

scankit_error sk_compact_long(sk_device *device, const sk_selection *selection, size_t *count);

/* ---- rle_staged.c: sk_cpu_encode_runs(), where nothing is reduced, or to sums by sk_run_sums ---- */

/* stream: outputs go around the caches. */
scankit_error sk_encode_runs_staged(sk_device *device, const sk_runs *what, int team, bool stream, size_t *count);

/* ---- rle_long.c: sk_cpu_encode_runs() for long elements; workspace: a byte an element ---- */

/* fold: of what is reduced, or NULL. */
scankit_error sk_encode_runs_long(sk_device *device, const sk_runs *what, const sk_fold *fold, size_t *count);

/* ---- front.c: the beginning of a sort's output that is final, in buckets that end in any order ---- */

typedef struct sk_front {
    sk_progress *progress;
    bool busy;                /* a thread reports */
    size_t buckets;           /* that are final, from the first one on without a gap */
    bool done[SK_DIGITS_MAX]; /* by bucket */
} sk_front;

/* Marks a bucket as final, and reports how far the final ones reach. offsets: of all buckets. Any thread may call it.
 * Does nothing if front is NULL. */
void sk_front_done(sk_front *front, const size_t *offsets, size_t bucket);

/* ---- sorts. in may be out ---- */

/* Values that many keys have, in the order of their words. */
typedef struct sk_heavy {
    unsigned count;
    uint64_t words[SK_HEAVY_MAX];
    _Alignas(8) char values[SK_HEAVY_MAX * 8]; /* as they lie in the array */
    size_t counts[SK_HEAVY_MAX];               /* keys of each */
    size_t filled; /* output from here on is a single value, which is in its place unless others go there */
} sk_heavy;

/* A call of sort. */
typedef struct sk_sort_task {
    sk_device *device;
    sk_shape shape;
    sk_const_columns in;
    sk_columns out, spare; /* spare: as the backend's, for keys alone, but not out */
    bool lean;             /* take little workspace */
    size_t n;
    unsigned begin_bit, end_bit;
    const sk_piece *piece; /* in and out are values of this piece, for sorts that take values (sort.c); NULL: words */
    sk_heavy *heavy;       /* room for what sk_find_heavy() finds */
    uint64_t *positions;   /* the output of sk_sort_records() instead of columns, or NULL; out.keys is room for keys */
} sk_sort_task;

/* True if an output is an input, which must be read before it is written. */
static inline bool sk_in_place(const sk_sort_task *task)
{
    return task->in.keys == task->out.keys || (task->shape.value_size > 0 && task->in.values == task->out.values);
}

/* A second array, the task's or of the workspace. */
static inline bool sk_take_second(const sk_sort_task *task, sk_columns *columns)
{
    *columns = task->spare;
    return columns->keys != NULL || sk_take_columns(task->device, task->shape, task->n, columns);
}

/* A mask of the key's bits that count. */
static inline uint64_t sk_task_mask(const sk_sort_task *task)
{
    return sk_low_mask(task->end_bit - task->begin_bit) << task->begin_bit;
}

/* True if elements that compare equal are the same, so that their order does not matter. */
static inline bool sk_are_whole_keys(const sk_sort_task *task)
{
    return task->shape.value_size == 0 && task->end_bit - task->begin_bit == 8 * task->shape.key_size;
}

/* True if kernels sort such keys in registers: keys alone, by all of their bits. */
static inline bool sk_sorts_in_registers(const sk_device *device, sk_shape shape, unsigned bits)
{
    return sk_kernels_of(device)->in_registers && shape.value_size == 0 && shape.key_size >= 4 &&
           bits == 8 * shape.key_size;
}

/* True if one thread's sort takes any number of such keys in place, with scratch for few. */
static inline bool sk_sorts_by_pivots(const sk_device *device, sk_shape shape, unsigned bits)
{
    return sk_sorts_in_registers(device, shape, bits) && sk_kernels_of(device)->by_pivots;
}

/* True if kernels sort such pairs side by side. */
static inline bool sk_sorts_records(const sk_device *device, sk_shape shape)
{
    return sk_kernels_of(device)->records != NULL && shape.key_size >= 4 && shape.key_size == shape.value_size;
}

/* Elements of scratch for one thread's sort of n. */
static inline size_t sk_local_room(const sk_device *device, sk_shape shape, unsigned bits, size_t n)
{
    return SK_LOCAL_ROOM(sk_sorts_by_pivots(device, shape, bits) ? sk_min(n, SK_LOCAL_FEW) : n);
}

/* ---- bins.c ---- */

/* Keys of 4 or 8 bytes will be sorted; a word of 4 says where each pair lies. Sorts go by bins when enough have shown
 * that it is worth it to measure them, and that they are faster so. */
void sk_count_for_bins(const sk_device *device, unsigned key_size, size_t n);
void sk_open_bins(const sk_kernels *kernels);

/* ---- order.c ---- */

/* Rising also if all are equal. Pairs are falling only if no two have equal keys, as they are then reversed. */
sk_order sk_find_order(const sk_sort_task *task);

/* ---- sample.c ---- */

/* 2^log2_count keys, each at a random place of another slice of all; as words. piece: of the keys, or NULL. */
void sk_take_sample(const sk_sort_task *task, const sk_piece *piece, const void *keys, size_t n, unsigned log2_count,
                    void *words);

/* ---- digits.c ---- */

/* Digits that spread a sample of keys over up to `buckets`; false if all keys are the same. piece: of the keys, or
 * NULL. fullest: the share of the sample that the fullest bucket has. */
bool sk_choose_digits(const sk_sort_task *task, const sk_piece *piece, const void *keys, size_t n, size_t buckets,
                      sk_digits *digits, double *fullest);

/* Buckets for n elements, of this size on average where there are not too many. */
size_t sk_bucket_count(const sk_sort_task *task, size_t n, size_t bucket_bytes);

/* ---- heavy.c: values that many keys have are counted. Keys alone, of 4 or 8 bytes, by all bits ---- */

/* Finds them in a sample. False if other keys are too many. */
bool sk_find_heavy(const sk_sort_task *task);

/* Counts them, and moves the words of other keys to the beginning of the output, *others of them. If these are too
 * many, all are others. */
scankit_error sk_sift_heavy(const sk_sort_task *task, size_t *others);

/* Puts the heavy values between the others, which are sorted, or behind them. */
void sk_spread_heavy(const sk_sort_task *task, size_t others, bool sorted);

/* ---- runs.c: keys in runs of equal ones, which are sorted as pairs. Keys alone, of 4 or 8 bytes, by all bits ---- */

/* Looks at some of them. */
bool sk_has_runs(const sk_sort_task *task);

typedef scankit_error sk_sort_function(const sk_sort_task *task);

/* Sorts the pairs by `sort`. If runs are too many after all, or memory is short, *done is false, and nothing has been
 * written. */
scankit_error sk_sort_runs(const sk_sort_task *task, sk_sort_function *sort, bool *done);

/* Rehearses sorts of up to n elements, one after the other, by whole keys. */
scankit_error sk_rehearse_sorts(sk_device *device, sk_shape shape, sk_columns out, size_t n);

/* Runs the best sort, which is by records, or does nothing: *done then is false, and the caller has another way. The
 * task sorts pairs or positions, and has a piece. */
scankit_error sk_try_records(const sk_sort_task *task, bool *done);

/* ---- narrow.c: keys alone of 1 or 2 bytes, by the order of the piece, which is the whole key; in may be out ---- */

/* Fewer keys than this are best sorted as words. */
size_t sk_keys_as_words(const sk_device *device, unsigned key_size);

/* sort: of words, more than a few. */
scankit_error sk_sort_as_words(sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n,
                               sk_sort_function *sort);

/* Keys to words in their order, and words to keys, by one thread. */
void sk_widen_keys(const sk_kernels *kernels, const sk_piece *piece, const void *in, size_t n, uint32_t *words);
void sk_narrow_words(const sk_kernels *kernels, const sk_piece *piece, const uint32_t *words, size_t n, void *out);

/* By one thread, up to SK_NARROW_SHORT keys, without workspace. */
#define SK_NARROW_SHORT ((size_t)2048)
void sk_sort_short_as_words(const sk_device *device, const sk_piece *piece, const void *in, void *out, size_t n);

/* ---- buckets.c ---- */

/* Buckets of a spread, and where they are sorted. */
typedef struct sk_bucket_sort {
    const sk_sort_task *task;
    const sk_spread *spread;
    size_t buckets;
    const size_t *offsets;
    sk_columns scratch, stage; /* `room` and `staged` elements a thread */
    size_t room, staged;
    size_t local; /* keys of the largest bucket that is sorted; larger ones are only copied to the output, */
    size_t most;  /* and those that are larger than this, by all threads together */
    sk_front *front;
} sk_bucket_sort;

void sk_sort_buckets(const sk_bucket_sort *sort);

scankit_error sk_sort_local(const sk_sort_task *task);           /* one thread */
void sk_run_local(const sk_sort_task *task, sk_columns scratch); /* with sk_local_room() elements */

/* Sorts a part of the task whose keys are words by now. They become values of its piece. */
void sk_sort_words(const sk_sort_task *task, sk_const_columns words, sk_columns scratch, sk_columns to, size_t n);
scankit_error sk_sort_pivots(const sk_sort_task *task); /* few threads; where sk_sorts_by_pivots() */
scankit_error sk_sort_hybrid(const sk_sort_task *task); /* large arrays, or several threads */
scankit_error sk_sort_hybrid_in_place(const sk_sort_task *task);
scankit_error sk_sort_records(const sk_sort_task *task); /* the same of pairs, where sk_sorts_records() */
scankit_error sk_sort_radix(const sk_sort_task *task);
scankit_error sk_sort_chunk_merge(const sk_sort_task *task);
scankit_error sk_sort_counting(const sk_sort_task *task); /* one and two byte keys alone, all bits */

/* True if a radix sort of n keys that differ in these bits takes one pass at most. */
bool sk_is_one_digit(uint64_t varying, size_t n);

/* Least-significant-digit passes over n elements of src, between two areas (either may hold src); returns which of them
 * (0, 1) has the result, or -1 where no pass was needed and that is still src. */
int sk_radix_passes(sk_device *device, const sk_partition *partition, sk_shape shape, sk_const_columns src,
                    sk_columns area[2], int first, size_t n, uint64_t varying);

/* ---- scan.c ---- */

/* sk_cpu_scan() by this number of threads, which does not change its results. The type has the operator. */
void sk_scan_by_team(const sk_device *device, int team, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                     const void *in, void *out, size_t n);

/* ---- the primitives: sk_cpu_scan() and so on ---- */

#define X(name, parameters) scankit_error sk_cpu_##name parameters;
SK_PRIMITIVES(X)
#undef X

#endif
