/* page_cache.h - what the page cache keeps of the runs. */
#ifndef PAGE_CACHE_H
#define PAGE_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs that fit the free memory stay in the page cache: reading them back costs no disk access, and if they are freed
 * soon enough, neither does writing. */
struct page_cache {
    atomic_ullong written; /* bytes that went to files */
    uint64_t early;        /* past so many, writing to disk is started at once */
    uint64_t limit;        /* past so many, pages are dropped as soon as they are on disk, and after they were read */
};

void page_cache_open(struct page_cache *cache);

/* Called after each write to a file. Files are written nearly in order. */
void page_cache_wrote(struct page_cache *cache, int descriptor, uint64_t offset, size_t bytes);

/* Called when a file is complete. */
void page_cache_completed(struct page_cache *cache, int descriptor);

/* Called after a large read. */
void page_cache_read(struct page_cache *cache, int descriptor, uint64_t offset, size_t bytes);

#endif
