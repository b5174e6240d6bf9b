/* threads.h - starting threads, and how many can be. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>

/* Starts a thread that the tool cannot do without. */
void thread_start(pthread_t *thread, void *(*body)(void *argument), void *argument);

/* How many threads, up to `most`, can live at once beside those that do. It starts them, and ends them again. */
unsigned threads_possible(unsigned most);

#endif
