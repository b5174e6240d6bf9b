/* page_cache.c - see page_cache.h. The kernel starts late to write (a tenth of the free memory is dirty by then), and
 * once a fifth is dirty it stops the writer. Started early, the disk works beside the sort. All calls here are advice,
 * so their errors are ignored: a lost page shows as a wrong checksum. */
#include "page_cache.h"

#include <fcntl.h>
#include <stdio.h>

#define WINDOW ((uint64_t)8 << 20) /* a piece that is handed to the disk */
#define WINDOWS ((uint64_t)4)      /* that the disk may be busy with */
#define UNKNOWN ((uint64_t)2 << 30)

/* The kernel's estimate of the memory that can be taken without swapping. */
static uint64_t available_memory(void)
{
    FILE *file = fopen("/proc/meminfo", "re");
    char line[128];
    unsigned long long kilobytes;
    uint64_t bytes = UNKNOWN;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            bytes = (uint64_t)kilobytes << 10;
    if (file != NULL)
        fclose(file);
    return bytes;
}

void page_cache_open(struct page_cache *cache, uint64_t limit)
{
    if (limit == 0)
        limit = available_memory() / 2;
    *cache = (struct page_cache){.early = limit / 8, .limit = limit};
}

static void start_writing(int descriptor, uint64_t offset, uint64_t bytes)
{
    sync_file_range(descriptor, (off_t)offset, (off_t)bytes, SYNC_FILE_RANGE_WRITE);
}

/* Waits until it is written. A dirty page cannot be dropped. */
static void drop(int descriptor, uint64_t offset, uint64_t bytes)
{
    sync_file_range(descriptor, (off_t)offset, (off_t)bytes,
                    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
    posix_fadvise(descriptor, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}

void page_cache_wrote(struct page_cache *cache, int descriptor, uint64_t offset, size_t bytes)
{
    uint64_t written = atomic_fetch_add(&cache->written, bytes) + bytes;
    uint64_t window = offset / WINDOW, end = (offset + bytes) / WINDOW;
    if (written <= cache->early)
        return;
    for (; window < end; window++) {
        start_writing(descriptor, window * WINDOW, WINDOW);
        if (written > cache->limit && window >= WINDOWS)
            drop(descriptor, (window - WINDOWS) * WINDOW, WINDOW);
    }
}

void page_cache_completed(struct page_cache *cache, int descriptor)
{
    uint64_t written = atomic_load(&cache->written);
    if (written > cache->limit)
        drop(descriptor, 0, 0); /* to the end */
    else if (written > cache->early)
        start_writing(descriptor, 0, 0);
}

void page_cache_read(struct page_cache *cache, int descriptor, uint64_t offset, size_t bytes)
{
    if (page_cache_is_full(cache))
        posix_fadvise(descriptor, (off_t)offset, (off_t)bytes, POSIX_FADV_DONTNEED);
}
