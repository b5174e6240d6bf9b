/* segmented_sort.c - sorts within segments of uniform data: keys and pairs, segments of many lengths. */
#include <stdlib.h>
#include <string.h>

#include "lengths.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64};
#define TYPES (sizeof types / sizeof *types)

/* mean: of the lengths, from half of it to three halves. */
static const struct {
    const char *keys, *pairs;
    lengths_shape shape;
    size_t mean;
} variants[] = {
    {"keys, segments of 10", "pairs, segments of 10", LENGTHS_EVEN, 10},
    {"keys, segments of 100", "pairs, segments of 100", LENGTHS_EVEN, 100},
    {"keys, segments of 300", "pairs, segments of 300", LENGTHS_EVEN, 300},
    {"keys, segments of 1000", "pairs, segments of 1000", LENGTHS_EVEN, 1000},
    {"keys, segments of 3000", "pairs, segments of 3000", LENGTHS_EVEN, 3000},
    {"keys, segments of 10^4", "pairs, segments of 10^4", LENGTHS_EVEN, 10000},
    {"keys, segments of 10^5", "pairs, segments of 10^5", LENGTHS_EVEN, 100000},
    {"keys, segments of 10^6", "pairs, segments of 10^6", LENGTHS_EVEN, 1000000},
    {"keys, Zipf lengths", "pairs, Zipf lengths", LENGTHS_ZIPF, 100},
    {"keys, half in one, others 1 to 50", "pairs, half in one, others 1 to 50", LENGTHS_GIANT, 25},
};
#define VARIANTS (sizeof variants / sizeof *variants)

static scankit_error sort_keys(scankit_context *context, const bench_job *job)
{
    return scankit_segmented_sort(context, job->type, job->in, job->out, job->n, job->counts, job->runs, NULL);
}

static scankit_error sort_pairs(scankit_context *context, const bench_job *job)
{
    return scankit_segmented_sort_pairs(context, job->type, job->in, job->out, job->value_size, job->values_in,
                                        job->values_out, job->n, job->counts, job->runs, NULL);
}

/* True if no key of a segment is below the key before it. */
static bool is_in_order(const char *keys, size_t size, const segment_offsets *segments)
{
    for (size_t s = 0; s < segments->count; s++)
        for (size_t i = segments->host[s] + 1; i < segments->host[s + 1]; i++) {
            uint64_t before = 0, key = 0;
            memcpy(&before, keys + (i - 1) * size, size);
            memcpy(&key, keys + i * size, size);
            if (key < before)
                return false;
        }
    return true;
}

static bool is_right(const bench_state *bench, const bench_job *job, const segment_offsets *segments,
                     bench_digest before)
{
    size_t size = scankit_type_size(job->type);
    char *keys = bench_allocate(job->n * size);
    bench_try(bench, scankit_download(bench->context, keys, job->out, job->n * size), "download");
    bool right = is_in_order(keys, size, segments);
    free(keys);
    return right && data_same(before, data_digest(bench, job->out, job->type, job->n)) &&
           (job->value_size == 0 || data_values_fit(bench, job->out, job->type, job->n, job->values_out));
}

static void measure_segments(bench_state *bench, const bench_row *row, bench_job *job, size_t variant)
{
    segment_offsets segments = lengths_load(bench, variants[variant].shape, job->n, variants[variant].mean);
    bench_digest before = data_load(bench, bench->in, row->shape, job->type, job->n, bench->seed);
    if (job->value_size > 0)
        data_load_values(bench, bench->in, job->type, job->n, bench->values_in);
    job->counts = segments.device;
    job->runs = segments.count;
    run_once(bench, row, job);
    measure_row(bench, row, job, is_right(bench, job, &segments, before));
    lengths_free(bench, &segments);
}

void bench_segmented_sort(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < 2 * TYPES * VARIANTS; i++) {
        size_t variant = i / 2 % VARIANTS;
        bool pairs = i % 2 == 1;
        bench_job job = job_for(bench, types[i / 2 / VARIANTS], n);
        bench_row row = {"segmented-sort", pairs ? variants[variant].pairs : variants[variant].keys, SHAPE_uniform,
                         pairs ? sort_pairs : sort_keys, .rival = RIVAL(bench, segmented_sort)};
        if (variants[variant].mean > n / 4 || !is_wanted(bench, &row, &job))
            continue;
        job.value_size = pairs ? sizeof(uint32_t) : 0;
        job.values_in = bench->values_in;
        job.values_out = bench->values_out;
        measure_segments(bench, &row, &job, variant);
    }
}
