/* row.c - see row.h. */
#include "row.h"

#include <string.h>

bench_job job_for(const bench_state *bench, scankit_type type, size_t n)
{
    bench_job job = {.type = type, .n = n, .in = bench->in, .out = bench->out};
    return job;
}

void job_restore(const bench_state *bench, const bench_job *job)
{
    size_t bytes = job->n * scankit_type_size(job->type);
    if (job->in_place)
        bench_try(bench, scankit_copy(bench->context, job->out, job->in, bytes), "restore");
}

void run_once(const bench_state *bench, const bench_row *row, const bench_job *job)
{
    bench_try(bench, row->run(bench->context, job), row->primitive);
    bench_try(bench, scankit_synchronize(bench->context), row->primitive);
}

rival_run rival_for(const bench_state *bench, size_t offset)
{
    rival_run run = NULL;
    if (bench->rivals != NULL && !bench->alone)
        memcpy(&run, (const char *)bench->rivals + offset, sizeof run);
    return run;
}
