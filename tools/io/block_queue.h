/* ring.h - a ring of blocks between a thread that fills them and one that empties them. */
#ifndef RING_H
#define RING_H

#include <stddef.h>

struct ring;

#define RING_BLOCKS 4

/* That many blocks of block_bytes, with `before` bytes of room in front of each. */
struct ring *ring_create(size_t block_bytes, size_t before);
void ring_destroy(struct ring *ring);

/* The filling side: the next free block; then, filled with `bytes` bytes, on to the other side. 0 bytes: the end. */
char *ring_claim(struct ring *ring);
void ring_publish(struct ring *ring, size_t bytes);

/* The emptying side: the next full block; then back to be filled. */
char *ring_take(struct ring *ring, size_t *bytes);
void ring_release(struct ring *ring);

#endif
