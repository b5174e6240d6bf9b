/* crew.h - a thread for each local member but the first, whose thread is the caller's. They last as long as the group,
 * so that what a library keeps for a thread, such as OpenMP's workers, is made once. */
#ifndef SK_GROUP_CREW_H
#define SK_GROUP_CREW_H

#include "scankit.h"

typedef struct sk_crew sk_crew;

/* A crew of `size` threads, the caller's included. NULL if there is no memory or no thread. */
sk_crew *sk_crew_open(size_t size);

/* Calls work(state, i) for each i below the size, at the same time, and returns when all are done. */
void sk_crew_run(sk_crew *crew, void (*work)(void *state, size_t i), void *state);

void sk_crew_close(sk_crew *crew);

#endif
