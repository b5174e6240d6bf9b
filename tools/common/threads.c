/* threads.c - see threads.h. */
#include "threads.h"

#include <stdlib.h>

#include "cli.h"

void thread_start(pthread_t *thread, void *(*body)(void *argument), void *argument)
{
    if (pthread_create(thread, NULL, body, argument) != 0)
        fail(NULL, "cannot start a thread");
}

/* Ends when the lock is released. */
static void *wait_for_lock(void *argument)
{
    pthread_mutex_t *lock = argument;
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

unsigned threads_possible(unsigned most)
{
    pthread_t *threads = get_memory(most * sizeof *threads);
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    unsigned count = 0;
    pthread_mutex_lock(&lock);
    while (count < most && pthread_create(&threads[count], NULL, wait_for_lock, &lock) == 0)
        count++;
    pthread_mutex_unlock(&lock);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return count;
}
