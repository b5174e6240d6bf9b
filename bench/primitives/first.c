/* first.c - the first sort of a new context, which takes its workspace, beside the second, which finds it: in the place
 * of the rival's times. The caller's arrays were used before. */
#include "measure/clock.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "measure/table.h"
#include "order.h"
#include "primitives.h"

#define REPEATS_LEAST 3

static double sort_timed(const bench_state *bench, scankit_context *context, const bench_job *job)
{
    const void *in = job->in_place ? job->out : job->in;
    job_restore(bench, job);
    double begin = host_seconds();
    bench_try(bench, scankit_sort(context, job->type, in, job->out, job->n, NULL), "sort");
    return host_seconds() - begin;
}

static row_times time_calls(const bench_state *bench, const bench_job *job)
{
    double first[REPEATS_MAX], second[REPEATS_MAX], ratio[REPEATS_MAX], start = host_seconds();
    unsigned count = 0;
    do {
        scankit_context *context;
        bench_try(bench, scankit_open(&context, scankit_device_name(bench->context)), "open");
        first[count] = sort_timed(bench, context, job);
        second[count] = sort_timed(bench, context, job);
        scankit_close(context);
        ratio[count] = second[count] / first[count];
        count++;
    } while (count < REPEATS_LEAST || (count < bench->repeats && host_seconds() - start < bench->patience));
    return (row_times){median_of(first, count), median_of(second, count), -1, median_of(ratio, count), -1};
}

static void measure_first(bench_state *bench, bench_job *job, bool in_place)
{
    bench_row row = {"first", in_place ? "first call, in place" : "first call", SHAPE_uniform, NULL, .aside = true};
    if (!is_wanted(bench, &row, job))
        return;
    bench_digest before = data_load(bench, bench->in, row.shape, job->type, job->n, bench->seed);
    job->in_place = in_place;
    row_times times = time_calls(bench, job);
    bool right = order_is_right(bench, job, before);
    bench->failures += !right;
    table_row(bench, &row, job, &times, right);
}

void bench_first(bench_state *bench, size_t n)
{
    if (!scankit_is_host(bench->context))
        return;
    for (scankit_type type = SCANKIT_U32; type <= SCANKIT_U64; type++) {
        bench_job job = job_for(bench, type, n);
        measure_first(bench, &job, false);
        measure_first(bench, &job, true);
    }
}
