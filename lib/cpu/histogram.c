/* histogram.c - each thread counts its slice of the keys in a table of its own; then threads add the tables, each for a
 * slice of the bins. A table has several copies where bins are few: additions to one word wait for each other, so equal
 * keys next to each other go to different copies. Additions of integers are exact, so threads do not matter. */
#include "cpu.h"

#define BLOCK 512                       /* keys whose bins are found together */
#define COPIES 4                        /* of a table */
#define COPIED_BINS 2048                /* at most, with copies */
#define TABLES_BYTES ((size_t)64 << 20) /* of all tables, unless the keys have more */

typedef struct histogram_job {
    const sk_histogram *what;
    uint64_t *tables, *counts;
    size_t row; /* words from copy to copy: the bins, and one for keys outside */
    int copies;
    size_t tables_count;
} histogram_job;

/* The bins of n keys from `from` on. */
static void find_bins(const sk_histogram *what, size_t from, size_t n, uint32_t *bins)
{
    const sk_bins of = what->bins;
    switch (what->type) {
#define X(enumerator, name, ctype, kind)                                         \
    case SCANKIT_##enumerator:                                                   \
        for (size_t i = 0; i < n; i++)                                           \
            bins[i] = sk_bin_##name(((const ctype *)what->keys)[from + i], &of); \
        break;
        SCANKIT_TYPES(X)
#undef X
    default: break;
    }
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

static void add_ones(const uint32_t *bins, size_t n, uint64_t *table, size_t to_copy)
{
    size_t i = 0;
    for (; i + COPIES <= n; i += COPIES)
        for (size_t c = 0; c < COPIES; c++)
            table[bins[i + c] + c * to_copy]++;
    for (; i < n; i++)
        table[bins[i]]++;
}

static void count_slice(const histogram_job *job, sk_range slice, uint64_t *table)
{
    uint32_t bins[BLOCK];
    uint64_t weights[BLOCK];
    for (size_t from = slice.begin; from < slice.end; from += BLOCK) {
        size_t n = sk_min(BLOCK, slice.end - from);
        find_bins(job->what, from, n, bins);
        if (job->what->weights != NULL) {
            find_weights(job->what, from, n, weights);
            add_weights(bins, weights, n, table);
        } else {
            add_ones(bins, n, table, job->copies > 1 ? job->row : 0);
        }
    }
}

static void add_tables(const histogram_job *job, sk_range bins)
{
    memcpy(job->counts + bins.begin, job->tables + bins.begin, (bins.end - bins.begin) * sizeof *job->counts);
    for (size_t t = 1; t < job->tables_count; t++)
        for (size_t b = bins.begin; b < bins.end; b++)
            job->counts[b] += job->tables[t * job->row + b];
}

static void count_keys(void *state, int thread, int team)
{
    const histogram_job *job = state;
    size_t words = job->row * (size_t)job->copies;
    uint64_t *table = job->tables + (size_t)thread * words;
    count_slice(job, sk_slice(job->what->n, thread, team), table);
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

scankit_error sk_cpu_histogram(sk_device *device, const sk_histogram *what, uint64_t *counts)
{
    int copies = what->bins.count <= COPIED_BINS && what->weights == NULL ? COPIES : 1;
    size_t row = ((size_t)what->bins.count + 8) / 8 * 8, words = row * (size_t)copies;
    int team = team_for(device, what, words);
    size_t mark = sk_arena_mark(&device->workspace);
    histogram_job job = {.what = what, .counts = counts, .row = row, .copies = copies};
    job.tables = sk_arena_take(&device->workspace, (size_t)team * words * sizeof *job.tables);
    if (job.tables == NULL)
        return SCANKIT_E_MEMORY;
    job.tables_count = (size_t)team * (size_t)copies;
    if (!sk_rehearses(device)) {
        memset(job.tables, 0, (size_t)team * words * sizeof *job.tables); /* OpenMP may give fewer threads */
        sk_cpu_together(team, count_keys, &job);
        sk_cpu_together(what->bins.count < SK_FEW_ELEMENTS ? 1 : team, add_slice, &job);
    }
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}

typedef struct bin_job {
    const sk_histogram *what;
    uint32_t *index;
    uint64_t *values;
} bin_job;

static void bin_slice(const void *state, sk_range slice)
{
    const bin_job *job = state;
    find_bins(job->what, slice.begin, slice.end - slice.begin, job->index + slice.begin);
    find_weights(job->what, slice.begin, slice.end - slice.begin, job->values + slice.begin);
}

scankit_error sk_cpu_bin(sk_device *device, const sk_histogram *what, uint32_t *index, uint64_t *values)
{
    bin_job job = {what, index, values};
    if (sk_rehearses(device))
        return SCANKIT_OK;
    sk_cpu_slices(device, what->n * (sizeof *index + sizeof *values), what->n, bin_slice, &job);
    return SCANKIT_OK;
}
