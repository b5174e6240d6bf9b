/* host_memory.h - how much memory of the host this process may use. */
#ifndef SK_HOST_MEMORY_H
#define SK_HOST_MEMORY_H

#include <stdint.h>

typedef struct sk_host_memory {
    uint64_t available; /* bytes that can be allocated now without swapping or exceeding a limit */
    uint64_t total;     /* physical memory, or a lower limit */
} sk_host_memory;

/* The machine's memory within the limits of the process's control groups (versions 1 and 2) and of all groups above
 * them. Cached files count as available. Reads /proc and the mounted control groups below the folder `root`; "" is the
 * system's own. UINT64_MAX where nothing is known. */
sk_host_memory sk_host_memory_below(const char *root);

/* The same of the system, within RLIMIT_AS and RLIMIT_DATA too. */
sk_host_memory sk_host_memory_now(void);

#endif
