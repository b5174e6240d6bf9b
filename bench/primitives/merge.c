/* merge.c - merging of two sorted arrays of the same length. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "order.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32};
#define TYPES (sizeof types / sizeof *types)

static scankit_error merge_once(scankit_context *context, const bench_job *job)
{
    const char *b = (const char *)job->in + job->na * scankit_type_size(job->type);
    return scankit_merge(context, job->type, job->in, job->na, b, job->n - job->na, job->out, NULL);
}

/* Loads both arrays into `in`, one behind the other. Returns the digest of both. */
static bench_digest load_halves(const bench_state *bench, const bench_job *job, shape_id shape)
{
    char *b = (char *)bench->in + job->na * scankit_type_size(job->type);
    bench_digest both = data_load(bench, bench->in, shape, job->type, job->na, bench->seed);
    bench_digest second = data_load(bench, b, shape, job->type, job->n - job->na, bench->seed + 1);
    both.sum += second.sum;
    both.mix += second.mix;
    return both;
}

void bench_merge(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"merge", "two halves", SHAPE_sorted, merge_once, .rival = RIVAL(bench, merge)};
        row.moved = 2 * n * scankit_type_size(job.type);
        if (!is_wanted(bench, &row, &job))
            continue;
        job.na = n / 2;
        bench_digest before = load_halves(bench, &job, row.shape);
        run_once(bench, &row, &job);
        measure_row(bench, &row, &job, order_is_right(bench, &job, before));
    }
}
