/* bound.c - sorts of every shape of data beside a radix sort from the least digit, whose time does not depend on the
 * data: no shape may make a sort take more than 1.5 times as long. Shapes are the benchmark's and the tests'. */
#include <stdlib.h>
#include <string.h>

#include "measure/clock.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "measure/names.h"
#include "measure/table.h"
#include "primitives/primitives.h"
#include "test_shapes.h"

#define BOUND 1.5
#define TRIES 3 /* measurements of a row that is above it: other programs may have run beside one */
#define REPEATS_LEAST 3

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)

typedef scankit_error bound_run(scankit_context *context, const bench_job *job, const scankit_sort_options *options);

static scankit_error sort_keys(scankit_context *context, const bench_job *job, const scankit_sort_options *options)
{
    return scankit_sort(context, job->type, job->in_place ? job->out : job->in, job->out, job->n, options);
}

static scankit_error sort_pairs(scankit_context *context, const bench_job *job, const scankit_sort_options *options)
{
    return scankit_sort_pairs(context, job->type, job->in, job->out, job->value_size, job->values_in, job->values_out,
                              job->n, options);
}

static scankit_error argsort(scankit_context *context, const bench_job *job, const scankit_sort_options *options)
{
    return scankit_argsort(context, job->type, job->in, job->out, job->n, options);
}

static const struct {
    const char *name;
    bound_run *run;
    bool in_place;
} paths[] = {
    {"keys", sort_keys, false},
    {"keys, in place", sort_keys, true},
    {"pairs", sort_pairs, false},
    {"argsort", argsort, false},
};
#define PATHS (sizeof paths / sizeof *paths)

static double time_sort(const bench_state *bench, const bench_job *job, bound_run *run, scankit_algorithm algorithm)
{
    const scankit_sort_options options = {.algorithm = algorithm};
    job_restore(bench, job);
    bench_try(bench, scankit_synchronize(bench->context), "synchronize");
    clock_start(bench);
    bench_try(bench, run(bench->context, job, &options), "sort");
    return clock_stop(bench, "sort");
}

/* Medians of turns: seconds of both sorts, and how many times as long ours takes. */
typedef struct bound_times {
    double ours, radix, ratio;
} bound_times;

static bound_times time_turns(const bench_state *bench, const bench_job *job, bound_run *run)
{
    double ours[REPEATS_MAX], radix[REPEATS_MAX], ratio[REPEATS_MAX], begin = host_seconds();
    unsigned count = 0;
    do {
        ours[count] = time_sort(bench, job, run, SCANKIT_AUTO);
        radix[count] = time_sort(bench, job, run, SCANKIT_RADIX);
        ratio[count] = ours[count] / radix[count];
        count++;
    } while (count < REPEATS_LEAST || (count < bench->repeats && host_seconds() - begin < bench->patience));
    return (bound_times){median_of(ours, count), median_of(radix, count), median_of(ratio, count)};
}

static void measure_path(bench_state *bench, bench_job *job, unsigned path, const char *shape)
{
    char size[24];
    bound_times best = {.ratio = 2 * BOUND};
    if (bench->variant != NULL && strcmp(bench->variant, paths[path].name) != 0)
        return;
    job->in_place = paths[path].in_place;
    time_sort(bench, job, paths[path].run, SCANKIT_AUTO);
    for (unsigned i = 0; i < TRIES && best.ratio > BOUND; i++) {
        bound_times times = time_turns(bench, job, paths[path].run);
        if (i == 0 || times.ratio < best.ratio)
            best = times;
    }
    printf(ROW_HEAD " %9.1f M/s, radix %9.1f M/s, takes %.2f of it%s\n", "bound", scankit_type_name(job->type),
           paths[path].name, shape, size_text(job->n, size), 1e-6 * (double)job->n / best.ours,
           1e-6 * (double)job->n / best.radix, best.ratio, best.ratio > BOUND ? "  TOO SLOW" : "");
    bench->failures += best.ratio > BOUND;
}

static void measure_paths(bench_state *bench, bench_job *job, const char *shape)
{
    data_load_values(bench, bench->in, job->type, job->n, bench->values_in);
    for (unsigned path = 0; path < PATHS; path++)
        measure_path(bench, job, path, shape);
}

static void load_test_shape(const bench_state *bench, const bench_job *job, unsigned shape)
{
    size_t bytes = job->n * scankit_type_size(job->type);
    void *data = bench_allocate(bytes);
    test_shape_fill(data, job->type, shape, job->n, bench->seed);
    bench_try(bench, scankit_upload(bench->context, bench->in, data, bytes), "upload");
    free(data);
}

void bench_bound(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        if (!is_listed(bench->types, scankit_type_name(job.type)))
            continue;
        job.value_size = sizeof(uint32_t);
        job.values_in = bench->values_in;
        job.values_out = bench->values_out;
        for (shape_id shape = SHAPE_uniform; shape < SHAPE_records; shape++)
            if (is_listed(bench->shapes, shape_name(shape)) && shape_takes(shape, job.type)) {
                data_load(bench, bench->in, shape, job.type, n, bench->seed);
                measure_paths(bench, &job, shape_name(shape));
            }
        for (unsigned shape = 0; bench->shapes == NULL && shape < test_shapes(); shape++) {
            load_test_shape(bench, &job, shape);
            measure_paths(bench, &job, test_shape_name(shape));
        }
    }
}
