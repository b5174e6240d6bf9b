/* run_set.c - see run_set.h. */
#include "run_set.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/cli.h"

/* A splitter reads some 4 blocks of every run, which should be little beside the run. */
#define BLOCKS_PER_RUN 1024
#define BLOCK_LEAST_BYTES ((size_t)1 << 10)
#define BLOCK_MOST_BYTES ((size_t)16 << 10)

/* Bytes that are handed to the store at once. */
#define SPILL_BYTES ((size_t)4 << 20)

void run_set_open(struct run_set *set, const struct items *items, size_t chunk_bytes)
{
    size_t block = chunk_bytes / BLOCKS_PER_RUN;
    block = block < BLOCK_LEAST_BYTES ? BLOCK_LEAST_BYTES : block > BLOCK_MOST_BYTES ? BLOCK_MOST_BYTES : block;
    set->items = items;
    set->every = block > items->size ? block / items->size : 1;
}

void run_set_allow_many(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

static void free_run(const struct run_set *set, struct sorted_run *run)
{
    if (run->chunk != NULL)
        pool_drop(set->pool, run->chunk);
    if (run->stored != NULL)
        run_destroy(run->stored);
    free(run->index);
    free(run);
}

void run_set_close(struct run_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free_run(set, set->runs[i]);
    free(set->runs);
    if (set->store != NULL)
        run_store_close(set->store);
}

struct sorted_run *run_set_make(const struct run_set *set)
{
    struct sorted_run *run = get_memory(sizeof *run);
    *run = (struct sorted_run){.every = set->every};
    return run;
}

static void *grow(void *memory, size_t count, size_t size)
{
    void *grown = reallocarray(memory, count, size);
    if (grown == NULL)
        fail(NULL, "out of memory: cannot allocate %s", bytes_text((uint64_t)count * size));
    return grown;
}

void run_set_add(struct run_set *set, struct sorted_run *run)
{
    if (set->count == set->room) {
        set->room = 2 * set->room + 64;
        set->runs = grow(set->runs, set->room, sizeof(struct sorted_run *));
    }
    set->runs[set->count++] = run;
}

void run_set_replace(struct run_set *set, size_t first, size_t count, struct sorted_run *run)
{
    for (size_t i = first; i < first + count; i++)
        free_run(set, set->runs[i]);
    set->runs[first] = run;
    set->count -= count - 1;
    memmove(set->runs + first + 1, set->runs + first + count, (set->count - first - 1) * sizeof(struct sorted_run *));
}

void run_index(const struct run_set *set, struct sorted_run *run, const char *memory, size_t n)
{
    const struct packing *packing = &set->items->packing;
    uint64_t next = run->index_count * run->every; /* item of the next entry */
    for (; next < run->n + n; next += run->every) {
        if (run->index_count == run->index_room) {
            run->index_room = 2 * run->index_room + 256;
            run->index = grow(run->index, run->index_room, packing->size);
        }
        char *to = run->index + run->index_count++ * packing->size;
        const char *item = memory + (next - run->n) * set->items->size;
        if (set->items->positions)
            memcpy(to, item, packing->size);
        else
            pack(packing, item, to);
    }
    run->n += n;
}

void run_spill(struct run_set *set, struct sorted_run *run)
{
    struct chunk *chunk = run->chunk;
    size_t bytes = run->n * set->items->size, step = SPILL_BYTES / set->items->size * set->items->size;
    if (step == 0)
        step = set->items->size;
    run->stored = run_create(set->store);
    for (size_t done = 0; done < bytes; done += step)
        run_append(run->stored, chunk->memory.data + done, bytes - done < step ? bytes - done : step);
    run_covers(run->stored, run->begin, run->end);
    run_complete(run->stored);
    run->chunk = NULL;
    pool_give(set->pool, chunk);
}

void run_fetch(const struct run_set *set, struct sorted_run *run, uint64_t first, size_t n, char *to)
{
    if (run->chunk != NULL)
        memcpy(to, run->chunk->memory.data + first * set->items->size, n * set->items->size);
    else
        run_read(run->stored, run->first + first, n, to);
}

uint64_t run_set_items(const struct run_set *set)
{
    uint64_t n = 0;
    for (size_t i = 0; i < set->count; i++)
        n += set->runs[i]->n;
    return n;
}

uint64_t run_set_index_bytes(const struct run_set *set)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < set->count; i++)
        bytes += set->runs[i]->index_room * set->items->packing.size;
    return bytes;
}
