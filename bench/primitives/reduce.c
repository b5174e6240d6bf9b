/* reduce.c - sums of uniform data. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U8,  SCANKIT_U16, SCANKIT_U32, SCANKIT_U64,
                                     SCANKIT_F16, SCANKIT_F32, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)

static scankit_error reduce_once(scankit_context *context, const bench_job *job)
{
    uint64_t sum;
    return scankit_reduce(context, job->type, SCANKIT_SUM, job->in, &sum, job->n);
}

void bench_reduce(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"reduce", "sum", SHAPE_uniform, reduce_once, .rival = RIVAL(bench, reduce)};
        row.moved.read = n * scankit_type_size(job.type);
        if (!is_wanted(bench, &row, &job))
            continue;
        bench_digest digest = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        uint64_t sum;
        bench_try(bench, scankit_reduce(bench->context, job.type, SCANKIT_SUM, job.in, &sum, n), "reduce");
        measure_row(bench, &row, &job, data_sum_fits(digest, job.type, &sum));
    }
}
