/* ring.c - see ring.h. */
#include "block_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "common/cli.h"

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t filled, emptied; /* blocks, since the start; filled - emptied of them are full */
    size_t bytes[RING_BLOCKS];
    char *block[RING_BLOCKS];
    char *memory;
};

static size_t round_up(size_t bytes)
{
    return (bytes + 4095) & ~(size_t)4095;
}

struct ring *ring_create(size_t block_bytes, size_t before)
{
    struct ring *ring = get_memory(sizeof *ring);
    size_t each = round_up(before) + round_up(block_bytes);
    *ring = (struct ring){.filled = 0};
    ring->memory = aligned_alloc(4096, RING_BLOCKS * each);
    if (ring->memory == NULL)
        fail(NULL, "out of memory: cannot allocate %s", bytes_text(RING_BLOCKS * each));
    for (size_t i = 0; i < RING_BLOCKS; i++)
        ring->block[i] = ring->memory + i * each + round_up(before);
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->changed, NULL);
    return ring;
}

void ring_destroy(struct ring *ring)
{
    pthread_cond_destroy(&ring->changed);
    pthread_mutex_destroy(&ring->lock);
    free(ring->memory);
    free(ring);
}

char *ring_claim(struct ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->filled - ring->emptied == RING_BLOCKS)
        pthread_cond_wait(&ring->changed, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
    return ring->block[ring->filled % RING_BLOCKS];
}

char *ring_take(struct ring *ring, size_t *bytes)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->filled == ring->emptied)
        pthread_cond_wait(&ring->changed, &ring->lock);
    pthread_mutex_unlock(&ring->lock);
    *bytes = ring->bytes[ring->emptied % RING_BLOCKS];
    return ring->block[ring->emptied % RING_BLOCKS];
}

static void advance(struct ring *ring, size_t *counter)
{
    pthread_mutex_lock(&ring->lock);
    ++*counter;
    pthread_cond_signal(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
}

void ring_publish(struct ring *ring, size_t bytes)
{
    ring->bytes[ring->filled % RING_BLOCKS] = bytes;
    advance(ring, &ring->filled);
}

void ring_release(struct ring *ring)
{
    advance(ring, &ring->emptied);
}
