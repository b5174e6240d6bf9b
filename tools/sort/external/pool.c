/* pool.c - see pool.h. */
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "common/cli.h"

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t given;
    const struct worker *worker;
    size_t chunk_bytes, most;
    size_t made, free_count; /* chunks that exist, and the free ones of them */
    struct chunk **free;     /* a stack: the chunk given last is in the caches */
};

struct pool *pool_create(const struct worker *worker, size_t chunk_bytes, size_t chunks)
{
    struct pool *pool = get_memory(sizeof *pool);
    *pool = (struct pool){.worker = worker, .chunk_bytes = chunk_bytes, .most = chunks};
    pool->free = get_memory(chunks * sizeof(struct chunk *));
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->given, NULL);
    return pool;
}

static struct chunk *make(struct pool *pool)
{
    struct chunk *chunk = get_memory(sizeof *chunk);
    *chunk = (struct chunk){.n = 0};
    worker_reserve(pool->worker, &chunk->memory, pool->chunk_bytes);
    pool->made++;
    return chunk;
}

struct chunk *pool_take(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->free_count == 0 && pool->made == pool->most)
        pthread_cond_wait(&pool->given, &pool->lock);
    struct chunk *chunk = pool->free_count > 0 ? pool->free[--pool->free_count] : make(pool);
    pthread_mutex_unlock(&pool->lock);
    return chunk;
}

void pool_give(struct pool *pool, struct chunk *chunk)
{
    pthread_mutex_lock(&pool->lock);
    pool->free[pool->free_count++] = chunk;
    pthread_cond_signal(&pool->given);
    pthread_mutex_unlock(&pool->lock);
}

void pool_drop(struct pool *pool, struct chunk *chunk)
{
    pthread_mutex_lock(&pool->lock);
    pool->made--;
    pthread_mutex_unlock(&pool->lock);
    worker_release(pool->worker, &chunk->memory);
    free(chunk);
}

void pool_trim(struct pool *pool)
{
    while (pool->free_count > 0)
        pool_drop(pool, pool->free[--pool->free_count]);
}

uint64_t pool_bytes(const struct pool *pool)
{
    return (uint64_t)pool->made * pool->chunk_bytes;
}

void pool_destroy(struct pool *pool)
{
    pool_trim(pool);
    pthread_cond_destroy(&pool->given);
    pthread_mutex_destroy(&pool->lock);
    free(pool->free);
    free(pool);
}
