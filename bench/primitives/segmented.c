/* segmented.c - inclusive sums of uniform data in segments of 100 elements on average. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/element.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "primitives.h"

#define LENGTH 100 /* of a segment, on average */
#define BLOCK ((size_t)1 << 20)

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64, SCANKIT_F32, SCANKIT_F64};
#define TYPES (sizeof types / sizeof *types)

static scankit_error scan_once(scankit_context *context, const bench_job *job)
{
    return scankit_segmented_scan(context, job->type, SCANKIT_SUM, SCANKIT_INCLUSIVE, NULL, job->in, job->values_in,
                                  job->out, job->n);
}

static void load_heads(const bench_state *bench, size_t n)
{
    uint8_t *heads = bench_allocate(BLOCK);
    random_state random;
    random_seed(&random, bench->seed);
    for (size_t at = 0, some; at < n; at += some) {
        some = n - at < BLOCK ? n - at : BLOCK;
        for (size_t i = 0; i < some; i++)
            heads[i] = random_below(&random, LENGTH) == 0;
        bench_try(bench, scankit_upload(bench->context, (char *)bench->values_in + at, heads, some), "upload");
    }
    free(heads);
}

/* True if the result is that of the element before it, plus the element; of a head, the element. */
static bool follows(scankit_type type, bool head, const void *before, const void *element, const void *result)
{
    if (element_is_float(type)) {
        double want = element_load(type, element) + (head ? 0 : element_load(type, before));
        return fabs(want - element_load(type, result)) <= 1e-5 * want;
    }
    uint64_t x = 0, y = 0, sum = 0;
    size_t size = element_size(type);
    memcpy(&x, before, size);
    memcpy(&y, element, size);
    y += head ? 0 : x;
    memcpy(&sum, result, size);
    return memcmp(&sum, &y, size) == 0;
}

static void *download(const bench_state *bench, const void *from, size_t bytes)
{
    void *copy = bench_allocate(bytes);
    bench_try(bench, scankit_download(bench->context, copy, from, bytes), "download");
    return copy;
}

static bool is_right(const bench_state *bench, const bench_job *job)
{
    size_t size = element_size(job->type), n = job->n;
    char *in = download(bench, job->in, n * size), *out = download(bench, job->out, n * size);
    uint8_t *heads = download(bench, job->values_in, n);
    bool right = memcmp(in, out, size) == 0;
    for (size_t i = 1; i < n; i++)
        right = right && follows(job->type, heads[i] != 0, out + (i - 1) * size, in + i * size, out + i * size);
    free(in);
    free(out);
    free(heads);
    return right;
}

void bench_segmented(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        bench_row row = {"segmented", "scan, segments of 100", SHAPE_uniform, scan_once, .rival = NULL};
        row.moved = (bench_traffic){n * (1 + element_size(job.type)), n * element_size(job.type)};
        if (!is_wanted(bench, &row, &job))
            continue;
        (void)data_load(bench, bench->in, row.shape, job.type, n, bench->seed);
        load_heads(bench, n);
        job.values_in = bench->values_in;
        run_once(bench, &row, &job);
        measure_row(bench, &row, &job, is_right(bench, &job));
    }
}
