/* compaction.h - what gpucompact is asked to do, and the parts that do it. */
#ifndef COMPACTION_H
#define COMPACTION_H

#include "filter.h"
#include "input.h"
#include "options.h"
#include "stats.h"

struct compaction {
    struct common common;
    const char *where; /* the expression */
    bool invert, count, index, in_place, overwrite, error_exit;
    const char *rejects; /* NULL: nowhere */
};

/* Starts the device that the options ask for, or that suits this many bytes; files share one. */
void begin_device(const struct compaction *compaction, uint64_t bytes);

/* Elements in a block for that device, where each takes `each` bytes in all blocks together and the widest of them
 * `wide`; they have one of `shares` of --buffer-size. */
size_t block_elements(const struct common *common, size_t wide, size_t each, unsigned shares);

/* Filters the inputs into one output, or two, or only counts; or replaces the only input. Answers how many were kept.
 */
uint64_t compact_files(const struct compaction *compaction, char *const *paths, size_t count, struct stats *stats);

/* Compacts a file inside itself. */
uint64_t overwrite_file(const struct compaction *compaction, char *const *path, struct stats *stats);

#endif
