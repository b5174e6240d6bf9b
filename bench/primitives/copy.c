/* copy.c - a copy on the device: the limit for a primitive that reads and writes each element once. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64};
#define TYPES (sizeof types / sizeof *types)

static scankit_error copy_once(scankit_context *context, const bench_job *job)
{
    return scankit_copy(context, job->out, job->in, job->na * scankit_type_size(job->type));
}

void bench_copy(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        job.na = n;
        bench_row row = {"copy", "", SHAPE_uniform, copy_once, .rival = RIVAL(bench, copy)};
        row.moved.read = row.moved.written = n * scankit_type_size(job.type);
        if (!is_wanted(bench, &row, &job))
            continue;
        bench_digest before = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        run_once(bench, &row, &job);
        measure_row(bench, &row, &job, data_same(before, data_digest(bench, job.out, job.type, n)));
    }
}
