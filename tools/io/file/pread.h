/* pread.h - reading a large part of a file with several threads. */
#ifndef PREAD_H
#define PREAD_H

#include <stddef.h>
#include <stdint.h>

#define PREAD_FAILED SIZE_MAX

/* Reads bytes from an offset. Returns fewer at the end of the file, or PREAD_FAILED with errno set. One thread copies
 * from the page cache at a tenth of the memory's bandwidth, so several share large parts. */
size_t pread_all(int descriptor, void *memory, size_t bytes, uint64_t offset, unsigned threads);

#endif
