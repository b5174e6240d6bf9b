/* blocks.c - blocks moved to their places, in place, by many threads at a time. A block that is picked up leaves its
 * slot free. The thread carries it to its place, picks up the block that lies there, and so on, until a place is free.
 * Most of the time goes by until memory answers, so a thread follows several such chains in turn. */
#include "cpu/kernel/stream.h"

#define CHAINS 16

typedef struct chain {
    _Alignas(64) char block[SK_LINE];
    uint32_t to; /* its place */
} chain;

static char *slot_of(const sk_blocks *blocks, size_t slot)
{
    return slot == blocks->last ? blocks->beyond : blocks->slots + slot * SK_LINE;
}

/* The next block to put down: its place is read ahead, which the chain's next turn will need. */
static void carry(const sk_blocks *blocks, chain *c, uint32_t to)
{
    c->to = to;
    sk_will_write(blocks->place, to * sizeof *blocks->place);
    for (size_t at = 0; at < SK_LINE; at += 64)
        sk_will_write(slot_of(blocks, to), at);
}

static bool replace(uint32_t *place, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(place, &from, to, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Picks up the next block of the range that lies in a wrong slot; false if there is none. Nobody writes to its slot
 * before that is marked as free. */
static bool begin_chain(const sk_blocks *blocks, size_t *next, size_t end, chain *c)
{
    while (*next < end) {
        size_t slot = (*next)++;
        uint32_t *place = &blocks->place[slot], to = __atomic_load_n(place, __ATOMIC_RELAXED);
        if (to >= SK_PLACE_DONE || to == slot || !replace(place, to, SK_PLACE_BUSY))
            continue;
        memcpy(c->block, slot_of(blocks, slot), SK_LINE);
        __atomic_store_n(place, SK_PLACE_FREE, __ATOMIC_RELEASE);
        carry(blocks, c, to);
        return true;
    }
    return false;
}

/* Puts the block down in its place; false if nothing was there. Where another thread is picking up what is there, this
 * is left to the chain's next turn. */
static bool follow_chain(const sk_blocks *blocks, chain *c)
{
    uint32_t *place = &blocks->place[c->to], to = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    char *slot = slot_of(blocks, c->to), found[SK_LINE];
    if (to == SK_PLACE_FREE) {
        memcpy(slot, c->block, SK_LINE);
        return false;
    }
    if (to == SK_PLACE_BUSY || !replace(place, to, SK_PLACE_DONE))
        return true;
    memcpy(found, slot, SK_LINE);
    memcpy(slot, c->block, SK_LINE);
    memcpy(c->block, found, SK_LINE);
    carry(blocks, c, to);
    return true;
}

void SK_ISA_NAME(sk_move_blocks)(const sk_blocks *blocks, size_t begin, size_t end)
{
    chain chains[CHAINS];
    size_t next = begin, live = 0;
    while (live < CHAINS && begin_chain(blocks, &next, end, &chains[live]))
        live++;
    while (live > 0)
        for (size_t c = 0; c < live; c++)
            if (!follow_chain(blocks, &chains[c]) && !begin_chain(blocks, &next, end, &chains[c]))
                chains[c] = chains[--live];
}
