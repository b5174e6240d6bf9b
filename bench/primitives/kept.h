/* kept.h - what a compaction should have kept, found without the library: the predicates as plain C. */
#ifndef BENCH_KEPT_H
#define BENCH_KEPT_H

#include "measure/state.h"

scankit_type predicate_type(predicate_id predicate);
const char *predicate_label(predicate_id predicate);
const char *predicate_text(predicate_id predicate);

/* A flag an element of job->in, whether it matches, to the device. */
void kept_load_flags(const bench_state *bench, const bench_job *job, void *flags);

typedef enum kept_part { KEPT_MATCHING, KEPT_OTHERS, KEPT_POSITIONS } kept_part;

/* Whether `found` (of the device) holds, element for element, what job->in has of that part, and *count counts those
 * that match. */
bool kept_is_right(const bench_state *bench, const bench_job *job, kept_part part, const void *found, size_t count);

#endif
