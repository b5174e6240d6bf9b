/* sort.c - sorting of keys, uniform and of every shape of data, and of pairs. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "measure/names.h"
#include "order.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)
static const scankit_type narrow_types[] = {SCANKIT_U8, SCANKIT_U16};
#define NARROW_TYPES (sizeof narrow_types / sizeof *narrow_types)
static const scankit_type pair_types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_U8, SCANKIT_U16};
#define PAIR_TYPES (sizeof pair_types / sizeof *pair_types)

static scankit_error sort_once(scankit_context *context, const bench_job *job)
{
    scankit_sort_options options = {.algorithm = job->algorithm};
    return scankit_sort(context, job->type, job->in, job->out, job->n, &options);
}

/* Measures auto and each algorithm up to the last on data of one shape. Only auto has a rival. */
static void sort_shape(bench_state *bench, shape_id shape, bench_job *job, scankit_algorithm last)
{
    if (!is_data_wanted(bench, "sort", shape, job->type, job->n))
        return;
    bench_digest before = data_load(bench, bench->in, shape, job->type, job->n, bench->seed);
    for (scankit_algorithm algorithm = SCANKIT_AUTO; algorithm <= last; algorithm++) {
        bench_row row = {"sort", scankit_algorithm_name(algorithm), shape, sort_once, .rival = NULL};
        if (!is_wanted(bench, &row, job))
            continue;
        if (algorithm == SCANKIT_AUTO)
            row.rival = RIVAL(bench, sort);
        job->algorithm = algorithm;
        run_once(bench, &row, job);
        measure_row(bench, &row, job, order_is_right(bench, job, before));
    }
}

static scankit_error sort_overwriting(scankit_context *context, const bench_job *job)
{
    scankit_sort_options options = {.overwrite_input = 1};
    return scankit_sort(context, job->type, job->out, job->values_out, job->n, &options);
}

/* The sort overwrites a copy of the input. job.in_place has the copy made before each call, outside of the time. */
static void measure_overwriting(bench_state *bench, size_t n)
{
    bench_job job = job_for(bench, SCANKIT_U32, n), result = job;
    bench_row row = {"sort", "auto, overwrites its input", SHAPE_uniform, sort_overwriting, .aside = true};
    row.rival = RIVAL(bench, sort);
    if (!is_wanted(bench, &row, &job))
        return;
    bench_digest before = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
    job.in_place = true;
    job.values_out = result.out = bench->values_out;
    job_restore(bench, &job);
    run_once(bench, &row, &job);
    measure_row(bench, &row, &job, order_is_right(bench, &result, before));
}

/* Every algorithm on uniform keys. */
void bench_sort(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        sort_shape(bench, SHAPE_uniform, &job, SCANKIT_CHUNK_MERGE);
    }
    for (size_t i = 0; i < NARROW_TYPES; i++) {
        bench_job job = job_for(bench, narrow_types[i], n);
        sort_shape(bench, SHAPE_uniform, &job, SCANKIT_AUTO);
    }
    measure_overwriting(bench, n);
}

/* The algorithm that auto chooses, on keys of every shape of data; another one if the variant names it. */
void bench_shapes(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        for (shape_id shape = SHAPE_uniform; shape < SHAPE_records; shape++)
            if (is_listed(bench->shapes, shape_name(shape)) && shape_takes(shape, job.type))
                sort_shape(bench, shape, &job, bench->variant == NULL ? SCANKIT_AUTO : SCANKIT_CHUNK_MERGE);
    }
}

static scankit_error pairs_once(scankit_context *context, const bench_job *job)
{
    scankit_sort_options options = {.algorithm = job->algorithm};
    return scankit_sort_pairs(context, job->type, job->in, job->out, job->value_size, job->values_in, job->values_out,
                              job->n, &options);
}

void bench_pairs(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < PAIR_TYPES; i++) {
        bench_job job = job_for(bench, pair_types[i], n);
        bench_row row = {"pairs", "auto", SHAPE_uniform, pairs_once, .rival = RIVAL(bench, pairs)};
        if (!is_wanted(bench, &row, &job))
            continue;
        job.value_size = sizeof(uint32_t);
        job.values_in = bench->values_in;
        job.values_out = bench->values_out;
        bench_digest before = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        data_load_values(bench, bench->in, job.type, n, bench->values_in);
        run_once(bench, &row, &job);
        bool fit = data_values_fit(bench, job.out, job.type, n, job.values_out);
        measure_row(bench, &row, &job, order_is_right(bench, &job, before) && fit);
    }
}
