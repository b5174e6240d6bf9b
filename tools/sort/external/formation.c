/* formation.c - see formation.h. */
#include "formation.h"

#include <stdatomic.h>
#include <string.h>

#include "common/progress.h"
#include "common/threads.h"
#include "threads/channel.h"

struct forming {
    struct formation *formation;
    struct channel *filled, *leaving; /* chunks to be sorted, runs to be spilled; a NULL after the last */
    pthread_t reader, spiller;
    bool ended;           /* the inputs have */
    atomic_bool overflow; /* the runs do not fit into memory: the reader stops */
    bool spills;          /* the spiller runs */
    size_t residents;     /* as in struct formation, and 0 after an overflow */
    size_t first_kept;    /* the runs before it have been handed to the spiller, or were there before */
    struct chunk *spare;
};

/* ---- the threads beside ---- */

static void *read_chunks(void *argument)
{
    struct forming *forming = argument;
    const struct formation *formation = forming->formation;
    while (!forming->ended && !forming->overflow) {
        struct chunk *chunk = pool_take(formation->set->pool);
        chunk->begin = formation->intake->position;
        chunk->n = intake_fill(formation->intake, chunk->memory.data, formation->chunk);
        forming->ended = chunk->last = chunk->n < formation->chunk;
        channel_put(forming->filled, chunk);
    }
    channel_put(forming->filled, NULL);
    return NULL;
}

static void *spill_runs(void *argument)
{
    struct forming *forming = argument;
    for (struct sorted_run *run; (run = channel_take(forming->leaving)) != NULL;)
        run_spill(forming->formation->set, run);
    return NULL;
}

static void spill(struct forming *forming, struct sorted_run *run)
{
    const struct formation *formation = forming->formation;
    if (!forming->spills) {
        if (formation->set->store == NULL)
            formation->set->store = formation->open_store(formation->state);
        thread_start(&forming->spiller, spill_runs, forming);
        forming->spills = true;
    }
    channel_put(forming->leaving, run);
}

/* Hands runs to the spiller unless they may stay in memory. If some may not, none may. */
static void make_space(struct forming *forming)
{
    const struct run_set *set = forming->formation->set;
    if (set->count - forming->first_kept <= forming->residents)
        return;
    forming->overflow = forming->residents > 0;
    forming->residents = 0;
    while (forming->first_kept < set->count)
        spill(forming, set->runs[forming->first_kept++]);
}

/* ---- sorting ---- */

/* Removes items that are not among the best: those that do not order before the last of them. */
static void filter(const struct items *items, const struct sorted_run *best, struct chunk *chunk)
{
    const char *last = best->chunk->memory.data + (best->n - 1) * items->size;
    char *to = chunk->memory.data;
    for (size_t i = 0; i < chunk->n; i++) {
        const char *item = chunk->memory.data + i * items->size;
        if (items_compare(items, item, last) < 0) {
            memmove(to, item, items->size);
            to += items->size;
        }
    }
    chunk->n = (size_t)(to - chunk->memory.data) / items->size;
}

/* Sorts a chunk. The result is in the chunk that is returned; the other one is the spare one then. */
static struct chunk *sort_chunk(struct forming *forming, struct chunk *chunk)
{
    struct chunk *spare = forming->spare;
    chunk->n = spare->n = chunk->n;
    spare->begin = chunk->begin;
    char *sorted = worker_sort(forming->formation->worker, chunk->memory.data, spare->memory.data, &chunk->n);
    if (sorted == chunk->memory.data)
        return chunk;
    spare->n = chunk->n;
    forming->spare = chunk;
    return spare;
}

static struct sorted_run *make_run(const struct formation *formation, struct chunk *chunk, uint64_t begin, uint64_t end)
{
    struct sorted_run *run = run_set_make(formation->set);
    run->begin = begin;
    run->end = end;
    run->chunk = chunk;
    run_index(formation->set, run, chunk->memory.data, chunk->n < formation->top ? chunk->n : (size_t)formation->top);
    return run;
}

/* Merges the best items so far, the only run, with a sorted chunk. */
static void merge_best(struct forming *forming, struct chunk *chunk)
{
    const struct formation *formation = forming->formation;
    struct run_set *set = formation->set;
    struct sorted_run *best = set->runs[0];
    size_t counts[2] = {(size_t)best->n, chunk->n < formation->top ? chunk->n : (size_t)formation->top};
    const void *arrays[2] = {best->chunk->memory.data, chunk->memory.data};
    struct chunk *merged = forming->spare;
    merged->n = worker_merge(formation->worker, 2, arrays, counts, merged->memory.data);
    forming->spare = chunk;
    pool_give(set->pool, best->chunk);
    best->chunk = NULL;
    run_set_replace(set, 0, 1, make_run(formation, merged, 0, chunk->begin));
}

static void take_chunk(struct forming *forming, struct chunk *chunk)
{
    const struct formation *formation = forming->formation;
    struct run_set *set = formation->set;
    uint64_t begin = chunk->begin, end = begin + chunk->n;
    bool merge = formation->keep_best && set->count == 1;
    if (merge && formation->top > 0 && set->runs[0]->n == formation->top && scankit_is_host(formation->worker->context))
        filter(set->items, set->runs[0], chunk);
    if (chunk->n == 0) {
        pool_give(set->pool, chunk);
        return;
    }
    chunk = sort_chunk(forming, chunk);
    if (merge)
        merge_best(forming, chunk);
    else
        run_set_add(set, make_run(formation, chunk, begin, end));
}

static void sort_chunks(struct forming *forming)
{
    const struct formation *formation = forming->formation;
    for (struct chunk *chunk; (chunk = channel_take(forming->filled)) != NULL;) {
        bool last = chunk->last;
        progress_add(chunk->n * formation->intake->schema->size);
        take_chunk(forming, chunk);
        if (!formation->keep_best && (!last || formation->set->count > 1))
            make_space(forming);
    }
}

bool form_runs(struct formation *formation)
{
    struct forming forming = {
        .formation = formation, .first_kept = formation->set->count, .residents = formation->residents};
    struct pool *pool = formation->set->pool;
    forming.filled = channel_create(CHUNKS_IN_FLIGHT);
    forming.leaving = channel_create(CHUNKS_IN_FLIGHT);
    forming.spare = pool_take(pool); /* before the reader can take all chunks */
    thread_start(&forming.reader, read_chunks, &forming);
    sort_chunks(&forming);
    pthread_join(forming.reader, NULL);
    pool_give(pool, forming.spare);
    if (forming.spills) {
        channel_put(forming.leaving, NULL);
        pthread_join(forming.spiller, NULL);
    }
    channel_destroy(forming.filled);
    channel_destroy(forming.leaving);
    return forming.ended;
}
