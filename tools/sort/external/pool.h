/* pool.h - the chunk buffers of the host: a fixed number, made when first needed. */
#ifndef POOL_H
#define POOL_H

#include "worker.h"

struct chunk {
    struct buffer memory;
    uint64_t begin; /* the first element of the input that it holds */
    size_t n;       /* items */
    bool last;      /* the inputs end with it */
};

struct pool;

/* The worker must stay. */
struct pool *pool_create(const struct worker *worker, size_t chunk_bytes, size_t chunks);

/* Waits until a chunk is free. */
struct chunk *pool_take(struct pool *pool);
void pool_give(struct pool *pool, struct chunk *chunk);

/* Frees the chunks that are free now. */
void pool_trim(struct pool *pool);

/* Frees a chunk that was taken. */
void pool_drop(struct pool *pool, struct chunk *chunk);

/* Bytes of the chunks that exist. */
uint64_t pool_bytes(const struct pool *pool);

/* All chunks must have been given back or dropped. */
void pool_destroy(struct pool *pool);

#endif
