/* scan.c - reduce-then-scan: threads take blocks in order; each reduces its block, waits for the total of all blocks
 * before it, passes on the total with its own, and scans its block from there while that is still in its cache. So
 * memory is read about once, and the results are the same bits whoever takes which block. */
#include "cpu.h"
#include "turn.h"

#define BLOCK_BYTES (SK_STRIPS * SK_STRIP_BYTES)

typedef struct scan_job {
    const sk_fold *fold;
    scankit_scan_kind kind;
    const char *in;
    char *out;
    size_t n;
    _Alignas(64) atomic_size_t next; /* block to take */
    sk_turn turn;                    /* block that may read and write `total` */
    uint64_t total;                  /* of what lies before that block */
} scan_job;

/* Upsweep: one result a strip. */
static void reduce_strips(const scan_job *job, size_t begin, size_t n, char *strips)
{
    size_t size = job->fold->size, strip = SK_STRIP_BYTES / size;
    for (size_t i = 0; i < n; i += strip, strips += size)
        job->fold->reduce(job->in + (begin + i) * size, sk_min(strip, n - i), strips);
}

/* The middle: from results of strips to what stands before each. */
static void scan_strips(scan_job *job, size_t n, char *strips)
{
    size_t size = job->fold->size, strip = SK_STRIP_BYTES / size;
    for (size_t i = 0; i < n; i += strip, strips += size) {
        uint64_t before = job->total;
        job->fold->combine(&job->total, strips);
        memcpy(strips, &before, size);
    }
}

static void scan_blocks(scan_job *job)
{
    size_t size = job->fold->size, block_size = BLOCK_BYTES / size, block, begin;
    while ((block = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed), begin = block * block_size) <
           job->n) {
        uint64_t strips[SK_STRIPS];
        size_t n = sk_min(block_size, job->n - begin);
        reduce_strips(job, begin, n, (char *)strips);
        sk_wait_for_turn(&job->turn, block);
        scan_strips(job, n, (char *)strips);
        sk_pass_turn(&job->turn, block);
        /* Downsweep. */
        job->fold->scan(job->in + begin * size, job->out + begin * size, n, strips, job->kind);
    }
}

/* The first element has nothing before it where no initial value is given: it goes out by itself. */
static void begin_scan(scan_job *job, const void *initial)
{
    size_t size = job->fold->size;
    memcpy(&job->total, initial != NULL ? initial : job->in, size);
    if (initial != NULL)
        return;
    if (job->kind == SCANKIT_EXCLUSIVE)
        job->fold->identity(job->out);
    else
        memcpy(job->out, &job->total, size);
    job->in += size;
    job->out += size;
    job->n--;
}

scankit_error sk_cpu_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                          const void *initial, const void *in, void *out, size_t n)
{
    scan_job job = {.fold = sk_kernels_of(device)->fold(type, op), .kind = kind, .in = in, .out = out, .n = n};
    if (job.fold == NULL)
        return SCANKIT_E_ARGUMENT;
    device->algorithm = "reduce-then-scan";
    begin_scan(&job, initial);
#pragma omp parallel num_threads(sk_cpu_team(device, n *job.fold->size))
    scan_blocks(&job);
    return SCANKIT_OK;
}
