/* order.c - see order.h. */
#include "order.h"

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
