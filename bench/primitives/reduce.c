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

static scankit_error reduce_to_device(scankit_context *context, const bench_job *job)
{
    return scankit_reduce_to(context, job->type, SCANKIT_SUM, job->in, job->out, job->n);
}

/* True if both give the sum of the data. */
static bool sums_fit(bench_state *bench, const bench_job *job, bench_digest digest)
{
    uint64_t sum, on_device;
    scankit_context *context = bench->context;
    bench_try(bench, scankit_reduce(context, job->type, SCANKIT_SUM, job->in, &sum, job->n), "reduce");
    bench_try(bench, reduce_to_device(context, job), "reduce to the device");
    bench_try(bench, scankit_download(context, &on_device, job->out, scankit_type_size(job->type)), "download");
    return data_sum_fits(digest, job->type, &sum) && data_sum_fits(digest, job->type, &on_device);
}

/* To the host, which waits; and to the device, as the rival does. */
void bench_reduce(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"reduce", "sum", SHAPE_uniform, reduce_once, .rival = RIVAL(bench, reduce)};
        bench_row to_device = {"reduce", "sum on device", SHAPE_uniform, reduce_to_device, .rival = row.rival};
        row.moved.read = to_device.moved.read = n * scankit_type_size(job.type);
        if (!is_wanted(bench, &row, &job) && !is_wanted(bench, &to_device, &job))
            continue;
        bool fit = sums_fit(bench, &job, data_load(bench, bench->in, row.shape, job.type, n, bench->seed));
        if (is_wanted(bench, &row, &job))
            measure_row(bench, &row, &job, fit);
        if (is_wanted(bench, &to_device, &job))
            measure_row(bench, &to_device, &job, fit);
    }
}
