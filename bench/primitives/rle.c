/* rle.c - encoding and decoding of runs, unique and reduce by key, of u32. Speeds are in elements, not in runs. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "primitives.h"
#include "runs.h"

/* Shapes of data, with the names of their runs in the table. */
static const struct {
    shape_id shape;
    const char *label;
} cases[] = {
    {SHAPE_uniform, "all distinct"}, {SHAPE_runs8, "runs of 8"},         {SHAPE_runs100, "runs of 100"},
    {SHAPE_runs256, "runs of 256"},  {SHAPE_few, "16 values at random"},
};
#define CASES (sizeof cases / sizeof *cases)

/* Values go to values_out, which has 4 bytes for each element, and counts to out, which has 8. */
static bench_job job_to_encode(const bench_state *bench, size_t n)
{
    bench_job job = job_for(bench, SCANKIT_U32, n);
    job.out = bench->values_out;
    job.counts = bench->out;
    return job;
}

static scankit_error encode_once(scankit_context *context, const bench_job *job)
{
    return scankit_run_length_encode(context, scankit_type_size(job->type), job->in, job->out, job->counts, job->n,
                                     NULL, job->count);
}

static scankit_error unique_once(scankit_context *context, const bench_job *job)
{
    return scankit_unique(context, scankit_type_size(job->type), job->in_place ? job->out : job->in, job->out, job->n,
                          NULL, job->count);
}

static scankit_error decode_once(scankit_context *context, const bench_job *job)
{
    return scankit_run_length_decode(context, scankit_type_size(job->type), job->in, job->counts, job->runs, job->out,
                                     job->n, job->count);
}

static scankit_error reduce_by_key_once(scankit_context *context, const bench_job *job)
{
    return scankit_reduce_by_key(context, scankit_type_size(job->type), job->in, SCANKIT_U32, SCANKIT_SUM,
                                 job->values_in, job->out, job->values_out, job->n, NULL, job->count);
}

/* Runs the job once, for its result. Returns its count. */
static size_t count_of(bench_state *bench, const bench_row *row, bench_job job)
{
    size_t count = 0;
    job.count = &count;
    job_restore(bench, &job);
    run_once(bench, row, &job);
    return count;
}

/* Bytes of runs. beside: bytes with each run, such as its count. */
static size_t bytes_of(size_t runs, size_t beside)
{
    return runs * (sizeof(uint32_t) + beside);
}

static void measure_encode(bench_state *bench, size_t n, shape_id shape, const char *label, bool narrow_counts)
{
    char variant[64];
    snprintf(variant, sizeof variant, "encode, %s%s", label, narrow_counts ? " (u32)" : "");
    bench_row row = {"rle", variant, shape, encode_once, .rival = RIVAL(bench, encode)};
    bench_job job = job_to_encode(bench, n);
    job.narrow_counts = narrow_counts;
    if (!is_wanted(bench, &row, &job))
        return;
    runs_found found = {.elements = job.in, .values = job.out, .counts = job.counts};
    found.runs = count_of(bench, &row, job);
    row.moved = (bench_traffic){n * sizeof(uint32_t), bytes_of(found.runs, sizeof(uint64_t))};
    measure_row(bench, &row, &job, runs_are_right(bench, &job, &found));
}

/* Encodes, then decodes the values in values_out. The counts move from `out`, which gets the result, to `in`. */
static void measure_decode(bench_state *bench, size_t n, shape_id shape, const char *label)
{
    char variant[64];
    snprintf(variant, sizeof variant, "decode, %s", label);
    bench_row row = {"rle", variant, shape, decode_once, .rival = RIVAL(bench, decode)};
    bench_job job = job_to_encode(bench, n);
    if (!is_wanted(bench, &row, &job))
        return;
    job.runs = count_of(bench, &(bench_row){"rle", variant, shape, encode_once, .rival = NULL}, job);
    bench_try(bench, scankit_copy(bench->context, bench->in, job.counts, job.runs * sizeof *job.counts), "copy");
    job.in = bench->values_out;
    job.counts = bench->in;
    job.out = bench->out;
    runs_found found = {.elements = job.out, .values = job.in, .counts = job.counts, .runs = job.runs};
    row.moved = (bench_traffic){bytes_of(job.runs, sizeof *job.counts), n * sizeof(uint32_t)};
    bool all = count_of(bench, &row, job) == n;
    measure_row(bench, &row, &job, all && runs_are_right(bench, &job, &found));
}

static void measure_unique(bench_state *bench, size_t n, bool in_place)
{
    bench_row row = {"rle", in_place ? "unique, runs of 8, in place" : "unique, runs of 8", SHAPE_runs8, unique_once,
                     .rival = RIVAL(bench, unique)};
    bench_job job = job_for(bench, SCANKIT_U32, n);
    job.in_place = in_place;
    if (!is_wanted(bench, &row, &job))
        return;
    runs_found found = {.elements = job.in, .values = job.out, .runs = count_of(bench, &row, job)};
    row.moved = (bench_traffic){n * sizeof(uint32_t), bytes_of(found.runs, 0)};
    measure_row(bench, &row, &job, runs_are_right(bench, &job, &found));
}

static void measure_reduce_by_key(bench_state *bench, size_t n)
{
    bench_row row = {"rle", "reduce by key, runs of 8", SHAPE_runs8, reduce_by_key_once,
                     .rival = RIVAL(bench, reduce_by_key)};
    bench_job job = job_for(bench, SCANKIT_U32, n);
    if (!is_wanted(bench, &row, &job))
        return;
    job.values_in = bench->values_in;
    job.values_out = bench->values_out;
    (void)data_load(bench, bench->values_in, SHAPE_uniform, SCANKIT_U32, n, bench->seed + 1);
    runs_found found = {.elements = job.in, .values = job.out, .summed = job.values_in, .sums = job.values_out};
    found.runs = count_of(bench, &row, job);
    row.moved = (bench_traffic){2 * n * sizeof(uint32_t), bytes_of(found.runs, sizeof(uint32_t))};
    measure_row(bench, &row, &job, runs_are_right(bench, &job, &found));
}

void bench_rle(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < CASES; i++) {
        if (!is_data_wanted(bench, "rle", cases[i].shape, SCANKIT_U32, n))
            continue;
        (void)data_load(bench, bench->in, cases[i].shape, SCANKIT_U32, n, bench->seed);
        measure_encode(bench, n, cases[i].shape, cases[i].label, false);
        if (!scankit_is_host(bench->context))
            measure_encode(bench, n, cases[i].shape, cases[i].label, true);
        measure_decode(bench, n, cases[i].shape, cases[i].label);
    }
    (void)data_load(bench, bench->in, SHAPE_runs8, SCANKIT_U32, n, bench->seed);
    measure_unique(bench, n, false);
    measure_unique(bench, n, true);
    measure_reduce_by_key(bench, n);
}
