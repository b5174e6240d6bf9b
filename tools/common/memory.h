/* memory.h - how much memory a tool may use: of the host by --buffer-size, of a GPU by --device-memory. */
#ifndef MEMORY_H
#define MEMORY_H

#include "options.h"

/* The host's physical memory, or a lower limit of the process: percentages refer to it. */
size_t host_total(void);

/* The process's limit of address space; UINT64_MAX if there is none. */
uint64_t host_address_space(void);

/* Under such a limit, keeps malloc() from reserving addresses for each thread. To be called before threads are. */
void host_save_addresses(void);

/* Bytes of host memory that were free at the first call, except for a reserve. */
size_t host_free(void);

/* Bytes of host memory that the buffers of the tool's own work may take together: --buffer-size, but at most
 * host_total(), by default host_free(); less what was taken, but at least a quarter. */
uint64_t host_limit(const struct common *common);

/* The part of it that is left for elements of a sort, at least a quarter. The rest is for the process, and for the
 * threads of the library and of reading, writing and checking blocks. */
uint64_t host_room(const struct common *common);

/* Says that something else, a codec, takes this much of the host's memory, or gives it back. Any thread may call them.
 */
void host_take(uint64_t bytes);
void host_give_back(uint64_t bytes);

/* How many of `threads` threads, at least one, can take `each` bytes, and leave most of the limit. */
unsigned host_threads(const struct common *common, unsigned threads, uint64_t each);

/* Bytes of the device's memory that may be used: on a GPU --device-memory, by default what was free at the first call;
 * on a CPU host_limit(). A GPU has to be open. */
struct device;
uint64_t device_limit(struct device *device, const struct common *common);

#endif
