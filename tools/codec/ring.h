/* ring.h - slots in a circle. One thread fills them in order, workers work on them in any order, one thread empties
 * them in order. The payloads of the slots belong to the caller. */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>

struct ring;

#define RING_STOPPED ((size_t)-1)

/* Works on a slot. worker: 0 for the filling thread itself, from 1 on for the threads. */
typedef void ring_work(void *state, size_t slot, unsigned worker);

struct ring *ring_create(size_t slots, ring_work *work, void *state);

/* Starts up to `most` workers, and returns how many could be started. Without workers the filling thread works. */
unsigned ring_start(struct ring *ring, unsigned most);

/* The filling side: claims the next free slot; then submits it, to be worked on or not. ring_submit() returns the
 * number of slots submitted so far. ring_claim() returns RING_STOPPED after ring_stop(). */
size_t ring_claim(struct ring *ring);
size_t ring_submit(struct ring *ring, bool needs_work);

/* Waits until the first `count` slots that were submitted have been worked on; or until all have been emptied. */
void ring_wait_worked(struct ring *ring, size_t count);
void ring_wait_empty(struct ring *ring);

/* The emptying side: takes the next slot when it has been worked on; then releases it to be filled again. ring_take()
 * returns RING_STOPPED after ring_stop(). */
size_t ring_take(struct ring *ring);
void ring_release(struct ring *ring);

/* Wakes all threads that wait. Workers end. */
void ring_stop(struct ring *ring);

/* Stops the ring, waits for the workers, and frees it. */
void ring_destroy(struct ring *ring);

#endif
