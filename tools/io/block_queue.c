/* block_queue.c - see block_queue.h. */
#include "block_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "common/cli.h"

struct block_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t filled, emptied; /* blocks since the start; filled - emptied are full now */
    size_t bytes[QUEUE_BLOCKS];
    char *block[QUEUE_BLOCKS];
    char *memory;
};

static size_t round_up(size_t bytes)
{
    return (bytes + 4095) & ~(size_t)4095;
}

struct block_queue *queue_create(size_t block_bytes, size_t before)
{
    struct block_queue *queue = get_memory(sizeof *queue);
    size_t each = round_up(before) + round_up(block_bytes);
    *queue = (struct block_queue){.filled = 0};
    queue->memory = aligned_alloc(4096, QUEUE_BLOCKS * each);
    if (queue->memory == NULL)
        fail(NULL, "out of memory: cannot allocate %s", bytes_text(QUEUE_BLOCKS * each));
    for (size_t i = 0; i < QUEUE_BLOCKS; i++)
        queue->block[i] = queue->memory + i * each + round_up(before);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    return queue;
}

void queue_destroy(struct block_queue *queue)
{
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue->memory);
    free(queue);
}

char *queue_claim(struct block_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->filled - queue->emptied == QUEUE_BLOCKS)
        pthread_cond_wait(&queue->changed, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
    return queue->block[queue->filled % QUEUE_BLOCKS];
}

char *queue_take(struct block_queue *queue, size_t *bytes)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->filled == queue->emptied)
        pthread_cond_wait(&queue->changed, &queue->lock);
    pthread_mutex_unlock(&queue->lock);
    *bytes = queue->bytes[queue->emptied % QUEUE_BLOCKS];
    return queue->block[queue->emptied % QUEUE_BLOCKS];
}

static void advance(struct block_queue *queue, size_t *counter)
{
    pthread_mutex_lock(&queue->lock);
    ++*counter;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void queue_publish(struct block_queue *queue, size_t bytes)
{
    queue->bytes[queue->filled % QUEUE_BLOCKS] = bytes;
    advance(queue, &queue->filled);
}

void queue_release(struct block_queue *queue)
{
    advance(queue, &queue->emptied);
}
