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
    size_t each;      /* elements of a block */
    uint32_t *places; /* of a block's heads; NULL where counts are not wanted */
    sk_outflow values, counts;
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

static size_t memory_bytes(const encoding *job)
{
    const sk_runs *what = job->what;
    return stage_bytes(job, what->values, what->element_size) + stage_bytes(job, what->counts, sizeof *what->counts) +
           places_bytes(job);
}

static void open_outputs(encoding *job, char *memory)
{
    const sk_runs *what = job->what;
    job->values = sk_outflow_to(what->values, sk_outflow_apart(what->in, SK_OUTFLOW_APART, memory));
    memory += stage_bytes(job, what->values, what->element_size);
    job->counts = sk_outflow_to(what->counts, sk_outflow_apart(what->in, SK_OUTFLOW_APART, memory));
    memory += stage_bytes(job, what->counts, sizeof *what->counts);
    memory = sk_outflow_apart(what->in, PLACES_APART, memory);
    job->places = what->counts != NULL ? (uint32_t *)(void *)memory : NULL;
}

/* Counts of the runs that end in a block with heads. */
static void add_counts(encoding *job, size_t at, size_t heads)
{
    uint64_t *to = (uint64_t *)(void *)sk_outflow_at(&job->counts);
    size_t ended = heads;
    if (job->runs > 0)
        *to++ = at + job->places[0] - job->begin;
    else
        ended--;
    job->kernels->runs->lengths(job->places, heads - 1, to, false);
    job->begin = at + job->places[heads - 1];
    sk_outflow_add(&job->counts, job->kernels, ended * sizeof *to, job->stream);
}

static void encode_block(encoding *job, size_t at, size_t n)
{
    const sk_runs *what = job->what;
    const size_t size = what->element_size;
    size_t heads =
        job->kernels->pick_heads(what, (const char *)what->in + at * size, n, sk_outflow_at(&job->values), job->places);
    /* Nothing moves where all begin a run so far, in place. */
    if (what->values == what->in && job->runs == at && heads == n)
        sk_outflow_skip(&job->values, n * size);
    else
        sk_outflow_add(&job->values, job->kernels, heads * size, job->stream);
    if (job->places != NULL && heads > 0)
        add_counts(job, at, heads);
    job->runs += heads;
}

/* The very first element begins a run: nothing is before it. */
static void encode_first(encoding *job)
{
    const sk_runs *what = job->what;
    if (what->values != NULL)
        memcpy(sk_outflow_at(&job->values), what->in, what->element_size);
    if (what->values == what->in)
        sk_outflow_skip(&job->values, what->element_size);
    else
        sk_outflow_add(&job->values, job->kernels, what->element_size, job->stream);
    job->runs = 1;
}

static void encode(encoding *job)
{
    const size_t n = job->what->n;
    encode_first(job);
    for (size_t at = 1, end; at < n; at = end) {
        end = sk_min((at / job->each + 1) * job->each, n);
        encode_block(job, at, end - at);
    }
    if (job->places != NULL) {
        uint64_t last = n - job->begin;
        memcpy(sk_outflow_at(&job->counts), &last, sizeof last);
        sk_outflow_add(&job->counts, job->kernels, sizeof last, job->stream);
    }
    sk_outflow_end(&job->values, job->kernels);
    sk_outflow_end(&job->counts, job->kernels);
}

scankit_error sk_encode_runs_alone(sk_device *device, const sk_runs *what, bool stream, size_t *count)
{
    encoding job = {.what = what, .kernels = sk_kernels_of(device), .stream = stream, .each = each_of(what)};
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
