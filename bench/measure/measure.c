/* measure.c - see measure.h. */
#include "measure.h"

#include <string.h>

#include "clock.h"
#include "goals.h"
#include "names.h"
#include "summary.h"
#include "table.h"

#define REPEATS_MIN 3 /* measurements that a row gets even if patience has ended */

/* Calls per measurement. Short calls are timed in a row, to hide the clock's resolution and the wait at the end. At
 * least two on a GPU, where the launch of the first call counts. */
static unsigned calls_for(const bench_state *bench, size_t n)
{
    bool is_host = scankit_is_host(bench->context);
    size_t target = is_host ? (size_t)1 << 22 : (size_t)1 << 26, least = is_host ? 1 : 2;
    size_t calls = target / n;
    return calls < least ? (unsigned)least : calls > 200 ? 200 : (unsigned)calls;
}

/* Seconds per call. A job in place gets its input back before each call, outside of the measured time. On a GPU that
 * copy still runs when the call is queued, for the rivals too, so the launch is not measured. */
static double time_ours(const bench_state *bench, const bench_row *row, const bench_job *job, unsigned calls)
{
    unsigned in_a_row = job->in_place ? 1 : calls;
    double seconds = 0;
    for (unsigned done = 0; done < calls; done += in_a_row) {
        job_restore(bench, job);
        if (bench->clock == NULL || !job->in_place)
            bench_try(bench, scankit_synchronize(bench->context), "synchronize");
        clock_start(bench);
        for (unsigned i = 0; i < in_a_row; i++)
            bench_try(bench, row->run(bench->context, job), row->primitive);
        seconds += clock_stop(bench, row->primitive);
    }
    return seconds / calls;
}

/* Seconds that it takes to move the same bytes: on a CPU by the threads that the library has, on a GPU by a copy of
 * half of them. Negative: not measured. */
static double time_copy(const bench_state *bench, const bench_row *row, unsigned calls)
{
    rival_run copy = RIVAL(bench, copy);
    size_t moved = row->moved.read + row->moved.written, room = bench->room * sizeof(uint64_t);
    const bench_job job = {.type = SCANKIT_U8, .na = moved / 2, .in = bench->in, .out = bench->out};
    if (bench->alone || moved == 0)
        return -1;
    if (scankit_is_host(bench->context))
        return traffic_seconds(row->moved, bench->in, bench->out, room, bench_threads(bench), calls);
    return copy != NULL ? copy(&job, calls) : -1;
}

bool is_wanted(const bench_state *bench, const bench_row *row, const bench_job *job)
{
    if (!is_listed(bench->types, scankit_type_name(job->type)))
        return false;
    if (bench->variant != NULL && strcmp(bench->variant, row->variant) != 0)
        return false;
    return !bench->goals_only || goals_have(row, job);
}

bool is_data_wanted(const bench_state *bench, const char *primitive, shape_id shape, scankit_type type, size_t n)
{
    if (!is_listed(bench->types, scankit_type_name(type)))
        return false;
    return !bench->goals_only || goals_have_data(primitive, shape, type, n);
}

/* The first turn on a GPU is not counted: while the host made data and checked results, the GPU's clock rate fell. */
row_times measure_turns(const bench_state *bench, const bench_row *row, const bench_job *job, unsigned repeats)
{
    double ours[REPEATS_MAX], rival[REPEATS_MAX], copy[REPEATS_MAX], of_rival[REPEATS_MAX], of_copy[REPEATS_MAX];
    unsigned calls = calls_for(bench, job->n), count = 0;
    unsigned least = repeats < REPEATS_MIN ? repeats : REPEATS_MIN;
    bool has_rival = row->rival != NULL, rested = bench->clock != NULL;
    double begin = host_seconds();
    do {
        ours[count] = time_ours(bench, row, job, calls);
        rival[count] = has_rival ? row->rival(job, calls) : -1;
        copy[count] = time_copy(bench, row, calls);
        has_rival = rival[count] >= 0;
        of_rival[count] = rival[count] / ours[count];
        of_copy[count] = copy[count] / ours[count];
        count += !rested;
        rested = false;
    } while (count < least || (count < repeats && host_seconds() - begin < bench->patience));
    return (row_times){median_of(ours, count), has_rival ? median_of(rival, count) : -1, median_of(copy, count),
                       median_of(of_rival, count), median_of(of_copy, count)};
}

void measure_row(bench_state *bench, const bench_row *row, const bench_job *job, bool correct)
{
    row_times t = measure_turns(bench, row, job, bench->repeats);
    if (!correct)
        bench->failures++;
    if (t.rival > 0)
        summary_add(row, job, t.of_rival);
    goals_add(row, job, &t);
    table_row(bench, row, job, &t, correct);
}
