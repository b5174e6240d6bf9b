/* gallery.c - the gallery's rows that run on a CPU: what a scan is; what threads add, and what a thread's vector unit
 * does. Beside them stand production's own functions. */
#include "gallery.h"
#include "cpu/cpu.h"

/* The loops of one thread, for every type and operator. `running` is the partial result in front of the elements. */
typedef struct loops {
    size_t size;
    void (*identity)(void *partial);
    void (*load)(const void *element, void *partial);
    void (*store)(const void *partial, void *element);
    void (*combine)(const void *left, void *right); /* right = left op right */
    void (*reduce)(const void *in, size_t n, void *running);
    void (*scan)(const void *in, void *out, size_t n, const void *running, bool inclusive);
} loops;

#define LOOPS(T, op)                                                                                      \
    static void identity_##op##_##T(void *partial)                                                        \
    {                                                                                                     \
        sk_partial_##op##_##T identity = SK_IDENTITY_##op(T);                                             \
        memcpy(partial, &identity, sizeof identity);                                                      \
    }                                                                                                     \
    static void load_##op##_##T(const void *element, void *partial)                                       \
    {                                                                                                     \
        sk_partial_##op##_##T loaded = SK_LOAD(T, op, *(const sk_##T *)element);                          \
        memcpy(partial, &loaded, sizeof loaded);                                                          \
    }                                                                                                     \
    static void store_##op##_##T(const void *partial, void *element)                                      \
    {                                                                                                     \
        sk_partial_##op##_##T value;                                                                      \
        memcpy(&value, partial, sizeof value);                                                            \
        sk_##T stored = SK_STORE(T, op, value);                                                           \
        memcpy(element, &stored, sizeof stored);                                                          \
    }                                                                                                     \
    static void combine_##op##_##T(const void *left, void *right)                                         \
    {                                                                                                     \
        sk_partial_##op##_##T a, b;                                                                       \
        memcpy(&a, left, sizeof a);                                                                       \
        memcpy(&b, right, sizeof b);                                                                      \
        b = SK_COMBINE_##op(T, a, b);                                                                     \
        memcpy(right, &b, sizeof b);                                                                      \
    }                                                                                                     \
    static void reduce_##op##_##T(const void *in, size_t n, void *running)                                \
    {                                                                                                     \
        const sk_##T *x = in;                                                                             \
        sk_partial_##op##_##T total;                                                                      \
        memcpy(&total, running, sizeof total);                                                            \
        for (size_t i = 0; i < n; i++)                                                                    \
            total = SK_COMBINE_##op(T, total, SK_LOAD(T, op, x[i]));                                      \
        memcpy(running, &total, sizeof total);                                                            \
    }                                                                                                     \
    static void scan_##op##_##T(const void *in, void *out, size_t n, const void *running, bool inclusive) \
    {                                                                                                     \
        const sk_##T *x = in;                                                                             \
        sk_##T *y = out;                                                                                  \
        sk_partial_##op##_##T before;                                                                     \
        memcpy(&before, running, sizeof before);                                                          \
        for (size_t i = 0; i < n; i++) {                                                                  \
            sk_partial_##op##_##T after = SK_COMBINE_##op(T, before, SK_LOAD(T, op, x[i]));               \
            y[i] = inclusive ? SK_STORE(T, op, after) : SK_STORE(T, op, before);                          \
            before = after;                                                                               \
        }                                                                                                 \
    }
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(LOOPS, name)
SCANKIT_TYPES(X)
#undef X

static loops loops_of(scankit_type type, scankit_operator op)
{
    switch (SK_TYPE_AND_OP(type, op)) {
#define LOOPS_OF(T, op)                                                                            \
    case SK_TYPE_AND_OP(SK_TYPE_##T, SK_OP_##op):                                                  \
        return (loops){sizeof(sk_##T),     identity_##op##_##T, load_##op##_##T, store_##op##_##T, \
                       combine_##op##_##T, reduce_##op##_##T,   scan_##op##_##T};
#define X(enumerator, name, ctype, kind) SK_OPERATORS_##kind(LOOPS_OF, name)
        SCANKIT_TYPES(X)
#undef X
    default: return (loops){0};
    }
}

/* ---- scans ---- */

typedef struct scan_job {
    loops of;
    bool inclusive;
    const char *in;
    char *out;
    size_t n;
    uint64_t running; /* what stands in front of in[0] */
} scan_job;

/* Without an initial value nothing stands in front of the first element, and it goes out by itself. */
static scan_job begin_scan(scankit_type type, scankit_operator op, scankit_scan_kind kind, const void *initial,
                           const void *in, void *out, size_t n)
{
    scan_job job = {loops_of(type, op), kind == SCANKIT_INCLUSIVE, in, out, n, 0};
    size_t size = job.of.size;
    job.of.load(initial != NULL ? initial : in, &job.running);
    if (initial != NULL)
        return job;
    uint64_t first = job.running;
    if (!job.inclusive)
        job.of.identity(&first);
    job.of.store(&first, out);
    job.in += size;
    job.out += size;
    job.n--;
    return job;
}

static scankit_error sequential_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                     const void *initial, const void *in, void *out, size_t n)
{
    (void)device;
    scan_job job = begin_scan(type, op, kind, initial, in, out, n);
    job.of.scan(job.in, job.out, job.n, &job.running, job.inclusive);
    return SCANKIT_OK;
}

/* From a thread's total to what stands in front of its part. */
static void scan_totals(const scan_job *job, uint64_t *totals, int threads)
{
    uint64_t running = job->running;
    for (int t = 0; t < threads; t++) {
        uint64_t before = running;
        job->of.combine(&running, &totals[t]);
        running = totals[t];
        totals[t] = before;
    }
}

typedef struct two_passes {
    const scan_job *job;
    uint64_t *totals; /* by thread */
} two_passes;

static void scan_part(void *state, int thread, int team)
{
    const two_passes *passes = state;
    const scan_job *job = passes->job;
    size_t size = job->of.size;
    sk_range part = sk_slice(job->n, thread, team);
    size_t count = part.end - part.begin;
    const char *in = job->in + part.begin * size;
    uint64_t *total = &passes->totals[thread];
    /* The first pass: each thread reduces its part. */
    job->of.identity(total);
    job->of.reduce(in, count, total);
    sk_cpu_wait(team);
    /* One thread scans the results. */
    if (thread == 0)
        scan_totals(job, passes->totals, team);
    sk_cpu_wait(team);
    /* The second pass: each scans its part, from what stands in front of it. */
    job->of.scan(in, job->out + part.begin * size, count, total, job->inclusive);
}

/* Blelloch, Prefix Sums and Their Applications, 1990, section 1.2: each of p processors has a part of the array. */
static scankit_error two_pass_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                   const void *initial, const void *in, void *out, size_t n)
{
    int team = sk_cpu_team(device, n * loops_of(type, op).size);
    size_t mark = sk_arena_mark(&device->workspace);
    uint64_t *totals = sk_arena_take(&device->workspace, (size_t)team * sizeof *totals);
    if (totals == NULL)
        return SCANKIT_E_MEMORY;
    if (!sk_rehearses(device)) {
        scan_job job = begin_scan(type, op, kind, initial, in, out, n);
        two_passes passes = {&job, totals};
        sk_cpu_together(team, scan_part, &passes);
    }
    sk_arena_reset(&device->workspace, mark);
    return SCANKIT_OK;
}

/* Production's kernels, which reduce strips of a block by vectors and scan them side by side, by a thread alone. */
static scankit_error vectorised_scan(sk_device *device, scankit_type type, scankit_operator op, scankit_scan_kind kind,
                                     const void *initial, const void *in, void *out, size_t n)
{
    sk_cpu *cpu = (sk_cpu *)device;
    int threads = cpu->threads;
    cpu->threads = 1;
    scankit_error error = sk_cpu_scan(device, type, op, kind, initial, in, out, n);
    cpu->threads = threads;
    return error;
}

/* ---- reduction and compaction ---- */

static scankit_error sequential_reduce(sk_device *device, scankit_type type, scankit_operator op, const void *in,
                                       void *result, size_t n)
{
    if (sk_rehearses(device))
        return SCANKIT_OK;
    loops of = loops_of(type, op);
    uint64_t running;
    of.load(in, &running);
    of.reduce((const char *)in + of.size, n - 1, &running);
    of.store(&running, result);
    return SCANKIT_OK;
}

#define COMPACT(T)                                      \
    static size_t compact_##T(const sk_selection *what) \
    {                                                   \
        const sk_##T *in = what->in;                    \
        sk_##T *out = what->matching;                   \
        size_t count = 0;                               \
        for (size_t i = 0; i < what->n; i++)            \
            if (what->flags[i] != 0)                    \
                out[count++] = in[i];                   \
        return count;                                   \
    }
COMPACT(u8)
COMPACT(u16)
COMPACT(u32)
COMPACT(u64)

static scankit_error sequential_compact(sk_device *device, const sk_selection *selection, size_t *count)
{
    if (sk_rehearses(device))
        return SCANKIT_OK;
    size_t kept = 0;
    switch (selection->element_size) {
    case 1: kept = compact_u8(selection); break;
    case 2: kept = compact_u16(selection); break;
    case 4: kept = compact_u32(selection); break;
    default: kept = compact_u64(selection); break;
    }
    if (count != NULL)
        *count = kept;
    return SCANKIT_OK;
}

/* ---- the rows ---- */

/* Reports the row's name, also if production's function has reported its own. */
static scankit_error named(sk_device *device, const char *name, scankit_error error)
{
    device->algorithm = name;
    return error;
}

scankit_error sk_cpu_gallery_scan(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                  scankit_scan_kind kind, const void *initial, const void *in, void *out, size_t n)
{
    switch (row) {
#define X(function, name, ...) \
    case SK_ROW_##function: return named(device, name, function(device, type, op, kind, initial, in, out, n));
        SK_CPU_SCANS(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}

scankit_error sk_cpu_gallery_reduce(sk_device *device, unsigned row, scankit_type type, scankit_operator op,
                                    const void *in, void *result, size_t n)
{
    switch (row) {
#define X(function, name, ...) \
    case SK_ROW_##function: return named(device, name, function(device, type, op, in, result, n));
        SK_CPU_REDUCTIONS(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}

scankit_error sk_cpu_gallery_compact(sk_device *device, unsigned row, const sk_selection *selection, size_t *count)
{
    switch (row) {
#define X(function, name, ...) \
    case SK_ROW_##function: return named(device, name, function(device, selection, count));
        SK_CPU_COMPACTIONS(X)
#undef X
    default: return SCANKIT_E_ARGUMENT;
    }
}
