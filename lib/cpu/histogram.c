/* histogram.c - each thread counts its slice of the keys; then threads add their counts, each for a slice of the bins.
 * Additions of integers are exact, so threads do not matter.
 *
 * A thread counts in narrow tables, of which the caches hold more, and now and then adds them to its wide one.
 * Additions to one word wait for each other, so neighbours go to different tables where these stay in the first cache.
 * Sums of weights, and counts in more bins than keys, go to the wide table at once. Where the caches do
 * not hold all threads' tables, bins are counted by parts (histogram_parts.c). */
#include "histogram_parts.h"

#define BLOCK 512                       /* keys whose bins are found together, where there are no narrow tables */
#define TABLES_BYTES ((size_t)64 << 20) /* of all tables, unless the keys have more */
#define CACHED_BYTES ((size_t)20 << 10) /* of several narrow tables, in the first cache */
#define KEYS_A_WORD 4                   /* of a thread, for each word of its tables, until they are many */

typedef struct histogram_job {
    const sk_histogram *what;
    const sk_bin_kernels *kernels;
    uint64_t *tables, *counts;
    bool is_narrow; /* there are narrow tables, in this layout */
    sk_count_layout layout;
    size_t row;   /* counts of a table: the bins, and one for keys outside */
    size_t words; /* of a thread's tables */
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

static void count_wide(const histogram_job *job, sk_range slice, uint64_t *wide)
{
    uint32_t bins[BLOCK];
    uint64_t weights[BLOCK];
    for (size_t from = slice.begin; from < slice.end; from += BLOCK) {
        size_t n = sk_min(BLOCK, slice.end - from);
        job->kernels->find(keys_from(job->what, from), n, &job->what->bins, bins);
        if (job->what->weights != NULL) {
            find_weights(job->what, from, n, weights);
            add_weights(bins, weights, n, wide);
        } else {
            for (size_t i = 0; i < n; i++)
                wide[bins[i]]++;
        }
    }
}

static void count_narrow(const histogram_job *job, sk_range slice, uint64_t *wide)
{
    const sk_counts counts = {.layout = job->layout, .row = job->row, .narrow = wide + job->row, .wide = wide};
    const size_t most = job->layout == SK_COUNTS_2_OF_16 ? SK_KEYS_2_OF_16 : SK_KEYS_OF_32;
    for (size_t from = slice.begin, n; from < slice.end; from += n) {
        n = sk_min(most, slice.end - from);
        job->kernels->count(keys_from(job->what, from), n, &job->what->bins, &counts);
        job->kernels->empty(&counts);
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
    histogram_job *job = state;
    uint64_t *wide = job->tables + (size_t)thread * job->words;
    if (thread == 0)
        job->tables_count = (size_t)team; /* OpenMP may give fewer threads than are asked for */
    memset(wide, 0, job->words * sizeof *wide);
    if (job->is_narrow)
        count_narrow(job, sk_slice(job->what->n, thread, team), wide);
    else
        count_wide(job, sk_slice(job->what->n, thread, team), wide);
}

static void add_slice(void *state, int thread, int team)
{
    const histogram_job *job = state;
    add_tables(job, sk_slice(job->what->bins.count, thread, team));
}

/* So few threads that tables take no more memory than is allowed, and no more time than counting. */
static int team_for(const sk_device *device, const sk_histogram *what, size_t words)
{
    size_t size = scankit_type_size(what->type), keys = what->n * size,
           room = keys > TABLES_BYTES ? keys : TABLES_BYTES;
    size_t least_keys = sk_min(KEYS_A_WORD * words, SK_FEW_ELEMENTS);
    size_t most = sk_min(room / (words * sizeof(uint64_t)), what->n / least_keys);
    int team = sk_cpu_team_of(device, what->n, size, 4 * size);
    return most < 1 ? 1 : most < (size_t)team ? (int)most : team;
}

/* Chooses the layout of narrow counts; returns the bytes of these, or 0 if there are none. */
static size_t narrow_bytes(const sk_histogram *what, size_t row, sk_count_layout *layout)
{
    const size_t narrow = row * sizeof(uint16_t), usual = row * sizeof(uint32_t);
    if (what->weights != NULL || what->n < (usual > CACHED_BYTES ? 2 : 16) * row)
        return 0;
    *layout = 4 * usual <= CACHED_BYTES    ? SK_COUNTS_4_OF_32
              : 2 * narrow <= CACHED_BYTES ? SK_COUNTS_2_OF_16
                                           : SK_COUNTS_1_OF_32;
    return *layout == SK_COUNTS_4_OF_32 ? 4 * usual : usual;
}

scankit_error sk_cpu_histogram(sk_device *device, const sk_histogram *what, uint64_t *counts)
{
    const size_t size = scankit_type_size(what->type);
    if (what->weights == NULL && sk_choose_parts(what->bins.count, sk_cpu_team_of(device, what->n, size, 4 * size)))
        return sk_histogram_by_parts(device, what, counts);
    size_t row = ((size_t)what->bins.count + 8) / 8 * 8, mark = sk_arena_mark(&device->workspace);
    histogram_job job = {.what = what, .counts = counts, .row = row};
    size_t narrow = narrow_bytes(what, row, &job.layout);
    job.kernels = sk_kernels_of(device)->bins(what->type, what->bins.kind);
    job.is_narrow = narrow > 0;
    job.words = row + narrow / sizeof *counts;
    int team = team_for(device, what, job.words);
    job.tables = sk_arena_take(&device->workspace, (size_t)team * job.words * sizeof *job.tables);
    if (job.tables == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device)) {
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
    const sk_bin_kernels *kernels = sk_kernels_of(device)->bins(what->type, what->bins.kind);
    bin_job job = {what, kernels->find, index, values};
    if (sk_rehearses(device))
        return SCANKIT_OK;
    sk_cpu_slices(device, what->n * (sizeof *index + sizeof *values), what->n, bin_slice, &job);
    return SCANKIT_OK;
}
