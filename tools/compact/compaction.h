/* compaction.h - what gpucompact is asked to do, and the parts that do it. */
#ifndef COMPACTION_H
#define COMPACTION_H

#include "common/device.h"
#include "filter.h"
#include "io/input.h"
#include "common/options.h"
#include "common/stats.h"

struct compaction {
    struct common common;
    const char *where; /* the expression */
    bool invert, count, index, in_place, overwrite, error_exit;
    const char *rejects; /* NULL: nowhere */
};

/* What a device filters. */
extern const struct device_rates filter_rates;

/* Filters the inputs into one output, or two, or only counts; or replaces the only input. Answers how many were kept.
 */
uint64_t compact_files(const struct compaction *compaction, char *const *paths, size_t count, struct stats *stats);

/* Compacts a file inside itself. */
uint64_t overwrite_file(const struct compaction *compaction, char *const *path, struct stats *stats);

#endif
