/* pairpeers.c - the sorts of pairs and of positions beside each other library's, by turns. Values are positions, so
 * that they say whether a sort was right and stable. */
#include <stdlib.h>

#include "measure/clock.h"
#include "measure/device_data.h"
#include "measure/measure.h"
#include "measure/names.h"
#include "peer_row.h"
#include "primitives/primitives.h"

static const scankit_type types[] = {SCANKIT_U32, SCANKIT_U64};
#define TYPES (sizeof types / sizeof *types)

static double time_pairs(const bench_state *bench, const bench_job *job)
{
    clock_start(bench);
    bench_try(bench,
              scankit_sort_pairs(bench->context, job->type, job->in, bench->out, job->value_size, job->values_in,
                                 job->values_out, job->n, NULL),
              "sort_pairs");
    return clock_stop(bench, "sort_pairs");
}

static double time_positions(const bench_state *bench, const bench_job *job)
{
    clock_start(bench);
    bench_try(bench, scankit_argsort(bench->context, job->type, job->in, job->out, job->n, NULL), "argsort");
    return clock_stop(bench, "argsort");
}

static uint64_t number_at(const void *array, size_t size, size_t i)
{
    return size == 4 ? ((const uint32_t *)array)[i] : ((const uint64_t *)array)[i];
}

/* True if the keys at these positions rise, and the positions of equal ones too. */
static bool are_sorted(const bench_job *job, const void *positions, size_t size)
{
    size_t key_size = scankit_type_size(job->type), last = (size_t)number_at(positions, size, 0);
    for (size_t i = 1; i < job->n; i++) {
        size_t at = (size_t)number_at(positions, size, i);
        uint64_t before = number_at(job->in, key_size, last), key = number_at(job->in, key_size, at);
        if (before > key || (before == key && last >= at))
            return false;
        last = at;
    }
    return true;
}

/* True if the keys followed. */
static bool have_keys(const bench_job *job, const void *keys, const void *positions)
{
    size_t size = scankit_type_size(job->type);
    for (size_t i = 0; i < job->n; i++)
        if (number_at(keys, size, i) != number_at(job->in, size, (size_t)number_at(positions, size, i)))
            return false;
    return true;
}

static void measure_pairs(bench_state *bench, bench_job job, shape_id shape)
{
    size_t size = scankit_type_size(job.type);
    char *values = bench_allocate(2 * job.n * size);
    for (size_t i = 0; i < job.n; i++)
        if (size == 4)
            ((uint32_t *)(void *)values)[i] = (uint32_t)i;
        else
            ((uint64_t *)(void *)values)[i] = i;
    job.value_size = size;
    job.values_in = values;
    job.values_out = values + job.n * size;
    time_pairs(bench, &job);
    bool right = are_sorted(&job, job.values_out, size) && have_keys(&job, job.out, job.values_out);
    peer_row row = {"pairs", shape, job.n, time_pairs, pair_peers(), right};
    measure_peers(bench, &job, &row);
    free(values);
}

static void measure_positions(bench_state *bench, const bench_job *job, shape_id shape)
{
    time_positions(bench, job);
    peer_row row = {
        "argsort", shape, job->n, time_positions, position_peers(), are_sorted(job, job->out, sizeof(uint64_t))};
    measure_peers(bench, job, &row);
}

void bench_pairpeers(bench_state *bench, size_t n)
{
    if (!scankit_is_host(bench->context))
        bench_fail("pairpeers", "the other libraries sort on a CPU: use --device=cpu");
    for (size_t i = 0; i < TYPES; i++) {
        bench_job job = job_for(bench, types[i], n);
        job.threads = bench_threads(bench);
        if (!is_listed(bench->types, scankit_type_name(job.type)))
            continue;
        for (shape_id shape = SHAPE_uniform; shape < SHAPE_records; shape++)
            if (is_listed(bench->shapes != NULL ? bench->shapes : "uniform", shape_name(shape)) &&
                shape_takes(shape, job.type)) {
                (void)data_load(bench, bench->in, shape, job.type, n, bench->seed);
                measure_pairs(bench, job, shape);
                measure_positions(bench, &job, shape);
            }
    }
}
