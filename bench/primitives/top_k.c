/* top_k.c - the first k elements of uniform data, and of data with few values, in order; beside a sort of all. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "order.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32};
#define TYPES (sizeof types / sizeof *types)

static const struct {
    const char *name;
    size_t k;
    shape_id shape;
} variants[] = {
    {"first 10", 10, SHAPE_uniform},
    {"first 1000", 1000, SHAPE_uniform},
    {"first 1000000", 1000000, SHAPE_uniform},
    {"first 1000000", 1000000, SHAPE_few},
};
#define VARIANTS (sizeof variants / sizeof *variants)

static scankit_error top_k(scankit_context *context, const bench_job *job)
{
    return scankit_top_k(context, job->type, job->in, job->out, job->n, job->na, NULL);
}

/* True if they are in order, and the same as the first ones of a sort. */
static bool is_right(bench_state *bench, const bench_job *job)
{
    bench_job first = *job;
    first.n = job->na;
    bool ordered = is_ordered(bench, &first, 0, 0);
    bench_digest found = data_digest(bench, job->out, job->type, job->na);
    bench_try(bench, scankit_sort(bench->context, job->type, job->in, job->out, job->n, NULL), "sort");
    return ordered && data_same(found, data_digest(bench, job->out, job->type, job->na));
}

void bench_top_k(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++)
        for (size_t v = 0; v < VARIANTS; v++) {
            bench_job job = job_for(bench, types[i], n);
            bench_row row = {"top-k", variants[v].name, variants[v].shape, top_k, .rival = RIVAL(bench, sort)};
            job.na = variants[v].k;
            row.moved.read = n * scankit_type_size(job.type);
            row.aside = true;
            if (job.na > n / 2 || !is_wanted(bench, &row, &job))
                continue;
            data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
            run_once(bench, &row, &job);
            measure_row(bench, &row, &job, is_right(bench, &job));
        }
}
