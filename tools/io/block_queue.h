/* block_queue.h - a ring of blocks between threads that fill and threads that empty them. Both sides get the blocks in
 * the same order; each side may have several at a time, and may be done with them in any order. */
#ifndef BLOCK_QUEUE_H
#define BLOCK_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "scankit.h"

struct block_queue;

struct block {
    char *data;
    size_t bytes;    /* 0 marks the end */
    uint64_t number; /* of the block in the stream, from 0 */
    uint64_t offset; /* of its bytes, for the two sides to use */
};

/* The least number of blocks, and the number where --buffer-size bounds the memory; and the most. */
#define QUEUE_BLOCKS 4
#define QUEUE_BLOCKS_MAX 18

/* Creates `blocks` blocks of block_bytes, with `before` bytes of room in front of each. Memory is zero at first. */
struct block_queue *queue_create(size_t block_bytes, size_t before, unsigned blocks);
void queue_destroy(struct block_queue *queue);

/* Makes transfers between the blocks and a device fast. Any thread may use the blocks meanwhile. */
void queue_pin(struct block_queue *queue, scankit_context *context);

/* The filling side: claims the next block, once it is free; then publishes it. */
struct block *queue_claim(struct block_queue *queue);
void queue_publish(struct block_queue *queue, struct block *block, size_t bytes);

/* Exchanges the memory of a claimed block for that of a spare one, which has no room in front. The old memory keeps its
 * bytes until the next exchange. */
void queue_exchange(struct block_queue *queue, struct block *block);

/* The emptying side: takes the next block, once it is published; then releases it to be filled again. */
struct block *queue_take(struct block_queue *queue);
void queue_release(struct block_queue *queue, struct block *block);

/* Waits until all blocks before this one have passed, and lets the next one pass. Emptying threads put their output in
 * order with this. */
void queue_wait_turn(struct block_queue *queue, const struct block *block);
void queue_pass_turn(struct block_queue *queue);

#endif
