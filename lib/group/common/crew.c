/* crew.c - see crew.h. */
#include "crew.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct worker {
    sk_crew *crew;
    size_t index;
    pthread_t thread;
};

struct sk_crew {
    size_t size, started; /* started: workers with a thread */
    struct worker *worker;
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    unsigned long call; /* counts the calls */
    size_t running;
    bool quit;
    void (*work)(void *state, size_t i);
    void *state;
};

/* Waits for a call that this worker has not seen. False at the end. */
static bool wait_for_call(sk_crew *crew, unsigned long *seen)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->call == *seen && !crew->quit)
        pthread_cond_wait(&crew->begin, &crew->lock);
    *seen = crew->call;
    bool quit = crew->quit;
    pthread_mutex_unlock(&crew->lock);
    return !quit;
}

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    sk_crew *crew = worker->crew;
    unsigned long seen = 0;
    while (wait_for_call(crew, &seen)) {
        crew->work(crew->state, worker->index);
        pthread_mutex_lock(&crew->lock);
        if (--crew->running == 0)
            pthread_cond_signal(&crew->end);
        pthread_mutex_unlock(&crew->lock);
    }
    return NULL;
}

static bool start_workers(sk_crew *crew)
{
    for (; crew->started + 1 < crew->size; crew->started++) {
        struct worker *worker = &crew->worker[crew->started];
        *worker = (struct worker){.crew = crew, .index = crew->started + 1};
        if (pthread_create(&worker->thread, NULL, run_worker, worker) != 0)
            return false;
    }
    return true;
}

sk_crew *sk_crew_open(size_t size)
{
    sk_crew *crew = calloc(1, sizeof *crew);
    if (crew == NULL)
        return NULL;
    crew->size = size;
    crew->worker = calloc(size, sizeof *crew->worker);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begin, NULL);
    pthread_cond_init(&crew->end, NULL);
    if (crew->worker != NULL && start_workers(crew))
        return crew;
    sk_crew_close(crew);
    return NULL;
}

void sk_crew_run(sk_crew *crew, void (*work)(void *state, size_t i), void *state)
{
    pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->state = state;
    crew->running = crew->size - 1;
    crew->call++;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    work(state, 0);
    pthread_mutex_lock(&crew->lock);
    while (crew->running > 0)
        pthread_cond_wait(&crew->end, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void sk_crew_close(sk_crew *crew)
{
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->quit = true;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < crew->started; i++)
        pthread_join(crew->worker[i].thread, NULL);
    pthread_cond_destroy(&crew->begin);
    pthread_cond_destroy(&crew->end);
    pthread_mutex_destroy(&crew->lock);
    free(crew->worker);
    free(crew);
}
