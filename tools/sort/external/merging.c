/* merging.c - see merging.h. */
#include "merging.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "common/threads.h"
#include "threads/channel.h"

#define BUFFERS 2 /* of each kind */

/* A merged range, of which the first item may be left out. */
struct merged {
    struct buffer memory;
    size_t first, n;
};

struct flow {
    struct merging *merging;
    struct range ranges[BUFFERS];
    struct merged results[BUFFERS];
    struct channel *empty, *loaded;  /* ranges; a NULL after the last */
    struct channel *free, *finished; /* results; a NULL after the last */
    pthread_t loader, writer;
    atomic_bool enough;
    char *last;    /* the last item handed on, or the one in front of the result */
    bool has_last; /* there is such an item */
    uint64_t n;    /* items handed on */
};

static void *load_ranges(void *argument)
{
    struct flow *flow = argument;
    const struct range_source *source = &flow->merging->source;
    for (;;) {
        struct range *range = channel_take(flow->empty);
        if (flow->enough || !source->next(source->state, range))
            break;
        channel_put(flow->loaded, range);
    }
    channel_put(flow->loaded, NULL);
    return NULL;
}

static void *hand_on(void *argument)
{
    struct flow *flow = argument;
    const struct merging *merging = flow->merging;
    size_t size = merging->worker->items->size;
    for (struct merged *result; (result = channel_take(flow->finished)) != NULL; channel_put(flow->free, result))
        merging->take(merging->state, result->memory.data + result->first * size, result->n);
    return NULL;
}

/* Leaves out what equals the last item of the range before, and what is not wanted. */
static void trim(struct flow *flow, struct merged *result, size_t n)
{
    const struct merging *merging = flow->merging;
    const struct items *items = merging->worker->items;
    bool again = merging->worker->unique && flow->has_last && n > 0 &&
                 items_compare(items, flow->last, result->memory.data) == 0;
    result->first = again;
    result->n = n - again;
    if (result->n > merging->most - flow->n)
        result->n = (size_t)(merging->most - flow->n);
    flow->n += result->n;
    flow->enough = flow->n == merging->most;
    if (result->n == 0)
        return;
    memcpy(flow->last, result->memory.data + (result->first + result->n - 1) * items->size, items->size);
    flow->has_last = true;
}

static void merge_loaded(struct flow *flow)
{
    const struct merging *merging = flow->merging;
    for (struct range *range; (range = channel_take(flow->loaded)) != NULL; channel_put(flow->empty, range)) {
        if (flow->enough)
            continue;
        struct merged *result = channel_take(flow->free);
        size_t n = worker_merge(merging->worker, merging->source.k, range->arrays, range->counts, result->memory.data);
        trim(flow, result, n);
        progress_add(result->n * merging->worker->items->result_size);
        channel_put(flow->finished, result);
    }
    channel_put(flow->finished, NULL);
}

static void open_flow(struct flow *flow)
{
    const struct range_source *source = &flow->merging->source;
    size_t size = flow->merging->worker->items->size;
    flow->empty = channel_create(BUFFERS);
    flow->free = channel_create(BUFFERS);
    flow->loaded = channel_create(BUFFERS + 1);
    flow->finished = channel_create(BUFFERS + 1);
    flow->last = get_memory(size);
    flow->has_last = flow->merging->before != NULL;
    if (flow->has_last)
        memcpy(flow->last, flow->merging->before, size);
    for (int i = 0; i < BUFFERS; i++) {
        flow->ranges[i].arrays = get_memory(source->k * sizeof(void *));
        flow->ranges[i].counts = get_memory(source->k * sizeof(size_t));
        worker_reserve(flow->merging->worker, &flow->ranges[i].memory, source->memory);
        worker_reserve(flow->merging->worker, &flow->results[i].memory, source->range * size);
        channel_put(flow->empty, &flow->ranges[i]);
        channel_put(flow->free, &flow->results[i]);
    }
}

static void close_flow(struct flow *flow)
{
    for (int i = 0; i < BUFFERS; i++) {
        free(flow->ranges[i].arrays);
        free(flow->ranges[i].counts);
        worker_release(flow->merging->worker, &flow->ranges[i].memory);
        worker_release(flow->merging->worker, &flow->results[i].memory);
    }
    free(flow->last);
    channel_destroy(flow->empty);
    channel_destroy(flow->free);
    channel_destroy(flow->loaded);
    channel_destroy(flow->finished);
}

uint64_t merge_ranges(struct merging *merging)
{
    struct flow flow = {.merging = merging, .enough = merging->most == 0};
    open_flow(&flow);
    thread_start(&flow.loader, load_ranges, &flow);
    thread_start(&flow.writer, hand_on, &flow);
    merge_loaded(&flow);
    pthread_join(flow.loader, NULL);
    pthread_join(flow.writer, NULL);
    close_flow(&flow);
    return flow.n;
}
