/* pages.h - writing an output of WAY_PAGES: threads copy into pages of its file, at the same time. The file system
 * provides the pages before. Else a full one would raise SIGBUS at a write to a page. */
#ifndef PAGES_H
#define PAGES_H

#include "output.h"

struct pages;

/* The bytes go behind what was written before the next two functions are called. */
struct pages *pages_open(struct output *output);

/* Says how many bytes will come. A thread provides their pages beforehand. The number may rise from call to call. */
void pages_expect(struct pages *pages, uint64_t bytes);

/* Writes bytes, each once, at an offset from there. Any thread may call it. Fails if the file system is full. */
void pages_put(struct pages *pages, const void *memory, size_t bytes, uint64_t offset);

/* Ends after `bytes` bytes, all of which were written. The output goes on behind them. */
void pages_close(struct pages *pages, uint64_t bytes);

#endif
