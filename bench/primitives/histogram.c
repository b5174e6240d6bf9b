/* histogram.c - histograms of even bins over the whole range of keys: few bins and many, spread data and skewed. */
#include <stdlib.h>
#include <string.h>

#include "measure/device_data.h"
#include "measure/measure.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_F32};
#define TYPES (sizeof types / sizeof *types)

static const struct {
    const char *name;
    size_t bins;
} variants[] = {{"even, 256 bins", 256},
                {"even, 4096 bins", 4096},
                {"even, 2^16 bins", (size_t)1 << 16},
                {"even, 2^17 bins", (size_t)1 << 17},
                {"even, 2^18 bins", (size_t)1 << 18},
                {"even, 2^20 bins", (size_t)1 << 20},
                {"even, 2^24 bins", (size_t)1 << 24}};
#define VARIANTS (sizeof variants / sizeof *variants)

static const shape_id shapes[] = {SHAPE_uniform, SHAPE_zipf, SHAPE_equal};
#define DRAWN (sizeof shapes / sizeof *shapes)

static scankit_error count_once(scankit_context *context, const bench_job *job)
{
    scankit_bins bins = {.kind = SCANKIT_BINS_EVEN, .count = job->na, .low = 0};
    bins.high = job->type == SCANKIT_F32 ? 1 : 0x1p32;
    return scankit_histogram(context, job->type, job->in, job->n, &bins, job->type, NULL, job->out);
}

/* Counts the keys of a u32 histogram on the host. Of floats, the sum of all counts is enough. */
static void count_on_host(const bench_job *job, const uint32_t *keys, uint64_t *counts)
{
    for (size_t i = 0; i < job->n; i++)
        counts[(uint64_t)keys[i] * job->na >> 32]++;
}

static bool is_right(const bench_state *bench, const bench_job *job)
{
    uint64_t *found = bench_allocate(job->na * sizeof *found), *want = bench_allocate(job->na * sizeof *want), sum = 0;
    uint32_t *keys = bench_allocate(job->n * sizeof *keys);
    memset(want, 0, job->na * sizeof *want);
    bench_try(bench, scankit_download(bench->context, found, job->out, job->na * sizeof *found), "download");
    bench_try(bench, scankit_download(bench->context, keys, job->in, job->n * sizeof *keys), "download");
    for (size_t b = 0; b < job->na; b++)
        sum += found[b];
    if (job->type == SCANKIT_U32)
        count_on_host(job, keys, want);
    bool right = sum == job->n && (job->type != SCANKIT_U32 || memcmp(found, want, job->na * sizeof *want) == 0);
    free(keys);
    free(want);
    free(found);
    return right;
}

static void measure_shape(bench_state *bench, bench_job *job, shape_id shape)
{
    if (!is_data_wanted(bench, "histogram", shape, job->type, job->n))
        return;
    (void)data_load(bench, bench->in, shape, job->type, job->n, bench->seed);
    for (size_t v = 0; v < VARIANTS; v++) {
        bench_row row = {"histogram", variants[v].name, shape, count_once, .rival = RIVAL(bench, histogram)};
        row.moved.read = job->n * scankit_type_size(job->type);
        job->na = variants[v].bins;
        if (job->na > job->n / 16 || !is_wanted(bench, &row, job))
            continue;
        run_once(bench, &row, job);
        measure_row(bench, &row, job, is_right(bench, job));
    }
}

void bench_histogram(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++)
        for (size_t s = 0; s < DRAWN; s++) {
            bench_job job = job_for(bench, types[i], n);
            if (shape_takes(shapes[s], job.type))
                measure_shape(bench, &job, shapes[s]);
        }
}
