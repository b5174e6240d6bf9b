/* exchange.c - see exchange.h. A lane holds what came from one rank and is not merged yet. In each round a rank asks
 * all others for as many items as its lanes have room for, and merges what comes before all items that are not there
 * yet; see bound.h. So one lane at least becomes empty, and memory does not depend on the number of items. */
#include "exchange.h"

#include <stdlib.h>
#include <string.h>

#include "common/cli.h"
#include "items/bound.h"
#include "mpi/rank.h"
#include "mpi/rank_exchange.h"
#include "ranges.h"

struct lane {
    char *items;
    size_t begin, end;
    uint64_t left; /* items that the rank has not been asked for */
};

struct flow {
    const struct exchange *exchange;
    size_t p, size;
    struct lane *lanes;
    struct ranges **parts; /* of this rank's runs: what belongs to each rank */
    struct range range;
    struct buffer received, sent, merged;
    struct rank_message *to, *from;
    uint64_t *wanted, *given;    /* items from and to each rank, in this round */
    struct sequence_head *heads; /* of the lanes */
    const void **arrays;
    size_t *counts;
    char *last; /* the item in front of the next one, if has_last */
    bool has_last;
};

/* ---- opening ---- */

static void open_parts(struct flow *flow)
{
    const struct exchange *exchange = flow->exchange;
    size_t k = exchange->set->count;
    for (size_t r = 0; r < flow->p; r++) {
        const uint64_t *from = exchange->cuts->places + r * k, *to = from + k;
        flow->parts[r] = k > 0 ? ranges_open_between(exchange->set, from, to, exchange->room, exchange->threads) : NULL;
        flow->given[r] = 0;
        for (size_t i = 0; i < k; i++)
            flow->given[r] += to[i] - from[i];
    }
}

static void open_lanes(struct flow *flow)
{
    open_parts(flow);
    ranks_exchange_numbers(flow->given, flow->wanted);
    for (size_t r = 0; r < flow->p; r++)
        flow->lanes[r] = (struct lane){.items = flow->received.data + r * flow->exchange->room * flow->size,
                                       .left = flow->wanted[r]};
}

static void reserve(struct flow *flow)
{
    const struct exchange *exchange = flow->exchange;
    size_t message = exchange->room * flow->size, all = flow->p * message;
    worker_reserve(exchange->worker, &flow->range.memory, message);
    worker_reserve(exchange->worker, &flow->received, all);
    worker_reserve(exchange->worker, &flow->sent, all);
    worker_reserve(exchange->worker, &flow->merged, all);
}

static void open_flow(struct flow *flow, const struct exchange *exchange)
{
    size_t p = rank_count(), k = exchange->set->count;
    *flow = (struct flow){.exchange = exchange, .p = p, .size = exchange->set->items->size};
    reserve(flow);
    flow->range.arrays = get_memory((k + 1) * sizeof(void *));
    flow->range.counts = get_memory((k + 1) * sizeof(size_t));
    flow->lanes = get_memory(p * sizeof *flow->lanes);
    flow->parts = get_memory(p * sizeof *flow->parts);
    flow->to = get_memory(2 * p * sizeof *flow->to);
    flow->from = flow->to + p;
    flow->wanted = get_memory(2 * p * sizeof *flow->wanted);
    flow->given = flow->wanted + p;
    flow->heads = get_memory(p * sizeof *flow->heads);
    flow->arrays = get_memory(p * sizeof *flow->arrays);
    flow->counts = get_memory(p * sizeof *flow->counts);
    flow->last = get_memory(flow->size);
    flow->has_last = exchange->cuts->before != NULL;
    if (flow->has_last)
        memcpy(flow->last, exchange->cuts->before, flow->size);
    open_lanes(flow);
}

static void close_flow(struct flow *flow)
{
    struct worker *worker = flow->exchange->worker;
    for (size_t r = 0; r < flow->p; r++)
        if (flow->parts[r] != NULL)
            ranges_close(flow->parts[r]);
    worker_release(worker, &flow->range.memory);
    worker_release(worker, &flow->received);
    worker_release(worker, &flow->sent);
    worker_release(worker, &flow->merged);
    free(flow->range.arrays);
    free(flow->range.counts);
    free(flow->lanes);
    free(flow->parts);
    free(flow->to);
    free(flow->wanted);
    free(flow->heads);
    free(flow->arrays);
    free(flow->counts);
    free(flow->last);
}

/* ---- a round ---- */

/* Moves what is left to the front of the lanes, and asks for as much as fits behind it. */
static void ask(struct flow *flow)
{
    for (size_t r = 0; r < flow->p; r++) {
        struct lane *lane = &flow->lanes[r];
        size_t n = lane->end - lane->begin, room = flow->exchange->room - n;
        if (lane->begin > 0)
            memmove(lane->items, lane->items + lane->begin * flow->size, n * flow->size);
        flow->wanted[r] = lane->left < room ? lane->left : room;
        flow->from[r] = (struct rank_message){lane->items + n * flow->size, (size_t)flow->wanted[r] * flow->size};
        *lane = (struct lane){lane->items, 0, n + (size_t)flow->wanted[r], lane->left - flow->wanted[r]};
    }
    ranks_exchange_numbers(flow->wanted, flow->given);
}

/* Merges the next items of this rank's runs for each rank. Duplicates stay, for all know the number of items. */
static void load(struct flow *flow)
{
    struct worker merger = *flow->exchange->worker;
    merger.unique = false;
    for (size_t r = 0; r < flow->p; r++) {
        flow->to[r] = (struct rank_message){flow->sent.data + r * flow->exchange->room * flow->size,
                                            (size_t)flow->given[r] * flow->size};
        if (flow->given[r] > 0 && ranges_take(flow->parts[r], (size_t)flow->given[r], &flow->range))
            worker_merge(&merger, flow->exchange->set->count, flow->range.arrays, flow->range.counts,
                         flow->to[r].memory);
    }
    flow->exchange->worker->in = merger.in;
    flow->exchange->worker->out = merger.out;
}

/* Hands n merged items on, but not the first if it equals the one before. */
static void hand_on(struct flow *flow, size_t n)
{
    const struct exchange *exchange = flow->exchange;
    char *memory = flow->merged.data;
    bool again =
        exchange->worker->unique && flow->has_last && items_compare(exchange->set->items, flow->last, memory) == 0;
    memcpy(flow->last, memory + (n - 1) * flow->size, flow->size);
    flow->has_last = true;
    if (n > again)
        exchange->take(exchange->state, memory + again * flow->size, n - again);
}

static void merge(struct flow *flow)
{
    size_t n = 0;
    for (size_t r = 0; r < flow->p; r++) {
        const struct lane *lane = &flow->lanes[r];
        flow->heads[r] =
            (struct sequence_head){lane->items + lane->begin * flow->size, lane->end - lane->begin, lane->left == 0};
    }
    count_in_bound(flow->exchange->set->items, flow->heads, flow->p, flow->counts);
    for (size_t r = 0; r < flow->p; r++) {
        flow->arrays[r] = flow->heads[r].items;
        flow->lanes[r].begin += flow->counts[r];
        n += flow->counts[r];
    }
    if (n > 0)
        hand_on(flow, worker_merge(flow->exchange->worker, flow->p, flow->arrays, flow->counts, flow->merged.data));
}

/* ---- all rounds ---- */

static uint64_t left(const struct flow *flow)
{
    uint64_t n = 0;
    for (size_t r = 0; r < flow->p; r++)
        n += flow->lanes[r].left;
    return n;
}

void exchange_and_merge(const struct exchange *exchange)
{
    struct flow flow;
    open_flow(&flow, exchange);
    while (ranks_most(left(&flow)) > 0) {
        ask(&flow);
        load(&flow);
        ranks_exchange(flow.to, flow.from);
        merge(&flow);
    }
    close_flow(&flow);
}
