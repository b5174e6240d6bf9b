/* heavy.c - keys with few values, or with some that most keys have ("heavy hitters"; apart from other keys after Gu,
 * Shun, Sun and Blelloch 2015, "A Top-Down Parallel Semisort"). Equal keys are the same, so nothing is moved but the
 * other keys: those are moved together at the beginning of the output. When the caller has sorted them there, they go
 * between the runs of heavy values, which are written from their counts. */
#include "cpu/cpu.h"

/* ---- find: a small sample, and a larger one if many of its keys are the same ---- */

#define FIRST_LOG2 7
#define FIRST_EQUAL 40 /* if half of the keys are of 16 values, on average 48 of the first sample equal another one */
#define NEARLY_ALL 120 /* equal keys if one value is nearly everywhere: then the first sample says enough */
#define SAMPLE_LOG2_MIN 8
#define SAMPLE_LOG2_MAX 10
#define SAMPLE_MAX (1 << SAMPLE_LOG2_MAX)
#define RARE 64 /* a value is heavy if at least one in RARE keys of the sample has it */

static const uint64_t *take_sorted(const sk_sort_task *task, unsigned log2_count, uint64_t *words)
{
    uint64_t scratch[SK_LOCAL_ROOM(SAMPLE_MAX)];
    sk_columns sample = {words, NULL};
    sk_take_sample(task, task->piece, task->in.keys, task->n, log2_count, words);
    sk_kernels_of(task->device)
        ->local[sk_shape_row(task->shape)](sk_read(sample), (sk_columns){scratch, NULL}, sample,
                                           (size_t)1 << log2_count, UINT64_MAX);
    return words;
}

/* Keys of the first sample that equal another one. */
static size_t count_equals(const sk_sort_task *task, const uint64_t *words)
{
    size_t equal = 0;
    for (size_t i = 1; i < (size_t)1 << FIRST_LOG2; i++)
        equal += sk_word_at(words, task->shape.key_size, i) == sk_word_at(words, task->shape.key_size, i - 1);
    return equal;
}

/* The least frequent of the values. */
static unsigned find_least(const sk_heavy *heavy)
{
    unsigned least = 0;
    for (unsigned v = 1; v < heavy->count; v++)
        if (heavy->counts[v] < heavy->counts[least])
            least = v;
    return least;
}

/* Adds a value that is above all of them; where there is no room, without the least frequent one. */
static void add_value(sk_heavy *heavy, uint64_t word, size_t count)
{
    if (heavy->count == SK_HEAVY_MAX) {
        unsigned least = find_least(heavy);
        if (heavy->counts[least] >= count)
            return;
        heavy->count--;
        memmove(heavy->words + least, heavy->words + least + 1, (heavy->count - least) * sizeof *heavy->words);
        memmove(heavy->counts + least, heavy->counts + least + 1, (heavy->count - least) * sizeof *heavy->counts);
    }
    heavy->words[heavy->count] = word;
    heavy->counts[heavy->count++] = count;
}

/* The values that are frequent in a sorted sample, and how often they are in it. */
static void find_values(sk_heavy *heavy, const uint64_t *words, unsigned size, size_t n)
{
    heavy->count = 0;
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t word = sk_word_at(words, size, i);
        for (end = i + 1; end < n && sk_word_at(words, size, end) == word;)
            end++;
        if (end - i >= n / RARE)
            add_value(heavy, word, end - i);
    }
}

static void store_values(const sk_sort_task *task)
{
    sk_heavy *heavy = task->heavy;
    unsigned size = task->shape.key_size;
    for (unsigned v = 0; v < heavy->count; v++) {
        uint32_t narrow = (uint32_t)heavy->words[v];
        memcpy(heavy->values + v * size, size == 4 ? (void *)&narrow : (void *)&heavy->words[v], size);
    }
    if (task->piece != NULL)
        sk_kernels_of(task->device)->encode->value(task->piece, heavy->values, heavy->count);
}

bool sk_find_heavy(const sk_sort_task *task)
{
    uint64_t words[SAMPLE_MAX];
    sk_heavy *heavy = task->heavy;
    unsigned log2_count = FIRST_LOG2;
    size_t found = 0;
    const size_t equal = count_equals(task, take_sorted(task, FIRST_LOG2, words));
    if (equal < FIRST_EQUAL)
        return false;
    if (equal < NEARLY_ALL) {
        log2_count = SAMPLE_LOG2_MIN;
        while (log2_count < SAMPLE_LOG2_MAX && task->n >> (log2_count + 7) > 0)
            log2_count++;
        take_sorted(task, log2_count, words);
    }
    find_values(heavy, words, task->shape.key_size, (size_t)1 << log2_count);
    for (unsigned v = 0; v < heavy->count; v++)
        found += heavy->counts[v];
    store_values(task);
    return found >= (size_t)1 << (log2_count - 1);
}

/* ---- sift: each thread counts in its slice, and moves the others to its beginning; then these are put together. If
 * the sample was wrong and others are too many, threads stop soon. A single value fills the rest of the slice on the
 * way: where it lies already, nothing is written ---- */

#define STEP ((size_t)16 << 10) /* a thread may stop after a multiple of these keys, */
#define PARTS 16                /* and after about each of these parts of its slice */

typedef struct part {
    size_t done, others, counts[SK_HEAVY_MAX]; /* done: keys looked at */
} part;

typedef struct sift_job {
    const sk_sort_task *task;
    part *parts; /* by thread */
    bool stop;
} sift_job;

/* Sifts keys of the slice that begins there, up to its key `end`. */
static void sift_step(const sk_sort_task *task, part *own, size_t begin, size_t end)
{
    const sk_kernels *kernels = sk_kernels_of(task->device);
    const sk_heavy *heavy = task->heavy;
    const bool narrow = task->shape.key_size == 4;
    const bool stream = task->n * task->shape.key_size >= SK_AROUND_CACHES_BYTES;
    const void *in = sk_read_at(task->shape, task->in, begin + own->done).keys;
    void *place = sk_at(task->shape, task->out, begin + own->done).keys;
    void *out = sk_at(task->shape, task->out, begin + own->others).keys;
    if (heavy->count == 1) {
        own->others += (narrow ? kernels->sift_one_32 : kernels->sift_one_64)(heavy->values, in, end - own->done, place,
                                                                              out, stream);
        own->counts[0] = end - own->others;
    } else {
        own->others += (narrow ? kernels->sift_32 : kernels->sift_64)(heavy->values, heavy->count, in, end - own->done,
                                                                      out, own->counts);
    }
}

static void sift_slice(void *state, int thread, int team)
{
    sift_job *job = state;
    const sk_sort_task *task = job->task;
    sk_range mine = sk_slice(task->n, thread, team);
    size_t step = STEP + (mine.end - mine.begin) / PARTS / STEP * STEP;
    part *own = &job->parts[thread];
    *own = (part){0};
    for (size_t end; own->done < mine.end - mine.begin && !__atomic_load_n(&job->stop, __ATOMIC_RELAXED);
         own->done = end) {
        end = sk_min(own->done + step, mine.end - mine.begin);
        sift_step(task, own, mine.begin, end);
        if (own->others > end / 4 * 3)
            __atomic_store_n(&job->stop, true, __ATOMIC_RELAXED);
    }
}

static void fill(const sk_sort_task *task, unsigned v, sk_range run, bool stream)
{
    const sk_kernels *kernels = sk_kernels_of(task->device);
    size_t size = task->shape.key_size;
    sk_fill_function *write = size == 4 ? kernels->fill_32 : kernels->fill_64;
    write(task->heavy->values + v * size, (char *)task->out.keys + run.begin * size, run.end - run.begin, stream);
}

/* Takes all keys for others: the output gets them in some order. */
static void take_back(const sift_job *job, int team)
{
    const sk_sort_task *task = job->task;
    if (!sk_in_place(task))
        sk_copy_columns(task->device, task->shape, task->in, task->out, task->n);
    for (int t = 0; t < team && sk_in_place(task); t++) {
        const part *own = &job->parts[t];
        sk_range run = {0, sk_slice(task->n, t, team).begin + own->others};
        for (unsigned v = 0; v < task->heavy->count; v++) {
            run = (sk_range){run.end, run.end + own->counts[v]};
            fill(task, v, run, false);
        }
    }
    task->heavy->count = 0;
}

/* Others have been moved from these slots, which the one value fills again, to those before `end`. */
static void fill_left(const sk_sort_task *task, size_t begin, size_t moved, size_t end)
{
    sk_range left = {begin < end ? end : begin, begin + moved};
    if (left.begin < left.end)
        fill(task, 0, left, false);
}

/* Puts the threads' others together, and adds up their counts. Returns the number of the others. */
static size_t join_parts(const sift_job *job, int team)
{
    const sk_sort_task *task = job->task;
    size_t others = 0, size = task->shape.key_size;
    memset(task->heavy->counts, 0, sizeof task->heavy->counts);
    for (int t = 0; t < team; t++) {
        const part *own = &job->parts[t];
        char *to = (char *)task->out.keys + others * size;
        char *from = (char *)task->out.keys + sk_slice(task->n, t, team).begin * size;
        if (to != from)
            memmove(to, from, own->others * size);
        others += own->others;
        if (task->heavy->count == 1)
            fill_left(task, sk_slice(task->n, t, team).begin, own->others, others);
        for (unsigned v = 0; v < task->heavy->count; v++)
            task->heavy->counts[v] += own->counts[v];
    }
    return others;
}

static void order_slice(const void *state, sk_range mine)
{
    const sk_sort_task *task = state;
    sk_kernels_of(task->device)
        ->encode->order(task->piece, sk_at(task->shape, task->out, mine.begin).keys, mine.end - mine.begin);
}

scankit_error sk_sift_heavy(const sk_sort_task *task, size_t *others)
{
    size_t size = task->shape.key_size;
    int team = sk_cpu_team(task->device, task->n * size);
    sift_job job = {task, sk_arena_take(&task->device->workspace, (size_t)team * sizeof(part)), false};
    if (job.parts == NULL)
        return SCANKIT_E_MEMORY;
    if (sk_rehearses(task->device)) {
        *others = task->n; /* at most */
        return SCANKIT_OK;
    }
    sk_cpu_together(team, sift_slice, &job);
    if (job.stop)
        take_back(&job, team);
    *others = job.stop ? task->n : join_parts(&job, team);
    task->heavy->filled = task->heavy->count == 1 ? *others : task->n;
    if (task->piece != NULL)
        sk_cpu_slices(task->device, *others * size, *others, order_slice, task);
    return SCANKIT_OK;
}

/* ---- spread ---- */

/* The number of sorted words below this one. */
static size_t count_below(const void *words, unsigned size, size_t n, uint64_t word)
{
    size_t below = 0;
    while (n > 0) {
        size_t half = n / 2;
        if (sk_word_at(words, size, below + half) < word) {
            below += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return below;
}

/* Moves bytes up, by many threads as far as they do not overlap. */
static void move_up(sk_device *device, char *from, size_t bytes, size_t by)
{
    if (by < SK_WORK_PER_THREAD) {
        memmove(from + by, from, bytes);
        return;
    }
    while (bytes > 0) {
        size_t some = sk_min(bytes, by);
        bytes -= some;
        (void)sk_cpu_copy(device, from + bytes + by, from + bytes, some);
    }
}

/* Moves the others up, the highest first, each by the heavy keys below it. runs: where these then belong. */
static void make_room(const sk_sort_task *task, const size_t *below, size_t others, sk_range *runs)
{
    const sk_heavy *heavy = task->heavy;
    size_t size = task->shape.key_size, end = task->n;
    for (unsigned v = heavy->count; v-- > 0; others = below[v]) {
        size_t above = others - below[v], to = end - above;
        move_up(task->device, (char *)task->out.keys + below[v] * size, above * size, (to - below[v]) * size);
        runs[v] = (sk_range){to - heavy->counts[v], to};
        end = runs[v].begin;
    }
}

typedef struct fill_job {
    const sk_sort_task *task;
    const sk_range *runs;
} fill_job;

/* What was read in place is in a cache where it fits one: 2^22 u32 of 16 values are sorted at 4100 million a second
 * through the caches and at 2400 around them, by two threads of a Zen 4 with 32 MiB of L3; 2^22 u64 that are mostly
 * zero at 2250 and 2540. */
static void fill_slice(const void *state, sk_range mine)
{
    const fill_job *job = state;
    const sk_sort_task *task = job->task;
    size_t bytes = task->n * task->shape.key_size;
    bool stream = bytes >= (sk_in_place(task) ? 4 : 1) * SK_AROUND_CACHES_BYTES;
    for (unsigned v = 0; v < task->heavy->count; v++) {
        sk_range run = {job->runs[v].begin, sk_min(sk_min(job->runs[v].end, mine.end), task->heavy->filled)};
        if (run.begin < mine.begin)
            run.begin = mine.begin;
        if (run.begin < run.end)
            fill(task, v, run, stream);
    }
}

void sk_spread_heavy(const sk_sort_task *task, size_t others, bool sorted)
{
    size_t below[SK_HEAVY_MAX];
    sk_range runs[SK_HEAVY_MAX];
    const void *words = task->out.keys;
    unsigned size = task->shape.key_size;
    for (unsigned v = 0; v < task->heavy->count; v++)
        below[v] = sorted ? count_below(words, size, others, task->heavy->words[v]) : others;
    if (task->piece != NULL)
        (void)sk_cpu_decode(task->device, task->piece, words, task->out.keys, others);
    make_room(task, below, others, runs);
    const fill_job job = {task, runs};
    sk_cpu_slices(task->device, task->n * size, task->n, fill_slice, &job);
}
