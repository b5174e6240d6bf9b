/* sort.c - sorting of keys, uniform and of every shape, and of pairs; merging. */
#include "measure/state.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)
#define PAIR_TYPES 2 /* of them the first, */
#define MERGE_TYPES 3

static scankit_error sort_once(scankit_context *context, const bench_job *job)
{
    scankit_sort_options options = {.algorithm = job->algorithm};
    return scankit_sort(context, job->type, job->in, job->out, job->n, &options);
}

static void sort_shape(bench_state *bench, shape_id shape, bench_job *job, scankit_algorithm algorithms)
{
    bench_digest before = data_load(bench, bench->in, shape, job->type, job->n, bench->seed);
    for (scankit_algorithm algorithm = SCANKIT_AUTO; algorithm <= algorithms; algorithm++) {
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

/* In place as far as the clock is concerned: what is overwritten is a copy, made anew before each call. */
static void measure_overwriting(bench_state *bench, size_t n)
{
    bench_job job = job_for(bench, SCANKIT_U32, n), result = job;
    bench_row row = {"sort",           "auto, overwrites its input", SHAPE_uniform,
                     sort_overwriting, RIVAL(bench, sort),           .aside = true};
    if (!is_wanted(bench, &row, &job))
        return;
    bench_digest before = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
    job.in_place = true;
    job.values_out = result.out = bench->values_out;
    measure_restore(bench, &job);
    run_once(bench, &row, &job);
    measure_row(bench, &row, &job, order_is_right(bench, &result, before));
}

/* Every algorithm on uniform keys. */
void bench_sort(bench_state *bench, size_t n, bool largest)
{
    (void)largest;
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        sort_shape(bench, SHAPE_uniform, &job, SCANKIT_CHUNK_MERGE);
    }
    measure_overwriting(bench, n);
}

/* The best algorithm on keys of every shape. */
void bench_shapes(bench_state *bench, size_t n, bool largest)
{
    (void)largest;
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        for (shape_id shape = SHAPE_uniform; shape < SHAPE_records; shape++)
            if (is_listed(bench->shapes, shape_name(shape)))
                sort_shape(bench, shape, &job, SCANKIT_AUTO);
    }
}

static scankit_error pairs_once(scankit_context *context, const bench_job *job)
{
    scankit_sort_options options = {.algorithm = job->algorithm};
    return scankit_sort_pairs(context, job->type, job->in, job->out, job->value_size, job->values_in, job->values_out,
                              job->n, &options);
}

void bench_pairs(bench_state *bench, size_t n, bool largest)
{
    (void)largest;
    for (size_t i = 0; i < PAIR_TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"pairs", "auto", SHAPE_uniform, pairs_once, .rival = RIVAL(bench, pairs)};
        if (!is_wanted(bench, &row, &job))
            continue;
        job.value_size = sizeof(uint32_t);
        job.values_in = bench->values_in;
        job.values_out = bench->values_out;
        bench_digest before = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        data_load_values(bench, bench->in, job.type, n, bench->values_in);
        run_once(bench, &row, &job);
        bool correct =
            order_is_right(bench, &job, before) && data_values_fit(bench, job.out, job.type, n, job.values_out);
        measure_row(bench, &row, &job, correct);
    }
}

static scankit_error merge_once(scankit_context *context, const bench_job *job)
{
    const char *b = (const char *)job->in + job->na * scankit_type_size(job->type);
    return scankit_merge(context, job->type, job->in, job->na, b, job->n - job->na, job->out, NULL);
}

void bench_merge(bench_state *bench, size_t n, bool largest)
{
    (void)largest;
    for (size_t i = 0; i < MERGE_TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"merge",
                         "two halves",
                         SHAPE_sorted,
                         merge_once,
                         .rival = RIVAL(bench, merge),
                         .moved = 2 * n * scankit_type_size(job.type)};
        if (!is_wanted(bench, &row, &job))
            continue;
        job.na = n / 2;
        char *b = (char *)bench->in + job.na * scankit_type_size(job.type);
        bench_digest before = data_load(bench, bench->in, row.shape, job.type, job.na, bench->seed);
        bench_digest second = data_load(bench, b, row.shape, job.type, n - job.na, bench->seed + 1);
        before.sum += second.sum;
        before.mix += second.mix;
        run_once(bench, &row, &job);
        measure_row(bench, &row, &job, order_is_right(bench, &job, before));
    }
}
