/* ranges.h - cuts the merge of sorted runs into ranges of equal size, by exact splitters, and loads them. */
#ifndef RANGES_H
#define RANGES_H

#include "range.h"
#include "run_set.h"

struct ranges;

/* Of `k` runs, from `first` on, the first `end` items of their merge, `range` at a time. */
struct ranges *ranges_open(const struct run_set *set, size_t first, size_t k, uint64_t end, size_t range,
                           unsigned threads);

/* Of all runs, the items between two cuts. Several of them may be open. */
struct ranges *ranges_open_between(const struct run_set *set, const uint64_t *from, const uint64_t *to, size_t range,
                                   unsigned threads);

/* Loads the next n items, or fewer at the end. False if there are none. */
bool ranges_take(struct ranges *ranges, size_t n, struct range *range);

struct range_source ranges_source(struct ranges *ranges);
void ranges_close(struct ranges *ranges);

#endif
