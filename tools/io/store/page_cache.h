/* page_cache.h - what the page cache keeps of the runs. */
#ifndef PAGE_CACHE_H
#define PAGE_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs that fit the free memory stay in the page cache: reading them back costs no disk access, and if they are freed
 * soon enough, neither does writing. Later ones pass it by (O_DIRECT), which takes a quarter of the processor time and
 * is up to twice as fast. Where that is not possible, their pages are dropped early. */
struct page_cache {
    atomic_ullong written; /* bytes that went to files */
    uint64_t early;        /* beyond it, writing to disk starts at once */
    uint64_t limit;        /* beyond it, no more pages stay */
};

/* A limit of 0 stands for half of the free memory. */
void page_cache_open(struct page_cache *cache, uint64_t limit);

static inline bool page_cache_is_full(struct page_cache *cache)
{
    return atomic_load(&cache->written) > cache->limit;
}

/* Called after each write that passed the cache by. */
static inline void page_cache_passed(struct page_cache *cache, size_t bytes)
{
    atomic_fetch_add(&cache->written, bytes);
}

/* Called after each write to the cache. Files are written nearly in order. */
void page_cache_wrote(struct page_cache *cache, int descriptor, uint64_t offset, size_t bytes);

/* Called when a file is complete. */
void page_cache_completed(struct page_cache *cache, int descriptor);

/* Called after a large read. */
void page_cache_read(struct page_cache *cache, int descriptor, uint64_t offset, size_t bytes);

#endif
