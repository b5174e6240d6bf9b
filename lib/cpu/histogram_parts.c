/* histogram_parts.c - histograms of more bins than the caches hold. The keys' bins are first parted by their leading
 * bits, and then the bins of a part are counted in a table in the first cache.
 *
 * A part is as many lines as its bins fill, which lie anywhere among a thread's other lines: so keys are read once. All
 * threads add to one array of counts, and no thread has a table of all bins. */
#include "histogram_parts.h"
#include "turn.h"

#define PART_BITS 13                 /* of a bin within its part, at least, */
#define PARTS_MOST 256               /* and parts, at most, as their lines are in a cache too */
#define ROUND_KEYS ((size_t)1 << 24) /* parted at a time: 2 bytes each */
#define SHARES 4                     /* pieces of work a thread, at least, if there are as many lines */
#define AHEAD 8                      /* lines that are asked for before they are counted */
#define TABLES 2                     /* of a part's counts, which neighbours take by turns */

/* What one thread parts. */
typedef struct worker {
    sk_bin_parts to;
    char *written;   /* full lines */
    uint16_t *part;  /* of each */
    uint32_t *order; /* the numbers of these lines, part by part: */
    uint32_t *begin; /* part p has order[begin[p]] to order[begin[p + 1] - 1] */
} worker;

/* A share of a part's lines. */
typedef struct unit {
    uint32_t part, share, shares;
} unit;

typedef struct parts_job {
    const sk_histogram *what;
    const sk_bin_kernels *kernels;
    void (*stream_end)(void);
    uint64_t *counts;
    unsigned shift;
    size_t parts; /* the last one has keys outside */
    sk_range round;
    int team;
    worker *workers;
    uint32_t *tables; /* a thread's, one after the other */
    unit *units;
    atomic_flag *busy; /* by part: a thread adds to its counts */
} parts_job;

static size_t table_words(const parts_job *job)
{
    return TABLES * ((size_t)1 << job->shift);
}

/* ---- parting ---- */

/* Sorts the numbers of lines by their part. */
static void order_lines(const parts_job *job, worker *me)
{
    const size_t lines = (size_t)(me->to.part - me->part);
    memset(me->begin, 0, (job->parts + 1) * sizeof *me->begin);
    for (size_t i = 0; i < lines; i++)
        me->begin[me->part[i]]++;
    uint32_t sum = 0;
    for (size_t p = 0; p <= job->parts; p++) {
        uint32_t count = me->begin[p];
        me->begin[p] = sum;
        sum += count;
    }
    for (size_t i = 0; i < lines; i++)
        me->order[me->begin[me->part[i]]++] = (uint32_t)i;
    for (size_t p = job->parts; p > 0; p--)
        me->begin[p] = me->begin[p - 1];
    me->begin[0] = 0;
}

static void part_slice(void *state, size_t number, int thread)
{
    const parts_job *job = state;
    worker *me = &job->workers[number];
    const sk_histogram *what = job->what;
    const sk_range slice = sk_slice(job->round.end - job->round.begin, (int)number, job->team);
    const sk_counts counts = {.layout = SK_COUNTS_BY_PARTS, .parts = &me->to};
    const size_t from = job->round.begin + slice.begin;
    (void)thread;
    me->to.next = me->written;
    me->to.part = me->part;
    memset(me->to.filled, 0, job->parts * sizeof *me->to.filled);
    job->kernels->count((const char *)what->keys + from * scankit_type_size(what->type), slice.end - slice.begin,
                        &what->bins, &counts);
    sk_count_alike(&me->to, &what->bins);
    job->stream_end();
    order_lines(job, me);
}

/* ---- counting ---- */

static void count_line(const char *line, size_t bytes, uint32_t *table, size_t size)
{
    size_t at = 0;
    for (; at + 8 <= bytes; at += 8) {
        uint64_t four;
        memcpy(&four, line + at, sizeof four);
        table[four & UINT16_MAX]++;
        table[size + (four >> 16 & UINT16_MAX)]++;
        table[four >> 32 & UINT16_MAX]++;
        table[size + (four >> 48)]++;
    }
    for (; at < bytes; at += 2) {
        uint16_t one;
        memcpy(&one, line + at, sizeof one);
        table[one]++;
    }
}

static void count_share(const parts_job *job, const worker *from, const unit *of, uint32_t *table)
{
    const size_t size = (size_t)1 << job->shift, begin = from->begin[of->part], n = from->begin[of->part + 1] - begin;
    const sk_range share = sk_slice(n, (int)of->share, (int)of->shares);
    const uint32_t *order = from->order + begin;
    for (size_t i = share.begin; i < share.end; i++) {
        const size_t ahead = sk_min(i + AHEAD, share.end - 1);
        for (size_t at = 0; at < SK_PART_LINE; at += 64)
            __builtin_prefetch(from->written + order[ahead] * SK_PART_LINE + at);
        count_line(from->written + order[i] * SK_PART_LINE, SK_PART_LINE, table, size);
    }
    if (of->share == 0)
        count_line(from->to.lines + of->part * SK_PART_LINE, from->to.filled[of->part], table, size);
}

static void add_table(const parts_job *job, const unit *of, const uint32_t *table)
{
    const size_t size = (size_t)1 << job->shift, first = of->part * size;
    const size_t n = sk_min(size, job->what->bins.count - first);
    uint64_t *counts = job->counts + first;
    if (of->shares > 1)
        sk_spin_lock(&job->busy[of->part]);
    for (size_t b = 0; b < n; b++)
        counts[b] += (uint64_t)table[b] + table[size + b];
    if (of->shares > 1)
        sk_spin_unlock(&job->busy[of->part]);
}

static bool has_keys(const parts_job *job, size_t part)
{
    for (int w = 0; w < job->team; w++) {
        const worker *from = &job->workers[w];
        if (from->begin[part] < from->begin[part + 1] || from->to.filled[part] > 0)
            return true;
    }
    return false;
}

static void count_unit(void *state, size_t number, int thread)
{
    const parts_job *job = state;
    const unit *of = &job->units[number];
    if (!has_keys(job, of->part))
        return;
    uint32_t *table = job->tables + (size_t)thread * table_words(job);
    memset(table, 0, table_words(job) * sizeof *table);
    for (int w = 0; w < job->team; w++)
        count_share(job, &job->workers[w], of, table);
    add_table(job, of, table);
}

/* ---- all ---- */

static size_t lines_of(const parts_job *job, size_t part)
{
    size_t lines = 0;
    for (int w = 0; w < job->team; w++)
        lines += job->workers[w].begin[part + 1] - job->workers[w].begin[part];
    return lines;
}

/* Parts that have many lines become several units. Keys outside of all bins are not counted. */
static size_t make_units(const parts_job *job)
{
    const size_t counted = (job->what->bins.count - 1) >> job->shift;
    size_t lines = 0, units = 0;
    for (int w = 0; w < job->team; w++)
        lines += job->workers[w].begin[job->parts];
    const size_t most = lines / (SHARES * (size_t)job->team) + 1;
    for (size_t p = 0; p <= counted; p++) {
        const uint32_t shares = job->team > 1 ? (uint32_t)(lines_of(job, p) / most + 1) : 1;
        for (uint32_t s = 0; s < shares; s++)
            job->units[units++] = (unit){(uint32_t)p, s, shares};
    }
    return units;
}

static void clear_slice(const void *state, sk_range slice)
{
    const parts_job *job = state;
    memset(job->counts + slice.begin, 0, (slice.end - slice.begin) * sizeof *job->counts);
}

static void count_all(sk_device *device, parts_job *job)
{
    const size_t n = job->what->n;
    const size_t bins = job->what->bins.count;
    sk_cpu_slices(device, bins * sizeof *job->counts, bins, clear_slice, job);
    for (size_t p = 0; p < job->parts; p++)
        atomic_flag_clear(&job->busy[p]);
    for (size_t at = 0; at < n; at = job->round.end) {
        job->round = (sk_range){at, at + sk_min(ROUND_KEYS, n - at)};
        sk_cpu_each(job->team, (size_t)job->team, part_slice, job);
        sk_cpu_each(job->team, make_units(job), count_unit, job);
    }
}

static size_t aligned(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Lines of a thread, at most. */
static size_t lines_most(const parts_job *job)
{
    return (sk_min(ROUND_KEYS, job->what->n) / (size_t)job->team + 1) / SK_PART_KEYS + 1;
}

static size_t worker_bytes(const parts_job *job)
{
    const size_t parts = job->parts, lines = lines_most(job);
    return aligned(parts * SK_PART_LINE) + aligned(parts * sizeof(uint32_t)) + aligned((parts + 1) * sizeof(uint32_t)) +
           lines * SK_PART_LINE + aligned(lines * sizeof(uint16_t)) + aligned(lines * sizeof(uint32_t));
}

static void *take(char **memory, size_t bytes)
{
    void *taken = *memory;
    *memory += aligned(bytes);
    return taken;
}

static void open_worker(const parts_job *job, worker *me, char *memory)
{
    const size_t parts = job->parts, lines = lines_most(job);
    me->to = (sk_bin_parts){.shift = job->shift, .counts = job->counts};
    me->to.stream = sk_min(ROUND_KEYS, job->what->n) * sizeof(uint16_t) >= SK_AROUND_CACHES_BYTES;
    me->to.lines = take(&memory, parts * SK_PART_LINE);
    me->to.filled = take(&memory, parts * sizeof *me->to.filled);
    me->begin = take(&memory, (parts + 1) * sizeof *me->begin);
    me->written = take(&memory, lines * SK_PART_LINE);
    me->part = take(&memory, lines * sizeof *me->part);
    me->order = take(&memory, lines * sizeof *me->order);
}

/* Bits of a bin within its part. */
static unsigned shift_of(size_t row)
{
    unsigned shift = PART_BITS;
    while (row >> shift > PARTS_MOST)
        shift++;
    return shift;
}

scankit_error sk_histogram_by_parts(sk_device *device, const sk_histogram *what, uint64_t *counts)
{
    const size_t size = scankit_type_size(what->type), mark = sk_arena_mark(&device->workspace);
    parts_job job = {.what = what, .counts = counts, .shift = shift_of(what->bins.count)};
    job.kernels = sk_kernels_of(device)->bins(what->type, what->bins.kind);
    job.stream_end = sk_kernels_of(device)->compress->stream_end;
    job.parts = ((size_t)what->bins.count >> job.shift) + 1;
    job.team = sk_cpu_team_of(device, what->n, size, 4 * size);
    const size_t team = (size_t)job.team;
    char *memory = sk_arena_take(&device->workspace, team * worker_bytes(&job));
    job.workers = sk_arena_take(&device->workspace, team * sizeof *job.workers);
    job.tables = sk_arena_take(&device->workspace, team * table_words(&job) * sizeof *job.tables);
    job.units = sk_arena_take(&device->workspace, (job.parts + SHARES * team + 1) * sizeof *job.units);
    job.busy = sk_arena_take(&device->workspace, job.parts * sizeof *job.busy);
    if (memory == NULL || job.workers == NULL || job.tables == NULL || job.units == NULL || job.busy == NULL)
        return SCANKIT_E_MEMORY;
    for (size_t w = 0; w < team && !sk_rehearses(device); w++)
        open_worker(&job, &job.workers[w], memory + w * worker_bytes(&job));
    if (!sk_rehearses(device))
        count_all(device, &job);
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}
