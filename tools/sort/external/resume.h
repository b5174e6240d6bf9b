/* resume.h - the runs that a workspace kept from an earlier start of the same sort. */
#ifndef RESUME_H
#define RESUME_H

#include "run_set.h"

/* Adds the runs that hold the input from element `covered` on to the set. Returns the element behind them.
 * verify: a run counts only if it is read and found whole. */
uint64_t resume_runs(struct run_set *set, uint64_t covered, bool verify);

/* Reads all runs once to make their indexes. This also checks them. */
void index_runs(struct run_set *set, unsigned threads);

#endif
