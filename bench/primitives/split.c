/* split.c - stable partition of uniform data by a digit: of 8 bits, and of fewer. */
#include "measure/device_data.h"
#include "measure/measure.h"
#include "order.h"
#include "primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64};
#define TYPES (sizeof types / sizeof *types)

#define SPLIT_ONCE(name, bits)                                                                             \
    static scankit_error name(scankit_context *context, const bench_job *job)                              \
    {                                                                                                      \
        return scankit_split(context, job->type, job->in, job->out, job->n, RIVALS_SPLIT_BIT, bits, NULL); \
    }
SPLIT_ONCE(by_1_bit, 1)
SPLIT_ONCE(by_2_bits, 2)
SPLIT_ONCE(by_3_bits, 3)
SPLIT_ONCE(by_4_bits, 4)
SPLIT_ONCE(by_digit, RIVALS_SPLIT_BITS)

/* Only the widest digit has a rival. */
static const struct split_way {
    const char *text;
    scankit_error (*run)(scankit_context *context, const bench_job *job);
    unsigned bits;
} ways[] = {{"8 bits", by_digit, RIVALS_SPLIT_BITS},
            {"1 bit", by_1_bit, 1},
            {"2 bits", by_2_bits, 2},
            {"3 bits", by_3_bits, 3},
            {"4 bits", by_4_bits, 4}};
#define WAYS (sizeof ways / sizeof *ways)

static void measure_way(bench_state *bench, bench_job *job, const struct split_way *way)
{
    bench_row row = {"split", way->text, SHAPE_uniform, way->run,
                     .rival = way->bits == RIVALS_SPLIT_BITS ? RIVAL(bench, split) : NULL};
    row.moved.read = row.moved.written = job->n * scankit_type_size(job->type);
    if (!is_wanted(bench, &row, job))
        return;
    bench_digest before = data_load(bench, bench->in, row.shape, job->type, job->n, bench->seed);
    run_once(bench, &row, job);
    bool correct = is_ordered(bench, job, RIVALS_SPLIT_BIT, RIVALS_SPLIT_BIT + way->bits) &&
                   data_same(before, data_digest(bench, job->out, job->type, job->n));
    measure_row(bench, &row, job, correct);
}

void bench_split(bench_state *bench, size_t n)
{
    for (size_t i = 0; i < TYPES; i++)
        for (size_t w = 0; w < WAYS; w++) {
            bench_job job = job_for(bench, types[i], n);
            measure_way(bench, &job, &ways[w]);
        }
}
