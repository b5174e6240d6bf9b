/* split.c - stable partition of uniform data by a digit of 8 bits. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "order.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64};
#define TYPES (sizeof types / sizeof *types)

static scankit_error split_once(scankit_context *context, const bench_job *job)
{
    return scankit_split(context, job->type, job->in, job->out, job->n, RIVALS_SPLIT_BIT, RIVALS_SPLIT_BITS, NULL);
}

void bench_split(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"split", "8 bits", SHAPE_uniform, split_once, .rival = RIVAL(bench, split)};
        row.moved.read = row.moved.written = n * scankit_type_size(job.type);
        if (!is_wanted(bench, &row, &job))
            continue;
        bench_digest before = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        run_once(bench, &row, &job);
        bool correct = is_ordered(bench, &job, RIVALS_SPLIT_BIT, RIVALS_SPLIT_BIT + RIVALS_SPLIT_BITS) &&
                       data_same(before, data_digest(bench, job.out, job.type, n));
        measure_row(bench, &row, &job, correct);
    }
}
