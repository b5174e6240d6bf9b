/* plan.h - how the external sort divides the memory that it may use. */
#ifndef PLAN_H
#define PLAN_H

#include "common/job.h"
#include "worker.h"

struct plan {
    uint64_t memory;  /* bytes of the host for chunks, and later for ranges */
    uint64_t device;  /* bytes of the device, unless it is the host */
    unsigned threads; /* that read and merge */
    size_t chunk;     /* items of a chunk */
    size_t chunks;    /* that exist at once */
    size_t residents; /* runs that may stay in memory; 0: none but a single one */
};

#define ITEMS_UNKNOWN UINT64_MAX

/* `total`: items, or ITEMS_UNKNOWN. spill: no run may stay in memory. */
void plan_chunks(struct plan *plan, struct job *job, const struct worker *worker, uint64_t total, bool spill);

/* Most runs that can be merged at once. */
size_t plan_fan_in(const struct plan *plan, const struct worker *worker);

/* Items of a range when k arrays are merged, with `buffers` buffers of this size and `used` bytes of memory taken. */
size_t plan_range(const struct plan *plan, const struct worker *worker, size_t k, unsigned buffers, uint64_t used);

#endif
