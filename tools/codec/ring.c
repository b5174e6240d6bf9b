/* ring.c - see ring.h. */
#include "ring.h"

#include <pthread.h>
#include <stdlib.h>

#include "common/cli.h"

struct worker {
    struct ring *ring;
    unsigned number;
    pthread_t thread;
};

/* The counters count slots since the start: emptied <= worked <= begun <= submitted. */
struct ring {
    pthread_mutex_t lock;
    pthread_cond_t freed, given, ready; /* for the filling thread, the workers, and who waits for worked slots */
    size_t slots, submitted, begun, worked, emptied;
    bool *done; /* for each slot: nothing is left to be worked on */
    bool stopped;
    ring_work *work;
    void *state;
    struct worker *workers;
    unsigned count;
};

struct ring *ring_create(size_t slots, ring_work *work, void *state)
{
    struct ring *ring = get_memory(sizeof *ring);
    *ring = (struct ring){.slots = slots, .work = work, .state = state, .done = get_memory(slots * sizeof(bool))};
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->freed, NULL);
    pthread_cond_init(&ring->given, NULL);
    pthread_cond_init(&ring->ready, NULL);
    return ring;
}

/* `worked` counts the slots in front of the first one that still has work. `begun` must not lag behind: slots that were
 * emptied are used again. */
static void note_worked(struct ring *ring)
{
    size_t before = ring->worked;
    while (ring->worked < ring->submitted && ring->done[ring->worked % ring->slots])
        ring->worked++;
    if (ring->begun < ring->worked)
        ring->begun = ring->worked;
    if (ring->worked > before)
        pthread_cond_broadcast(&ring->ready);
}

/* The number of the next slot that needs work, or RING_STOPPED. */
static size_t next_work(struct ring *ring)
{
    for (;;) {
        while (ring->begun < ring->submitted && ring->done[ring->begun % ring->slots])
            ring->begun++;
        if (ring->stopped)
            return RING_STOPPED;
        if (ring->begun < ring->submitted)
            return ring->begun++;
        pthread_cond_wait(&ring->given, &ring->lock);
    }
}

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    struct ring *ring = worker->ring;
    pthread_mutex_lock(&ring->lock);
    for (size_t number; (number = next_work(ring)) != RING_STOPPED;) {
        size_t slot = number % ring->slots;
        pthread_mutex_unlock(&ring->lock);
        ring->work(ring->state, slot, worker->number);
        pthread_mutex_lock(&ring->lock);
        ring->done[slot] = true;
        note_worked(ring);
    }
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

unsigned ring_start(struct ring *ring, unsigned most)
{
    ring->workers = get_memory(most * sizeof *ring->workers);
    for (unsigned i = 0; i < most; i++) {
        struct worker *worker = &ring->workers[i];
        *worker = (struct worker){.ring = ring, .number = i + 1};
        if (pthread_create(&worker->thread, NULL, run_worker, worker) != 0)
            break;
        ring->count++;
    }
    return ring->count;
}

size_t ring_claim(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->submitted - ring->emptied == ring->slots && !ring->stopped)
        pthread_cond_wait(&ring->freed, &ring->lock);
    size_t slot = ring->stopped ? RING_STOPPED : ring->submitted % ring->slots;
    pthread_mutex_unlock(&ring->lock);
    return slot;
}

size_t ring_submit(struct ring *ring, bool needs_work)
{
    size_t slot = ring->submitted % ring->slots;
    if (needs_work && ring->count == 0) {
        ring->work(ring->state, slot, 0);
        needs_work = false;
    }
    pthread_mutex_lock(&ring->lock);
    ring->done[slot] = !needs_work;
    size_t submitted = ++ring->submitted;
    if (needs_work)
        pthread_cond_signal(&ring->given);
    else
        note_worked(ring);
    pthread_mutex_unlock(&ring->lock);
    return submitted;
}

void ring_wait_worked(struct ring *ring, size_t count)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->worked < count)
        pthread_cond_wait(&ring->ready, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
}

void ring_wait_empty(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->emptied < ring->submitted)
        pthread_cond_wait(&ring->freed, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
}

size_t ring_take(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->emptied == ring->worked && !ring->stopped)
        pthread_cond_wait(&ring->ready, &ring->lock);
    size_t slot = ring->stopped ? RING_STOPPED : ring->emptied % ring->slots;
    pthread_mutex_unlock(&ring->lock);
    return slot;
}

void ring_release(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->emptied++;
    pthread_cond_broadcast(&ring->freed);
    pthread_mutex_unlock(&ring->lock);
}

void ring_stop(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->stopped = true;
    pthread_cond_broadcast(&ring->freed);
    pthread_cond_broadcast(&ring->given);
    pthread_cond_broadcast(&ring->ready);
    pthread_mutex_unlock(&ring->lock);
}

void ring_destroy(struct ring *ring)
{
    ring_stop(ring);
    for (unsigned i = 0; i < ring->count; i++)
        pthread_join(ring->workers[i].thread, NULL);
    pthread_cond_destroy(&ring->ready);
    pthread_cond_destroy(&ring->given);
    pthread_cond_destroy(&ring->freed);
    pthread_mutex_destroy(&ring->lock);
    free(ring->workers);
    free(ring->done);
    free(ring);
}
