/* block_queue.h - a queue of blocks between a thread that fills and a thread that empties them. */
#ifndef BLOCK_QUEUE_H
#define BLOCK_QUEUE_H

#include <stddef.h>

struct block_queue;

#define QUEUE_BLOCKS 4

/* Creates QUEUE_BLOCKS blocks of block_bytes, with `before` bytes of room in front of each. */
struct block_queue *queue_create(size_t block_bytes, size_t before);
void queue_destroy(struct block_queue *queue);

/* The filling side: claims the next free block; then publishes it with `bytes` bytes. 0 bytes mark the end. */
char *queue_claim(struct block_queue *queue);
void queue_publish(struct block_queue *queue, size_t bytes);

/* The emptying side: takes the next full block; then releases it to be filled again. */
char *queue_take(struct block_queue *queue, size_t *bytes);
void queue_release(struct block_queue *queue);

#endif
