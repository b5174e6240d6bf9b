/* scan.c - reduce-then-scan: threads take blocks in order; each reduces its block, waits for the total of all blocks
 * before it, passes on the total with its own, and scans its block from there while that is still in its cache. So
 * memory is read about once, and the results are the same bits whoever takes which block.
 *
 * One thread scans sums of integers in a single pass.
 *
 * With heads it begins anew at some elements: then of a strip, and of all before it, only what follows the last head
 * makes up the total. */
#include "cpu.h"
#include "turn.h"

#define BLOCK_BYTES (SK_STRIPS * SK_STRIP_BYTES)

typedef struct scan_job {
    const sk_fold *fold;
    sk_running_function *running; /* scans in one pass; or NULL */
    scankit_scan_kind kind;
    bool stream;
    const char *in;
    const uint8_t *heads; /* or NULL */
    char *out;
    size_t n;
    _Alignas(64) atomic_size_t next; /* block to take */
    sk_turn turn;                    /* block that may read and write `total` */
    uint64_t total;                  /* of what lies before that block */
} scan_job;

/* Each strip's reduction from its last head on, and whether it has a head. */
typedef struct strip_totals {
    bool has_head[SK_STRIPS];
    uint64_t total[SK_STRIPS];
} strip_totals;

/* One past the last head; 0 where there is none. */
static size_t past_last_head(const uint8_t *heads, size_t n)
{
    uint64_t eight;
    for (; n >= sizeof eight; n -= sizeof eight) {
        memcpy(&eight, heads + n - sizeof eight, sizeof eight);
        if (eight != 0)
            break;
    }
    while (n > 0 && heads[n - 1] == 0)
        n--;
    return n;
}

/* Upsweep: one result per strip. */
static void reduce_strips(const scan_job *job, size_t begin, size_t n, strip_totals *strips)
{
    size_t size = job->fold->size, strip = SK_STRIP_BYTES / size;
    for (size_t i = 0, s = 0; i < n; i += strip, s++) {
        size_t length = sk_min(strip, n - i), past = 0;
        if (job->heads != NULL)
            past = past_last_head(job->heads + begin + i, length);
        size_t from = past > 0 ? past - 1 : 0;
        strips->has_head[s] = past > 0;
        job->fold->reduce(job->in + (begin + i + from) * size, length - from, &strips->total[s]);
    }
}

/* Spine: from the strips' results to the prefix before each. */
static void scan_strips(scan_job *job, size_t n, const strip_totals *strips, char *before)
{
    size_t partial = job->fold->partial, strip = SK_STRIP_BYTES / job->fold->size;
    for (size_t i = 0, s = 0; i < n; i += strip, s++, before += partial) {
        memcpy(before, &job->total, partial);
        if (strips->has_head[s])
            job->total = strips->total[s];
        else
            job->fold->combine(&job->total, &strips->total[s]);
    }
}

static void scan_blocks(void *state, int thread, int team)
{
    scan_job *job = state;
    (void)thread, (void)team;
    size_t size = job->fold->size, block_size = BLOCK_BYTES / size, block, begin;
    while ((block = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed), begin = block * block_size) <
           job->n) {
        strip_totals strips;
        uint64_t before[SK_STRIPS];
        size_t n = sk_min(block_size, job->n - begin);
        reduce_strips(job, begin, n, &strips);
        sk_wait_for_turn(&job->turn, block);
        scan_strips(job, n, &strips, (char *)before);
        sk_pass_turn(&job->turn, block);
        /* Downsweep. */
        if (job->running != NULL)
            job->running(job->in + begin * size, job->out + begin * size, n, before, job->kind, job->stream);
        else
            job->fold->scan(job->in + begin * size, job->heads != NULL ? job->heads + begin : NULL,
                            job->out + begin * size, n, before, job->kind);
    }
}

/* The first element goes out by itself where nothing stands before it: no initial value is given, or it is a head. */
static void begin_scan(scan_job *job, const void *initial)
{
    size_t size = job->fold->size;
    bool alone = initial == NULL || (job->heads != NULL && job->heads[0] != 0);
    uint64_t identity;
    job->fold->load(alone ? job->in : initial, &job->total);
    if (!alone)
        return;
    job->fold->identity(&identity);
    if (job->kind == SCANKIT_EXCLUSIVE)
        job->fold->store(&identity, 1, job->out);
    else
        memmove(job->out, job->in, size);
    job->in += size;
    job->out += size;
    job->n--;
    if (job->heads != NULL)
        job->heads++;
}

scankit_error sk_cpu_segmented_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                    const void *initial, const void *in, const uint8_t *heads, void *out, size_t n)
{
    scan_job job = {.fold = sk_kernels_of(device)->fold(type, op), .kind = kind, .in = in, .out = out, .n = n};
    if (job.fold == NULL)
        return SCANKIT_E_ARGUMENT;
    job.heads = heads;
    sk_cpu_ran(device, SK_CPU_REDUCE_THEN_SCAN);
    begin_scan(&job, initial);
    int team = sk_cpu_team_of(device, n, job.fold->size, job.fold->size);
    job.stream = n * job.fold->size >= SK_AROUND_CACHES_BYTES;
    if (heads == NULL)
        job.running = sk_kernels_of(device)->running(type, op);
    if (job.running != NULL && team == 1)
        job.running(job.in, job.out, job.n, &job.total, kind, job.stream);
    else
        sk_cpu_together(team, scan_blocks, &job);
    return SCANKIT_OK;
}

scankit_error sk_cpu_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                          const void *initial, const void *in, void *out, size_t n)
{
    return sk_cpu_segmented_scan(device, type, op, kind, initial, in, NULL, out, n);
}
