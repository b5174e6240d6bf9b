/* primitives.c - what the benchmark measures: for each primitive the data, the call and the check of its result. */
#include <math.h>
#include <string.h>

#include "measure/state.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64};
#define TYPES (sizeof types / sizeof *types)

static const scankit_type sum_types[] = {SCANKIT_U8, SCANKIT_U16, SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
#define SUM_TYPES (sizeof sum_types / sizeof *sum_types)

rival_run rival_for(const bench_state *bench, size_t offset)
{
    rival_run run = NULL;
    if (bench->rivals != NULL)
        memcpy(&run, (const char *)bench->rivals + offset, sizeof run);
    return run;
}

bench_job job_for(const bench_state *bench, scankit_type type, size_t n)
{
    bench_job job = {.type = type, .n = n, .in = bench->in, .out = bench->out};
    return job;
}

void run_once(const bench_state *bench, const bench_row *row, const bench_job *job)
{
    bench_try(bench, row->run(bench->context, job), row->primitive);
    bench_try(bench, scankit_synchronize(bench->context), row->primitive);
}

/* ---- copy: the limit of what only reads and writes once ---- */

scankit_error copy_once(scankit_context *context, const bench_job *job)
{
    return scankit_copy(context, job->out, job->in, job->na * scankit_type_size(job->type));
}

static void bench_copy(bench_state *bench, size_t n, bool largest)
{
    (void)largest;
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        job.na = n;
        bench_row row = {"copy", "", SHAPE_uniform, copy_once, .rival = RIVAL(bench, copy)};
        if (!is_wanted(bench, &row, &job))
            continue;
        bench_digest before = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        run_once(bench, &row, &job);
        measure_row(bench, &row, &job, data_same(before, data_digest(bench, job.out, job.type, n)));
    }
}

/* ---- scan and reduce: their last value is the sum of all ---- */

static bool sum_is_right(scankit_type type, const void *sum, bench_digest digest)
{
    size_t size = scankit_type_size(type);
    if (type == SCANKIT_F32 || type == SCANKIT_F64)
        return fabs(data_real(sum, type) - digest.real) <= 1e-3 * fabs(digest.real) + 1e-3;
    uint64_t value = 0;
    memcpy(&value, sum, size);
    return value == (digest.sum & UINT64_MAX >> (64 - 8 * size));
}

/* Floats by a fixed tree: the same bits on every run. */
static scankit_error scan_deterministic(scankit_context *context, const bench_job *job)
{
    scankit_error error = scankit_set_deterministic(context, 1);
    if (error == SCANKIT_OK)
        error = scankit_scan(context, job->type, SCANKIT_SUM, job->kind, NULL, job->in, job->out, job->n);
    (void)scankit_set_deterministic(context, 0);
    return error;
}

static scankit_error scan_once(scankit_context *context, const bench_job *job)
{
    return scankit_scan(context, job->type, SCANKIT_SUM, job->kind, NULL, job->in, job->out, job->n);
}

/* An exclusive scan's last value with the last element is the inclusive one's. */
static bool scan_is_right(const bench_state *bench, const bench_job *job, bench_digest digest)
{
    size_t size = scankit_type_size(job->type), last = (job->n - 1) * size;
    uint64_t pair[2] = {0, 0};
    char *second = (char *)pair + size;
    bench_try(bench, scankit_download(bench->context, pair, (const char *)job->out + last, size), "download");
    if (job->kind == SCANKIT_INCLUSIVE)
        return sum_is_right(job->type, pair, digest);
    uint64_t sum;
    bench_try(bench, scankit_download(bench->context, second, (const char *)job->in + last, size), "download");
    void *two;
    bench_try(bench, scankit_allocate(bench->context, &two, 2 * size), "allocate");
    bench_try(bench, scankit_upload(bench->context, two, pair, 2 * size), "upload");
    bench_try(bench, scankit_reduce(bench->context, job->type, SCANKIT_SUM, two, &sum, 2), "reduce");
    scankit_free(bench->context, two);
    return sum_is_right(job->type, &sum, digest);
}

static void bench_scan(bench_state *bench, size_t n, bool largest)
{
    static const struct {
        const char *variant;
        scankit_scan_kind kind;
        scankit_error (*run)(scankit_context *context, const bench_job *job);
        bool floats_only;
    } ways[] = {{"inclusive sum", SCANKIT_INCLUSIVE, scan_once, false},
                {"exclusive sum", SCANKIT_EXCLUSIVE, scan_once, false},
                {"exclusive sum, deterministic", SCANKIT_EXCLUSIVE, scan_deterministic, true}};
    (void)largest;
    for (size_t i = 0; i < SUM_TYPES; i++) {
        bench_job job = job_for(bench, sum_types[i], n);
        bench_digest digest = data_load(bench, bench->in, SHAPE_uniform, job.type, n, bench->seed);
        bool floats = job.type == SCANKIT_F32 || job.type == SCANKIT_F64;
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            bench_row row = {"scan", ways[w].variant, SHAPE_uniform, ways[w].run, .rival = RIVAL(bench, scan)};
            row.moved = 2 * n * scankit_type_size(job.type);
            row.aside = ways[w].floats_only;
            job.kind = ways[w].kind;
            if ((ways[w].floats_only && !floats) || !is_wanted(bench, &row, &job))
                continue;
            run_once(bench, &row, &job);
            measure_row(bench, &row, &job, scan_is_right(bench, &job, digest));
        }
    }
}

static scankit_error reduce_once(scankit_context *context, const bench_job *job)
{
    uint64_t sum;
    return scankit_reduce(context, job->type, SCANKIT_SUM, job->in, &sum, job->n);
}

static void bench_reduce(bench_state *bench, size_t n, bool largest)
{
    (void)largest;
    for (size_t i = 0; i < SUM_TYPES; i++) {
        bench_job job = job_for(bench, sum_types[i], n);
        bench_row row = {"reduce", "sum", SHAPE_uniform, reduce_once, .rival = RIVAL(bench, reduce)};
        if (!is_wanted(bench, &row, &job))
            continue;
        bench_digest digest = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        uint64_t sum;
        bench_try(bench, scankit_reduce(bench->context, job.type, SCANKIT_SUM, job.in, &sum, n), "reduce");
        measure_row(bench, &row, &job, sum_is_right(job.type, &sum, digest));
    }
}

/* ---- what reorders: the result is in order, and every element is still there ---- */

bool is_ordered(const bench_state *bench, const bench_job *job, unsigned begin_bit, unsigned end_bit)
{
    scankit_sort_options options = {.begin_bit = begin_bit, .end_bit = end_bit};
    size_t first;
    bench_try(bench, scankit_is_sorted(bench->context, job->type, job->out, job->n, &options, &first), "is_sorted");
    return first == job->n;
}

bool order_is_right(const bench_state *bench, const bench_job *job, bench_digest before)
{
    return is_ordered(bench, job, 0, 0) && data_same(before, data_digest(bench, job->out, job->type, job->n));
}

static scankit_error split_once(scankit_context *context, const bench_job *job)
{
    return scankit_split(context, job->type, job->in, job->out, job->n, RIVALS_SPLIT_BIT, RIVALS_SPLIT_BITS, NULL);
}

static void bench_split(bench_state *bench, size_t n, bool largest)
{
    (void)largest;
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"split",
                         "8 bits",
                         SHAPE_uniform,
                         split_once,
                         RIVAL(bench, split),
                         .moved = 2 * n * scankit_type_size(job.type)};
        if (!is_wanted(bench, &row, &job))
            continue;
        bench_digest before = data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        run_once(bench, &row, &job);
        bool correct = is_ordered(bench, &job, RIVALS_SPLIT_BIT, RIVALS_SPLIT_BIT + RIVALS_SPLIT_BITS) &&
                       data_same(before, data_digest(bench, job.out, job.type, n));
        measure_row(bench, &row, &job, correct);
    }
}

const primitive primitives[] = {
    {"copy", bench_copy, false},
    {"scan", bench_scan, false},
    {"reduce", bench_reduce, false},
    {"split", bench_split, false},
    {"compact", bench_compact, false},
    {"rle", bench_rle, false},
    {"sort", bench_sort, false},
    {"shapes", bench_shapes, true},
    {"pairs", bench_pairs, false},
    {"merge", bench_merge, false},
    {"gallery", bench_gallery, true},
    {NULL, NULL, false},
};
