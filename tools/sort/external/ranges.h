/* ranges.h - cuts the merge of sorted runs into ranges of equal size, by exact splitters, and loads them. */
#ifndef RANGES_H
#define RANGES_H

#include "range.h"
#include "run_set.h"

struct ranges;

/* Of `k` runs, from `first` on, the first `end` items of their merge, `range` at a time. */
struct ranges *ranges_open(const struct run_set *set, size_t first, size_t k, uint64_t end, size_t range,
                           unsigned threads);
struct range_source ranges_source(struct ranges *ranges);
void ranges_close(struct ranges *ranges);

#endif
