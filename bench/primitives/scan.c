/* scan.c - inclusive and exclusive sums of uniform data. */
#include "data/element.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U8,  SCANKIT_U16, SCANKIT_U32, SCANKIT_U64,
                                     SCANKIT_F16, SCANKIT_F32, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)

static scankit_error scan_once(scankit_context *context, const bench_job *job)
{
    return scankit_scan(context, job->type, SCANKIT_SUM, job->kind, NULL, job->in, job->out, job->n);
}

/* Floats by a fixed tree: the same bits on every run. */
static scankit_error scan_deterministic(scankit_context *context, const bench_job *job)
{
    scankit_error error = scankit_set_deterministic(context, 1);
    if (error == SCANKIT_OK)
        error = scankit_scan(context, job->type, SCANKIT_SUM, job->kind, NULL, job->in, job->out, job->n);
    (void)scankit_set_deterministic(context, 0);
    return error;
}

/* What a row does. */
typedef struct scan_way {
    const char *variant;
    scankit_scan_kind kind;
    scankit_error (*run)(scankit_context *context, const bench_job *job);
    bool floats_only;
} scan_way;

static const scan_way ways[] = {{"inclusive sum", SCANKIT_INCLUSIVE, scan_once, false},
                                {"exclusive sum", SCANKIT_EXCLUSIVE, scan_once, false},
                                {"exclusive sum, deterministic", SCANKIT_EXCLUSIVE, scan_deterministic, true}};
#define WAYS (sizeof ways / sizeof *ways)

/* The last value of the inclusive scan is the sum of all elements. The last value of the exclusive scan is that without
 * the last element, which is added on the device. */
static bool scan_is_right(const bench_state *bench, const bench_job *job, bench_digest digest)
{
    size_t size = scankit_type_size(job->type), last = (job->n - 1) * size;
    uint64_t pair[2] = {0, 0};
    char *second = (char *)pair + size;
    bench_try(bench, scankit_download(bench->context, pair, (const char *)job->out + last, size), "download");
    if (job->kind == SCANKIT_INCLUSIVE)
        return data_sum_fits(digest, job->type, pair);
    uint64_t sum;
    bench_try(bench, scankit_download(bench->context, second, (const char *)job->in + last, size), "download");
    void *two;
    bench_try(bench, scankit_allocate(bench->context, &two, 2 * size), "allocate");
    bench_try(bench, scankit_upload(bench->context, two, pair, 2 * size), "upload");
    bench_try(bench, scankit_reduce(bench->context, job->type, SCANKIT_SUM, two, &sum, 2), "reduce");
    scankit_free(bench->context, two);
    return data_sum_fits(digest, job->type, &sum);
}

static void measure_way(bench_state *bench, bench_job *job, const scan_way *way, bench_digest digest)
{
    bench_row row = {"scan", way->variant, SHAPE_uniform, way->run, .rival = RIVAL(bench, scan)};
    row.moved.read = row.moved.written = job->n * scankit_type_size(job->type);
    row.aside = way->floats_only;
    job->kind = way->kind;
    if (!is_wanted(bench, &row, job))
        return;
    run_once(bench, &row, job);
    measure_row(bench, &row, job, scan_is_right(bench, job, digest));
}

void bench_scan(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        if (!is_data_wanted(bench, "scan", SHAPE_uniform, job.type, n))
            continue;
        bench_digest digest = data_load(bench, bench->in, SHAPE_uniform, job.type, n, bench->seed);
        for (size_t w = 0; w < WAYS; w++)
            if (element_is_float(job.type) || !ways[w].floats_only)
                measure_way(bench, &job, &ways[w], digest);
    }
}
