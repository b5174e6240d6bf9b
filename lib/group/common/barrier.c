/* barrier.c - see barrier.h. */
#include "barrier.h"

#include <sched.h>

/* About half a millisecond, if no other thread wants the processor. */
#define LOOKS 1000

bool sk_barrier_open(sk_barrier *barrier, size_t members)
{
    barrier->members = members;
    atomic_init(&barrier->arrived, 0);
    atomic_init(&barrier->round, 0);
    if (pthread_mutex_init(&barrier->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&barrier->next, NULL) == 0)
        return true;
    pthread_mutex_destroy(&barrier->lock);
    return false;
}

/* The last member. The count is cleared before the others can come again. */
static void end_round(sk_barrier *barrier, size_t round)
{
    atomic_store(&barrier->arrived, 0);
    pthread_mutex_lock(&barrier->lock);
    atomic_store(&barrier->round, round + 1);
    pthread_cond_broadcast(&barrier->next);
    pthread_mutex_unlock(&barrier->lock);
}

void sk_barrier_wait(sk_barrier *barrier)
{
    const size_t round = atomic_load(&barrier->round);
    if (atomic_fetch_add(&barrier->arrived, 1) + 1 == barrier->members) {
        end_round(barrier, round);
        return;
    }
    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load(&barrier->round) != round)
            return;
        (void)sched_yield();
    }
    pthread_mutex_lock(&barrier->lock);
    while (atomic_load(&barrier->round) == round)
        pthread_cond_wait(&barrier->next, &barrier->lock);
    pthread_mutex_unlock(&barrier->lock);
}

void sk_barrier_close(sk_barrier *barrier)
{
    pthread_cond_destroy(&barrier->next);
    pthread_mutex_destroy(&barrier->lock);
}
