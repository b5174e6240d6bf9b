/* barrier.h - a barrier for members that meet often: a thread looks for the others for a while before it sleeps, as
 * waking it takes longer than most of these waits. */
#ifndef SK_GROUP_BARRIER_H
#define SK_GROUP_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct sk_barrier {
    size_t members;
    atomic_size_t arrived; /* in this round */
    atomic_size_t round;
    pthread_mutex_t lock;
    pthread_cond_t next; /* the round has ended */
} sk_barrier;

/* False without the system's resources. */
bool sk_barrier_open(sk_barrier *barrier, size_t members);

/* Returns when all members have called it. */
void sk_barrier_wait(sk_barrier *barrier);

/* No member waits. */
void sk_barrier_close(sk_barrier *barrier);

#endif
