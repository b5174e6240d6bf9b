/* kept.h - checks of compactions against the predicates in plain C, without the library. */
#ifndef BENCH_KEPT_H
#define BENCH_KEPT_H

#include "measure/state.h"

scankit_type predicate_type(predicate_id predicate);
const char *predicate_label(predicate_id predicate);
const char *predicate_text(predicate_id predicate);

/* Writes a byte for each element of job->in to device memory: 1 if it matches, else 0. */
void kept_load_flags(const bench_state *bench, const bench_job *job, void *flags);

/* What an array should hold: matching elements, the others, or the positions of matching elements. */
typedef enum kept_part { KEPT_MATCHING, KEPT_OTHERS, KEPT_POSITIONS } kept_part;

/* True if `found`, in device memory, holds exactly that part of job->in, in order, and `count` elements match. */
bool kept_is_right(const bench_state *bench, const bench_job *job, kept_part part, const void *found, size_t count);

#endif
