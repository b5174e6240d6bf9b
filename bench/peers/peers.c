/* peers.c - the sort of keys beside each other library's, by turns, and the best of these. Arrays of each size fill the
 * largest size, so that short ones are not sorted again and again: the processor would learn them. */
#include "rivals/peers.h"

#include "measure/clock.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "measure/names.h"
#include "peer_row.h"
#include "primitives/order.h"
#include "primitives/primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_I32, SCANKIT_F32, SCANKIT_U64, SCANKIT_I64, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)

static size_t each(const bench_job *job)
{
    return job->n / job->arrays;
}

/* In place, as the others do. */
static scankit_error sort_arrays(scankit_context *context, const bench_job *job)
{
    size_t n = each(job), bytes = n * scankit_type_size(job->type);
    scankit_error error = SCANKIT_OK;
    for (size_t i = 0; i < job->arrays && error == SCANKIT_OK; i++) {
        char *array = (char *)job->out + i * bytes;
        error = scankit_sort(context, job->type, array, array, n, NULL);
    }
    return error;
}

static bool arrays_are_right(const bench_state *bench, const bench_job *job, bench_digest before)
{
    bench_job one = *job;
    one.n = each(job);
    bool right = data_same(before, data_digest(bench, job->out, job->type, job->n));
    for (size_t i = 0; i < job->arrays; i++) {
        one.out = (char *)job->out + i * one.n * scankit_type_size(job->type);
        right = right && is_ordered(bench, &one, 0, 0);
    }
    return right;
}

static double time_ours(const bench_state *bench, const bench_job *job)
{
    job_restore(bench, job);
    clock_start(bench);
    bench_try(bench, sort_arrays(bench->context, job), "sort");
    return clock_stop(bench, "sort");
}

static void measure_shape(bench_state *bench, bench_job *job, shape_id shape)
{
    bench_digest before = data_load(bench, bench->in, shape, job->type, job->n, bench->seed);
    time_ours(bench, job);
    peer_row row = {"peers", shape, each(job), time_ours, sort_peers(), arrays_are_right(bench, job, before)};
    measure_peers(bench, job, &row);
}

void bench_peers(bench_state *bench, size_t n)
{
    if (!scankit_is_host(bench->context))
        bench_fail("peers", "the other libraries sort on a CPU: use --device=cpu");
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], bench->room - bench->room % n);
        job.arrays = job.n / n;
        job.in_place = true;
        job.threads = bench_threads(bench);
        if (!is_listed(bench->types, scankit_type_name(job.type)))
            continue;
        for (shape_id shape = SHAPE_uniform; shape < SHAPE_records; shape++)
            if (is_listed(bench->shapes != NULL ? bench->shapes : "uniform", shape_name(shape)) &&
                shape_takes(shape, job.type))
                measure_shape(bench, &job, shape);
    }
}
