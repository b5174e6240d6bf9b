/* large.h - what the files of large.t share. */
#ifndef LARGE_H
#define LARGE_H

#include "bulk.h"
#include "support/data.h"
#include "support/tap.h"

#define PAST (((size_t)1 << 32) + 100003) /* elements: no power of two, no multiple of a tile */

extern device *dev;
extern scankit_context *ctx;

/* Elements by their position: 1, and a hash of it. */
uint64_t one(size_t i);
uint64_t random_value(size_t i);

/* large-gallery.c */
void large_gallery(void);

/* large-sort.c */
void large_sort(void);
void large_sort_narrow(void);

/* large-choice.c */
void large_compact(void);
void large_compact_flags(void);
void large_compact_positions(void);
void large_long_run(void);
void large_many_runs(void);
void large_reduced_long_run(void);

#endif
