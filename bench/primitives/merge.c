/* merge.c - merging of two and of more sorted arrays of the same length. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "order.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_I32, SCANKIT_F32, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)

static scankit_error merge_once(scankit_context *context, const bench_job *job)
{
    const char *b = (const char *)job->in + job->na * scankit_type_size(job->type);
    return scankit_merge(context, job->type, job->in, job->na, b, job->n - job->na, job->out, NULL);
}

/* Loads both arrays into `in`, one behind the other. Returns the digest of both. */
static bench_digest load_halves(const bench_state *bench, const bench_job *job, shape_id shape)
{
    char *b = (char *)bench->in + job->na * scankit_type_size(job->type);
    bench_digest both = data_load(bench, bench->in, shape, job->type, job->na, bench->seed);
    bench_digest second = data_load(bench, b, shape, job->type, job->n - job->na, bench->seed + 1);
    both.sum += second.sum;
    both.mix += second.mix;
    return both;
}

void bench_merge(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"merge", "two halves", SHAPE_sorted, merge_once, .rival = RIVAL(bench, merge)};
        row.moved.read = row.moved.written = n * scankit_type_size(job.type);
        if (!is_wanted(bench, &row, &job))
            continue;
        job.na = n / 2;
        bench_digest before = load_halves(bench, &job, row.shape);
        run_once(bench, &row, &job);
        measure_row(bench, &row, &job, order_is_right(bench, &job, before));
    }
}

/* ---- merge of many ---- */

static const size_t numbers[] = {2, 16, 64};
#define NUMBERS (sizeof numbers / sizeof *numbers)
#define NUMBER_MAX 64

static scankit_error merge_many_once(scankit_context *context, const bench_job *job)
{
    const void *arrays[NUMBER_MAX];
    size_t counts[NUMBER_MAX], each = job->n / job->arrays;
    for (size_t i = 0; i < job->arrays; i++) {
        arrays[i] = (const char *)job->in + i * each * scankit_type_size(job->type);
        counts[i] = each;
    }
    return scankit_merge_many(context, job->type, job->arrays, arrays, counts, job->out, NULL);
}

/* Loads all arrays into `in`, one behind the other. Returns the digest of all. */
static bench_digest load_arrays(const bench_state *bench, const bench_job *job, shape_id shape)
{
    size_t each = job->n / job->arrays;
    bench_digest all = {0};
    for (size_t i = 0; i < job->arrays; i++) {
        char *array = (char *)bench->in + i * each * scankit_type_size(job->type);
        bench_digest one = data_load(bench, array, shape, job->type, each, bench->seed + i);
        all.sum += one.sum;
        all.mix += one.mix;
    }
    return all;
}

/* Random data that is sorted then: sorted data of other seeds would be the same but for an offset. */
static void sort_arrays(const bench_state *bench, const bench_job *job)
{
    size_t each = job->n / job->arrays;
    for (size_t i = 0; i < job->arrays; i++) {
        char *array = (char *)bench->in + i * each * scankit_type_size(job->type);
        bench_try(bench, scankit_sort(bench->context, job->type, array, array, each, NULL), "sort");
    }
}

static void measure_many(bench_state *bench, bench_job job)
{
    static const char *const variants[NUMBERS] = {"2 arrays", "16 arrays", "64 arrays"};
    for (size_t k = 0; k < NUMBERS && numbers[k] <= job.n; k++) {
        bench_row row = {"many", variants[k], SHAPE_uniform, merge_many_once, .rival = RIVAL(bench, merge_many)};
        row.moved.read = row.moved.written = job.n * scankit_type_size(job.type);
        if (!is_wanted(bench, &row, &job))
            continue;
        job.arrays = numbers[k];
        bench_digest before = load_arrays(bench, &job, row.shape);
        sort_arrays(bench, &job);
        run_once(bench, &row, &job);
        measure_row(bench, &row, &job, order_is_right(bench, &job, before));
    }
}

void bench_many(bench_state *bench, size_t n)
{
    static const scankit_type many_types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F64};
    for (size_t i = 0; i < sizeof many_types / sizeof *many_types; i++)
        measure_many(bench, job_for(bench, many_types[i], n));
}
