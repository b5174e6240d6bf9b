/* resume.h - the runs that a workspace kept from an earlier start of the same sort. */
#ifndef RESUME_H
#define RESUME_H

#include "run_set.h"

/* Adds the runs that hold the beginning of the input to the set. Returns how many elements these are. */
uint64_t resume_runs(struct run_set *set, unsigned threads);

#endif
