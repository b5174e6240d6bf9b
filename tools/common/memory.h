/* memory.h - how much memory a tool may use: of the host by --buffer-size, of a GPU by --device-memory. */
#ifndef MEMORY_H
#define MEMORY_H

#include "options.h"

/* The host's physical memory, or a lower limit of the process: percentages refer to it. */
size_t host_total(void);

/* Bytes of host memory that were free at the first call, except for a reserve. */
size_t host_free(void);

/* Bytes of host memory that all buffers of the tool together may take: --buffer-size, but at most host_total(). By
 * default host_free(). */
uint64_t host_limit(const struct common *common);

/* Bytes of the device's memory that may be used: on a GPU --device-memory, by default what was free at the first call;
 * on a CPU host_limit(). A GPU has to be open. */
struct device;
uint64_t device_limit(struct device *device, const struct common *common);

#endif
