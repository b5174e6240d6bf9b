/* compaction.h - gpucompact's options, and its parts. */
#ifndef COMPACTION_H
#define COMPACTION_H

#include "common/job.h"
#include "filter.h"

struct compact_request {
    struct common common;
    const char *where; /* the expression */
    bool invert, count, index, in_place, overwrite, error_exit;
    const char *rejects; /* NULL: nowhere */
};

/* Filters the inputs into one or two outputs, or in place of the only input, or only counts. Returns how many were
 * kept. */
uint64_t compact_files(const struct compact_request *request, char *const *paths, size_t count, struct job *job);

/* Compacts a file within itself. Returns how many were kept. */
uint64_t overwrite_file(const struct compact_request *request, char *const *path, struct job *job);

#endif
