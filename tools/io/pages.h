/* pages.h - writing an output of WAY_PAGES, where threads copy into its pages, or of WAY_AHEAD. */
#ifndef PAGES_H
#define PAGES_H

#include "output.h"

struct pages;

/* Starts behind what was written before the next two functions are called. written: the caller uses write() instead of
 * pages_put(), and the file gets no longer here. */
struct pages *pages_open(struct output *output, bool written);

/* Says how many bytes will come. A thread provides their pages beforehand. The number may rise from call to call. */
void pages_expect(struct pages *pages, uint64_t bytes);

/* Writes bytes at an offset from there. Any thread may call it. Fails if the file system is full. */
void pages_put(struct pages *pages, const void *memory, size_t bytes, uint64_t offset);

/* Ends after `bytes` bytes, all of which were written. */
void pages_close(struct pages *pages, uint64_t bytes);

#endif
