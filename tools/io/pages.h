/* pages.h - writing an output of WAY_PAGES: threads copy into its pages. */
#ifndef PAGES_H
#define PAGES_H

#include "output.h"

struct pages;

/* Starts behind what was written before the first pages_put(). */
struct pages *pages_open(struct output *output);

/* Says how many bytes will come: a thread provides their pages beforehand. */
void pages_expect(struct pages *pages, uint64_t bytes);

/* Writes bytes at an offset from there. Any thread may call it. Fails if the file system is full. */
void pages_put(struct pages *pages, const void *memory, size_t bytes, uint64_t offset);

/* Ends after `bytes` bytes, all of which were written. */
void pages_close(struct pages *pages, uint64_t bytes);

#endif
