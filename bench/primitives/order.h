/* order.h - checks of primitives that reorder: the result is in order, and no element is lost. */
#ifndef BENCH_ORDER_H
#define BENCH_ORDER_H

#include "measure/device_data.h"

/* True if job->out is in order by the bits [begin_bit, end_bit); all bits for 0, 0. */
bool is_ordered(const bench_state *bench, const bench_job *job, unsigned begin_bit, unsigned end_bit);

/* True if job->out is in order and has the digest. */
bool order_is_right(const bench_state *bench, const bench_job *job, bench_digest before);

#endif
