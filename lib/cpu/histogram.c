/* histogram.c - each thread counts its slice of the keys; then threads add their counts, each for a slice of the bins.
 * Additions of integers are exact, so threads do not matter.
 *
 * A thread counts in several narrow tables, of which the caches hold more, and now and then adds them to its wide one.
 * Additions to one word wait for each other, so neighbours go to different tables where these stay in the first cache.
 * Sums of weights, and counts in far more bins than keys, go to the wide table at once. */
#include "cpu.h"

#define BLOCK 512                       /* keys whose bins are found together */
#define PIECE ((size_t)1 << 24)         /* keys until narrow tables are added up; fewer than 2^32 */
#define TABLES_BYTES ((size_t)64 << 20) /* of all tables, unless the keys have more */
#define COPIES 4                        /* narrow tables of a thread, where the first cache holds them */
#define COPIES_BYTES ((size_t)16 << 10)

typedef struct histogram_job {
    const sk_histogram *what;
    sk_find_bins_function *find;
    uint64_t *tables, *counts;
    size_t row;    /* counts of a table: the bins, and one for keys outside */
    size_t copies; /* narrow tables of a thread */
    size_t words;  /* of a thread's tables */
    size_t tables_count;
} histogram_job;

static const void *keys_from(const sk_histogram *what, size_t from)
{
    return (const char *)what->keys + from * scankit_type_size(what->type);
}

static void find_weights(const sk_histogram *what, size_t from, size_t n, uint64_t *weights)
{
    switch (what->weight_type) {
#define X(enumerator, name, ctype, kind)                                             \
    case SCANKIT_##enumerator:                                                       \
        for (size_t i = 0; i < n; i++)                                               \
            weights[i] = sk_weight_##name(((const ctype *)what->weights)[from + i]); \
        break;
        SCANKIT_TYPES(X)
#undef X
    default: break;
    }
}

static void add_weights(const uint32_t *bins, const uint64_t *weights, size_t n, uint64_t *table)
{
    for (size_t i = 0; i < n; i++)
        table[bins[i]] += weights[i];
}

#define ADD_ONES(word, name, copies)                                              \
    static void name(const uint32_t *bins, size_t n, word *table, size_t to_copy) \
    {                                                                             \
        size_t i = 0;                                                             \
        for (; i + (copies) <= n; i += (copies))                                  \
            for (size_t c = 0; c < (copies); c++)                                 \
                table[bins[i + c] + c * to_copy]++;                               \
        for (; i < n; i++)                                                        \
            table[bins[i]]++;                                                     \
    }
ADD_ONES(uint64_t, add_to_wide, 1)
ADD_ONES(uint32_t, add_to_narrow, 1)
ADD_ONES(uint32_t, add_to_copies, COPIES)

/* Adds the keys to the narrow tables, or where there are none to the wide one. */
static void count_piece(const histogram_job *job, sk_range piece, uint64_t *wide, uint32_t *narrow)
{
    uint32_t bins[BLOCK];
    uint64_t weights[BLOCK];
    for (size_t from = piece.begin; from < piece.end; from += BLOCK) {
        size_t n = sk_min(BLOCK, piece.end - from);
        job->find(keys_from(job->what, from), n, &job->what->bins, bins);
        if (job->what->weights != NULL) {
            find_weights(job->what, from, n, weights);
            add_weights(bins, weights, n, wide);
        } else if (job->copies == 0) {
            add_to_wide(bins, n, wide, 0);
        } else if (job->copies == 1) {
            add_to_narrow(bins, n, narrow, 0);
        } else {
            add_to_copies(bins, n, narrow, job->row);
        }
    }
}

/* Moves the counts of the narrow tables to the wide one. */
static void empty_narrow(const histogram_job *job, uint64_t *wide, uint32_t *narrow)
{
    for (size_t c = 0; c < job->copies; c++)
        for (size_t b = 0; b < job->row; b++)
            wide[b] += narrow[c * job->row + b];
    memset(narrow, 0, job->copies * job->row * sizeof *narrow);
}

static void count_slice(const histogram_job *job, sk_range slice, uint64_t *wide)
{
    uint32_t *narrow = (uint32_t *)(void *)(wide + job->row);
    for (sk_range piece = {.end = slice.begin}; piece.end < slice.end;) {
        piece = (sk_range){piece.end, piece.end + sk_min(PIECE, slice.end - piece.end)};
        count_piece(job, piece, wide, narrow);
        empty_narrow(job, wide, narrow);
    }
}

static void add_tables(const histogram_job *job, sk_range bins)
{
    memcpy(job->counts + bins.begin, job->tables + bins.begin, (bins.end - bins.begin) * sizeof *job->counts);
    for (size_t t = 1; t < job->tables_count; t++)
        for (size_t b = bins.begin; b < bins.end; b++)
            job->counts[b] += job->tables[t * job->words + b];
}

static void count_keys(void *state, int thread, int team)
{
    const histogram_job *job = state;
    count_slice(job, sk_slice(job->what->n, thread, team), job->tables + (size_t)thread * job->words);
}

static void add_slice(void *state, int thread, int team)
{
    const histogram_job *job = state;
    add_tables(job, sk_slice(job->what->bins.count, thread, team));
}

/* So few threads that tables take no more memory than is allowed. */
static int team_for(const sk_device *device, const sk_histogram *what, size_t words)
{
    size_t size = scankit_type_size(what->type), keys = what->n * size,
           room = keys > TABLES_BYTES ? keys : TABLES_BYTES;
    size_t most = room / (words * sizeof(uint64_t));
    int team = sk_cpu_team_of(device, what->n, size, 4 * size);
    return most < 1 ? 1 : most < (size_t)team ? (int)most : team;
}

/* Narrow tables of a thread. */
static size_t copies_for(const sk_histogram *what, size_t row)
{
    if (what->weights != NULL || what->n < 16 * row)
        return 0;
    return COPIES * row * sizeof(uint32_t) <= COPIES_BYTES ? COPIES : 1;
}

scankit_error sk_cpu_histogram(sk_device *device, const sk_histogram *what, uint64_t *counts)
{
    size_t row = ((size_t)what->bins.count + 8) / 8 * 8, mark = sk_arena_mark(&device->workspace);
    histogram_job job = {.what = what, .counts = counts, .row = row, .copies = copies_for(what, row)};
    job.find = sk_kernels_of(device)->find_bins(what->type, what->bins.kind);
    job.words = row + job.copies * row / 2;
    int team = team_for(device, what, job.words);
    job.tables = sk_arena_take(&device->workspace, (size_t)team * job.words * sizeof *job.tables);
    if (job.tables == NULL)
        return SCANKIT_E_MEMORY;
    job.tables_count = (size_t)team;
    if (!sk_rehearses(device)) {
        memset(job.tables, 0, (size_t)team * job.words * sizeof *job.tables); /* OpenMP may give fewer threads */
        sk_cpu_together(team, count_keys, &job);
        sk_cpu_together(what->bins.count < SK_FEW_ELEMENTS ? 1 : team, add_slice, &job);
    }
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}

typedef struct bin_job {
    const sk_histogram *what;
    sk_find_bins_function *find;
    uint32_t *index;
    uint64_t *values;
} bin_job;

static void bin_slice(const void *state, sk_range slice)
{
    const bin_job *job = state;
    size_t n = slice.end - slice.begin;
    job->find(keys_from(job->what, slice.begin), n, &job->what->bins, job->index + slice.begin);
    find_weights(job->what, slice.begin, n, job->values + slice.begin);
}

scankit_error sk_cpu_bin(sk_device *device, const sk_histogram *what, uint32_t *index, uint64_t *values)
{
    sk_find_bins_function *find = sk_kernels_of(device)->find_bins(what->type, what->bins.kind);
    bin_job job = {what, find, index, values};
    if (sk_rehearses(device))
        return SCANKIT_OK;
    sk_cpu_slices(device, what->n * (sizeof *index + sizeof *values), what->n, bin_slice, &job);
    return SCANKIT_OK;
}
