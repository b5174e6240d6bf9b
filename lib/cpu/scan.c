/* scan.c - reduce-then-scan: threads take blocks in order; each reduces its block, waits for the total of all blocks
 * before it, passes on the total with its own, and scans its block from there while that is still in its cache. So
 * memory is read about once, and the results are the same bits whoever takes which block.
 *
 * One thread scans by registers (kernel/running.c) in a single pass. It reads and writes at the same time, as a copy
 * does. Sums of floats have the bits that many threads give: each strip begins with the total of all strips before it.
 *
 * With heads it begins anew at some elements: then of a strip, and of all before it, only what follows the last head
 * makes up the total. */
#include "cpu.h"
#include "kernel/stream.h"
#include "turn.h"

#define BLOCK_BYTES (SK_STRIPS * SK_STRIP_BYTES)
#define AHEAD ((size_t)4096) /* bytes by which one pass asks for elements before it reads them */

typedef struct scan_job {
    const sk_fold *fold;
    const sk_fold *lanes;         /* of partial results */
    sk_running_function *running; /* scans in one pass; or NULL */
    scankit_scan_kind kind;
    bool stream, exact; /* exact: the order of operations does not matter */
    const char *in;
    const uint8_t *heads; /* or NULL */
    char *out;
    size_t n;
    _Alignas(64) atomic_size_t next; /* block to take */
    sk_turn turn;                    /* block that may read and write `total` */
    uint64_t total;                  /* of what lies before that block */
} scan_job;

/* The reduction of a strip from its last head on. */
typedef struct strip_total {
    bool has_head;
    uint64_t total;
} strip_total;

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

static strip_total reduce_strip(const scan_job *job, sk_range strip)
{
    strip_total result = {0};
    size_t past = 0;
    if (job->heads != NULL)
        past = past_last_head(job->heads + strip.begin, strip.end - strip.begin);
    size_t from = strip.begin + (past > 0 ? past - 1 : 0);
    result.has_head = past > 0;
    job->fold->reduce(job->in + from * job->fold->size, strip.end - from, &result.total);
    return result;
}

static void add_strip(scan_job *job, const strip_total *strip)
{
    if (strip->has_head)
        job->total = strip->total;
    else
        job->fold->combine(&job->total, &strip->total);
}

/* The strip of a block, or of all, that begins there. */
static sk_range strip_at(const scan_job *job, size_t begin, size_t end)
{
    return (sk_range){begin, begin + sk_min(SK_STRIP_BYTES / job->fold->size, end - begin)};
}

/* Upsweep: one result per strip. */
static void reduce_strips(const scan_job *job, sk_range block, strip_total *strips)
{
    for (sk_range strip = {0, block.begin}; strip.end < block.end;) {
        strip = strip_at(job, strip.end, block.end);
        *strips++ = reduce_strip(job, strip);
    }
}

/* Spine: from the strips' results to the prefix before each. */
static void scan_strips(scan_job *job, sk_range block, const strip_total *strips, char *before)
{
    for (sk_range strip = {0, block.begin}; strip.end < block.end; before += job->fold->partial) {
        strip = strip_at(job, strip.end, block.end);
        memcpy(before, &job->total, job->fold->partial);
        add_strip(job, strips++);
    }
}

/* The next block's number and elements; false if no block is left. */
static bool take_block(scan_job *job, size_t *block, sk_range *elements)
{
    size_t length = BLOCK_BYTES / job->fold->size;
    *block = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    elements->begin = *block * length;
    if (elements->begin >= job->n)
        return false;
    elements->end = elements->begin + sk_min(length, job->n - elements->begin);
    return true;
}

/* A pass over some elements. It asks for those that are `next` further on. */
static sk_pass pass_of(const scan_job *job, sk_range elements, size_t next)
{
    size_t size = job->fold->size, begin = elements.begin;
    sk_pass pass = {.in = job->in + begin * size, .out = job->out + begin * size, .n = elements.end - begin};
    pass.kind = job->kind;
    pass.stream = job->stream;
    pass.next = (const void *)((uintptr_t)pass.in + next * size);
    if (job->heads != NULL) {
        pass.heads = job->heads + begin;
        pass.next_heads = (const void *)((uintptr_t)pass.heads + next);
    }
    return pass;
}

/* Downsweep. Floats begin anew at each strip with the sum before it: so it does not matter who scans what. */
static void scan_block(const scan_job *job, sk_range block, const char *before, size_t next)
{
    size_t size = job->fold->size;
    if (job->running == NULL) {
        job->fold->scan(job->in + block.begin * size, job->heads != NULL ? job->heads + block.begin : NULL,
                        job->out + block.begin * size, block.end - block.begin, before, job->kind);
        return;
    }
    for (sk_range strip = {0, block.begin}; strip.end < block.end; before += job->fold->partial) {
        strip = job->exact ? block : strip_at(job, strip.end, block.end);
        const sk_pass pass = pass_of(job, strip, next);
        job->running(&pass, before);
    }
}

/* While a block is scanned, the next one comes nearer. */
static void scan_blocks(void *state, int thread, int team)
{
    scan_job *job = state;
    size_t number, next_number;
    sk_range block, next = {0};
    (void)thread, (void)team;
    for (bool more = take_block(job, &number, &block); more; block = next, number = next_number) {
        strip_total strips[SK_STRIPS];
        uint64_t before[SK_STRIPS];
        reduce_strips(job, block, strips);
        sk_wait_for_turn(&job->turn, number);
        scan_strips(job, block, strips, (char *)before);
        sk_pass_turn(&job->turn, number);
        more = take_block(job, &next_number, &next);
        scan_block(job, block, (const char *)before, next.begin - block.begin);
    }
    sk_stream_end();
}

/* ---- one thread, in one pass ---- */

static void scan_floats(scan_job *job)
{
    bool in_place = job->in == job->out;
    for (sk_range strip = {0, 0}; strip.end < job->n;) {
        char sums[64];
        strip_total total = {0};
        strip = strip_at(job, strip.end, job->n);
        sk_pass pass = pass_of(job, strip, AHEAD / job->fold->size);
        if (job->heads == NULL)
            pass.sums = sums;
        else if (in_place)
            total = reduce_strip(job, strip);
        job->running(&pass, &job->total);
        if (job->heads == NULL)
            job->lanes->reduce(sums, sizeof sums / job->lanes->size, &total.total); /* one by one */
        else if (!in_place)
            total = reduce_strip(job, strip);
        add_strip(job, &total);
    }
}

static void scan_alone(scan_job *job)
{
    const sk_pass pass = pass_of(job, (sk_range){0, job->n}, AHEAD / job->fold->size);
    if (job->exact)
        job->running(&pass, &job->total);
    else
        scan_floats(job);
    sk_stream_end();
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

static void scan_by_team(const sk_device *device, int team, scankit_type type, scankit_operator op,
                         scankit_scan_kind kind, const void *initial, const void *in, const uint8_t *heads, void *out,
                         size_t n)
{
    scan_job job = {.fold = sk_kernels_of(device)->fold(type, op), .kind = kind, .in = in, .out = out, .n = n};
    job.lanes = sk_kernels_of(device)->fold(job.fold->partial != job.fold->size ? SCANKIT_F32 : type, op);
    job.heads = heads;
    job.exact = !sk_is_float(type) || op == SCANKIT_MAX || op == SCANKIT_MIN;
    begin_scan(&job, initial);
    job.stream = n * job.fold->size >= SK_AROUND_CACHES_BYTES && (uintptr_t)out % job.fold->size == 0;
    job.running = sk_kernels_of(device)->running(type, op, heads != NULL);
    if (job.running != NULL && team == 1)
        scan_alone(&job);
    else
        sk_cpu_together(team, scan_blocks, &job);
}

scankit_error sk_cpu_segmented_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                    const void *initial, const void *in, const uint8_t *heads, void *out, size_t n)
{
    const sk_fold *fold = sk_kernels_of(device)->fold(type, op);
    if (fold == NULL)
        return SCANKIT_E_ARGUMENT;
    if (sk_rehearses(device))
        return SCANKIT_OK;
    sk_cpu_ran(device, SK_CPU_REDUCE_THEN_SCAN);
    int team = sk_cpu_team_of(device, n, fold->size, fold->size);
    scan_by_team(device, team, type, op, kind, initial, in, heads, out, n);
    return SCANKIT_OK;
}

scankit_error sk_cpu_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                          const void *initial, const void *in, void *out, size_t n)
{
    return sk_cpu_segmented_scan(device, type, op, kind, initial, in, NULL, out, n);
}

void sk_scan_by_team(const sk_device *device, int team, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                     const void *in, void *out, size_t n)
{
    scan_by_team(device, team, type, op, kind, NULL, in, NULL, out, n);
}
