/* rle_alone.c - runs by one thread: it knows where the next run goes, so what a block's heads say goes to memory at
 * once, before the next block is read. */
#include "outflow.h"

/* Bytes of elements that are read before outputs are written. With 1, 2, 4 and 8 KiB, a Zen 4 encodes distinct u32 at
 * 2.1, 2.2, 2.0 and 1.7 billion a second. */
#define STAGED_BYTES ((size_t)2 << 10)
#define STAGE_BYTES ((size_t)64 << 10) /* the same of long elements */
#define PLACES_APART ((size_t)0)       /* at 3072 and 3584, 1.5 and 1.2 */

/* The outputs on their way. */
typedef struct encoding {
    const sk_runs *what;
    const sk_kernels *kernels;
    bool stream;
    size_t each;           /* elements of a block */
    uint32_t *places;      /* of a block's heads; NULL where counts are not wanted */
    const sk_run_sums *by; /* NULL where nothing is reduced */
    size_t size;           /* of a sum */
    char *sums;            /* before the run that is open, and then before each that begins in a block */
    uint64_t total;        /* of all elements so far, of any type */
    sk_outflow values, counts, reduced;
    size_t runs, begin; /* that began so far, and where the last one did, if counts are wanted */
} encoding;

/* Elements of a block. Its outputs stay in the first cache, unless elements are long. */
static size_t each_of(const sk_runs *what)
{
    size_t size = what->element_size, each = (size <= 8 ? STAGED_BYTES : STAGE_BYTES) / size;
    return each < 64 ? 64 : sk_min(each, SK_HEADS_MOST) & ~(size_t)63;
}

/* Bytes of an output's stage. */
static size_t stage_bytes(const encoding *job, const void *out, size_t size)
{
    return out != NULL ? SK_OUTFLOW_PAGE + sk_outflow_bytes(job->each * size) : 0;
}

static size_t places_bytes(const encoding *job)
{
    return job->what->counts != NULL ? SK_OUTFLOW_PAGE + job->each * sizeof(uint32_t) + SK_COMPRESS_SLACK : 0;
}

static size_t sums_bytes(const encoding *job)
{
    return job->by != NULL ? SK_OUTFLOW_PAGE + (job->each + 1) * job->size + SK_COMPRESS_SLACK : 0;
}

static size_t memory_bytes(const encoding *job)
{
    const sk_runs *what = job->what;
    return stage_bytes(job, what->values, what->element_size) + stage_bytes(job, what->counts, sizeof *what->counts) +
           places_bytes(job) + stage_bytes(job, what->reduced, job->size) + sums_bytes(job);
}

/* Memory for something of a block, so far from what is read meanwhile. */
static char *take(char **memory, const void *in, size_t distance, size_t bytes)
{
    char *taken = bytes > 0 ? sk_outflow_apart(in, distance, *memory) : NULL;
    *memory += bytes;
    return taken;
}

static sk_outflow open_output(const encoding *job, void *out, size_t size, char **memory)
{
    return sk_outflow_to(out, take(memory, job->what->in, SK_OUTFLOW_APART, stage_bytes(job, out, size)));
}

static void open_outputs(encoding *job, char *memory)
{
    const sk_runs *what = job->what;
    job->values = open_output(job, what->values, what->element_size, &memory);
    job->counts = open_output(job, what->counts, sizeof *what->counts, &memory);
    job->places = (uint32_t *)(void *)take(&memory, what->in, PLACES_APART, places_bytes(job));
    job->reduced = open_output(job, what->reduced, job->size, &memory);
    job->sums = take(&memory, what->reduced_in, PLACES_APART, sums_bytes(job));
}

/* Counts of the runs that end in a block with heads. */
static void add_counts(encoding *job, size_t at, size_t heads)
{
    uint64_t *to = (uint64_t *)(void *)sk_outflow_at(&job->counts);
    to[0] = at + job->places[0] - job->begin;
    job->kernels->runs->lengths(job->places, heads - 1, to + 1, false);
    job->begin = at + job->places[heads - 1];
    sk_outflow_add(&job->counts, job->kernels, heads * sizeof *to, job->stream);
}

/* The first elements of a block's runs. */
static void add_values(encoding *job, size_t at, size_t n, size_t heads)
{
    const sk_runs *what = job->what;
    /* Nothing moves where all begin a run so far, in place. */
    if (what->values == what->in && job->runs == at && heads == n)
        sk_outflow_skip(&job->values, n * what->element_size);
    else
        sk_outflow_add(&job->values, job->kernels, heads * what->element_size, job->stream);
}

static size_t reduce_block(encoding *job, size_t at, size_t n)
{
    const sk_runs *what = job->what;
    const size_t size = job->size;
    const char *in = (const char *)what->in + at * what->element_size, *summed = (const char *)what->reduced_in;
    size_t heads =
        job->by->pick(what, in, summed + at * size, n, sk_outflow_at(&job->values), &job->total, job->sums + size);
    add_values(job, at, n, heads);
    job->by->differences(job->sums, heads, sk_outflow_at(&job->reduced));
    memcpy(job->sums, job->sums + heads * size, size);
    sk_outflow_add(&job->reduced, job->kernels, heads * size, job->stream);
    return heads;
}

static size_t encode_block(encoding *job, size_t at, size_t n)
{
    const char *in = (const char *)job->what->in + at * job->what->element_size;
    size_t heads = job->kernels->pick_heads(job->what, in, n, sk_outflow_at(&job->values), job->places);
    add_values(job, at, n, heads);
    if (job->places != NULL && heads > 0)
        add_counts(job, at, heads);
    return heads;
}

/* The very first element begins a run: nothing is before it. */
static void encode_first(encoding *job)
{
    const sk_runs *what = job->what;
    if (what->values != NULL)
        memcpy(sk_outflow_at(&job->values), what->in, what->element_size);
    add_values(job, 0, 1, 1);
    if (job->by != NULL) {
        memcpy(&job->total, what->reduced_in, job->size);
        memset(job->sums, 0, job->size);
    }
    job->runs = 1;
}

/* The last run ends with the array. */
static void encode_last(encoding *job)
{
    if (job->places != NULL) {
        uint64_t last = job->what->n - job->begin;
        memcpy(sk_outflow_at(&job->counts), &last, sizeof last);
        sk_outflow_add(&job->counts, job->kernels, sizeof last, job->stream);
    }
    if (job->by != NULL) {
        memcpy(job->sums + job->size, &job->total, job->size);
        job->by->differences(job->sums, 1, sk_outflow_at(&job->reduced));
        sk_outflow_add(&job->reduced, job->kernels, job->size, job->stream);
    }
    sk_outflow_end(&job->values, job->kernels);
    sk_outflow_end(&job->counts, job->kernels);
    sk_outflow_end(&job->reduced, job->kernels);
}

static void encode(encoding *job)
{
    const size_t n = job->what->n;
    encode_first(job);
    for (size_t at = 1, end; at < n; at = end) {
        end = sk_min((at / job->each + 1) * job->each, n);
        job->runs += job->by != NULL ? reduce_block(job, at, end - at) : encode_block(job, at, end - at);
    }
    encode_last(job);
}

scankit_error sk_encode_runs_alone(sk_device *device, const sk_runs *what, bool stream, size_t *count)
{
    encoding job = {.what = what, .kernels = sk_kernels_of(device), .stream = stream, .each = each_of(what)};
    if (what->reduced != NULL) {
        job.by = job.kernels->run_sums(what->type, what->op);
        job.size = job.kernels->fold(what->type, what->op)->size;
    }
    size_t mark = sk_arena_mark(&device->workspace);
    char *memory = sk_arena_take(&device->workspace, memory_bytes(&job));
    if (memory == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device)) {
        open_outputs(&job, memory);
        encode(&job);
    }
    sk_arena_reset(&device->workspace, mark);
    if (count != NULL)
        *count = job.runs;
    return SCANKIT_OK;
}
